"""What does a slot say that is looked up in others, as the page looks it up?"""

from collections.abc import Mapping
from typing import Any


def looked_up(slots: Mapping[str, Any], value: Any) -> Any:
    """Return the column that a slot {"texts": ...} stands for; any other value as it is.

    See `attention_widget.widgets.map.follow`.
    """
    if not isinstance(value, dict) or "texts" not in value:
        return value
    texts = looked_up(slots, slots[value["texts"]])
    if "places" in value:
        return [value["places"].get(text, value["beyond"]) for text in texts]
    states = slots[value["states"]]
    return [value["marks"].get(state, text) for text, state in zip(texts, states, strict=True)]
