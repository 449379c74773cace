"""Does every way through the checkpoint end well, and keep what was earned?"""

import functools
from itertools import product

import numpy as np
import pytest

from attention_widget.widgets.checkpoint.machine import (
    Answer,
    Open,
    Progress,
    Reset,
    advance,
    begin,
    completion,
    done,
    earned,
    finished,
    first_tries,
    mastery,
    opens,
    questions,
)
from attention_widget.widgets.checkpoint.record import FORMER, from_text, to_text
from attention_widget.widgets.checkpoint.steps import STEPS, steps_about
from attention_widget.widgets.checkpoint.steps.asking import NEXT
from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from tests.checkpoint.student import (
    GRADED,
    KEYS,
    Bench,
    do_step,
    finish,
    moves,
    solve_cases,
    wrong_answer,
)


@functools.cache
def every_observation() -> list[Observation]:
    state, seen = LessonState(), set()
    four = range(1, 5)
    for causal, training, heads, head, p in product((0, 1), (0, 1), four, four, (0, 3, 8)):
        state.choose(causal=bool(causal), heads=heads, head=head, dropout=p / 10)
        state.choose(training=bool(training))
        seen.add(observe(snapshot(state.settings())))
    for sentence in ("one", "two words", "now there are four", " ".join("abcdefghijklmnop")):
        for causal in (False, True):
            state.choose(sentence=sentence, causal=causal, heads=1)
            seen.add(observe(snapshot(state.settings())))
    return sorted(seen, key=Observation.to_text)


def test_a_student_who_knows_finishes_with_every_question_right_at_the_first_try():
    bench = Bench()
    for n, key in enumerate(GRADED):
        bench.do(Open(key))
        assert KEYS[bench.progress.at] == key
        assert done(bench.progress, STEPS) == n
        assert not finished(bench.progress, STEPS)
        do_step(bench)
        assert mastery(bench.progress, STEPS) == completion(bench.progress, STEPS)
    assert finished(bench.progress, STEPS)
    assert completion(bench.progress, STEPS) == mastery(bench.progress, STEPS) == 1.0
    assert first_tries(bench.progress, STEPS) == len(GRADED)


def test_what_comes_before_the_first_question_may_be_passed_over_and_counts_for_nothing():
    start = begin(STEPS)
    over = [step.key for step in STEPS if not step.graded]
    assert KEYS[start.at] == over[0]
    for value in STEPS[0].answers(STEPS[0].start):
        told = advance(start, Answer(over[0], value), STEPS)
        assert told != start
        assert done(told, STEPS) == mastery(told, STEPS) == 0
        assert KEYS[advance(told, Open(GRADED[0]), STEPS).at] == GRADED[0]
    assert KEYS[advance(start, Open(GRADED[0]), STEPS).at] == GRADED[0]


@pytest.mark.parametrize("key", GRADED[1:])
def test_no_step_opens_before_all_before_it_are_earned(key):
    bench = Bench()
    for before in GRADED[: GRADED.index(key)]:
        progress = bench.progress
        assert bench.do(Open(key)).progress == progress
        do_step(bench)
        bench.do(Open(GRADED[GRADED.index(before) + 1]))
    assert KEYS[bench.progress.at] == key


@pytest.mark.parametrize("key", GRADED)
def test_going_back_shows_an_earned_step_and_loses_nothing(key):
    bench = Bench().until(key)
    kept = bench.progress.states
    for back in GRADED[: GRADED.index(key)]:
        bench.do(Open(back))
        assert KEYS[bench.progress.at] == back
        for causal, heads in ((True, 4), (False, 1), (True, 2)):
            bench.do(causal=causal, heads=heads)
        for value in ("no", "0", "last,first", "trainable", NEXT):
            bench.answer(value)
        assert bench.progress.states == kept
    bench.do(Open(key))
    assert KEYS[bench.progress.at] == key
    finish(bench)


@pytest.mark.parametrize("key", GRADED)
def test_reset_starts_over_from_anywhere(key):
    bench = Bench().until(key)
    do_step(bench)
    assert advance(bench.progress, Reset(), STEPS) == begin(STEPS)
    assert completion(advance(bench.progress, Reset(), STEPS), STEPS) == 0


@pytest.mark.parametrize("key", GRADED)
def test_progress_survives_a_reload_half_way_through_a_step(key):
    bench = Bench().until(key)
    step = STEPS[bench.progress.at]
    if step.answers(bench.now):
        bench.answer(step.answers(bench.now)[-1])
    assert from_text(to_text(bench.progress, STEPS), STEPS) == bench.progress
    bench.progress = from_text(to_text(bench.progress, STEPS), STEPS)
    finish(bench)
    assert from_text(to_text(bench.progress, STEPS), STEPS) == bench.progress


OLD = {
    "read": "done-first:0:yes",
    "hidden": "done-later:15:6",
    "rows": "done-first:1:98.50.40.30.20.0",
    "width": "done-first:3:12",
    "heads": "done",
    "dropout": "done",
    "property": "done-later",
}


@pytest.mark.parametrize("count", range(len(OLD) + 1))
def test_a_record_of_version_1_keeps_what_it_had_earned(count):
    assert tuple(OLD) == FORMER
    starts = ["wait:0", "wait:0", "ask:0", "wait:0", "few:", "plain", "ask"]
    states = [*list(OLD.values())[:count], *starts[count:]]
    progress = from_text(";".join(["1", str(min(count, 6)), *states]), STEPS)
    complete = count == len(OLD)
    assert done(progress, STEPS) == (len(GRADED) if complete else count)
    assert finished(progress, STEPS) == complete
    firsts = sum(state.startswith("done-first") for state in states)
    assert first_tries(progress, STEPS) == firsts
    finish(Bench(progress=progress))


def test_a_complete_record_of_a_version_with_fewer_steps_stays_complete():
    bench = Bench()
    finish(bench)
    for gone in GRADED:
        pairs = to_text(bench.progress, STEPS).split(";")[3:]
        kept = [pair for pair in pairs if not pair.startswith(f"{gone}=")]
        text = ";".join(["2", str(len(kept)), KEYS[0], *kept])
        assert finished(from_text(text, STEPS), STEPS), gone


def test_a_record_that_is_complete_without_a_tab_stays_complete_and_its_score_never_falls():
    few = steps_about(())
    assert len(few) < len(STEPS)
    for wrong in (False, True):
        bench = Bench()
        if wrong:
            bench.until("width").answer("12").do(heads=4)
        while KEYS[bench.progress.at] != few[-1].key:
            do_step(bench)
            bench.do(Open(KEYS[bench.progress.at + 1]))
        do_step(bench)
        short = Progress(bench.progress.at, bench.progress.states[: len(few)])
        assert finished(short, few)
        progress = from_text(to_text(short, few), STEPS)
        assert finished(progress, STEPS)
        assert completion(progress, STEPS) == 1
        assert mastery(progress, STEPS) == mastery(short, few)
        assert (mastery(short, few) == 1) is not wrong
        assert questions(progress, STEPS) == sum(step.graded for step in few)
        again = from_text(to_text(progress, STEPS), STEPS)
        assert again == progress


def test_a_record_that_is_not_complete_gets_the_questions_of_a_tab_that_came_later():
    few = steps_about(())
    bench = Bench().until("property")
    short = Progress(bench.progress.at, bench.progress.states[: len(few)])
    progress = from_text(to_text(short, few), STEPS)
    assert not finished(progress, STEPS)
    assert questions(progress, STEPS) == len(GRADED)
    finish(Bench(progress=progress))


def test_a_step_that_a_record_does_not_know_is_to_be_done_and_the_others_stay_earned():
    bench = Bench().until("width")
    pairs = to_text(bench.progress, STEPS).split(";")[3:]
    kept = [pair for pair in pairs if not pair.startswith("hidden=")] + ["newer=done-first"]
    progress = from_text(";".join(["2", str(len(kept)), "width", *kept]), STEPS)
    assert done(progress, STEPS) == 2
    assert KEYS[progress.at] == "hidden"
    again = Bench(progress=progress)
    again.do(Open("rows"))
    assert KEYS[again.progress.at] == "rows"
    finish(again)


def test_answers_to_another_step_or_that_no_field_can_give_change_nothing():
    bench = Bench().until("hidden")
    for event in (
        Answer("width", "3"),
        Answer("property", "accurate"),
        Answer("nonsense", "1"),
        Answer("hidden", "-1"),
        Answer("hidden", "37"),
        Answer("hidden", NEXT),
        Answer("hidden", "15.0"),
        Answer("hidden", ""),
        Open("nonsense"),
        Open("property"),
    ):
        assert advance(bench.progress, event, STEPS) == bench.progress, event


def test_a_head_of_no_width_is_no_answer_to_the_question_nor_in_a_case():
    bench = Bench().until("width")
    before = bench.progress
    assert bench.answer("0").progress == before
    bench.do(heads=1)
    bench.answer("12").do(heads=4)
    bench.answer(NEXT)
    assert bench.now.startswith("case:")
    before = bench.progress
    assert bench.answer("0").progress == before


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "0;0;" + ";".join(OLD.values()),
        "1;7;" + ";".join(OLD.values()),
        "1;-1;" + ";".join(OLD.values()),
        "1;²;" + ";".join(OLD.values()),
        "1;0;" + ";".join([*OLD.values()][:-1]),
        "2",
        "2;0;read",
        "2;1;read",
        "2;2;read;read=done-first",
        "2;1;read;done-first",
        "3;1;read;read=done-first",
        "1;0;" + "9" * 100_000,
    ],
)
def test_a_text_that_is_no_record_is_refused(text):
    with pytest.raises(ValueError, match="record"):
        from_text(text, STEPS)


@pytest.mark.parametrize(
    "state",
    ["held:12:6:1", "held:1000:6", "<img src=x>", "told:21:6", "case:0:", "case:99:15", "don", ""],
)
def test_a_state_that_no_student_can_have_starts_its_step_over(state):
    text = f"2;2;hidden;read=done-first;hidden={state}"
    progress = from_text(text, STEPS)
    hidden = KEYS.index("hidden")
    assert progress.states[hidden] == STEPS[hidden].start
    assert KEYS[progress.at] == "hidden"
    finish(Bench(progress=progress))


def test_the_longest_record_fits_in_what_a_course_system_keeps():
    bench = Bench()
    bench.do(sentence=" ".join("abcdefghijklmnop"), heads=4)
    finish(bench)
    assert len(to_text(bench.progress, STEPS)) < 400


def told_answer(step, state: str) -> str:
    """The answer that was last shown: the explanation is of this case or of the map."""
    name, *rest = state.split(":")
    return step.cases(rest[1])[int(rest[0])].right if name == "missed" else rest[-1]


@pytest.mark.parametrize("key", GRADED)
def test_a_student_who_always_enters_the_answer_last_shown_never_finishes(key):
    bench = Bench().until(key)
    step = STEPS[bench.progress.at]
    for controls, answer in moves(bench):
        bench.do(**controls)
        if answer is not None:
            bench.answer(wrong_answer(bench, answer))
    seen = []
    for _ in range(40):
        assert not earned(bench.now)
        shown = told_answer(step, bench.now)
        bench.answer(NEXT)
        assert bench.now.startswith("case:")
        seen.append(bench.now)
        bench.answer(shown)
    assert seen[0] in seen[1:], "the cases come round"
    numbers = any(not field.options for field in step.fields)
    assert len(set(seen)) >= (6 if numbers else 4)
    solve_cases(bench)
    assert earned(bench.now)
    assert mastery(bench.progress, STEPS) == (GRADED.index(key) + 0.5) / len(GRADED)


def random_walk(rng: np.random.Generator, progress: Progress, length: int) -> Progress:
    seen = every_observation()
    for _ in range(length):
        before = progress
        step = STEPS[progress.at]
        choices = step.answers(progress.states[progress.at])
        kind = rng.random()
        if kind < 0.45:
            event = seen[rng.integers(len(seen))]
        elif kind < 0.8 and choices:
            event = Answer(step.key, choices[rng.integers(len(choices))])
        elif kind < 0.995:
            event = Open(KEYS[rng.integers(len(KEYS))])
        else:
            event = Reset()
        progress = advance(progress, event, STEPS)
        if not isinstance(event, Reset):
            for old, new in zip(before.states, progress.states, strict=True):
                assert old == new or not earned(old), "an earned step was un-earned"
        assert opens(progress, progress.at, STEPS)
        assert finished(progress, STEPS) == (done(progress, STEPS) == len(GRADED))
        assert finished(progress, STEPS) == (completion(progress, STEPS) == 1)
        if not isinstance(event, Reset):
            assert mastery(progress, STEPS) >= mastery(before, STEPS)
        assert mastery(progress, STEPS) <= completion(progress, STEPS)
    return progress


@pytest.mark.parametrize("walks", [1000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_walks_never_get_stuck_never_lose_a_step_and_finish_when_all_is_earned(walks):
    rng = np.random.default_rng(20260301)
    ends: set[Progress] = set()
    reached = np.zeros(len(GRADED) + 1, int)
    starts = [Bench().until(key).progress for key in GRADED]
    for n in range(walks):
        start = starts[(n // 2) % len(starts)] if n % 2 else begin(STEPS)
        progress = random_walk(rng, start, int(rng.integers(1, 60)))
        reached[done(progress, STEPS)] += 1
        ends.add(progress)
    assert (reached > 0).all(), f"the walks should end with every number of steps: {reached}"
    for progress in ends:
        assert from_text(to_text(progress, STEPS), STEPS) == progress
        bench = Bench(progress=progress)
        finish(bench)
        assert finished(bench.progress, STEPS)
