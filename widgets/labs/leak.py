"""Leak lab: what does a model learn when it can see the word it has to predict?"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import param

from attention.lesson import DEFAULT_SEED
from widgets.background import FINAL
from widgets.controls import Choice, Control
from widgets.labs.leak_figure import build_leak_figure
from widgets.labs.leak_paint import paint_run, status
from widgets.labs.leak_run import finished_run
from widgets.labs.leak_session import LeakSession
from widgets.map_scene import CONTROLS as MAP_CONTROLS
from widgets.part import Part
from widgets.scene import Paint, Scene

RECORDED_SEEDS = {str(seed): str(seed) for seed in (DEFAULT_SEED, 1, 2)}


class LeakState(param.Parameterized):
    """The seed, and the last report of the student's run; None before the first."""

    seed: int = param.Integer(default=DEFAULT_SEED, bounds=(0, 2**32 - 1))
    report = param.Parameter(default=None)


class RecordedLeakState(param.Parameterized):
    """Which of the recorded runs is shown."""

    seed: str = param.Selector(default=str(DEFAULT_SEED), objects=list(RECORDED_SEEDS))


def live_scene(state: LeakState | None = None, session: LeakSession | None = None) -> Scene:
    """Make the scene "leak" of a live page."""
    state = state or LeakState()
    session = session or LeakSession(state)
    acts: dict[str, Callable[[Any], None]] = {"start": session.start, "cancel": session.cancel}
    return Scene("leak", state, (_seed_control(),), paint_live, acts=acts)


def recorded_scene() -> Scene:
    """Make the scene "leak" of a recording: whole runs, one for each seed."""
    seed = Choice(name="seed", label="Seed of the recorded run", options=RECORDED_SEEDS)
    return Scene("leak", RecordedLeakState(), (seed,), paint_recorded)


def _seed_control() -> Control:
    control = next(c for c in MAP_CONTROLS if c.name == "seed")
    return replace(control, help="Of the starting values, the batches and the text.")


def paint_live(state: LeakState) -> Paint:
    """Paint what the student's run has come to."""
    report = state.report
    busy = report is not None and report.phase not in FINAL
    text = status(report)
    news = text if report is not None and (report.phase != "running" or not report.latest) else ""
    return paint_run(report.latest if report else None) | {
        "status": text,
        "news": news,
        "start": {"aria-disabled": "true" if busy else "false"},
        "cancel": {"aria-disabled": "false" if busy else "true"},
        "said.seed": f"Seed {state.seed}. Start trains with it.",
        "said.reset": f"Back to seed {state.seed}.",
    }


def paint_recorded(state: RecordedLeakState) -> Paint:
    """Paint a run that was trained when the page was recorded."""
    run = finished_run(int(state.seed))
    text = (
        f"This run was recorded: {run.config.steps} steps of each model from seed {state.seed}. "
        "Nothing is trained on your machine."
    )
    return paint_run(run) | {
        "status": text,
        "news": "",
        "start": {"aria-disabled": "true"},
        "cancel": {"aria-disabled": "true"},
        "said.seed": text,
        "said.reset": "Back to the first recorded run.",
    }


LEAK = Part(
    name="leak",
    title="Leak lab",
    scenes=lambda recorded: [recorded_scene() if recorded else live_scene()],
    figures=lambda: [build_leak_figure("leak")],
)
