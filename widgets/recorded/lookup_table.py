"""How is a whole section written down, so that a page without Python can replay it?

Every combination of the controls' values has its place. What is rendered stands for every state
that agrees in the settings that were read for it. A slot is then kept only along the axes that it
depends on (measured, not declared), and equal values are stored once.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.section.controls import PartPicker, Value
from attention_widget.widgets.section.groups import Noted, Render
from attention_widget.widgets.section.section import Section, Slots

Progress = Callable[[int, int], None]
_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False)
Key = tuple[bool, str]  # of a value in a pool: whether it is a text, and that or its JSON


@dataclass(frozen=True)
class Axis:
    """One control of a recording: its name and the values that were walked."""

    name: str
    values: tuple[Value, ...]


def axes_of(section: Section) -> tuple[Axis, ...]:
    """Return the axes of a section that have to be walked; a picker changes nothing painted.

    Raises:
        ValueError: a control has no list of values, as free text has none.
    """
    for control in section.controls:
        if not control.values():
            raise ValueError(
                f"a recording needs a list of values for every control: {section.name}."
                f"{control.name} has none; leave it out of a recorded lesson"
            )
    walked = (c for c in section.controls if not isinstance(c, PartPicker))
    return tuple(Axis(control.name, control.values()) for control in walked)


def pickers_of(section: Section) -> tuple[Axis, ...]:
    """Return the axes that only choose among what is painted."""
    pickers = (c for c in section.controls if isinstance(c, PartPicker))
    return tuple(Axis(control.name, control.values()) for control in pickers)


def settle(section: Section) -> Iterator[Any]:
    """Set every combination of values in turn and give the settings that came of it."""
    axes = axes_of(section)
    before: tuple[Value, ...] = ()
    for values in product(*(axis.values for axis in axes)):
        # Only what differs from the last wish, and what follows it, which may have been settled.
        same = next((n for n, (a, b) in enumerate(zip(before, values, strict=False)) if a != b), 0)
        for axis, value in list(zip(axes, values, strict=True))[same:]:
            if getattr(section.state, axis.name) != value:
                setattr(section.state, axis.name, value)
        before = values
        yield section.state.settings()


def outcomes(
    render: Render, states: Sequence[Any], columns: Mapping[str, npt.NDArray[np.int32]]
) -> Iterator[tuple[npt.NDArray[np.intp], Slots]]:
    """Render once for all states that agree in the settings that `render` reads.

    Args:
        render: reads its settings as attributes.
        states: the settings of every state.
        columns: name of a setting -> a number for its value, per state.

    Yields:
        Numbers of states, and the slots of all of them.
    """
    left = np.arange(len(states))
    while left.size:
        read: set[str] = set()
        slots = render(Noted(states[left[0]], read))
        same = np.ones(left.size, bool)
        for name in read & columns.keys():
            column = columns[name][left]
            same &= column == column[0]
        yield left[same], slots
        left = left[~same]


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
    states = list(settle(section))
    columns = {axis.name: _numbered(getattr(s, axis.name) for s in states) for axis in axes}
    pools: dict[str, dict[Key, int]] = {}
    indices: dict[str, npt.NDArray[np.int32]] = {}
    groups = section.groups()
    for n, group in enumerate(groups):
        known: set[str] | None = None
        last: dict[str, tuple[Any, int]] = {}  # what is shared between states is written out once
        done = 0
        for places, slots in outcomes(group, states, columns):
            if known is None:  # a later group may say better what an earlier one said
                known = set(slots)
                pools |= {key: {} for key in slots}
                indices |= {key: np.zeros(len(states), np.int32) for key in slots}
            elif slots.keys() != known:
                odd = sorted(slots.keys() ^ known)
                raise ValueError(
                    f"every state must render the same slots: {odd[:3]} differ in state "
                    f"{places[0]} of {section.name}; render an empty value instead of leaving a "
                    "slot out"
                )
            for key, value in slots.items():
                if key not in last or last[key][0] is not value:
                    last[key] = value, pools[key].setdefault(_key(value), len(pools[key]))
                indices[key][places] = last[key][1]
            done += len(places)
            progress((n * len(states) + done) // len(groups), len(states))
    section.reset()
    start = section.values()
    packed = {key: _pack(indices[key].reshape(shape), pools[key]) for key in sorted(pools)}
    pickers = pickers_of(section)
    for n, axis in enumerate(pickers, start=len(axes)):
        pool = [{"value": value} for value in axis.values]
        packed[f"{section.name}.control.{axis.name}"] = {
            "axes": [n],
            "index": list(range(len(pool))),
            "pool": pool,
        }
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


def share(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return a table as a file holds it: what several slots have alike stands there once.

    Args:
        table: from `record_section`.

    Returns:
        The table with "indices" and "pools" beside "slots", whose "index" and "pool" are places in
        them.
    """
    indices: dict[str, int] = {}
    pools: dict[str, int] = {}
    slots = {
        key: {
            "axes": slot["axes"],
            "index": indices.setdefault(_ENCODER.encode(slot["index"]), len(indices)),
            "pool": pools.setdefault(_ENCODER.encode(slot["pool"]), len(pools)),
        }
        for key, slot in table["slots"].items()
    }
    return {
        **table,
        "slots": slots,
        "indices": [json.loads(text) for text in indices],
        "pools": [json.loads(text) for text in pools],
    }


def _numbered(values: Iterable[Value]) -> npt.NDArray[np.int32]:
    numbers: dict[Value, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], np.int32)


def _key(value: Any) -> Key:
    if type(value) is str:  # most are, and need not be written out to be compared
        return True, value
    return False, _ENCODER.encode(value)


def _pack(index: npt.NDArray[np.int32], pool: dict[Key, int]) -> dict[str, Any]:
    kept = []
    for axis in range(index.ndim):
        first = np.take(index, [0], axis=axis)
        if (index == first).all():
            index = first
        else:
            kept.append(axis)
    values = [text if plain else json.loads(text) for plain, text in pool]
    return {"axes": kept, "index": index.ravel().tolist(), "pool": values}
