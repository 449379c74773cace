"""Step: which row do four heads share? Predict, then look at each head, in any order."""

import re
from functools import lru_cache

import numpy as np

from attention_widget.widgets.checkpoint.examples import BoolArray, back, example, forward
from attention_widget.widgets.checkpoint.machine import FIRST, Field, View
from attention_widget.widgets.checkpoint.pictures import weights_picture
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.words import HEADS, HELD, MAP_MASKED, listed
from attention_widget.widgets.map.observation import Observation, alike_row
from attention_widget.widgets.map.state import MAX_HEADS

ALL = "".join(str(i) for i in range(1, MAX_HEADS + 1))
OPTIONS = {name: HEADS[name] for name in ("first", "last", "none", "all")}
SENTENCE = "We read one line"


class ShareOfHeads(Asking):
    """States: "ask", "held:CHOICE:SEEN:READY" (SEEN lists the heads that were looked at under the
    mask; READY is 1 while the mask is on and there are four heads) and "told:T:OWN"."""

    key = "heads"
    title = HEADS["title"]
    start = "ask"
    fields = (Field("row", HEADS["field"], OPTIONS),)
    states = re.compile(
        rf"ask|held:({'|'.join(OPTIONS)}):(?!{ALL}:)"
        + "".join(f"{i}?" for i in ALL)
        + rf":[01]|told:\d{{1,2}}:({'|'.join(OPTIONS)})|{CASES}|{ENDS}"
    )
    idea = HEADS["idea"]
    look_again = HEADS["again"]

    def watch(self, state: str, o: Observation) -> str:
        if state == "ask":
            return state
        _, choice, seen, _ = state.split(":")
        if o.heads != MAX_HEADS or not o.masked:
            return f"held:{choice}:{seen}:0"
        seen = "".join(sorted({*seen, str(o.head)}))
        if seen != ALL:
            return f"held:{choice}:{seen}:1"
        own = _word(o.alike, o.tokens)
        return FIRST if choice == own else f"told:{o.tokens}:{own}"

    def guesses(self, state: str) -> tuple[str, ...]:
        return tuple(OPTIONS) if state == "ask" else ()

    def guess(self, state: str, value: str) -> str:
        return f"held:{value}::0"

    def ask(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "ask":
            return View(HEADS["ask"], announcement=HEADS["ask"], asks=True)
        if name == "told":
            return told(HEADS["why"], outlined=tuple((0, j) for j in range(int(rest[0]))))
        choice, seen, ready = rest
        left = listed([i for i in ALL if i not in seen])
        text = HEADS["left" if ready == "1" else "set"].format(heads=MAX_HEADS, left=left)
        note = HELD.format(guess=OPTIONS[choice])
        said = text if len(seen) > 1 else f"{note} {text}"  # what is locked in is said once
        return View(text, (("plain", note),), said)

    def all_cases(self) -> tuple[Case, ...]:
        return _cases()


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    it = example(SENTENCE, MAX_HEADS)
    t = len(it.tokens)
    everything: BoolArray = np.ones((t, t), bool)
    near = back(t) & forward(t, behind=1)
    copied = np.repeat(it.scores[:1], MAX_HEADS, axis=0)
    cases = []
    for name, scores, allowed in (
        ("off", it.scores, everything),
        ("past", it.scores, forward(t)),
        ("copies", copied, back(t)),
        ("near", it.scores, near),
    ):
        weights = type(it)(it.tokens, scores).weights(allowed)
        after = tuple(
            part
            for head in weights[:2]
            for part in weights_picture(MAP_MASKED, it.tokens, head, ~allowed)
        )
        right = _word(alike_row(weights), t)
        cases.append(Case(HEADS[name], right, HEADS[f"{name}-why"], (), after))
    return tuple(cases)


def _word(row: int, count: int) -> str:
    if row < 0:
        return "all"
    return "none" if row == 0 else "first" if row == 1 else "last" if row == count else "middle"
