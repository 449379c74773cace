"""How does long work go on without holding up another student's page?

A few threads, shared by all sessions, walk generators step by step. Whoever comes when all are
busy waits in line and is told the place. A job ends between two steps when it is cancelled.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

Phase = Literal["waiting", "running", "done", "cancelled", "failed", "refused"]
FINAL = ("done", "cancelled", "failed", "refused")
TELL_EVERY = 0.2  # seconds between two reports of a running job
BREATH = 0.001  # seconds between two steps, in which the sessions get their turn


@dataclass(frozen=True, slots=True)
class Report:
    """What became of a job so far.

    Attributes:
        phase: where it stands; the last report of a job is one of `FINAL`.
        place: 1 is next in line; 0 when it does not wait.
        latest: what the generator gave last; None before its first step.
    """

    phase: Phase
    place: int = 0
    latest: Any = None


@dataclass(eq=False)
class Job:
    """One piece of work.

    Attributes:
        steps: makes the generator, called on the thread that walks it.
        tell: is given every report, on any thread; it must be quick, must not raise and must
            not call the line.
    """

    steps: Callable[[], Iterator[Any]]
    tell: Callable[[Report], None]
    _stop: threading.Event = field(default_factory=threading.Event)


class Line:
    """A bounded line before a few threads, which never keep the server from stopping.

    Args:
        workers: how many jobs run at once.
        places: how many may wait; further ones are refused.
    """

    def __init__(self, workers: int, places: int) -> None:
        self.workers, self.places = workers, places
        self._lock = threading.Lock()
        self._running: list[Job] = []
        self._waiting: list[Job] = []

    def submit(self, job: Job) -> None:
        """Run the job now, or when its turn comes; it is told which."""
        with self._lock:
            if len(self._running) < self.workers:
                self._start(job)
            elif len(self._waiting) < self.places:
                self._waiting.append(job)
                job.tell(Report("waiting", len(self._waiting)))
            else:
                job.tell(Report("refused"))

    def cancel(self, job: Job) -> None:
        """Stop the job before its next step, or take it out of the line; harmless when it ended."""
        job._stop.set()
        with self._lock:
            if job in self._waiting:
                self._waiting.remove(job)
                job.tell(Report("cancelled"))
                self._tell_places()

    def _walk(self, job: Job) -> None:
        latest = None
        phase: Phase = "done"
        told = time.monotonic()
        try:
            job.tell(Report("running"))
            steps = job.steps()
            while not job._stop.wait(BREATH):
                try:
                    latest = next(steps)
                except StopIteration:
                    break
                if time.monotonic() - told >= TELL_EVERY:
                    told = time.monotonic()
                    job.tell(Report("running", latest=latest))
            else:
                phase = "cancelled"
        except Exception:  # whatever it was, the line has to move on
            logging.getLogger(__name__).exception("background work failed")
            phase = "failed"
        finally:
            self._leave(job)
        job.tell(Report(phase, latest=latest))

    def _leave(self, job: Job) -> None:
        with self._lock:
            self._running.remove(job)
            if self._waiting:
                self._start(self._waiting.pop(0))
                self._tell_places()

    def _start(self, job: Job) -> None:
        self._running.append(job)
        threading.Thread(target=self._walk, args=(job,), daemon=True).start()

    def _tell_places(self) -> None:
        for place, job in enumerate(self._waiting, start=1):
            job.tell(Report("waiting", place))
