"""Step: can a word read its answer while the mask is off?"""

import re
from functools import lru_cache

import numpy as np

from attention_widget.widgets.checkpoint.examples import answers, back, example, forward
from attention_widget.widgets.checkpoint.machine import FIRST, Field, View
from attention_widget.widgets.checkpoint.pictures import weights_picture
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.words import MAP_MASKED, READ, SHORT
from attention_widget.widgets.map.observation import Observation

SENTENCE = "We read one line"


class CanItCheat(Asking):
    """States: "wait" (mask on), "short" (one word), "ask:T:SEES", "told:T:SEES"."""

    key = "read"
    title = READ["title"]
    start = "wait"
    fields = (Field("cheat", READ["field"], {"yes": READ["yes"], "no": READ["no"]}),)
    states = re.compile(rf"wait|short|(ask|told):\d{{1,2}}:(yes|no)|{CASES}|{ENDS}")
    idea = READ["idea"]
    look_again = READ["again"]

    def watch(self, state: str, o: Observation) -> str:
        if o.tokens < 2:
            return "short"
        return "wait" if o.masked else f"ask:{o.tokens}:{_word(o.sees_future)}"

    def guesses(self, state: str) -> tuple[str, ...]:
        return ("yes", "no") if state.startswith("ask") else ()

    def guess(self, state: str, value: str) -> str:
        _, t, sees = state.split(":")
        return FIRST if value == sees else f"told:{t}:{sees}"

    def ask(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "told":
            t = int(rest[0])
            return told(READ["why"], outlined=tuple((i, i + 1) for i in range(t - 1)))
        if name == "short":
            return View(SHORT, announcement=SHORT)
        return View(READ[name], announcement=READ[name], asks=name == "ask")

    def all_cases(self) -> tuple[Case, ...]:
        return _cases()


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    it = example(SENTENCE)
    t = len(it.tokens)
    everything = np.ones((t, t), bool)
    rows = {"last": (t - 1,)}
    cases = []
    for name, allowed in (
        ("mask", back(t)),
        ("past", forward(t)),
        ("last", everything),
        ("ahead", back(t, ahead=1)),
    ):
        weights, frames = it.weights(allowed)[0], answers(t)
        shown = rows.get(name, tuple(range(t)))
        seen = (weights * frames)[list(shown)].any()
        picture = weights_picture(MAP_MASKED, it.tokens, weights, ~allowed, frames, shown)
        cases.append(Case(READ[name], _word(bool(seen)), READ[f"{name}-why"], picture, picture))
    return tuple(cases)


def _word(value: bool) -> str:
    return "yes" if value else "no"
