"""Is every number of every step of the checkpoint, in every state, that of other code?"""

import random
from dataclasses import replace
from functools import cache

import pytest

from attention_widget.widgets.checkpoint.render import render_counts, render_firsts, render_state
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.transition_table import reachable
from tests.checkpoint.student import GRADED
from tests.checkpoint.test_transition_table import observations
from tests.truth.claims.checkpoint import claims
from tests.truth.claims.common import these
from tests.truth.numbers import agrees, faults_of, numbers

BY_KEY = {step.key: step for step in STEPS}
FIELDS = {  # numbers in a question or in the answers to choose from
    "hook": [0.004, 0.57],
    "rows": [1, 1],
    "heads": [1],
    "dropout": [1, 1, 1],
    "circuit": [1.1, 1.2, 2.1, 2.4],
}


@cache
def painted(key: str) -> dict[str, dict[str, object]]:
    step = BY_KEY[key]
    return {state: render_state(step, state) for state in reachable(step, observations())}


@pytest.mark.parametrize("key", BY_KEY)
def test_every_number_of_a_step_is_that_of_other_code(key: str) -> None:
    wrong, count = [], 0
    for state, slots in painted(key).items():
        due = claims(key, state)
        for slot, value in slots.items():
            found = due.get(slot.split(".")[1], [])
            wrong += [f"{state} {fault}" for fault in faults_of(slot, value, found)]
            count += len(found)
    assert wrong == []
    assert count > 5 or key == "property"


@pytest.mark.parametrize("key", BY_KEY)
def test_the_numbers_in_a_question_and_its_answers_are_known(key: str) -> None:
    fields = BY_KEY[key].fields
    texts = [(field.label, list(field.options.values())) for field in fields]
    assert [n.value for n in numbers(texts)] == FIELDS.get(key, [])
    due = claims("hook", "ask")["wanted"][1:] if key == "hook" else []
    assert key != "hook" or faults_of("options", texts, due) == []


def test_the_counts_are_those_of_the_steps() -> None:
    total = len(GRADED)
    for n in range(total + 1):
        for key, value in (render_counts(n, total) | render_firsts(n, total)).items():
            known = these("steps", n, total) if "end" not in key and "closing" not in key else []
            if "closing" in key and n == total:
                known = these("steps", total)
            assert faults_of(key, value, known) == [], key


def test_a_number_of_a_step_that_is_off_by_one_unit_of_its_last_digit_is_found() -> None:
    choices, tried = random.Random(7), 0
    for key in BY_KEY:
        states = painted(key)
        for state in choices.sample(sorted(states), min(8, len(states))):
            for slot, due in claims(key, state).items():
                shown = numbers(states[state][f"checkpoint.{slot}.{key}"])
                for number, claim in zip(shown, due, strict=True):
                    for sign in (1, -1):
                        off = replace(number, value=number.value + sign * 10.0**-number.decimals)
                        assert not agrees(off, claim), (key, state, number)
                        tried += 1
    assert tried > 300
