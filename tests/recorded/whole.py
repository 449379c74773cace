"""A recording made the plain way, every state rendered whole; the fast one is compared with it."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.recorded.lookup_table import axes_of
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
    return {
        "name": section.name,
        "axes": [
            {
                "name": axis.name,
                "values": list(axis.values),
                "start": axis.values.index(start[axis.name]),
            }
            for axis in axes
        ],
        "slots": {key: _pack(indices[key].reshape(shape), pools[key]) for key in sorted(pools)},
    }


def _pack(index: npt.NDArray[np.int32], pool: dict[str, int]) -> dict[str, Any]:
    kept = []
    for axis in range(index.ndim):
        first = np.take(index, [0], axis=axis)
        if (index == first).all():
            index = first
        else:
            kept.append(axis)
    return {"axes": kept, "index": index.ravel().tolist(), "pool": [json.loads(t) for t in pool]}
