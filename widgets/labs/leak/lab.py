"""Leak lab: what does a model learn when it can see the word it has to predict?"""

from collections.abc import Callable

import param

from attention_widget.lesson import DEFAULT_SEED
from attention_widget.models.leak.runs import LeakConfig
from attention_widget.widgets.labs.leak import words
from attention_widget.widgets.labs.leak.figure import build_leak_figure
from attention_widget.widgets.labs.leak.render import render_run, status
from attention_widget.widgets.labs.leak.run import LeakProgress, finished_run
from attention_widget.widgets.labs.leak.session import LeakSession
from attention_widget.widgets.section.jobs import FINAL
from attention_widget.widgets.section.parameters import Seed
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState
from attention_widget.widgets.section.tab import Tab

RECORDED_SEEDS = (DEFAULT_SEED, 1, 2)


class LeakState(SectionState):
    """The seed, and the last report of the student's run; None before the first."""

    seed: int = Seed(
        default=DEFAULT_SEED,
        bounds=(0, 2**32 - 1),
        label="Seed",
        doc="Of the starting values, the batches and the text.",
    )
    report = param.Parameter(default=None, precedence=-1)


class RecordedLeakState(SectionState):
    """Which of the recorded runs is shown."""

    seed: int = param.Selector(
        default=DEFAULT_SEED, objects=list(RECORDED_SEEDS), label="Seed of the recorded run"
    )


def live_section(state: LeakState | None = None, session: LeakSession | None = None) -> Section:
    """Make the section "leak" of a live page."""
    state = state or LeakState()
    session = session or LeakSession(state)
    commands: dict[str, Callable[[], None]] = {"start": session.start, "cancel": session.cancel}
    return Section("leak", state, render_live, commands=commands)


def recorded_section() -> Section:
    """Make the section "leak" of a recording: whole runs, one for each seed."""
    return Section("leak", RecordedLeakState(), render_recorded, recorded=True)


def render_live(state: LeakState) -> Slots:
    """Render what the student's run has come to."""
    report = state.report
    busy = report is not None and report.phase not in FINAL
    text = status(report)
    announcement = (
        text if report is not None and (report.phase != "running" or not report.latest) else ""
    )
    latest: LeakProgress | None = report.latest if report else None
    last = latest.config.steps if latest else LeakConfig().steps
    return render_run(latest) | {
        "status": text,
        "progress": {"value": latest.done if latest else 0, "max": last},
        "announcement": announcement,
        "start": {"aria-disabled": "true" if busy else "false"},
        "cancel": {"aria-disabled": "false" if busy else "true"},
        "announcement.seed": f"Seed {state.seed}. Start trains with it.",
        "announcement.reset": f"Back to seed {state.seed}.",
    }


def render_recorded(state: RecordedLeakState) -> Slots:
    """Render a run that was trained when the page was recorded."""
    run = finished_run(state.seed)
    text = (
        f"This run was recorded: {run.config.steps} steps of each model from seed {state.seed}. "
        "Nothing is trained on your machine."
    )
    return render_run(run) | {
        "status": text,
        "announcement": "",
        "announcement.seed": text,
        "announcement.reset": "Back to the first recorded run.",
    }


LEAK = Tab(
    name="leak",
    template="labs/leak/tab.html",
    title="Leak lab",
    sections=lambda recorded: [recorded_section() if recorded else live_section()],
    figures=lambda: [build_leak_figure("leak")],
    words={"say": words},
)
