"""A student who knows the lesson, for the checkpoint's tests: what to do in any situation."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

import numpy as np

from attention_widget.models.learned.measures import score
from attention_widget.models.learned.model import Head
from attention_widget.models.learned.store import shipped
from attention_widget.widgets.checkpoint.machine import (
    Answer,
    Event,
    Open,
    Progress,
    advance,
    begin,
    earned,
)
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState

KEYS = [step.key for step in STEPS]
GRADED = [step.key for step in STEPS if step.graded]


@dataclass
class Bench:
    """A widget and a checkpoint that watches it, without a page."""

    state: LessonState = field(default_factory=LessonState)
    progress: Progress = field(default_factory=lambda: first_question())

    def __post_init__(self) -> None:
        self.do()

    def seen(self) -> Observation:
        return observe(snapshot(self.state.settings()))

    def do(self, event: Event | None = None, **controls: object) -> "Bench":
        if controls:
            self.state.choose(**controls)
        for happened in (event, self.seen()):
            if happened is not None:
                self.progress = advance(self.progress, happened, STEPS)
        return self

    def answer(self, value: str) -> "Bench":
        return self.do(Answer(KEYS[self.progress.at], value))

    @property
    def now(self) -> str:
        return self.progress.states[self.progress.at]

    def until(self, key: str) -> "Bench":
        """Do everything before the step `key`, right at once, and open it."""
        while KEYS[self.progress.at] != key:
            do_step(self)
            self.do(Open(KEYS[self.progress.at + 1]))
        return self


def first_question() -> Progress:
    """Where a student is who has passed over what comes before the first question."""
    return advance(begin(STEPS), Open(GRADED[0]), STEPS)


def do_step(bench: Bench) -> None:
    """Earn the current step from wherever it stands, reading the widget and nothing else."""
    for controls, answer in moves(bench):
        if earned(bench.now):
            return
        bench.do(**controls)
        if answer is not None and not earned(bench.now):
            bench.answer(answer)
    solve_cases(bench)
    assert earned(bench.now), bench.now


def solve_cases(bench: Bench) -> None:
    """After a wrong answer: read the explanation, then answer the new case."""
    while (answer := next_answer(bench)) is not None:
        bench.answer(answer)


def next_answer(bench: Bench) -> str | None:
    """Return what to answer after a wrong answer; None where no such question is open."""
    name, *rest = bench.now.split(":")
    if name in ("told", "missed"):
        return "next"
    if name == "case":
        return STEPS[bench.progress.at].cases(rest[1])[int(rest[0])].right
    return None


def moves(bench: Bench) -> Iterator[tuple[dict[str, object], str | None]]:
    """Return what to do in the current step; facts are computed here anew, from the weights."""
    key = KEYS[bench.progress.at]
    t = len(snapshot(bench.state.settings()).tokens)
    hidden = str(int(np.triu(np.ones((t, t)), 1).sum()))
    ways: dict[str, list[tuple[dict[str, object], str | None]]] = {
        "read": [({"causal": False}, "yes")],
        "hidden": [({"causal": False}, hidden), ({"causal": True}, None)],
        "rows": [
            ({"causal": False, "head": 1, "heads": 1}, "first,last"),
            ({"causal": True}, None),
        ],
        "width": [({"heads": 1}, "3"), ({"heads": 4}, None)],
        "heads": [
            ({}, "first"),
            *(({"causal": True, "heads": 4, "head": n}, None) for n in (3, 1, 4, 2)),
        ],
        "dropout": [
            ({"training": False}, "around"),
            ({"training": True, "dropout": 0.4}, None),
            ({"training": False}, None),
        ],
        "property": [({}, "accurate")],
        "circuit": [({}, needed_head())],
        "layers": [({}, "order")],
    }
    yield from ways[key]


def right_answer(key: str) -> str:
    """Return what to answer at first in a step, on the default map."""
    return next(answer for _, answer in moves(Bench().until(key)) if answer is not None)


def wrong_answer(bench: Bench, right: str) -> str:
    """Return an answer that the current step takes now, other than `right`."""
    return next(value for value in STEPS[bench.progress.at].answers(bench.now) if value != right)


@cache
def needed_head() -> str:
    """Return the key of the head without which rows said twice cost most, on rows drawn here."""
    model = shipped()

    def cost(head: Head) -> float:
        return score(model, np.random.default_rng(8), 30, off={head}).second_loss

    layer, i = max(model.heads, key=cost)
    return f"h{layer + 1}{i + 1}"


def finish(bench: Bench) -> int:
    """Do all that is left; give how many steps that took."""
    for n in range(len(KEYS) + 1):
        if STEPS[bench.progress.at].graded:
            do_step(bench)
        states = zip(STEPS, bench.progress.states, strict=True)
        left = next((step.key for step, s in states if step.graded and not earned(s)), None)
        if left is None:
            return n
        bench.do(Open(left))
    raise AssertionError(f"stuck in {bench.progress}")
