"""What the page makes of a packed paint: `assets/live/codec.js`, written again in Python."""

import base64
import struct
from typing import Any


def unpack_paint(packed: list[Any], slots: dict[str, Any]) -> dict[str, Any]:
    """Return the painted slots of an answer; `slots` is all the page holds, in its first order."""
    keys = list(slots)
    named = zip(packed[::2], packed[1::2], strict=True)
    paint = {}
    for place, value in named:
        key = keys[place] if isinstance(place, int) else place
        paint[key] = unpack(value, slots.get(key))
    slots.update(paint)
    return paint


def unpack(packed: Any, before: Any = None) -> Any:
    """Undo `attention_widget.widgets.live.codec.pack`."""
    match packed:
        case ["[", *items]:
            return [unpack(item) for item in items]
        case ["{", *items]:
            return {k: unpack(v) for k, v in zip(items[::2], items[1::2], strict=True)}
        case ["s", text]:
            return text.replace("~", "−").split("|")
        case ["f", text]:
            return [v for (v,) in struct.iter_unpack("<d", base64.b64decode(text))]
        case ["~", places, leaves]:
            new = dict(zip(map(int, places.split(",")), unpack(leaves), strict=True))
            return _copy(before, new, iter(range(10**9)))
    assert not isinstance(packed, list), packed
    return packed


def _copy(value: Any, new: dict[int, Any], count: Any) -> Any:
    if isinstance(value, list):
        return [_copy(item, new, count) for item in value]
    if isinstance(value, dict):
        return {key: _copy(item, new, count) for key, item in value.items()}
    return new.get(next(count), value)
