"""Step: predict a figure while it cannot be seen, then make the widget show it, then compare."""

import re
from abc import abstractmethod

from attention_widget.widgets.checkpoint.machine import FIRST, View
from attention_widget.widgets.checkpoint.steps.asking import CASES, ENDS, Asking, Case, told
from attention_widget.widgets.checkpoint.words import HELD, SHORT
from attention_widget.widgets.map.observation import Observation


class PredictNumber(Asking):
    """A predicted whole number.

    States: "wait:0" (it can be seen before anything was predicted), "short:0" (it cannot arise),
    "ask:SIZE", "held:GUESS:SIZE" (locked in, not shown yet) and "told:GUESS:SIZE:MEASURED".
    """

    start = "wait:0"
    states = re.compile(
        r"(wait|short):0|ask:\d{1,2}|held:\d{1,3}:\d{1,2}|told:\d{1,3}:\d{1,2}:\d{1,3}"
        rf"|{CASES}|{ENDS}"
    )
    low = 0

    @abstractmethod
    def shown(self, o: Observation) -> bool:
        """Say whether the widget shows the figure now."""

    @abstractmethod
    def measured(self, o: Observation) -> int:
        """Return the figure."""

    @abstractmethod
    def size(self, o: Observation) -> int:
        """Return what the largest sensible guess depends on."""

    @abstractmethod
    def top(self, size: int) -> int:
        """Return the largest guess taken."""

    @abstractmethod
    def text(self, name: str, size: int) -> str:
        """Return what is said in "wait", "ask" or "held"."""

    @abstractmethod
    def why(self, guess: int, size: int, measured: int) -> View:
        """Return the explanation after a wrong guess."""

    def too_short(self, o: Observation) -> bool:
        """Say whether the figure cannot arise with this sentence."""
        return False

    def watch(self, state: str, o: Observation) -> str:
        name, *rest = state.split(":")
        size = self.size(o)
        if name == "held":
            if self.too_short(o) or not self.shown(o):
                return f"held:{rest[0]}:{size}"
            measured = self.measured(o)
            return FIRST if int(rest[0]) == measured else f"told:{rest[0]}:{size}:{measured}"
        if self.too_short(o):
            return "short:0"
        return "wait:0" if self.shown(o) else f"ask:{size}"

    def guesses(self, state: str) -> tuple[str, ...]:
        name, *rest = state.split(":")
        return numbers(self.low, self.top(int(rest[-1]))) if name == "ask" else ()

    def guess(self, state: str, value: str) -> str:
        return f"held:{value}:{state.split(':')[-1]}"

    def ask(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "short":
            return View(SHORT, announcement=SHORT)
        if name == "told":
            guess, size, measured = map(int, rest)
            return self.why(guess, size, measured)
        size = int(rest[-1])
        text = self.text(name, size)
        if name == "held":
            note = HELD.format(guess=rest[0])
            said = f"{note} {text}"
            return View(text, (("plain", note),), said)
        return View(text, announcement=text, asks=name == "ask", top=self.top(size))

    def cases(self, own: str) -> tuple[Case, ...]:
        return tuple(case for case in self.all_cases() if case.right != own)

    def case_answers(self, case: Case) -> tuple[str, ...]:
        return numbers(self.low, self.top_of(case))


def numbers(low: int, high: int) -> tuple[str, ...]:
    """Return the whole numbers from `low` to `high` as answers."""
    return tuple(map(str, range(low, high + 1)))


__all__ = ["PredictNumber", "numbers", "told"]
