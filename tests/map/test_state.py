"""Does the state let in what a control can show, and nothing else, whoever sets it?"""

from collections.abc import Callable

import param
import pytest

from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section.controls import Control

REFUSED = {
    "causal": ("maybe", "Causal mask is 0 (off) or 1 (on): got “maybe”"),
    "heads": (5, "Heads goes from 1 to 4 in whole numbers: got 5"),
    "head": (0, "Viewing head goes from 1 to 4 in whole numbers: got 0"),
    "dropout": (0.25, "Dropout goes from 0 to 0.9 in steps of 0.1: got 0.25"),
    "training": (2, "Training is 0 (off) or 1 (on): got 2"),
    "stage": ("softmax", "Stage is one of scores, masked, weights, dropped: got “softmax”"),
    "draw": (1.5, "New draw goes from 0 to 999 in whole numbers, 0 for the first: got 1.5"),
    "word": (0, "Word goes from 1 to 16 in whole numbers: got 0"),
    "sentence": ("", "a sentence must have 1 to 16 words: got 0"),
    "seed": (-1, "Seed is a whole number from 0 to 4294967295: got “-1”; try 7"),
}
Way = Callable[[LessonState, str, object], object]
WAYS: dict[str, Way] = {
    "assignment": lambda state, name, value: setattr(state, name, value),
    "param.update": lambda state, name, value: state.param.update(**{name: value}),
    "choose": lambda state, name, value: state.choose(**{name: value}),
    "the constructor": lambda state, name, value: LessonState(**{name: value}),
}
by_every_way = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())


@by_every_way
@pytest.mark.parametrize("control", LessonState().controls(), ids=lambda control: control.name)
def test_no_parameter_takes_what_is_no_value_at_all(way: Way, control: Control) -> None:
    state = LessonState()
    with pytest.raises(ValueError, match=f"{control.label} "):
        way(state, control.name, object())
    assert state.values() == LessonState().values()


@by_every_way
@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_value_raises_the_controls_own_message_and_changes_nothing(
    way: Way, name: str
) -> None:
    state, heard = LessonState(causal=True, heads=3, head=2), []
    before = state.settings()
    state.param.watch(heard.append, [*state.values()])
    value, message = REFUSED[name]
    with pytest.raises(ValueError, match=r".") as refusal:
        way(state, name, value)
    assert message in str(refusal.value)
    assert state.settings() == before
    assert heard == []


def test_choosing_several_takes_all_or_none() -> None:
    state = LessonState()
    before = state.settings()
    with pytest.raises(ValueError, match="Dropout"):
        state.choose(heads=3, dropout=7)
    assert state.settings() == before


@pytest.mark.parametrize("nonsense", [float("nan"), float("inf"), None, lambda: 0.3, [0.3], 1j])
def test_no_nonsense_becomes_a_number(nonsense: object) -> None:
    state = LessonState()
    with pytest.raises(ValueError, match="Dropout goes from"):
        state.dropout = nonsense  # type: ignore[assignment]
    assert state.dropout == 0


@by_every_way
def test_the_viewing_head_is_lowered_with_the_heads(way: Way) -> None:
    state = LessonState(heads=4, head=4)
    way(state, "heads", 2)
    assert state.head == (4 if way is WAYS["the constructor"] else 2)


def test_no_viewing_head_without_its_head() -> None:
    assert LessonState(heads=2, head=4).head == 2
    state = LessonState(heads=2)
    state.head = 4
    assert state.head == 2
    state.param.update(head=4, heads=4)
    assert state.head == 4
    state.param.update(head=3, heads=1)
    assert state.head == 1


def test_whoever_watches_never_sees_a_head_that_is_not_there() -> None:
    state, seen = LessonState(heads=4, head=4), []

    def look(*events: param.parameterized.Event) -> None:
        snapshot(state.settings())
        seen.append((state.heads, state.head))

    state.param.watch(look, [*state.values()])
    state.heads = 2
    state.param.update(heads=1, causal=True)
    assert set(seen) == {(2, 2), (1, 1)}


def test_values_are_settled_as_a_page_would_send_them() -> None:
    state = LessonState()
    state.sentence = "  one \t two "
    assert state.sentence == "one two"
    state.dropout = 0.1 + 0.2
    assert state.dropout == 0.3
    state.seed = "7"  # type: ignore[assignment]
    assert state.seed == 7


def test_the_frozen_copy_has_the_states_fields_and_is_a_key() -> None:
    state = LessonState(causal=True, heads=2)
    settings = state.settings()
    computed = {name: value for name, value in state.values().items() if name != "word"}
    assert {name: getattr(settings, name) for name in computed} == computed
    assert {settings: 1}[LessonState(causal=True, heads=2).settings()] == 1
    with pytest.raises(AttributeError):
        settings.heads = 3  # type: ignore[misc]
