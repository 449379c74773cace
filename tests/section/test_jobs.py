"""Work beside the sessions: bounded, in line, and over at once when it is cancelled."""

import threading
from collections.abc import Iterator
from queue import Queue

import pytest

from attention_widget.widgets.section.jobs import FINAL, Job, Line, Report

PATIENCE = 20


class Gate:
    """A generator that takes a step only when it is let."""

    def __init__(self) -> None:
        self.reports: Queue[Report] = Queue()
        self.started = threading.Event()
        self._let: Queue[bool] = Queue()
        self.taken = 0
        self.job = Job(self.steps, self.reports.put)

    def steps(self) -> Iterator[int]:
        self.started.set()
        while self._let.get(timeout=PATIENCE):
            self.taken += 1
            yield self.taken

    def let(self, go_on: bool) -> None:
        self._let.put(go_on)

    def end(self) -> Report:
        while True:
            report = self.reports.get(timeout=PATIENCE)
            if report.phase in FINAL:
                return report

    def next(self) -> Report:
        return self.reports.get(timeout=PATIENCE)


@pytest.fixture
def line() -> Line:
    return Line(workers=1, places=2)


def test_a_job_runs_to_its_end_and_gives_what_it_made(line: Line) -> None:
    gate = Gate()
    line.submit(gate.job)
    for go_on in (True, True, False):
        gate.let(go_on)
    assert gate.next() == Report("running")
    assert gate.end() == Report("done", latest=2)


def test_who_comes_when_all_are_busy_is_told_the_place_and_moves_up(line: Line) -> None:
    first, second, third = Gate(), Gate(), Gate()
    for gate in (first, second, third):
        line.submit(gate.job)
    assert second.next() == Report("waiting", 1)
    assert third.next() == Report("waiting", 2)
    first.let(False)
    assert third.next() == Report("waiting", 1)
    assert second.next() == Report("running")
    second.let(False)
    third.let(False)
    assert third.end().phase == "done"


def test_a_full_line_refuses_instead_of_growing(line: Line) -> None:
    gates = [Gate() for _ in range(4)]
    for gate in gates:
        line.submit(gate.job)
    assert gates[3].end() == Report("refused")
    for gate in gates[:3]:
        gate.let(False)
    assert [gate.end().phase for gate in gates[:3]] == ["done"] * 3


def test_cancel_ends_a_running_job_between_two_steps(line: Line) -> None:
    gate = Gate()
    line.submit(gate.job)
    assert gate.started.wait(PATIENCE)
    line.cancel(gate.job)
    gate.let(True)
    assert gate.end() == Report("cancelled", latest=1)
    assert gate.taken == 1


def test_cancel_takes_a_waiting_job_out_and_it_never_starts(line: Line) -> None:
    first, second, third = Gate(), Gate(), Gate()
    for gate in (first, second, third):
        line.submit(gate.job)
    line.cancel(second.job)
    assert second.end().phase == "cancelled"
    first.let(False)
    third.let(False)
    assert third.end().phase == "done"
    assert not second.started.is_set()


def test_a_job_that_breaks_makes_room_for_the_next(line: Line) -> None:
    reports: Queue[Report] = Queue()

    def broken() -> Iterator[int]:
        yield 1
        raise RuntimeError("broken on purpose")

    after = Gate()
    line.submit(Job(broken, reports.put))
    line.submit(after.job)
    after.let(False)
    assert after.end().phase == "done"
    assert [reports.get(timeout=PATIENCE) for _ in range(2)][-1] == Report("failed", latest=1)


def test_no_more_jobs_run_at_once_than_there_are_workers() -> None:
    line = Line(workers=2, places=9)
    gates = [Gate() for _ in range(3)]
    for gate in gates:
        line.submit(gate.job)
    assert gates[0].started.wait(PATIENCE)
    assert gates[1].started.wait(PATIENCE)
    assert gates[2].next() == Report("waiting", 1)
    assert not gates[2].started.is_set()
    for gate in gates:
        gate.let(False)
    assert [gate.end().phase for gate in gates] == ["done"] * 3


def test_cancelling_what_has_ended_does_nothing(line: Line) -> None:
    gate = Gate()
    line.submit(gate.job)
    gate.let(False)
    assert gate.end().phase == "done"
    line.cancel(gate.job)
    assert gate.reports.empty()
