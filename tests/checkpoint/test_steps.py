"""Is each step graded from what the widget shows, and what is said after every answer?"""

import pytest

from attention_widget import causal_mask
from attention_widget.widgets.checkpoint.machine import (
    FIRST,
    Answer,
    Open,
    advance,
    earned,
    first_tries,
)
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.steps.property import CHOICES
from attention_widget.widgets.checkpoint.steps.rows import PLACES
from attention_widget.widgets.map.observation import Observation
from tests.checkpoint.student import KEYS, Bench, do_step


def shown(bench: Bench) -> str:
    """Everything the current step says."""
    view = STEPS[bench.progress.at].view(bench.now)
    return " ".join([view.wanted, *(text for _, text in view.notes)])


def hinted(bench: Bench) -> bool:
    return any(kind == "hint" for kind, _ in STEPS[bench.progress.at].view(bench.now).notes)


def test_reading_needs_the_mask_off():
    bench = Bench(state=Bench().state).do(causal=True)
    assert "Turn the causal mask off" in shown(bench)
    assert STEPS[0].answers(bench.now) == ()
    bench.do(causal=False).answer("yes,0")
    assert bench.now.startswith(FIRST)


@pytest.mark.parametrize(
    ("value", "named"),
    [("no,0", ["sees future?"]), ("yes,15", ["masked cells"]), ("no,15", ["sees", "masked"])],
)
def test_a_wrong_reading_names_the_figure_to_look_at_again(value, named):
    bench = Bench().answer(value)
    assert not earned(bench.now)
    assert hinted(bench)
    for word in named:
        assert word in shown(bench)
    bench.answer("yes,0")
    assert earned(bench.now)
    assert first_tries(bench.progress) == 0


def test_a_wrong_reading_is_remembered_when_the_mask_was_on_meanwhile():
    bench = Bench().answer("no,0").do(causal=True).do(causal=False).answer("yes,0")
    assert bench.now.startswith("done-later")


@pytest.mark.parametrize(("words", "cells"), [(2, 1), (5, 10), (6, 15), (16, 120)])
def test_the_predicted_count_is_compared_with_the_measured_one_for_every_length(words, cells):
    assert cells == (~causal_mask(words)).sum()
    bench = Bench().do(sentence=" ".join("abcdefghijklmnop"[:words])).until("hidden")
    bench.do(causal=False).answer(str(cells)).do(causal=True)
    assert bench.now == f"done-first:{cells}:{words}"


def test_a_count_cannot_be_predicted_while_it_can_be_read():
    bench = Bench().until("hidden").do(causal=True)
    assert bench.answer("15").now == "wait:0"
    assert "mask off first" in shown(bench)
    assert bench.do(causal=False).now == "ask:6"


def test_a_prediction_may_be_changed_until_the_mask_goes_on():
    bench = Bench().until("hidden").answer("12").answer("15")
    assert "15" in shown(bench)
    assert bench.do(causal=True).now.startswith(FIRST)


@pytest.mark.parametrize(
    ("guess", "hint"), [("21", "stay visible"), ("18", "Half"), ("0", "one fewer")]
)
def test_a_wrong_count_is_compared_explained_and_can_be_put_right(guess, hint):
    bench = Bench().until("hidden").answer(guess).do(causal=True)
    assert f"You said {guess}; the widget measures 15." in shown(bench)
    assert hint in shown(bench)
    assert hinted(bench)
    assert not earned(bench.answer("14").now)
    assert bench.answer("15").now.startswith("done-later")


@pytest.mark.parametrize("most", PLACES)
@pytest.mark.parametrize("same", [*PLACES, "none"])
def test_only_first_most_and_last_untouched_is_right_about_the_rows(most, same):
    bench = Bench().until("rows").answer(f"{most},{same}")
    bench.do(causal=False).do(causal=True)
    assert earned(bench.now) == (most == "first" and same == "last")
    assert hinted(bench) != earned(bench.now)
    view = STEPS[2].view(bench.now)
    assert view.rows[0] == max(view.rows)
    assert view.rows[-1] == 0
    assert 0 not in view.rows[:-1]
    bench.answer("first,last")
    assert earned(bench.now)
    assert "Row 1 changes most, row 6 not at all." in shown(bench)


def test_the_rows_are_revealed_when_the_mask_goes_from_off_to_on_and_not_before():
    bench = Bench().until("rows")
    assert bench.seen().masked
    bench.answer("first,last")
    assert not earned(bench.now)
    assert not earned(bench.do(causal=False).now)
    assert STEPS[2].view(bench.now).rows == ()
    assert earned(bench.do(causal=True).now)


def test_the_row_that_changes_most_is_the_measured_one_and_not_always_row_1():
    step = STEPS[2]
    o = Observation(3, False, 3, 1, 1, 12, False, False, False, False, True, 2, (40, 70, 0))
    assert step.observe("held:middle:last:off", o) == "done-first:2:40.70.0"
    assert step.observe("held:first:last:off", o).startswith("miss")


@pytest.mark.parametrize(("guess", "right"), [("3", True), ("12", False), ("4", False)])
def test_the_width_of_a_head_is_predicted_before_heads_reaches_4(guess, right):
    bench = Bench().until("width").do(heads=2).answer(guess).do(heads=3)
    assert not earned(bench.now)
    bench.do(heads=4)
    assert bench.now.startswith(FIRST) == right
    assert hinted(bench) != right
    assert earned(bench.answer("3").now)
    assert "12/4" in shown(bench)


def test_with_4_heads_already_there_the_width_step_asks_for_fewer_first():
    bench = Bench().do(heads=4).until("width")
    bench.do(heads=4)
    assert "below 4" in shown(bench)
    assert bench.answer("3").now == "wait:0"


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 2, 1, 3), (2, 2, 1, 4, 1, 3)])
def test_four_heads_are_viewed_in_any_order(order):
    bench = Bench().until("heads")
    bench.do(heads=4, head=order[0])
    for n, head in enumerate(order, start=1):
        bench.do(head=head)
        assert earned(bench.now) == ({order[0], *order[:n]} == {1, 2, 3, 4})


def test_heads_seen_count_on_after_heads_was_lowered_and_raised_again():
    bench = Bench().until("heads").do(heads=4, head=1).do(head=2).do(heads=2)
    assert "Set Heads to 4" in shown(bench)
    assert "head 3 and 4" in shown(bench)
    bench.do(heads=4, head=3).do(head=4)
    assert earned(bench.now)


def test_dropout_leaves_1_in_a_draw_and_not_on_average_and_does_nothing_at_inference():
    bench = Bench().until("dropout")
    assert bench.do(dropout=0.3, training=False).now == "idle-p"
    assert bench.do(dropout=0.0, training=True).now == "idle-t"
    bench.do(dropout=0.3)
    seen = bench.seen()
    assert (seen.dropped, seen.sums_off, seen.means_settled) == (True, True, True)
    assert bench.now == "left"
    assert bench.do(dropout=0.0, training=False).now == "left-none"
    bench.do(dropout=0.3)
    assert not bench.seen().sums_off
    assert earned(bench.now)


@pytest.mark.parametrize(
    ("facts", "state", "told"),
    [((False, False, True), "lucky", "New draw"), ((True, True, False), "unsettled", "lower")],
)
def test_a_draw_that_shows_nothing_says_what_to_try(facts, state, told):
    step = STEPS[5]
    o = Observation(6, True, 0, 1, 1, 12, True, True, *facts, 1, (9, 1, 1, 1, 1, 0))
    assert step.observe("plain", o) == state
    assert told in " ".join(text for _, text in step.view(state).notes)


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_of_the_property_has_its_own_feedback(choice):
    bench = Bench().until("property").answer(choice)
    assert earned(bench.now) == (choice == "accurate")
    assert choice.capitalize() in shown(bench)
    bench.answer("accurate")
    assert earned(bench.now)
    assert first_tries(bench.progress) == (5 if choice == "accurate" else 4)
    assert all(word.capitalize() in shown(bench) for word in CHOICES)


@pytest.mark.parametrize("key", ["read", "hidden", "rows"])
def test_a_sentence_of_one_word_says_what_is_needed_and_more_words_go_on(key):
    bench = Bench().until(key).do(sentence="alone")
    assert "two words or more" in shown(bench)
    assert STEPS[bench.progress.at].answers(bench.now) == ()
    bench.do(sentence="not alone any more")
    do_step(bench)
    assert earned(bench.now)


def test_an_answer_repeated_says_the_same_and_costs_nothing():
    bench = Bench().until("property").answer("steerable")
    assert bench.progress == bench.answer("steerable").progress


def test_steps_and_fields_have_names_of_their_own():
    assert len(set(KEYS)) == len(KEYS) == 7
    for step in STEPS:
        assert step.states.fullmatch(step.start)
        assert len({field.name for field in step.fields}) == len(step.fields)
        assert advance(Bench().progress, Open(step.key), STEPS) is not None
        assert advance(Bench().progress, Answer(step.key, "?"), STEPS) == Bench().progress
