"""A recording made the plain way, every state rendered whole; the fast one is compared with it."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.recorded.lookup_table import Axis, axes_of, pickers_of
from attention_widget.widgets.section.section import Section


def walk(section: Section) -> Iterator[tuple[int, dict[str, Any]]]:
    """Set every combination of values in turn and give its number and its painted slots."""
    axes = axes_of(section)
    for n, values in enumerate(product(*(axis.values for axis in axes))):
        section.state.choose(**dict(zip((axis.name for axis in axes), values, strict=True)))
        yield n, section.render()


def record_whole(section: Section) -> dict[str, Any]:
    """Write down a section, as `record_section` does, but with everything rendered everywhere."""
    axes = axes_of(section)
    shape = tuple(len(axis.values) for axis in axes)
    total = int(np.prod(shape, dtype=np.int64))
    pools: dict[str, dict[str, int]] = {}
    indices: dict[str, npt.NDArray[np.int32]] = {}
    for n, slots in walk(section):
        for key, value in slots.items():
            pool = pools.setdefault(key, {})
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            indices.setdefault(key, np.zeros(total, np.int32))[n] = pool.setdefault(text, len(pool))
    section.reset()
    start = section.values()
    packed = {key: _pack(indices[key].reshape(shape), pools[key]) for key in sorted(pools)}
    pickers = pickers_of(section)
    for n, axis in enumerate(pickers, start=len(axes)):
        packed[f"{section.name}.control.{axis.name}"] = _picked(section, axis, n)
    return {
        "name": section.name,
        "axes": [
            {
                "name": axis.name,
                "values": list(axis.values),
                "start": axis.values.index(start[axis.name]),
            }
            for axis in (*axes, *pickers)
        ],
        "slots": packed,
    }


def _picked(section: Section, axis: Axis, n: int) -> dict[str, Any]:
    """Write down the slot of axis number `n`, which must change nothing else that is rendered."""
    own, rest = [], []
    for value in axis.values:
        section.state.choose(**{axis.name: value})
        slots = section.render()
        own.append(slots.pop(f"{section.name}.control.{axis.name}"))
        rest.append(slots)
    section.reset()
    assert rest == [rest[0]] * len(rest), f"{axis.name} changes more than its own control"
    return {"axes": [n], "index": list(range(len(own))), "pool": own}


def _pack(index: npt.NDArray[np.int32], pool: dict[str, int]) -> dict[str, Any]:
    kept = []
    for axis in range(index.ndim):
        first = np.take(index, [0], axis=axis)
        if (index == first).all():
            index = first
        else:
            kept.append(axis)
    return {"axes": kept, "index": index.ravel().tolist(), "pool": [json.loads(t) for t in pool]}
