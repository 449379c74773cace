"""Is each step graded from what the widget shows, and what is said after every answer?"""

import numpy as np
import pytest

from attention_widget import causal_mask
from attention_widget.models.learned.measures import Scores, score
from attention_widget.models.learned.roles import ROW_SEED, ROWS, roles
from attention_widget.models.learned.store import shipped
from attention_widget.widgets.checkpoint.machine import (
    FIRST,
    LATER,
    Answer,
    Open,
    advance,
    earned,
)
from attention_widget.widgets.checkpoint.pictures import squares_picture
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.steps.asking import NEXT
from attention_widget.widgets.checkpoint.steps.hook import FACTS, RUN
from attention_widget.widgets.labs.leak.run import PROMPT, finished_run
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.section.terms import without_terms
from tests.checkpoint.student import (
    GRADED,
    KEYS,
    Bench,
    do_step,
    moves,
    right_answer,
    wrong_answer,
)

BY_KEY = {step.key: step for step in STEPS}


def view(bench: Bench):
    return STEPS[bench.progress.at].view(bench.now)


def shown(bench: Bench) -> str:
    """Everything the current step says."""
    seen = view(bench)
    return without_terms(" ".join([seen.wanted, *(text for _, text in seen.notes)]))


def hinted(bench: Bench) -> bool:
    return any(kind == "hint" for kind, _ in view(bench).notes)


# What holds of every step that asks.


@pytest.mark.parametrize("key", GRADED)
def test_a_wrong_answer_is_explained_by_a_picture_or_by_cells_of_the_map(key):
    bench = Bench().until(key)
    for controls, answer in moves(bench):
        bench.do(**controls)
        if answer is not None:
            bench.answer(wrong_answer(bench, answer))
    assert bench.now.startswith("told")
    assert view(bench).picture or view(bench).outlined


@pytest.mark.parametrize("key", GRADED)
def test_the_cases_are_enough_come_round_and_never_repeat_an_answer_at_once(key):
    step = BY_KEY[key]
    owns = {  # the map's answer, where it depends on the sentence
        "hidden": [str(t * (t - 1) // 2) for t in range(2, 17)],
        "rows": ["first,last", "middle,last"],
    }
    numbers = any(not field.options for field in step.fields)
    for own in owns.get(key, [right_answer(key)]):
        rights = [case.right for case in step.cases(own)]
        assert len(rights) >= (6 if numbers else 4)
        assert rights[0] != own, "who enters what was told is wrong again"
        for right, following in zip(rights, [*rights[1:], rights[0]], strict=True):
            assert right != following
        for case in step.cases(own):
            assert case.right in step.case_answers(case)
            assert case.question != case.why


@pytest.mark.parametrize("key", GRADED)
def test_every_wrong_answer_to_a_case_is_explained_and_followed_by_another_case(key):
    step = BY_KEY[key]
    own = right_answer(key)
    for n, case in enumerate(step.cases(own)):
        state = f"case:{n}:{own}"
        assert case.question in step.view(state).wanted
        for value in step.answers(state):
            after = step.answer(state, value)
            if value == case.right:
                assert after == LATER
                continue
            assert case.why in str(step.view(after).notes)
            assert step.answers(after) == (NEXT,)
            assert step.answer(after, NEXT) == f"case:{(n + 1) % len(step.cases(own))}:{own}"


@pytest.mark.parametrize("key", GRADED)
def test_nothing_that_is_seen_changes_an_explanation_or_a_case(key):
    step, seen = BY_KEY[key], Bench().do(causal=True, heads=4).seen()
    for state in ("case:0:15", "missed:1:15"):
        assert step.observe(state, seen) == state


# Can this model cheat?


def test_the_first_question_needs_the_mask_off():
    bench = Bench().do(causal=True)
    assert "Turn the causal mask off" in shown(bench)
    assert STEPS[bench.progress.at].answers(bench.now) == ()
    assert bench.do(causal=False).answer("yes").now == FIRST


def test_a_wrong_first_answer_points_at_the_answers_on_the_map():
    bench = Bench().answer("no")
    assert hinted(bench)
    assert view(bench).outlined == tuple((i, i + 1) for i in range(5))
    assert bench.answer(NEXT).now == "case:0:yes"
    assert bench.answer("no").now == LATER


# How many cells go dark?


@pytest.mark.parametrize(("words", "cells"), [(2, 1), (5, 10), (6, 15), (16, 120)])
def test_the_predicted_count_is_compared_with_the_measured_one_for_every_length(words, cells):
    assert cells == (~causal_mask(words)).sum()
    bench = Bench().do(sentence=" ".join("abcdefghijklmnop"[:words])).until("hidden")
    bench.do(causal=False).answer(str(cells))
    assert not earned(bench.now)
    assert bench.do(causal=True).now == FIRST


def test_a_count_cannot_be_predicted_while_it_can_be_read():
    bench = Bench().until("hidden").do(causal=True)
    assert bench.answer("15").now == "wait:0"
    assert "mask off first" in shown(bench)
    assert bench.do(causal=False).now == "ask:6"


@pytest.mark.parametrize("key", ["hidden", "rows", "width", "heads", "dropout"])
def test_a_prediction_that_is_locked_in_stays_as_it_is(key):
    bench = Bench().until(key).do(causal=False, heads=1)
    step = STEPS[bench.progress.at]
    first, *others = step.answers(bench.now)
    locked = bench.answer(first).now
    assert step.answers(locked) == ()
    assert bench.answer(others[-1]).now == locked
    assert not view(bench).asks


@pytest.mark.parametrize(
    ("guess", "hint"), [("21", "stay in the light"), ("18", "half"), ("0", "You said 0")]
)
def test_a_wrong_count_is_shown_row_by_row_and_a_new_case_asked(guess, hint):
    bench = Bench().until("hidden").answer(guess).do(causal=True)
    assert hint in shown(bench)
    assert "5 in row 1, 4 in row 2, 3 in row 3, 2 in row 4 and 1 in row 5. Together 15" in shown(
        bench
    )
    masked = ~causal_mask(6)
    assert set(view(bench).outlined) == {(i, j) for i in range(6) for j in range(6) if masked[i, j]}
    bench.answer(NEXT)
    assert "4 words" in shown(bench)
    assert view(bench).picture == squares_picture(4, None)
    assert not earned(bench.answer("15").now)
    assert view(bench).picture == squares_picture(4, ~causal_mask(4))
    assert "8 words" in shown(bench.answer(NEXT))
    assert bench.answer("28").now == LATER


def test_a_picture_of_squares_counts_each_row():
    (table,) = squares_picture(8, ~causal_mask(8))
    counts = [row[-1][-1] for row in table[2:]]
    assert counts == [str(n) for n in range(7, -1, -1)]
    assert "28 cells" in table[1]["aria-label"]


# Which rows change?


@pytest.mark.parametrize("most", ["first", "middle", "last"])
@pytest.mark.parametrize("same", ["first", "middle", "last", "none"])
def test_only_first_most_and_last_untouched_is_right_about_the_rows(most, same):
    bench = Bench().until("rows").answer(f"{most},{same}")
    bench.do(causal=False).do(causal=True)
    assert earned(bench.now) == (most == "first" and same == "last")
    if not earned(bench.now):
        assert view(bench).outlined == tuple((5, j) for j in range(6))
        assert "Row 1 had" in shown(bench)


def test_the_rows_are_revealed_when_the_mask_goes_from_off_to_on_and_not_before():
    bench = Bench().until("rows")
    assert bench.seen().masked
    bench.answer("first,last")
    assert not earned(bench.now)
    assert not earned(bench.do(causal=False).now)
    assert view(bench).picture == ()
    assert earned(bench.do(causal=True).now)


def test_the_row_that_changes_most_is_the_measured_one_and_not_always_row_1():
    step = BY_KEY["rows"]
    facts = (False, False, False, False, True, 0, 2, (40, 70, 0))
    o = Observation(3, False, 3, 1, 1, 12, *facts)
    assert step.observe("held:middle:last:off", o) == FIRST
    assert step.observe("held:first:last:off", o) == "told:2:40.70.0:middle,last"


def test_the_cases_of_rows_are_other_masks_and_other_sentences():
    rights = [case.right for case in BY_KEY["rows"].cases("first,last")]
    assert rights == ["last,first", "middle,last", "middle,first", "first,last"]


# How wide is a head?


@pytest.mark.parametrize(("guess", "right"), [("3", True), ("12", False), ("4", False)])
def test_the_width_of_a_head_is_predicted_before_heads_reaches_4(guess, right):
    bench = Bench().until("width").do(heads=2).answer(guess).do(heads=3)
    assert not earned(bench.now)
    bench.do(heads=4)
    assert bench.now.startswith(FIRST) == right
    assert hinted(bench) != right
    if not right:
        assert "12 / 4 = 3" in shown(bench)
        assert "d = 768 and h = 12" in shown(bench.answer(NEXT)).replace("has d", "d")
        assert bench.answer("64").now == LATER


def test_with_4_heads_already_there_the_width_step_asks_for_fewer_first():
    bench = Bench().do(heads=4).until("width")
    bench.do(heads=4)
    assert "below 4" in shown(bench)
    assert bench.answer("3").now == "wait:0"


# What do four heads share?


@pytest.mark.parametrize("order", [(1, 2, 3, 4), (4, 2, 1, 3), (2, 2, 1, 4, 1, 3)])
def test_four_heads_are_viewed_under_the_mask_in_any_order(order):
    bench = Bench().until("heads").do(causal=True, heads=4, head=order[0]).answer("first")
    for n, head in enumerate(order, start=1):
        bench.do(head=head)
        assert earned(bench.now) == ({order[0], *order[:n]} == {1, 2, 3, 4})
    assert bench.now == FIRST


def test_heads_seen_count_on_after_heads_was_lowered_and_the_mask_was_off():
    bench = Bench().until("heads").do(causal=True, heads=4, head=1).answer("none")
    bench.do(head=2).do(causal=False).do(head=3).do(heads=2, causal=True)
    assert "set Heads to 4" in shown(bench)
    bench.do(heads=4, head=2)
    assert "head 3 and 4 to go" in shown(bench)
    bench.do(head=3).do(head=4)
    assert bench.now == "told:6:first"
    assert view(bench).outlined == tuple((0, j) for j in range(6))


# What does dropout do to a row?


def test_dropout_leaves_1_in_a_draw_and_not_on_average_and_does_nothing_at_inference():
    bench = Bench().until("dropout").answer("around")
    assert bench.do(dropout=0.3, training=False).now == "held:around:idle-p"
    assert bench.do(dropout=0.0, training=True).now == "held:around:idle-t"
    bench.do(dropout=0.3)
    seen = bench.seen()
    assert (seen.dropped, seen.sums_off, seen.means_settled) == (True, True, True)
    assert bench.now == "held:around:left"
    assert bench.do(dropout=0.0, training=False).now == "held:around:left-none"
    bench.do(dropout=0.3)
    assert not bench.seen().sums_off
    assert earned(bench.now)


@pytest.mark.parametrize("choice", ["one", "less"])
def test_a_wrong_prediction_about_dropout_is_told_when_both_halves_were_seen(choice):
    bench = Bench().until("dropout").answer(choice).do(training=True, dropout=0.5)
    assert not hinted(bench)
    bench.do(training=False)
    assert bench.now == "told:around"
    assert hinted(bench)


@pytest.mark.parametrize(
    ("facts", "phase", "told"),
    [((False, False, True), "lucky", "New draw"), ((True, True, False), "unsettled", "lower")],
)
def test_a_draw_that_shows_nothing_says_what_to_try(facts, phase, told):
    step = BY_KEY["dropout"]
    o = Observation(6, True, 0, 1, 1, 12, True, True, *facts, -1, 1, (9, 1, 1, 1, 1, 0))
    state = step.observe("held:one:plain", o)
    assert state == f"held:one:{phase}"
    assert told in " ".join(text for _, text in step.view(state).notes)


# What does the mask protect?


@pytest.mark.parametrize("choice", ["trainable", "steerable"])
def test_every_wrong_choice_of_the_property_has_its_own_explanation(choice):
    bench = Bench().until("property").answer(choice)
    assert "not accurate" in shown(bench)
    assert {"trainable": "loss falls", "steerable": "request"}[choice] in shown(bench)
    bench.answer(NEXT)
    assert bench.answer("steerable").now == LATER


# The card before the first question.


def test_the_two_models_of_the_hook_are_those_of_the_recorded_run():
    run = finished_run(RUN["seed"]).outcome
    assert RUN["prompt"] == PROMPT
    assert (run.leaky_text, run.masked_text) == (RUN["leaky_text"], RUN["masked_text"])
    assert run.leaky.copyable_loss == pytest.approx(RUN["leaky_loss"], rel=0.01)
    assert run.masked.copyable_loss == pytest.approx(RUN["masked_loss"], rel=0.01)
    assert run.leaky.absent_loss == pytest.approx(RUN["leaky_absent_loss"], rel=0.01)
    assert run.masked.absent_loss == pytest.approx(RUN["masked_absent_loss"], rel=0.01)
    assert (FACTS["leaky"], FACTS["masked"]) == ("0.004", "0.57")


@pytest.mark.parametrize("key", ["read", "hidden", "rows"])
def test_a_sentence_of_one_word_says_what_is_needed_and_more_words_go_on(key):
    bench = Bench().until(key).do(sentence="alone")
    assert "two words or more" in shown(bench)
    assert STEPS[bench.progress.at].answers(bench.now) == ()
    bench.do(sentence="not alone any more")
    do_step(bench)
    assert earned(bench.now)


def test_steps_and_fields_have_names_of_their_own():
    assert len(set(KEYS)) == len(KEYS)
    for step in STEPS:
        assert step.legal(step.start)
        assert not set(step.key) & set(";=:"), "a record separates by these"
        assert len({field.name for field in step.fields}) == len(step.fields)
        assert advance(Bench().progress, Open(step.key), STEPS) is not None
        assert advance(Bench().progress, Answer(step.key, "?"), STEPS) == Bench().progress


# The trained heads: every figure is measured here anew, on the same rows.


def trained(**options) -> Scores:
    return score(shipped(), np.random.default_rng(ROW_SEED), ROWS, **options)


def figures_of(picture: tuple) -> dict[str, str]:
    """{name: figure} of the tables of a picture; a name that comes again is the last's."""
    return {row[2][2]: row[3][2] for table in picture for row in table[3:]}


def test_only_one_of_the_heads_to_choose_from_breaks_the_copy():
    step = BY_KEY["circuit"]
    heads = {key: (int(key[1]) - 1, int(key[2]) - 1) for key in step.fields[0].options}
    assert len(heads) == 4
    costs = {key: trained(off={head}).second_loss for key, head in heads.items()}
    assert sum(cost > 1.5 for cost in costs.values()) == 1
    right = max(costs, key=lambda key: costs[key])
    for value in heads:
        state = step.answer("ask", value)
        assert (state == FIRST) is (value == right)
        if value == right:
            continue
        assert state == f"told:{value}:{right}"
        whole = f"{trained().second_loss:.2f}"
        assert f"costs {whole} nats" in step.view(state).notes[0][1]
        assert f"most without head {right[1]}.{right[2]}." in step.view(state).notes[0][1]
        assert figures_of(step.view(state).picture) == {"every head": whole} | {
            f"without {key[1]}.{key[2]}": f"{cost:.2f}" for key, cost in costs.items()
        }


def test_the_cases_about_trained_heads_are_answered_by_what_is_measured():
    step, scores = BY_KEY["circuit"], trained()
    heads = {key: (int(key[1]) - 1, int(key[2]) - 1) for key in step.fields[0].options}
    without = {key: trained(off={head}) for key, head in heads.items()}
    verb, look, idle, back = step.cases("")
    shares = {key: 1 - one.verb_right for key, one in without.items()}
    assert verb.right == max(shares, key=lambda key: shares[key])
    assert sorted(shares.values())[-2] < 0.05 < 0.4 < shares[verb.right] < 0.6  # "is a guess"
    assert figures_of(verb.after)[f"without {verb.right[1]}.{verb.right[2]}"] == "0.50"
    for case, measured in ((look, scores.induction), (back, scores.previous)):
        weights = {key: float(measured[head]) for key, head in heads.items()}
        assert case.right == max(weights, key=lambda key: weights[key])
        assert weights[case.right] > 0.95 > 0.5 > sorted(weights.values())[-2]
        assert figures_of(case.after) == {
            f"head {key[1]}.{key[2]}": f"{weight:.2f}" for key, weight in weights.items()
        }
    assert abs(without[idle.right].second_loss - scores.second_loss) < 0.05
    assert without[idle.right].verb_right == scores.verb_right


def test_four_heads_in_two_layers_copy_and_four_in_one_do_not():
    step, found = BY_KEY["layers"], roles()
    pair = {found.previous, *found.induction}
    two = trained(off=set(shipped().heads) - pair).second_loss
    one = score(shipped("one-layer"), np.random.default_rng(ROW_SEED), ROWS)
    assert two < 0.3 < 2.5 < one.second_loss
    assert one.second_right < 0.3
    for value in ("more", "jobs"):
        shown_view = step.view(step.answer("ask", value))
        why = shown_view.notes[0][1]
        assert f"4 heads in two layers cost {two:.2f} nats per word" in why
        assert f"4 in one layer {one.second_loss:.2f}." in why
        figures = list(figures_of(shown_view.picture).values())
        assert figures[:2] == [f"{two:.2f}", f"{one.second_loss:.2f}"]
        assert float(figures[2]) > 4
    assert step.answer("ask", "order") == FIRST
    assert len(pair) == 4 == len(shipped().heads) // 2
