"""How does a page without Python grade? It replays these tables.

`assets/checkpoint/transition_table.js` reads them.

Everything is walked, nothing described twice: for each step all states that the given observations
and all answers lead to, with where each leads, and what each paints and says.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import combinations, pairwise
from typing import Any

from attention_widget.widgets.checkpoint.machine import (
    EARNED,
    FIRST,
    SPARED,
    Step,
    earned,
    marks,
    share,
)
from attention_widget.widgets.checkpoint.record import FORMER, KINDS, VERSION
from attention_widget.widgets.checkpoint.render import (
    PLACES,
    closing,
    count_of,
    done_text,
    number_of,
    opened_text,
    render_counts,
    render_firsts,
    render_outlines,
    render_place,
    render_state,
)
from attention_widget.widgets.checkpoint.steps.asking import NEXT
from attention_widget.widgets.checkpoint.words import RESTARTED
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.section.terms import without_terms

Walk = dict[str, tuple[list[str], dict[str, str]]]  # state -> next by observation, by answer


def transition_table(observations: Iterable[Observation], steps: Sequence[Step]) -> dict[str, Any]:
    """Return the checkpoint as JSON tables.

    Returns:
        {"version", "former": [key, in the order of version 1], "kinds": [earned state, without
        what follows], "earned", "next", "first", "spared", "observations": [text], "steps": [step],
        "totals": {number of graded steps that are shown: {"counts": [slots by steps earned],
        "completion": [by steps earned], "done": [what is said when step n is earned, with {text}],
        "opened": [what is said first when step n is opened], "closing"}}, "firsts": [[slots by
        first tries] by questions asked], "mastery": [[by the sum of marks] by questions asked],
        "restarted"}; a step is {"key", "title", "graded", "number", "part", "class": [column of
        each observation], "states": [name, the start first], "seen": [[next by column] by state],
        "answers": [{value: next} by state], "spans": [[first number, last, next] by state],
        "keys": [slot], "slots": [[place in pool by key] by state], "own": {"keys", "slots"}, the
        same for slots that only the current step paints, "announcements": [place in pool by state],
        "marks": [by state], "missed": [by state: can the question no longer be right at the first
        try], "pool": [values], "places": {place: slots}}. "next" is a place in "states".
    """
    seen = sorted(set(observations), key=Observation.to_text)
    counts = range(count_of(steps) + 1)
    return {
        "version": VERSION,
        "former": list(FORMER),
        "kinds": list(KINDS),
        "earned": EARNED,
        "next": NEXT,
        "first": FIRST,
        "spared": SPARED,
        "observations": [o.to_text() for o in seen],
        "steps": [_step(n, steps, seen) for n in range(len(steps))],
        "totals": {str(n): _texts(n) for n in _totals(steps)},
        "firsts": [[render_firsts(n, asked) for n in range(asked + 1)] for asked in counts],
        "mastery": [[share(n, asked) for n in range(2 * asked + 1)] for asked in counts],
        "restarted": RESTARTED,
    }


def reachable(step: Step, seen: Sequence[Observation], also: Sequence[str] = ()) -> Walk:
    """Walk one step from its start, and from the states `also`, through everything that can be
    seen and answered."""
    found: Walk = {}
    todo = [step.start, *also]
    while todo:
        state = todo.pop(0)
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
    found = reachable(step, seen, KINDS if step.graded else ())  # what a record may hold
    places = {state: place for place, state in enumerate(found)}
    # Observations that lead every state to the same place share a column.
    columns: dict[tuple[str, ...], int] = {}
    effects = zip(*(after for after, _ in found.values()), strict=True)
    classes = [columns.setdefault(effect, len(columns)) for effect in effects]
    painted = {state: render_state(step, state) for state in found}
    own = {state: render_outlines(step, state) for state in found}
    answers = [_answers(answered, places) for _, answered in found.values()]
    pool: dict[str, int] = {}

    def pooled(value: object) -> int:
        return pool.setdefault(json.dumps(value, ensure_ascii=False), len(pool))

    return {
        "key": step.key,
        "title": step.title,
        "graded": step.graded,
        "number": number_of(n, steps),
        "part": step.part,
        "class": classes,
        "states": list(found),
        "seen": [[places[column[row]] for column in columns] for row in range(len(found))],
        "answers": [alone for alone, _ in answers],
        "spans": [spans for _, spans in answers],
        "keys": list(painted[step.start]),
        "slots": [[pooled(value) for value in slots.values()] for slots in painted.values()],
        "own": {
            "keys": list(own[step.start]),
            "slots": [[pooled(value) for value in slots.values()] for slots in own.values()],
        },
        "announcements": [pooled(without_terms(step.view(state).announcement)) for state in found],
        "marks": [marks(state) for state in found],
        "missed": _missed(step, found),
        "pool": [json.loads(text) for text in pool],
        "places": {place: render_place(n, place, steps) for place in PLACES},
    }


def _totals(steps: Sequence[Step]) -> set[int]:
    """Return how many graded steps may be left when tabs are left out."""
    parts = {step.part for step in steps} - {"map"}
    chosen = (set(some) for n in range(len(parts) + 1) for some in combinations(parts, n))
    return {count_of([s for s in steps if s.part in {"map", *some}]) for some in chosen}


def _texts(total: int) -> dict[str, Any]:
    counts = range(total + 1)
    return {
        "counts": [render_counts(n, total) for n in counts],
        "completion": [n / total for n in counts],
        "done": [done_text(n, total, "{text}") for n in counts[1:]],
        "opened": [opened_text(n, total) for n in counts[1:]],
        "closing": closing(total),
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
            return [step.graded and state not in hopeful for state in found]
        hopeful |= more


def _answers(answered: dict[str, str], places: dict[str, int]) -> tuple[dict[str, int], list[Any]]:
    """Write runs of numbers that lead to one state as spans: a case takes hundreds of numbers."""
    numbers = sorted(int(value) for value in answered if value.isdigit())
    spans: list[list[int]] = []
    for before, number in pairwise([-2, *numbers]):
        after = places[answered[str(number)]]
        if spans and number == before + 1 and spans[-1][2] == after:
            spans[-1][1] = number
        else:
            spans.append([number, number, after])
    alone = {v: places[after] for v, after in answered.items() if not v.isdigit()}
    return alone, spans
