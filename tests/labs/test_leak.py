"""The leak lab says what was measured, stays answerable while it trains, and can be left."""

import json
import math
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from queue import Queue
from typing import Any

import numpy as np
import pytest
from bokeh.document import Document
from panel.io.state import set_curdoc

from attention_widget.models.leak.runs import LeakConfig, train
from attention_widget.widgets.labs.leak import session as leak_session
from attention_widget.widgets.labs.leak.figure import HIGHEST, LOWEST, build_leak_figure
from attention_widget.widgets.labs.leak.lab import (
    RECORDED_SEEDS,
    LeakState,
    RecordedLeakState,
    live_section,
    recorded_section,
    render_live,
    render_recorded,
)
from attention_widget.widgets.labs.leak.render import conclusion, render_run, status
from attention_widget.widgets.labs.leak.run import (
    AVERAGED,
    LeakProgress,
    Outcome,
    finished_run,
    leak_steps,
)
from attention_widget.widgets.labs.leak.session import LeakSession
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.recorded.lookup_table import record_section
from attention_widget.widgets.section.jobs import FINAL, Job, Line, Report

PATIENCE = 30
SMALL = LeakConfig(steps=9, batch=2, d=4, context=4)


def small(seed: int) -> LeakConfig:
    return replace(SMALL, seed=seed)


@pytest.fixture(scope="module")
def run() -> LeakProgress:
    return finished_run(LeakState().seed)


@pytest.fixture(scope="module")
def outcome(run: LeakProgress) -> Outcome:
    assert run.outcome is not None
    return run.outcome


class Student:
    """A lesson of one leak section; every report puts its phase on a queue."""

    def __init__(self, line: Line, config: Callable[[int], LeakConfig] = small) -> None:
        self.pushed: Queue[str] = Queue()
        self.state = LeakState()
        self.session = LeakSession(self.state, line, config)
        self.lesson = Lesson(parts=())
        self.lesson.sections["leak"] = live_section(self.state, self.session)
        self.state.param.watch(lambda event: self.pushed.put(event.new.phase), "report")

    def act(self, name: str) -> None:
        self.lesson.act({"act": f"leak.{name}"})

    def ends(self) -> str:
        while (phase := self.pushed.get(timeout=PATIENCE)) not in FINAL:
            pass
        return phase

    def render(self) -> dict[str, Any]:
        return self.lesson.sections["leak"].render()


class Blocker:
    """Keeps a worker busy until it is let go."""

    def __init__(self, line: Line) -> None:
        self._go, self.begun = threading.Event(), threading.Event()
        line.submit(Job(self._steps, lambda report: None))
        assert self.begun.wait(PATIENCE)

    def _steps(self) -> Iterator[int]:
        self.begun.set()
        assert self._go.wait(PATIENCE)
        yield 1

    def let_go(self) -> None:
        self._go.set()


def test_a_run_is_the_cores_two_trainings(run: LeakProgress, outcome: Outcome) -> None:
    config = run.config
    for causal, mine in ((False, outcome.leaky), (True, outcome.masked)):
        core = train(config, causal)
        np.testing.assert_array_equal(core.losses, mine.losses)
        assert core.copyable_loss == mine.copyable_loss
        assert core.absent_loss == mine.absent_loss
        assert not mine.cancelled
    means = outcome.masked.copyable_losses.reshape(-1, AVERAGED).mean(axis=1)
    np.testing.assert_allclose(run.masked, means)
    assert run.at[-1] == config.steps


def test_every_step_can_be_drawn(run: LeakProgress) -> None:
    seen = list(leak_steps(SMALL))
    assert [p.done for p in seen] == [*range(1, SMALL.steps + 1), SMALL.steps]
    assert [p.outcome is None for p in seen] == [True] * SMALL.steps + [False]
    assert all(len(p.at) == len(p.leaky) == len(p.masked) == p.done // AVERAGED for p in seen)


def test_the_table_and_the_conclusion_hold_the_measured_numbers(
    run: LeakProgress, outcome: Outcome
) -> None:
    paint = render_run(run)
    cells = [[cell[2] for cell in row[3:]] for row in paint["rows"]]
    leaky, masked = outcome.leaky, outcome.masked
    assert cells[1] == [f"{leaky.absent_loss:.2f}", f"{masked.absent_loss:.2f}"]
    assert cells[2] == [f"{masked.unigram_loss:.2f}"] * 2
    assert float(cells[0][0]) == pytest.approx(leaky.copyable_loss, abs=5e-5)
    assert float(cells[3][1]) == pytest.approx(masked.position_losses[-1], abs=5e-3)
    assert f"its loss is {leaky.absent_loss:.2f}, worse than" in paint["conclusion"]
    assert "keeps the predictions accurate" in paint["conclusion"]


def test_every_line_of_the_chart_is_of_the_positions_whose_answer_is_in_the_input(
    run: LeakProgress, outcome: Outcome
) -> None:
    paint = render_run(run)
    for name, model in (("leaky", outcome.leaky), ("masked", outcome.masked)):
        curve = model.copyable_losses.reshape(-1, AVERAGED).mean(axis=1)
        np.testing.assert_allclose(paint[f"source:curves.{name}"], curve, rtol=1e-3)
        begin, end = paint[f"source:{name}.loss"]
        assert begin == pytest.approx(model.position_losses[:-1].mean(), rel=1e-3)
        assert end == pytest.approx(model.absent_losses[:-1].mean(), rel=1e-3)
    assert paint["source:masked.loss"][0] == paint["source:masked.loss"][1]  # as the text says
    assert "loss is 0.57 either way" in paint["conclusion"]
    last = outcome.masked.config.context
    assert f"positions 1 to {last - 1}" in build_leak_figure("leak").yaxis[0].axis_label


@pytest.mark.parametrize("seed", [int(seed) for seed in RECORDED_SEEDS])
def test_writing_is_said_to_happen_where_the_leaky_model_learned_to_copy(seed: int) -> None:
    run = finished_run(seed)
    assert run.outcome is not None
    leaky = run.outcome.leaky
    said = render_run(run)["writing"]
    assert "every position being the last" not in said
    assert ", ".join(f"{v:.2f}" for v in leaky.absent_losses[:-1]) in said
    assert said.endswith(f"{leaky.absent_losses[-1]:.2f}.")
    assert leaky.absent_losses[:-1].min() > 10 * leaky.absent_losses[-1]


def test_the_conclusion_says_so_when_the_leak_did_not_pay(outcome: Outcome) -> None:
    other = conclusion(replace(outcome, leaky=outcome.masked, masked=outcome.leaky))
    assert "does not even look better" in other
    assert "worse than always" not in other
    assert "keeps the predictions accurate" not in other
    assert "The masked model’s loss goes to" in other
    alike = conclusion(replace(outcome, leaky=outcome.masked))
    assert "does not even look better" in alike
    assert "times smaller" not in alike


def test_the_figure_has_room_for_every_loss(run: LeakProgress) -> None:
    paint = render_run(run)
    losses = [
        v
        for k, column in paint.items()
        if k.endswith(("loss", "leaky", "masked")) and k.startswith("source:")
        for v in column
    ]
    assert all(LOWEST <= v <= HIGHEST for v in losses)
    assert len(paint["source:curves.at"]) <= 80
    plot = build_leak_figure("leak")
    made = {r.data_source.name: set(r.data_source.data) for r in plot.renderers}
    for key in (k for k in paint if k.startswith("source:")):
        name, _, column = key.removeprefix("source:").partition(".")
        assert column in made[f"leak.{name}"]
    assert plot.x_range.name == "leak.steps"


def test_start_trains_and_pushes_until_it_is_done() -> None:
    student = Student(Line(1, 1))
    student.act("start")
    assert student.ends() == "done"
    paint = student.render()
    assert paint["leak.status"] == f"Done: {SMALL.steps} steps of each model."
    assert paint["leak.results"] == {"hidden": False}
    assert paint["leak.progress"] == {"value": SMALL.steps, "max": SMALL.steps}
    assert paint["leak.start"] == {"aria-disabled": "false"}


def test_the_seed_on_the_page_is_the_seed_that_is_trained() -> None:
    student = Student(Line(1, 1))
    student.lesson.act({"set": {"leak.seed": "11"}})
    student.act("start")
    student.ends()
    assert student.state.report.latest.config.seed == 11
    assert student.render()["leak.title"] == "Measured, seed 11"


def test_a_bad_seed_is_refused_in_words_and_the_last_one_stays() -> None:
    section = live_section()
    section.set({"seed": "-1"})
    assert "Seed" in section.render()["leak.problem.seed"] or "seed" in section.problems["seed"]
    assert section.values()["seed"] == LeakState().seed


def test_a_cancelled_run_leaves_the_session_working() -> None:
    endless = Student(Line(1, 1), lambda seed: replace(SMALL, steps=10**9, seed=seed))
    endless.act("start")
    assert endless.render()["leak.cancel"] == {"aria-disabled": "false"}
    while not endless.state.report.latest:
        assert endless.pushed.get(timeout=PATIENCE) == "running"
    endless.lesson.act({"set": {"map.causal": True}})  # answered while it trains
    assert endless.lesson.sections["map"].render()["map.kpi.masked-cells"] == "15"
    endless.act("cancel")
    assert endless.ends() == "cancelled"
    paint = endless.render()
    assert "Cancelled after" in paint["leak.status"]
    assert paint["leak.results"] == {"hidden": True}
    endless.session._config = small
    endless.act("start")
    assert endless.ends() == "done"


def test_a_second_start_while_training_is_passed_over() -> None:
    line = Line(1, 1)
    blocker = Blocker(line)
    student = Student(line)
    student.act("start")
    job = student.session._job
    student.act("start")
    assert student.session._job is job
    blocker.let_go()
    assert student.ends() == "done"
    assert student.pushed.empty()


def test_cancel_without_a_run_does_nothing() -> None:
    student = Student(Line(1, 1))
    student.act("cancel")
    assert student.state.report is None
    assert student.pushed.empty()


def test_on_a_busy_machine_a_student_is_told_the_place_in_line() -> None:
    line = Line(1, 2)
    blocker = Blocker(line)
    students = [Student(line) for _ in range(3)]
    for student in students:
        student.act("start")
    texts = [student.render()["leak.status"] for student in students]
    assert "you are number 1 in line" in texts[0]
    assert "you are number 2 in line" in texts[1]
    assert "the line is full" in texts[2]
    students[0].act("cancel")
    assert "you are number 1 in line" in students[1].render()["leak.status"]
    blocker.let_go()
    assert students[1].ends() == "done"
    assert "Cancelled after 0 steps" in students[0].render()["leak.status"]


def test_what_happens_elsewhere_is_news_only_when_the_phase_changes(run: LeakProgress) -> None:
    state = LeakState()
    assert render_live(state)["announcement"] == ""
    state.report = Report("running", latest=replace(run, outcome=None))
    assert render_live(state)["announcement"] == ""
    for phase in FINAL:
        state.report = Report(phase, latest=run)
        assert render_live(state)["announcement"] == status(state.report) != ""


def test_a_training_that_breaks_says_so_and_can_be_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(config: LeakConfig) -> Iterator[LeakProgress]:
        raise FloatingPointError("broken on purpose")
        yield

    student = Student(Line(1, 1))
    with monkeypatch.context() as patch:
        patch.setattr(leak_session, "leak_steps", broken)
        student.act("start")
        assert student.ends() == "failed"
    assert "broke off" in student.render()["leak.status"]
    student.act("start")
    assert student.ends() == "done"


def test_on_a_server_news_waits_for_the_sessions_own_turn() -> None:
    line, document = Line(1, 1), Document()
    student = Student(line)
    with set_curdoc(document):
        student.act("start")
    done: list[str] = []
    while not done or done[-1] not in FINAL:
        turn = Queue[Any]()
        for waiting in list(document.session_callbacks):
            turn.put(waiting)
        while not turn.empty():
            turn.get().callback()
            done.append(student.state.report.phase)
    assert done[-1] == "done"
    assert student.pushed.qsize() >= 1


def test_who_leaves_stops_the_run_and_hears_no_more() -> None:
    line, document = Line(1, 1), Document()
    student = Student(line, lambda seed: replace(SMALL, steps=10**9, seed=seed))
    with set_curdoc(document):
        student.act("start")
    for goodbye in document.callbacks.session_destroyed_callbacks:
        goodbye(None)  # type: ignore[arg-type]
    after = Student(line)
    after.act("start")
    assert after.ends() == "done"  # the only worker is free again
    for waiting in list(document.session_callbacks):
        waiting.callback()
    assert student.pushed.get_nowait() == "running"  # told when it began
    assert student.pushed.empty()


def test_two_students_have_runs_of_their_own() -> None:
    one, other = live_section(), live_section()
    one.set({"seed": "5"})
    assert other.values()["seed"] == LeakState().seed
    assert one.commands["start"] != other.commands["start"]


def test_a_recording_holds_whole_runs_and_stays_small() -> None:
    table = record_section(recorded_section())
    assert table["axes"][0]["values"] == list(RECORDED_SEEDS)
    assert len(json.dumps(table)) < 40_000
    for text in table["slots"]["leak.conclusion"]["pool"]:
        assert "keeps the predictions accurate" in text
    for text in table["slots"]["leak.status"]["pool"]:
        assert text.startswith("This run was recorded")


def test_a_recording_renders_what_a_live_page_does_but_for_starting_a_run() -> None:
    live, recorded = render_live(LeakState()), render_recorded(RecordedLeakState())
    assert live.keys() - recorded.keys() == {"start", "cancel", "progress"}
    assert recorded.keys() <= live.keys()


def test_a_run_without_numbers_yet_paints_empty_places() -> None:
    paint = render_run(None)
    assert paint["source:curves.at"] == []
    assert paint["results"] == {"hidden": True}
    assert math.isclose(paint["model:steps"]["end"], LeakConfig().steps * 1.12)
