"""Is every number of every state the one that other code computes?"""

import importlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product
from math import isinf
from typing import Any

import pytest

from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.recorded.lookup_table import axes_of
from attention_widget.widgets.section.section import Section
from tests.looked_up import looked_up
from tests.truth.numbers import Claim, agrees, faults_of, numbers

TRAINED = ("guess", "learned", "training", "subject")
SECTIONS = ("map", "dropout", "faults", "heads", "cost", "tiles", "leak", "prompts", *TRAINED)
NOT_READ = (
    ".palette_index",  # a colour
    ".mini.",  # colours
    ".colour",
    ".hatch",
    ".ground.x",  # where a mark lies that stands in every state
    ".ground.y",
    ".cells.x",
    ".cells.y",
    ".answers.x",
    ".answers.y",
    ".sums.x",
    ".sums.y",
    ".rows.y",
    ".shares.y",
    ".y0",
    ".y1",
    ".sides.left",  # where a square lies that has its side said
    ".sides.bottom",
    ".sides.at",
    ".observation",  # what the checkpoint grades, never shown
)
PLACES = re.compile(  # where things lie in the figure of the map
    r"\.(labels|bar|sample\.\w+|arcs|notes|under)\.\w*(x|y|[xy][01]|angle|left|right|top|bottom|size)$"
    r"|\.(ring|verdict|kind)$"
)


def is_read(key: str) -> bool:
    """Say whether a reader meets the numbers of a slot."""
    if PLACES.search(key):
        return False
    return not key.startswith("model:") and not key.endswith(NOT_READ) and ".mini." not in key


def resolved(slots: dict[str, Any], key: str) -> Any:
    """Return a slot's value; of one that holds a sentence for each word, all the sentences."""
    value = slots[key]
    if isinstance(value, dict) and "like" in value:
        first = value.get("first")
        same = resolved(slots, value["like"])
        return same if first is None else [f"{first} {text}" for text in same]
    if not isinstance(value, dict) or "fill" not in value:
        return looked_up(slots, value)
    cells = slots[value["fill"]]
    return [re.sub("\t([0-9]+)", lambda at: cells[int(at[1])], text) for text in value["of"]]


def some(section: Section, every: int, start: int = 0) -> Iterator[dict[str, Any]]:
    """Paint every so many of a section's states; every = 1 for all."""
    axes = axes_of(section)
    for values in islice(product(*(axis.values for axis in axes)), start, None, every):
        section.state.choose(**dict(zip((axis.name for axis in axes), values, strict=True)))
        yield section.render()


def visit(name: str, every: int = 1) -> tuple[list[str], Counter[str], int]:
    """Compare all states of a section with its claims: (what is wrong, numbers by kind, states)."""
    section = Lesson(recorded_draws=3).sections[name]
    claim = importlib.import_module(f"tests.truth.claims.{name}").claims
    wrong: list[str] = []
    kinds: Counter[str] = Counter()
    states = 0
    for slots in some(section, every):
        states += 1
        claims = claim(section.values())
        for key in slots:
            value = resolved(slots, key)
            if not is_read(key):
                continue
            due = claims.get(key, [])
            if ".control." in key:
                continue
            wrong += faults_of(key, value, due)
            kinds.update(c.kind for c in due)
        assert not claims.keys() - slots.keys(), claims.keys() - slots.keys()
        if len(wrong) > 20:
            break
    return wrong, kinds, states


FEW = {
    "map": 499,
    "faults": 97,
    "heads": 11,
    "prompts": 101,
    "cost": 7,
    "dropout": 5,
    "tiles": 1,
    "leak": 1,
    "guess": 1,
    "learned": 5,
    "training": 1,
    "subject": 1,
}


def test_the_numbers_of_every_section_are_computed_twice():
    assert set(Lesson().sections) == set(SECTIONS)


@pytest.mark.parametrize("name", SECTIONS)
def test_the_numbers_of_some_states_are_those_of_other_code(name: str) -> None:
    wrong, kinds, states = visit(name, FEW[name])
    assert wrong == []
    assert states >= 3
    assert kinds.total() > 50


@pytest.mark.slow
@pytest.mark.parametrize("name", SECTIONS)
def test_every_number_of_every_state_is_that_of_other_code(name: str) -> None:
    wrong, kinds, _ = visit(name)
    assert wrong == []
    assert kinds.total() > 50


def state_of(name: str, nth: int) -> tuple[dict[str, Any], dict[str, list[Claim]]]:
    """Return the slots and the claims of one state."""
    section = Lesson(recorded_draws=3).sections[name]
    claim = importlib.import_module(f"tests.truth.claims.{name}").claims
    slots = next(some(section, 1, nth))
    return slots, claim(section.values())


@pytest.mark.parametrize(
    ("name", "nth"),
    [
        ("map", 5000),
        ("faults", 0),
        ("faults", 201),
        ("dropout", 31),
        ("heads", 300),
        ("cost", 95),
        ("tiles", 14),
        ("guess", 93),
        ("learned", 320),
        ("training", 9),
        ("subject", 3),
    ],
)
def test_a_number_off_by_one_unit_of_its_last_digit_is_found(name: str, nth: int) -> None:
    slots, claims = state_of(name, nth)
    tried = 0
    for key, due in claims.items():
        if not is_read(key):
            continue
        for number, claim in zip(numbers(resolved(slots, key)), due, strict=True):
            if isinf(number.value):
                continue
            unit = 10.0**-number.decimals
            for wrong in (number.value + unit, number.value - unit):
                assert not agrees(replace(number, value=wrong), claim), (key, number)
                tried += 1
    assert tried > 30


def test_a_number_that_nobody_claims_is_found() -> None:
    assert faults_of("key", "15 cells", [Claim("masked cells", 15)]) == []
    assert faults_of("key", "15 cells of 36", [Claim("masked cells", 15)])
    assert faults_of("key", ["td", {"class": "from-1"}, "0.50"], [])
    assert faults_of("key", {"aria-label": "head 2"}, [Claim("head", 1)])
    assert faults_of("key", "3 cells", [])


def test_numbers_are_read_with_sign_unit_and_places() -> None:
    read = numbers(["tr", {"data-level": 0.25, "class": "from-1"}, "−0.30 + 1,024 KiB", "90.9%"])
    assert [(n.value, n.unit, n.decimals) for n in read] == [
        (0.25, 1, 2),
        (-0.3, 1, 2),
        (1024, 1024, 0),
        (90.9, 0.01, 1),
    ]
    assert [n.value for n in numbers(["−∞", "GPT-2 124M as float32"])] == [float("-inf")]
