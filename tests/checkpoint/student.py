"""A student who knows the lesson, for the checkpoint's tests: what to do in any situation."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from attention_widget.widgets.checkpoint.machine import (
    Answer,
    Event,
    Open,
    Progress,
    advance,
    earned,
)
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState

KEYS = [step.key for step in STEPS]


@dataclass
class Bench:
    """A widget and a checkpoint that watches it, without a page."""

    state: LessonState = field(default_factory=LessonState)
    progress: Progress = field(default_factory=lambda: Progress(0, tuple(s.start for s in STEPS)))

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


def do_step(bench: Bench) -> None:
    """Earn the current step from wherever it stands, reading the widget and nothing else."""
    for controls, answer in moves(bench):
        if earned(bench.now):
            return
        bench.do(**controls)
        if answer is not None and not earned(bench.now):
            bench.answer(answer)
    assert earned(bench.now), bench.now


def moves(bench: Bench) -> Iterator[tuple[dict[str, object], str | None]]:
    """Return what to do in the current step; facts are computed here anew, from the weights."""
    key = KEYS[bench.progress.at]
    t = len(snapshot(bench.state.settings()).tokens)
    hidden = str(int(np.triu(np.ones((t, t)), 1).sum()))
    if key == "read":
        yield {"causal": False}, "yes,0"
    elif key == "hidden":
        yield {"causal": False}, hidden
        yield {"causal": True}, hidden
    elif key == "rows":
        yield {"causal": False, "head": 1, "heads": 1}, "first,last"
        yield {"causal": True}, "first,last"
    elif key == "width":
        yield {"heads": 1}, "3"
        yield {"heads": 4}, "3"
    elif key == "heads":
        for head in (3, 1, 4, 2):
            yield {"heads": 4, "head": head}, None
    elif key == "dropout":
        yield {"training": True, "dropout": 0.4}, None
        yield {"training": False}, None
    else:
        yield {}, "accurate"


def finish(bench: Bench) -> int:
    """Do all that is left; give how many steps that took."""
    for n in range(len(KEYS) + 1):
        do_step(bench)
        states = bench.progress.states
        left = next((k for k, s in zip(KEYS, states, strict=True) if not earned(s)), None)
        if left is None:
            return n
        bench.do(Open(left))
    raise AssertionError(f"stuck in {bench.progress}")
