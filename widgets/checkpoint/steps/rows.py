"""Step: which rows does the mask change? Predict, flip the mask, see the difference row by row."""

import re
from functools import lru_cache
from itertools import product

import numpy as np

from attention_widget.measures import row_change
from attention_widget.widgets.checkpoint.examples import BoolArray, back, example, forward
from attention_widget.widgets.checkpoint.machine import FIRST, Field, View
from attention_widget.widgets.checkpoint.pictures import bars_picture, weights_picture
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.words import HELD, MAP_ALL, ROWS, SHORT
from attention_widget.widgets.map.observation import Observation, percent

PLACES = {"first": ROWS["first"], "middle": ROWS["middle"], "last": ROWS["last"]}
NONE = {"none": ROWS["none"]}
# (sentence, heads, head, does the mask darken the past?)
MAPS = (
    ("We read one line", 1, 1, True),
    ("The cat sat down", 1, 1, False),
    ("Rain falls on stone", 2, 2, True),
    ("Birds sing at dawn", 1, 1, False),
)


class PredictRows(Asking):
    """Which row changes most, and which not at all.

    States: "ask:0", "short:0", "held:MOST:SAME:SEEN" (SEEN is how the mask was seen last: it is
    revealed when the mask goes from off to on) and "told:ROW:CHANGES:OWN", with CHANGES in
    percent, one per row.
    """

    key = "rows"
    title = ROWS["title"]
    start = "ask:0"
    fields = (Field("most", ROWS["most"], PLACES), Field("same", ROWS["same"], PLACES | NONE))
    states = re.compile(
        r"(ask|short):0|held:(first|middle|last):(first|middle|last|none):(|on|off)"
        r"|told:\d{1,2}:\d{1,3}(\.\d{1,3}){1,15}:[a-z]{4,6},[a-z]{4,6}"
        rf"|{CASES}|{ENDS}"
    )
    idea = ROWS["idea"]
    look_again = ROWS["again"]

    def legal(self, state: str) -> bool:
        name, *rest = state.split(":")
        if not super().legal(state):
            return False
        return name != "told" or 1 <= int(rest[0]) <= rest[1].count(".") + 1

    def watch(self, state: str, o: Observation) -> str:
        name, *rest = state.split(":")
        if name != "held":
            return "short:0" if o.tokens < 2 else "ask:0"
        most, same, seen = rest
        now = "on" if o.masked else "off"
        if o.tokens < 2:
            return state
        if (seen, now) != ("off", "on"):
            return f"held:{most}:{same}:{now}"
        right = _right(o.most, o.changes)
        if f"{most},{same}" == right:
            return FIRST
        return f"told:{o.most}:{'.'.join(map(str, o.changes))}:{right}"

    def guesses(self, state: str) -> tuple[str, ...]:
        return _both() if state.startswith("ask") else ()

    def guess(self, state: str, value: str) -> str:
        return f"held:{value.replace(',', ':')}:"

    def ask(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "short":
            return View(SHORT, announcement=SHORT)
        if name == "ask":
            return View(ROWS["ask"], announcement=ROWS["ask"], asks=True)
        if name == "held":
            most, same, seen = rest
            guess = ROWS["held"].format(most=PLACES[most], same=(PLACES | NONE)[same])
            note = HELD.format(guess=guess)
            wanted = ROWS["on" if seen == "off" else "off-on"]
            said = wanted if seen else f"{note} {wanted}"  # what is locked in is said once
            return View(wanted, (("plain", note),), said)
        row, changes = int(rest[0]), tuple(map(int, rest[1].split(".")))
        t = len(changes)
        text = ROWS["why"].format(row=row, change=changes[row - 1])
        kept = tuple((t - 1, j) for j in range(t))
        return told(text, picture=bars_picture(changes), outlined=kept)

    def case_answers(self, case: Case) -> tuple[str, ...]:
        return _both()

    def all_cases(self) -> tuple[Case, ...]:
        return _cases()


def _both() -> tuple[str, ...]:
    return tuple(map(",".join, product(PLACES, PLACES | NONE)))


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    return tuple(_case(*one) for one in MAPS)


def _case(sentence: str, heads: int, head: int, past: bool) -> Case:
    it = example(sentence, heads)
    t = len(it.tokens)
    allowed: BoolArray = forward(t) if past else back(t)
    off, on = it.weights()[head - 1], it.weights(allowed)[head - 1]
    changes = tuple(percent(float(c)) for c in row_change(off, on))
    row = int(np.argmax(changes)) + 1
    most, same = _right(row, changes).split(",")
    why = ROWS["case-why"].format(
        most=PLACES[most], row=row, change=changes[row - 1], same=(PLACES | NONE)[same]
    )
    nothing = np.zeros((t, t), bool)
    picture = weights_picture(MAP_ALL, it.tokens, off, nothing, ~allowed)
    return Case(
        ROWS["past" if past else "causal"], f"{most},{same}", why, picture, bars_picture(changes)
    )


def _right(row: int, changes: tuple[int, ...]) -> str:
    still = [i for i, change in enumerate(changes, start=1) if change == 0]
    same = _place(still[-1], len(changes)) if still else "none"
    return f"{_place(row, len(changes))},{same}"


def _place(row: int, count: int) -> str:
    return "first" if row == 1 else "last" if row == count else "middle"
