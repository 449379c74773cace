"""Step: which rows does the mask change? Predict, flip the mask, see the difference row by row."""

import re
from itertools import product

from attention_widget.widgets.checkpoint.machine import Field, Step, View
from attention_widget.widgets.checkpoint.wording import SHORT, listed
from attention_widget.widgets.map.observation import Observation

PLACES = {"first": "row 1", "middle": "a row between", "last": "the last row"}
NONE = {"none": "no row: every row changes"}


class PredictRows(Step):
    """Which row changes most, and which not at all.

    States: "ask:0", "short:0", "held:MOST:SAME:SEEN" (SEEN is how the mask was seen last: it is
    revealed when the mask goes from off to on), "miss:MOST:SAME:ROW:CHANGES" and
    "done-first:ROW:CHANGES", "done-later:...", with CHANGES in percent, one a row.
    """

    key = "rows"
    title = "Predict which rows change"
    start = "ask:0"
    fields = (
        Field("most", "When the mask goes on, which row changes most?", PLACES),
        Field("same", "And which does not change at all?", PLACES | NONE),
    )
    states = re.compile(
        r"(ask|short):0|held:(first|middle|last):(first|middle|last|none):(|on|off)"
        r"|miss:(first|middle|last):(first|middle|last|none):\d{1,2}:\d{1,3}(\.\d{1,3}){1,15}"
        r"|done-(first|later):\d{1,2}:\d{1,3}(\.\d{1,3}){1,15}"
    )

    def observe(self, state: str, o: Observation) -> str:
        name, *rest = state.split(":")
        if name == "miss":
            return state
        if name == "held":
            most, same, seen = rest
            now = "on" if o.masked else "off"
            if o.tokens < 2:
                return state
            if (seen, now) != ("off", "on"):
                return f"held:{most}:{same}:{now}"
            measured = f"{o.most}:{'.'.join(map(str, o.changes))}"
            if _right(most, same, o.most, o.changes) == (True, True):
                return f"done-first:{measured}"
            return f"miss:{most}:{same}:{measured}"
        return "short:0" if o.tokens < 2 else "ask:0"

    def answers(self, state: str) -> tuple[str, ...]:
        if state.startswith("short"):
            return ()
        return tuple(map(",".join, product(*(field.options for field in self.fields))))

    def answer(self, state: str, value: str) -> str:
        name, *rest = state.split(":")
        most, same = value.split(",")
        if name == "ask":
            return f"held:{most}:{same}:"
        if name == "held":
            return f"held:{most}:{same}:{rest[2]}"
        _, _, row, changes = rest
        if _right(most, same, int(row), _percents(changes)) == (True, True):
            return f"done-later:{row}:{changes}"
        return f"miss:{most}:{same}:{row}:{changes}"

    def view(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "short":
            return View(SHORT, announcement=SHORT)
        if name == "ask":
            text = "Think of what each row could see before. Predict, then watch."
            return View(text, announcement=text)
        if name == "held":
            most, same, seen = rest
            note = f"Your prediction: most {PLACES[most]}; not at all {(PLACES | NONE)[same]}."
            if seen == "on":
                wanted = "Turn the causal mask off, then on again, and watch each row."
            elif seen == "off":
                wanted = "Turn the causal mask on and watch each row: its change is shown here."
            else:
                wanted = "Turn the causal mask off, then on, and watch each row."
            return View(wanted, (("plain", note),), f"{note} {wanted}")
        changes = _percents(rest[-1])
        row = int(rest[-2])
        still = [str(i) for i, change in enumerate(changes, start=1) if change == 0]
        found = f"Row {row} changes most" + (f", row {listed(still)} not at all." if still else ".")
        if name == "miss":
            most_right, same_right = _right(rest[0], rest[1], row, changes)
            hints = [] if most_right else ["Which row had the most weight on words after its own?"]
            if not same_right:
                hints.append("Which row has no word after its own, so nothing to lose?")
            text = " ".join(["Not as measured.", *hints])
            again = "Read the bars and answer again."
            return View(again, (("hint", text),), f"{text} {again}", changes)
        text = found + (
            " Row 1 keeps a single cell; the last row could already see every word legally."
            if row == 1 and still == [str(len(changes))]
            else " A row changes by the weight it had on later words."
        )
        first = "Predicted right. " if name == "done-first" else ""
        return View("You compared every row.", (("good", first + text),), first + text, changes)


def _percents(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))


def _right(most: str, same: str, row: int, changes: tuple[int, ...]) -> tuple[bool, bool]:
    still = {_place(i, len(changes)) for i, change in enumerate(changes, start=1) if change == 0}
    return most == _place(row, len(changes)), same in (still or {"none"})


def _place(row: int, count: int) -> str:
    return "first" if row == 1 else "last" if row == count else "middle"
