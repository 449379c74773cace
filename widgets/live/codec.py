"""How does a painted slot travel: short, and exactly as it was?

Bokeh's protocol writes every dictionary, key and number out in full. What is sent here is lists
only: columns of numbers as binary64 in base64, columns of words in one text, and of a value whose
form stayed the same only the leaves that changed. `assets/live/codec.js` undoes it.
"""

import base64
import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from attention_widget.widgets.section.section import Slots

BAR, MINUS, TILDE = "|", "−", "~"  # a true minus sign takes six bytes in Bokeh's JSON


def pack_slots(changed: Slots, before: Mapping[str, Any], places: Mapping[str, int]) -> list[Any]:
    """Return [place, packed value, place, packed value, ...]; the key itself where it has no place.

    Args:
        changed: the slots to send.
        before: what the page holds; it has to be just that.
        places: number of each key in the page's first paint.
    """
    out: list[Any] = []
    for key, value in changed.items():
        out += [places.get(key, key), pack(value, before.get(key))]
    return out


def pack(value: Any, before: Any = None) -> Any:
    """Pack one JSON value, given the value that the page holds.

    Texts, numbers, true, false and null stay as they are; the rest becomes one of
    ["[", ...items], ["{", key, item, ...], ["f", base64 of little-endian binary64],
    ["s", "word|word"] (a true minus sign as ~) or ["~", "places of leaves", packed list of leaves].
    """
    if not isinstance(value, (list, dict)):
        return value
    whole = _pack_whole(value)
    if not isinstance(before, type(value)) or _form(before) != _form(value):
        return whole
    pairs = zip(_leaves(before), _leaves(value), strict=True)
    moved = [(n, new) for n, (old, new) in enumerate(pairs) if repr(old) != repr(new)]
    if not moved:
        return whole
    patch = ["~", ",".join(str(n) for n, _ in moved), _pack_whole([new for _, new in moved])]
    return min(whole, patch, key=_size)


def _pack_whole(value: Any) -> Any:
    if isinstance(value, dict):
        return ["{", *(part for key, item in value.items() for part in (key, _pack_whole(item)))]
    if not isinstance(value, list):
        return value
    plain = ["[", *map(_pack_whole, value)]
    if len(value) > 2 and all(type(item) is float for item in value):
        text = base64.b64encode(np.array(value, "<f8").tobytes()).decode()
        return min(plain, ["f", text], key=_size)
    if len(value) > 2 and all(type(item) is str for item in value):
        text = BAR.join(value)
        if text.count(BAR) == len(value) - 1 and TILDE not in text:
            return ["s", text.replace(MINUS, TILDE)]
    return plain


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, (list, dict)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item)
    else:
        yield value


def _form(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple((key, _form(item)) for key, item in value.items())
    if isinstance(value, list):
        return tuple(map(_form, value))
    return None


def _size(packed: Any) -> int:
    return len(json.dumps(packed, separators=(",", ":")))
