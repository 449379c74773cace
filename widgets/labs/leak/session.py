"""How does one student's training run go on while the page stays answerable?"""

import asyncio
from collections.abc import Callable
from typing import Any

import panel as pn

from attention_widget.models.leak.runs import LeakConfig
from attention_widget.widgets.labs.leak.run import leak_steps
from attention_widget.widgets.section.jobs import FINAL, Job, Line, Report

LINE = Line(workers=2, places=30)  # of the whole server
Schedule = Callable[[Callable[[], None]], object]


class LeakSession:
    """One student's runs, one at a time.

    Args:
        state: has the parameters `seed` and `report`.
        line: where the runs wait and go on.
        config: makes what to train from a seed.
    """

    def __init__(
        self, state: Any, line: Line = LINE, config: Callable[[int], LeakConfig] | None = None
    ) -> None:
        self._state, self._line = state, line
        self._config = config or (lambda seed: LeakConfig(seed=seed))
        self._job: Job | None = None
        self._watched = False

    def start(self) -> None:
        """Train, unless a run is going on; `report` says what comes of it."""
        if self.busy:
            return
        schedule, config = later(), self._config(self._state.seed)
        if not self._watched and pn.state.curdoc is not None:
            pn.state.on_session_destroyed(lambda _: self.leave())
            self._watched = True

        def tell(report: Report) -> None:
            if self._job is job:
                schedule(lambda: self._take(job, report))

        self._job = job = Job(lambda: leak_steps(config), tell)
        self._state.report = Report("running")
        self._line.submit(job)

    def cancel(self) -> None:
        """Stop the run between two steps; what it has drawn so far stays."""
        if self._job is not None:
            self._line.cancel(self._job)

    def leave(self) -> None:
        """Stop the run of a student who has gone, and hear no more of it."""
        job, self._job = self._job, None
        if job is not None:
            self._line.cancel(job)

    @property
    def busy(self) -> bool:
        """Whether a run goes on or waits."""
        report = self._state.report
        return report is not None and report.phase not in FINAL

    def _take(self, job: Job, report: Report) -> None:
        if self._job is job:
            self._state.report = report


def later() -> Schedule:
    """Return what runs a function on this session's thread, from whichever thread it is called."""
    document = pn.state.curdoc
    if document is not None:
        return document.add_next_tick_callback  # type: ignore[no-any-return, unused-ignore]
    try:
        return asyncio.get_running_loop().call_soon_threadsafe  # a notebook
    except RuntimeError:
        return lambda function: function()  # nobody else is there
