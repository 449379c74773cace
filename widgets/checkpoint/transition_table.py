"""How does a page without Python grade? It replays these tables.

`assets/checkpoint/transition_table.js` reads them.

Everything is walked, nothing described twice: for each step all states that the given observations
and all answers lead to, with where each leads, and what each paints and says.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from attention_widget.widgets.checkpoint.machine import EARNED, FIRST, VERSION, Step, earned, marks
from attention_widget.widgets.checkpoint.render import (
    PLACES,
    RESTARTED,
    closing,
    render_counts,
    render_firsts,
    render_place,
    render_state,
    state_announcement,
)
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.map.observation import Observation

Walk = dict[str, tuple[list[str], dict[str, str]]]  # state -> next by observation, by answer


def transition_table(
    observations: Iterable[Observation], steps: Sequence[Step] = STEPS
) -> dict[str, Any]:
    """Return the checkpoint as JSON tables.

    Returns:
        {"version", "earned", "first", "observations": [text], "steps": [step], "counts": [slots by
        steps earned], "firsts": [slots by first tries], "completion": [by steps earned], "mastery":
        [by the sum of marks], "closing", "restarted"}; a step is {"key",
        "title", "class": [column of each observation], "states": [name, the start first], "seen":
        [[next by column] by state], "answers": [{value: next} by state], "keys": [slot], "slots":
        [[place in pool by key] by state], "announcements": [place in pool by
        state], "marks": [by state], "missed": [by state: can the question no longer be right at the
        first try], "pool": [values],
        "places": {place: slots}}. "next" is a place in "states".
    """
    seen = sorted(set(observations), key=Observation.to_text)
    questions = sum(bool(step.fields) for step in steps)
    return {
        "version": VERSION,
        "earned": EARNED,
        "first": FIRST,
        "observations": [o.to_text() for o in seen],
        "steps": [_step(n, steps, seen) for n in range(len(steps))],
        "counts": [render_counts(n, len(steps)) for n in range(len(steps) + 1)],
        "firsts": [render_firsts(n, steps) for n in range(len(steps) + 1)],
        "completion": [n / len(steps) for n in range(len(steps) + 1)],
        "mastery": [n / (2 * questions) for n in range(2 * questions + 1)],
        "closing": closing(len(steps)),
        "restarted": RESTARTED,
    }


def reachable(step: Step, seen: Sequence[Observation]) -> Walk:
    """Walk one step from its start through everything that can be seen and answered."""
    found: Walk = {}
    todo = [step.start]
    while todo:
        state = todo.pop()
        if state in found:
            continue
        if earned(state):
            found[state] = ([state] * len(seen), {})
            continue
        after = [step.observe(state, o) for o in seen]
        answered = {value: step.answer(state, value) for value in step.answers(state)}
        found[state] = (after, answered)
        todo += [*after, *answered.values()]
    return found


def _step(n: int, steps: Sequence[Step], seen: Sequence[Observation]) -> dict[str, Any]:
    step = steps[n]
    found = reachable(step, seen)
    places = {state: place for place, state in enumerate(found)}
    # Observations that lead every state to the same place share a column.
    columns: dict[tuple[str, ...], int] = {}
    effects = zip(*(after for after, _ in found.values()), strict=True)
    classes = [columns.setdefault(effect, len(columns)) for effect in effects]
    painted = {state: render_state(step, state) for state in found}
    pool: dict[str, int] = {}

    def pooled(value: object) -> int:
        return pool.setdefault(json.dumps(value, ensure_ascii=False), len(pool))

    return {
        "key": step.key,
        "title": step.title,
        "class": classes,
        "states": list(found),
        "seen": [[places[column[row]] for column in columns] for row in range(len(found))],
        "answers": [
            {value: places[after] for value, after in answered.items()}
            for _, answered in found.values()
        ],
        "keys": list(painted[step.start]),
        "slots": [[pooled(value) for value in slots.values()] for slots in painted.values()],
        "announcements": [pooled(state_announcement(n, state, steps)) for state in found],
        "marks": [marks(state) for state in found],
        "missed": _missed(step, found),
        "pool": [json.loads(text) for text in pool],
        "places": {place: render_place(n, place, steps) for place in PLACES},
    }


def _missed(step: Step, found: Walk) -> list[bool]:
    """Return for each state whether the best mark is out of reach; never for a step that asks
    nothing."""
    hopeful = {state for state in found if state.startswith(FIRST)}
    while True:
        more = {
            s for s, (after, answered) in found.items() if hopeful & {*after, *answered.values()}
        }
        if more <= hopeful:
            return [bool(step.fields) and state not in hopeful for state in found]
        hopeful |= more
