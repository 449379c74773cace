"""Does the recorded checkpoint hold every state, can each be left, does it paint what is live?"""

import json
from collections import deque
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from attention_widget.widgets.checkpoint.machine import (
    Answer,
    Open,
    advance,
    earned,
    first_tries,
    to_text,
)
from attention_widget.widgets.checkpoint.render import (
    PLACES,
    RESTARTED,
    announcement_of,
    render_checkpoint,
)
from attention_widget.widgets.checkpoint.session import Checkpoint
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.transition_table import transition_table
from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from tests.checkpoint.student import KEYS, Bench, do_step


@lru_cache(maxsize=1)
def observations() -> tuple[Observation, ...]:
    """Everything that can be seen on the recorded default lesson."""
    state, seen = LessonState(), set()
    four = range(1, 5)
    for causal, heads, head, p, training, draw in product(
        (0, 1), four, four, range(10), (0, 1), range(6)
    ):
        state.choose(causal=bool(causal), heads=heads, head=head, dropout=p / 10, draw=draw)
        state.choose(training=bool(training))
        seen.add(observe(snapshot(state.settings())))
    return tuple(sorted(seen, key=Observation.to_text))


@lru_cache(maxsize=1)
def table() -> dict:
    return transition_table(observations())


def test_a_recording_has_only_a_few_hundred_different_observations():
    assert 20 < len(observations()) < 400


def test_the_tables_are_json_and_small():
    text = json.dumps(table(), allow_nan=False)
    assert json.loads(text) == table()
    assert len(text) < 300_000


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_every_state_of_every_step_can_still_earn_it_and_none_un_earns_it(step):
    rows = table()["steps"][step]
    before: dict[int, set[int]] = {n: set() for n in range(len(rows["states"]))}
    for n, (seen, answers) in enumerate(zip(rows["seen"], rows["answers"], strict=True)):
        for after in (*seen, *answers.values()):
            before[after].add(n)
            assert not earned(rows["states"][n]) or after == n
    goal = deque(n for n, state in enumerate(rows["states"]) if earned(state))
    assert goal
    found = set(goal)
    while goal:
        for n in before[goal.popleft()] - found:
            found.add(n)
            goal.append(n)
    assert found == set(before), "from these a student could not go on"


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_every_state_of_every_step_is_one_that_a_record_may_hold(step):
    for state in table()["steps"][step]["states"]:
        assert STEPS[step].states.fullmatch(state), state


def test_a_step_says_in_every_state_what_is_wanted_and_what_is_announced():
    for step, rows in zip(STEPS, table()["steps"], strict=True):
        for state in rows["states"]:
            view = step.view(state)
            assert view.wanted, state
            assert view.announcement, state
            assert len(view.announcement) < 330, state


def test_every_render_has_the_same_slots():
    keys = None
    bench = Bench()
    for key in KEYS:
        bench.until(key)
        do_step(bench)
        painted = render_checkpoint(bench.progress)
        keys = keys or painted.keys()
        assert painted.keys() == keys


def test_ticks_are_announced_with_what_was_found():
    bench = Bench()
    for n, key in enumerate(KEYS, start=1):
        bench.until(key)
        before = bench.progress
        do_step(bench)
        announcement = announcement_of(before, bench.progress, answered=False)
        assert announcement.startswith(f"Step {n} of 7 done.")
        assert ("All 7 steps are done." in announcement) == (n == 7)
        painted = render_checkpoint(bench.progress, announcement)
        assert painted["checkpoint.progress"] == {"value": n, "max": 7}
        assert painted[f"checkpoint.tick.{key}"] == "✓"
        assert painted["checkpoint.record"] == {
            "value": to_text(bench.progress),
            "completion": n / 7,
            "mastery": first_tries(bench.progress) / 5,
        }


def test_only_the_current_step_is_expanded_and_later_ones_are_locked():
    bench = Bench().until("rows")
    painted = render_checkpoint(bench.progress)
    for n, key in enumerate(KEYS):
        assert painted[f"checkpoint.body.{key}"] == {"hidden": n != 2}
        assert painted[f"checkpoint.open.{key}"]["aria-disabled"] == ("true" if n > 2 else None)
        assert painted[f"checkpoint.step.{key}"]["data-state"] in PLACES


def test_a_checkpoint_passes_over_what_it_does_not_understand():
    seen = Bench().seen()
    checkpoint = Checkpoint(seen)
    start = checkpoint.progress
    for action in (
        {},
        {"answer": 3},
        {"answer": ["read"]},
        {"answer": ["read", 0]},
        {"open": ["read"]},
        {"open": "property"},
        {"restore": "1;6;nonsense"},
        {"restore": None},
        {"restart": "yes"},
    ):
        checkpoint.act(action, seen)
        assert checkpoint.progress == start, action


def test_news_is_for_the_last_action_only_and_a_repeated_answer_is_answered_again():
    bench = Bench()
    checkpoint = Checkpoint(bench.seen())
    checkpoint.act({"answer": ["read", "no,0"]}, bench.seen())
    first = checkpoint.announcement
    assert first.startswith("Not yet.")
    checkpoint.act({"answer": ["read", "no,0"]}, bench.seen())
    assert checkpoint.announcement == first
    checkpoint.act({}, bench.seen())
    assert checkpoint.announcement == ""
    checkpoint.act({"restart": True}, bench.seen())
    assert checkpoint.announcement == RESTARTED


def test_the_tables_alone_lead_where_the_machine_leads():
    """Replay the tables here as a page does, and compare every step with the machine."""
    rows = table()
    rng = np.random.default_rng(11)
    bench = Bench()
    for n, key in enumerate(KEYS):
        bench.until(key)
        step = rows["steps"][n]
        at = step["states"].index(bench.now)
        for _ in range(400):
            o = observations()[rng.integers(len(observations()))]
            answers = list(step["answers"][at])
            if answers and rng.random() < 0.5:
                event = Answer(key, answers[rng.integers(len(answers))])
                at = step["answers"][at][event.value]
            else:
                event = o
                at = step["seen"][at][step["class"][observations().index(o)]]
            bench.progress = advance(bench.progress, event, STEPS)
            assert bench.now == step["states"][at]
            painted = render_checkpoint(bench.progress)
            for slot, place in zip(step["keys"], step["slots"][at], strict=True):
                assert painted[slot] == step["pool"][place]
        do_step(bench)
        bench.do(Open(key))
