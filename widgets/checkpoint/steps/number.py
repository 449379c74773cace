"""Step: predict a figure while it cannot be seen, then make the widget show it, then compare."""

import re
from abc import abstractmethod

from attention_widget.widgets.checkpoint.machine import Step, View
from attention_widget.widgets.checkpoint.wording import SHORT, numbers
from attention_widget.widgets.map.observation import Observation


class PredictNumber(Step):
    """A predicted whole number.

    States: "wait:0" (it can be seen before anything was predicted), "short:0" (it cannot arise),
    "ask:SIZE", "held:GUESS:SIZE" (predicted, not shown yet), "miss:GUESS:MEASURED:SIZE" (shown,
    and different: enter the measured one) and "done-first:MEASURED:SIZE", "done-later:...".
    """

    start = "wait:0"
    states = re.compile(
        r"(wait|short):0|ask:\d{1,2}|held:\d{1,3}:\d{1,2}|miss:\d{1,3}:\d{1,3}:\d{1,2}"
        r"|done-(first|later):\d{1,3}:\d{1,2}"
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
    def words(self, name: str, guess: int, measured: int, size: int) -> str:
        """Return the text for "wait", "ask", "held", "miss" or "done"."""

    def too_short(self, o: Observation) -> bool:
        """Say whether the figure cannot arise with this sentence."""
        return False

    def observe(self, state: str, o: Observation) -> str:
        name, *rest = state.split(":")
        size = self.size(o)
        if name == "held":
            if self.too_short(o) or not self.shown(o):
                return f"held:{rest[0]}:{size}"
            guess, measured = int(rest[0]), self.measured(o)
            if guess == measured:
                return f"done-first:{measured}:{size}"
            return f"miss:{guess}:{measured}:{size}"
        if name == "miss":
            return f"miss:{rest[0]}:{self.measured(o)}:{size}" if self.shown(o) else state
        if self.too_short(o):
            return "short:0"
        return "wait:0" if self.shown(o) else f"ask:{size}"

    def answers(self, state: str) -> tuple[str, ...]:
        name, *rest = state.split(":")
        if name in ("wait", "short"):
            return ()
        return numbers(self.low, self.top(int(rest[-1])))

    def answer(self, state: str, value: str) -> str:
        name, *rest = state.split(":")
        if name != "miss":
            return f"held:{value}:{rest[-1]}"
        _, measured, size = rest
        name = "done-later" if value == measured else f"miss:{value}"
        return f"{name}:{measured}:{size}"

    def view(self, state: str) -> View:
        name, *rest = state.split(":")
        if name == "short":
            return View(SHORT, announcement=SHORT)
        size = int(rest[-1])
        if name in ("wait", "ask"):
            text = self.words(name, 0, 0, size)
            return View(text, announcement=text, top=self.top(size))
        if name == "held":
            guess = int(rest[0])
            note = f"Your prediction: {guess}. You may still change it."
            text = self.words("held", guess, 0, size)
            said = f"Your prediction is {guess}. {text}"
            return View(text, (("plain", note),), said, top=self.top(size))
        if name == "miss":
            guess, measured = int(rest[0]), int(rest[1])
            text = f"You said {guess}; the widget measures {measured}. " + self.words(
                "miss", guess, measured, size
            )
            again = "Enter the number that is measured."
            return View(again, (("hint", text),), f"{text} {again}", top=self.top(size))
        measured = int(rest[0])
        first = "Predicted right" if name == "done-first" else "Now it fits"
        text = f"{first}: {measured}. " + self.words("done", measured, measured, size)
        return View("You compared your prediction with the map.", (("good", text),), text)
