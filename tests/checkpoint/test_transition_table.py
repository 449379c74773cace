"""Does the recorded checkpoint hold every state, can each be left, does it paint what is live?"""

import json
from collections import deque
from functools import lru_cache
from itertools import product

import numpy as np
import pytest

from attention_widget.widgets.checkpoint.machine import (
    KEPT,
    Answer,
    Open,
    advance,
    earned,
    first_tries,
)
from attention_widget.widgets.checkpoint.record import to_text
from attention_widget.widgets.checkpoint.render import (
    PLACES,
    announcement_of,
    opening_announcement,
    render_checkpoint,
    state_announcement,
)
from attention_widget.widgets.checkpoint.session import Checkpoint
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.transition_table import transition_table
from attention_widget.widgets.checkpoint.words import RESTARTED
from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section.terms import without_terms
from tests.checkpoint.student import GRADED, KEYS, Bench, do_step, finish


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
    return transition_table(observations(), STEPS)


def test_a_recording_has_only_a_few_hundred_different_observations():
    assert 20 < len(observations()) < 400


def test_the_tables_are_json_and_small():
    text = json.dumps(table(), allow_nan=False)
    assert json.loads(text) == table()
    assert len(text) < 500_000


@pytest.mark.parametrize("step", range(len(STEPS)))
def test_every_state_of_every_graded_step_can_still_earn_it_and_none_un_earns_it(step):
    rows = table()["steps"][step]
    if not STEPS[step].graded:
        assert not any(map(earned, rows["states"]))
        return
    before: dict[int, set[int]] = {n: set() for n in range(len(rows["states"]))}
    for n, seen in enumerate(rows["seen"]):
        spans = [after for _, _, after in rows["spans"][n]]
        for after in (*seen, *rows["answers"][n].values(), *spans):
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
        assert STEPS[step].legal(state), state


def test_a_step_says_in_every_state_what_is_wanted_and_what_is_announced():
    for step, rows in zip(STEPS, table()["steps"], strict=True):
        for state in rows["states"]:
            view = step.view(state)
            assert view.wanted, state
            assert view.announcement or state == KEPT, state
            assert len(view.announcement) < 420, state
            assert not (view.asks and view.go), state


def test_what_the_tables_announce_is_what_the_machine_says():
    rows, total = table(), len(GRADED)
    for n, (step, row) in enumerate(zip(STEPS, rows["steps"], strict=True)):
        for state, place in zip(row["states"], row["announcements"], strict=True):
            said = row["pool"][place]
            if earned(state):
                done = rows["totals"][str(total)]["done"][row["number"] - 1]
                said = done.replace("{text}", said)
            assert said == state_announcement(n, state, STEPS), (step.key, state)
            opened = rows["totals"][str(total)]["opened"][row["number"] - 1] if step.graded else ""
            whole = said if earned(state) else f"{opened} {said}".strip()
            assert whole == opening_announcement(n, state, STEPS), (step.key, state)


def test_every_render_has_the_same_slots():
    keys = None
    bench = Bench()
    for key in GRADED:
        bench.until(key)
        do_step(bench)
        painted = render_checkpoint(bench.progress, STEPS)
        keys = keys or painted.keys()
        assert painted.keys() == keys


def test_ticks_are_announced_with_what_was_found():
    bench, total = Bench(), len(GRADED)
    for n, key in enumerate(GRADED, start=1):
        bench.until(key)
        before = bench.progress
        do_step(bench)
        announcement = announcement_of(before, bench.progress, False, STEPS)
        assert announcement.startswith(f"Step {n} of {total} done.")
        assert (f"All {total} steps are done." in announcement) == (n == total)
        painted = render_checkpoint(bench.progress, STEPS, announcement)
        told = f"{n} of {total} steps done"
        assert painted["checkpoint.progress"] == {"value": n, "max": total, "aria-valuetext": told}
        assert painted["checkpoint.end"] == {"hidden": n < total}
        assert painted[f"checkpoint.tick.{key}"] == "✓"
        assert painted["checkpoint.record"] == {
            "value": to_text(bench.progress, STEPS),
            "completion": n / total,
            "mastery": first_tries(bench.progress, STEPS) / total,
        }


def test_only_the_current_step_is_in_sight_and_later_ones_are_locked():
    here = GRADED.index("rows")
    painted = render_checkpoint(Bench().until("rows").progress, STEPS)
    for n, key in enumerate(GRADED):
        assert painted[f"checkpoint.body.{key}"] == {"hidden": n != here}
        assert painted[f"checkpoint.open.{key}"]["aria-disabled"] == ("true" if n > here else None)
        assert painted[f"checkpoint.step.{key}"]["data-state"] in PLACES


def test_an_explanation_outlines_its_cells_on_the_map_and_only_while_its_step_is_current():
    bench = Bench().until("hidden").answer("21").do(causal=True)
    painted = render_checkpoint(bench.progress, STEPS)
    x, y = (painted[f"source:map.outlines.{axis}"] for axis in "xy")
    cells = {(int(row), int(column)) for row, column in zip(y, x, strict=True)}
    assert cells == {(i, j) for i in range(6) for j in range(i + 1, 6)}
    bench.do(Open("read"))
    assert render_checkpoint(bench.progress, STEPS)["source:map.outlines.x"] == []


def test_the_end_says_where_to_look_again_for_what_was_wrong_and_for_nothing_else():
    bench = Bench().until("width").answer("12").do(heads=4)
    finish(bench)
    painted = render_checkpoint(bench.progress, STEPS)
    assert painted["checkpoint.end"] == {"hidden": False}
    again = {key: painted[f"checkpoint.again.{key}"] for key in GRADED}
    assert "move Heads" in again.pop("width")
    assert set(again.values()) == {""}


def test_a_checkpoint_passes_over_what_it_does_not_understand():
    seen = Bench().seen()
    checkpoint = Checkpoint(seen, STEPS)
    checkpoint.act({"open": "read"}, seen)
    start = checkpoint.progress
    for action in (
        {},
        {"answer": 3},
        {"answer": ["read"]},
        {"answer": ["read", 0]},
        {"open": ["read"]},
        {"open": "property"},
        {"restore": "1;6;nonsense"},
        {"restore": "2;1;read;nonsense"},
        {"restore": None},
        {"restart": "yes"},
    ):
        checkpoint.act(action, seen)
        assert checkpoint.progress == start, action


def test_news_is_for_the_last_action_only_and_a_repeated_answer_is_answered_again():
    bench = Bench()
    checkpoint = Checkpoint(bench.seen(), STEPS)
    checkpoint.act({"open": "read"}, bench.seen())
    question = STEPS[KEYS.index("read")].view(checkpoint.progress.states[KEYS.index("read")])
    assert checkpoint.announcement == f"Step 1 of {len(GRADED)}. {without_terms(question.wanted)}"
    checkpoint.act({"open": "rows"}, bench.seen())
    assert checkpoint.announcement == "", "it is locked"
    checkpoint.act({"answer": ["read", "no"]}, bench.seen())
    first = checkpoint.announcement
    assert first.startswith("Not yet.")
    checkpoint.act({"answer": ["read", "no"]}, bench.seen())
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
    for key in GRADED:
        bench.until(key)
        step = rows["steps"][KEYS.index(key)]
        at = step["states"].index(bench.now)
        for _ in range(400):
            o = observations()[rng.integers(len(observations()))]
            answers = dict(step["answers"][at])
            for low, high, after in step["spans"][at]:
                answers |= {str(number): after for number in range(low, high + 1)}
            if answers and rng.random() < 0.5:
                event = Answer(key, list(answers)[rng.integers(len(answers))])
                at = answers[event.value]
            else:
                event = o
                at = step["seen"][at][step["class"][observations().index(o)]]
            bench.progress = advance(bench.progress, event, STEPS)
            assert bench.now == step["states"][at]
            painted = render_checkpoint(bench.progress, STEPS)
            for slot, place in zip(step["keys"], step["slots"][at], strict=True):
                assert painted[slot] == step["pool"][place]
        do_step(bench)
        bench.do(Open(key))
