"""Step: predict, lock in, see, and after a wrong answer be told why and asked a new case.

A student who errs is shown why and then asked about a case that has another answer, until one is
right without having been told. The cases come round, so nobody is stuck.
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

from attention_widget.widgets.checkpoint import words
from attention_widget.widgets.checkpoint.machine import (
    FIRST,
    KEPT,
    LATER,
    SPARED,
    Step,
    View,
    earned,
)
from attention_widget.widgets.map.observation import Observation

NEXT = "next"  # the answer that leads on from an explanation
ENDS = f"{FIRST}|{LATER}|{KEPT}|{SPARED}"
# States that every step has, for its own pattern: an explanation of a case, or its question.
CASES = r"(case|missed):\d{1,2}:[a-z0-9,]{1,20}"


@dataclass(frozen=True)
class Case:
    """A question about a case that is not on the map.

    Attributes:
        question: what is asked.
        right: its answer.
        why: the explanation, which says the answer.
        before: a picture that goes with the question.
        after: one that goes with the explanation.
    """

    question: str
    right: str
    why: str
    before: tuple[Any, ...] = ()
    after: tuple[Any, ...] = ()


class Asking(Step):
    """States: a step's own while it asks about the map, then "told:...:OWN" (wrong; OWN is the
    answer that the map showed), "case:N:OWN", "missed:N:OWN" and the ends."""

    idea: str  # said when the step is earned

    @abstractmethod
    def watch(self, state: str, o: Observation) -> str:
        """Return the state after `o` was seen, while the question is about the map."""

    @abstractmethod
    def guesses(self, state: str) -> tuple[str, ...]:
        """Return the answers taken while the question is about the map."""

    @abstractmethod
    def guess(self, state: str, value: str) -> str:
        """Return the state after one of them."""

    @abstractmethod
    def ask(self, state: str) -> View:
        """Return what is shown while the question is about the map, or in "told"."""

    @abstractmethod
    def all_cases(self) -> tuple[Case, ...]:
        """Return the cases in the order in which they are asked."""

    def case_answers(self, case: Case) -> tuple[str, ...]:
        """Return every answer that is taken for a case."""
        return tuple(self.fields[0].options)

    def cases(self, own: str) -> tuple[Case, ...]:
        """Return the cases for a student who was told that the map's answer is `own`."""
        return self.all_cases()

    def legal(self, state: str) -> bool:
        name, *rest = state.split(":")
        if not super().legal(state):
            return False
        return name not in ("case", "missed") or int(rest[0]) < len(self.cases(rest[1]))

    def observe(self, state: str, o: Observation) -> str:
        held = state.startswith(("told", "case", "missed")) or earned(state)
        return state if held else self.watch(state, o)

    def answers(self, state: str) -> tuple[str, ...]:
        name, *rest = state.split(":")
        if name in ("told", "missed"):
            return (NEXT,)
        if name == "case":
            return self.case_answers(self.cases(rest[1])[int(rest[0])])
        return () if earned(state) else self.guesses(state)

    def answer(self, state: str, value: str) -> str:
        name, *rest = state.split(":")
        if name == "told":
            return f"case:0:{rest[-1]}"
        if name in ("case", "missed"):
            n, own = int(rest[0]), rest[1]
            cases = self.cases(own)
            if name == "missed":
                return f"case:{(n + 1) % len(cases)}:{own}"
            return LATER if value == cases[n].right else f"missed:{n}:{own}"
        return self.guess(state, value)

    def view(self, state: str) -> View:
        name, *rest = state.split(":")
        if earned(state):
            text = f"{words.ENDS[state]} {self.idea}".strip()
            return View(words.EARNED[state], (("good", text),), text)
        if name not in ("case", "missed"):
            return self.ask(state)
        case = self.cases(rest[1])[int(rest[0])]
        if name == "case":
            return View(
                case.question,
                announcement=case.question,
                asks=True,
                top=self.top_of(case),
                picture=case.before,
            )
        return told(case.why, picture=case.after)

    def top_of(self, case: Case) -> int:
        """Return the largest number taken for a case."""
        return 0


def told(
    why: str, *, picture: tuple[Any, ...] = (), outlined: tuple[tuple[int, int], ...] = ()
) -> View:
    """Return an explanation after a wrong answer, with the button that leads on to a case."""
    return View(
        words.NOT_YET,
        (("hint", why),),
        f"{words.NOT_YET} {why}",
        go=words.NEW_CASE,
        picture=picture,
        outlined=outlined,
    )
