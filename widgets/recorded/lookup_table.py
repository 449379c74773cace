"""How is a whole section written down, so that a page without Python can replay it?

Every combination of the controls' values is painted. A slot is then kept only along the axes it
depends on (measured, not declared), and equal values are stored once.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.section.controls import Value
from attention_widget.widgets.section.section import Section

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Axis:
    """One control of a recording: its name and the values that were walked."""

    name: str
    values: tuple[Value, ...]


def axes_of(section: Section) -> tuple[Axis, ...]:
    """Return the axes of a section.

    Raises:
        ValueError: a control has no list of values, as free text has none.
    """
    for control in section.controls:
        if not control.values():
            raise ValueError(
                f"a recording needs a list of values for every control: {section.name}."
                f"{control.name} has none; leave it out of a recorded lesson"
            )
    return tuple(Axis(control.name, control.values()) for control in section.controls)


def walk(section: Section) -> Iterator[tuple[int, dict[str, Any]]]:
    """Set every combination of values in turn and give its number and its painted slots."""
    axes = axes_of(section)
    for n, values in enumerate(product(*(axis.values for axis in axes))):
        section.state.choose(**dict(zip((axis.name for axis in axes), values, strict=True)))
        yield n, section.render()


def record_section(
    section: Section, progress: Progress = lambda done, total: None
) -> dict[str, Any]:
    """Write down a section.

    Returns:
        {"name", "axes": [{"name", "values", "start"}], "slots": {key: {"axes": [axis numbers],
        "index": [places in pool, C order over those axes], "pool": [values]}}}.

    Raises:
        ValueError: as `axes_of`, or two states paint different slots.
    """
    axes = axes_of(section)
    shape = tuple(len(axis.values) for axis in axes)
    total = int(np.prod(shape, dtype=np.int64))
    pools: dict[str, dict[str, int]] = {}
    indices: dict[str, npt.NDArray[np.int32]] = {}
    for n, slots in walk(section):
        if n and slots.keys() != pools.keys():
            odd = sorted(slots.keys() ^ pools.keys())
            raise ValueError(
                f"every state must paint the same slots: {odd[:3]} differ in state {n} of "
                f"{section.name}; paint an empty value instead of leaving a slot out"
            )
        for key, value in slots.items():
            pool = pools.setdefault(key, {})
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            indices.setdefault(key, np.zeros(total, np.int32))[n] = pool.setdefault(text, len(pool))
        progress(n + 1, total)
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
