"""Is every number at an axis that of the place where it stands, or of the row beside it?"""

from collections.abc import Iterator
from typing import Any

import pytest
from bokeh.models import Axis

from attention_widget.widgets.lesson import Lesson
from tests.truth.claims.leak import T as POSITIONS
from tests.truth.numbers import Claim, faults_of, numbers
from tests.truth.test_every_number import some
from tests.truth.trained import moments

EVERY = {"cost": 7, "dropout": 5, "heads": 11, "training": 1, "leak": 1}
LABELLED = {  # figures whose labels follow the state
    "cost.squares.x_axis",
    "cost.wall.x_axis",
    "cost.wall.y_axis",
    "dropout.plot.y_axis",
    "heads.y_axis",
    "training.x_axis",
}


def labels(slots: dict[str, Any]) -> Iterator[tuple[str, dict[float, str], list[float]]]:
    """Yield every axis whose labels are in a state's slots: its name, its labels, its ticks."""
    for key, value in slots.items():
        if key.startswith("model:") and "major_label_overrides" in value:
            name = key.removeprefix("model:")
            ticks = slots.get(f"model:{name.replace('axis', 'ticks')}")
            ticks = ticks or slots[f"model:{name.partition('.')[0]}.ticks"]
            yield name, dict(value["major_label_overrides"]), ticks["ticks"]


def due(name: str, place: float, last: float, values: dict[str, Any]) -> Claim:
    """Claim the number in the label at a place."""
    if name == "training.x_axis":
        return Claim("step", float(moments()["step"][int(place)]))
    if name == "heads.y_axis" and place == last:
        return Claim("output channel", values["channel"])
    if name in ("heads.y_axis", "dropout.plot.y_axis"):
        return Claim("number of a row", int(place) + 1)
    return Claim("place of a tick", place, 3 if name == "cost.wall.y_axis" else None)


@pytest.mark.parametrize("name", EVERY)
def test_a_label_that_follows_the_state_is_the_number_of_its_place_or_row(name: str) -> None:
    section, seen = Lesson(recorded_draws=3).sections[name], set()
    for slots in some(section, EVERY[name]):
        for axis, texts, ticks in labels(slots):
            seen.add(axis)
            assert sorted(ticks) == sorted(texts), axis
            for place, text in texts.items():
                claim = due(axis, place, max(texts), section.values())
                assert faults_of(axis, text, [claim]) == []
    assert seen == {axis for axis in LABELLED if axis.startswith(f"{name}.")}


def test_a_label_that_stands_in_every_state_is_the_number_of_its_place() -> None:
    count = 0
    for figure in Lesson().figures():
        for axis in figure.select(Axis):
            known = []
            if "positions" in (axis.axis_label or ""):
                known = [Claim("position", n) for n in (1, POSITIONS - 1)]
            assert faults_of(figure.name, axis.axis_label or "", known) == []
            ticks = getattr(axis.ticker, "ticks", None)
            if axis.major_label_overrides:
                assert list(ticks) == list(axis.major_label_overrides)
            for place, text in axis.major_label_overrides.items():
                assert faults_of(figure.name, text, [Claim("place of a tick", place)]) == []
                count += len(numbers(text))
    assert count > 10
