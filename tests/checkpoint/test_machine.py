"""Does every way through the checkpoint end well, and keep what was earned?"""

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
    from_text,
    opens,
    to_text,
)
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from tests.checkpoint.student import KEYS, Bench, do_step, finish


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


SEEN = every_observation()


def test_the_steps_done_in_order_finish_with_every_question_right_at_once():
    bench = Bench()
    for n, key in enumerate(KEYS):
        assert KEYS[bench.progress.at] == key
        assert done(bench.progress) == n
        assert not finished(bench.progress)
        do_step(bench)
        if n + 1 < len(KEYS):
            bench.do(Open(KEYS[n + 1]))
    assert finished(bench.progress)
    assert completion(bench.progress) == 1.0
    assert first_tries(bench.progress) == sum(bool(step.fields) for step in STEPS) == 5


@pytest.mark.parametrize("key", KEYS[1:])
def test_no_step_opens_before_all_before_it_are_earned(key):
    bench = Bench()
    for before in KEYS[: KEYS.index(key)]:
        progress = bench.progress
        assert bench.do(Open(key)).progress == progress
        do_step(bench)
        bench.do(Open(KEYS[KEYS.index(before) + 1]))
    assert KEYS[bench.progress.at] == key


@pytest.mark.parametrize("n", range(len(KEYS)))
def test_going_back_shows_an_earned_step_and_loses_nothing(n):
    bench = Bench().until(KEYS[n])
    kept = bench.progress.states
    for back in KEYS[:n]:
        bench.do(Open(back))
        assert KEYS[bench.progress.at] == back
        for causal, heads in ((True, 4), (False, 1), (True, 2)):
            bench.do(causal=causal, heads=heads)
        for value in ("no,3", "0", "last,first", "trainable"):
            bench.answer(value)
        assert bench.progress.states == kept
    bench.do(Open(KEYS[n]))
    assert KEYS[bench.progress.at] == KEYS[n]
    finish(bench)


@pytest.mark.parametrize("n", range(len(KEYS)))
def test_reset_starts_over_from_anywhere(n):
    bench = Bench().until(KEYS[n])
    do_step(bench)
    assert advance(bench.progress, Reset(), STEPS) == begin(STEPS)
    assert completion(advance(bench.progress, Reset(), STEPS)) == 0


@pytest.mark.parametrize("n", range(len(KEYS)))
def test_progress_survives_a_reload_half_way_through_a_step(n):
    bench = Bench().until(KEYS[n])
    if STEPS[n].fields and STEPS[n].answers(bench.now):
        bench.answer(STEPS[n].answers(bench.now)[-1])
    assert from_text(to_text(bench.progress), STEPS) == bench.progress
    bench.progress = from_text(to_text(bench.progress), STEPS)
    finish(bench)
    assert from_text(to_text(bench.progress), STEPS) == bench.progress


def test_answers_to_another_step_or_that_no_field_can_give_change_nothing():
    bench = Bench().until("hidden")
    for event in (
        Answer("width", "3"),
        Answer("property", "accurate"),
        Answer("nonsense", "1"),
        Answer("hidden", "-1"),
        Answer("hidden", "37"),
        Answer("hidden", "15.0"),
        Answer("hidden", ""),
        Open("nonsense"),
        Open("property"),
    ):
        assert advance(bench.progress, event, STEPS) == bench.progress, event


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1",
        "0;0;" + ";".join(s.start for s in STEPS),
        "2;0;" + ";".join(s.start for s in STEPS),
        "1;1;" + ";".join(s.start for s in STEPS),
        "1;-1;" + ";".join(s.start for s in STEPS),
        "1;²;" + ";".join(s.start for s in STEPS),
        "1;0;" + ";".join(s.start for s in STEPS[:-1]),
        "1;0;" + ";".join(["done"] * len(STEPS)),
        "1;0;wait:0;done-first:15:6;ask:0;wait:0;few:;plain;ask",
        "1;0;wait:0;held:12:6;ask:0;wait:0;few:;plain;ask",
        "1;0;<img src=x>;wait:0;ask:0;wait:0;few:;plain;ask",
        "1;0;" + "9" * 100_000,
    ],
)
def test_a_record_that_no_student_can_have_is_refused(text):
    with pytest.raises(ValueError, match="progress"):
        from_text(text, STEPS)


def test_the_longest_record_fits_in_what_a_course_system_keeps():
    bench = Bench()
    bench.do(sentence=" ".join("abcdefghijklmnop"), heads=4)
    finish(bench)
    assert len(to_text(bench.progress)) < 400


def random_walk(rng: np.random.Generator, progress: Progress, length: int) -> Progress:
    for _ in range(length):
        before = progress
        step = STEPS[progress.at]
        choices = step.answers(progress.states[progress.at])
        kind = rng.random()
        if kind < 0.45:
            event = SEEN[rng.integers(len(SEEN))]
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
        assert opens(progress, progress.at)
        assert finished(progress) == (done(progress) == len(STEPS)) == (completion(progress) == 1)
    return progress


def test_10000_random_walks_never_get_stuck_never_lose_a_step_and_finish_when_all_is_earned():
    rng = np.random.default_rng(20260301)
    ends: set[Progress] = set()
    reached = np.zeros(len(STEPS) + 1, int)
    starts = [Bench().until(key).progress for key in KEYS]
    for n in range(10_000):
        start = starts[(n // 2) % len(starts)] if n % 2 else begin(STEPS)
        progress = random_walk(rng, start, int(rng.integers(1, 60)))
        reached[done(progress)] += 1
        ends.add(progress)
    assert (reached > 0).all(), f"the walks should end with every number of steps: {reached}"
    for progress in ends:
        assert from_text(to_text(progress), STEPS) == progress
        bench = Bench(progress=progress)
        finish(bench)
        assert finished(bench.progress)
