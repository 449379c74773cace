"""Does the longest record still fit into what SCORM 1.2 keeps, 4,096 characters?"""

import json

from attention_widget.widgets.checkpoint.record import VERSION
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.transition_table import reachable
from attention_widget.widgets.map.observation import observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState

NOTED = 120  # characters of answers to a question that are kept; assets/page/saving/connect.js


def longest(words):
    state = LessonState(sentence=" ".join(["word"] * words))
    seen = []
    for causal in (False, True):
        for heads in (1, 4):
            state.choose(causal=causal, heads=heads, training=True, dropout=0.5)
            seen.append(observe(snapshot(state.settings())))
    return [max(reachable(step, seen), key=len) for step in STEPS]


def test_the_longest_record_with_the_longest_answers_fits():
    pairs = [f"{s.key}={state}" for s, state in zip(STEPS, longest(16), strict=True)]
    record = ";".join([VERSION, str(len(STEPS)), "property", *pairs])
    answers = [[step.key, "x" * NOTED, 2, 10**13] for step in STEPS if step.fields]
    state = {"record": record, "best": 0.857142857142857, "earned": 6, "done": False}
    assert len(json.dumps({**state, "answers": answers, "n": 10**6})) <= 4096
