"""Is every recorded state exactly what Python paints, and does the file stay by itself?"""

import gzip

import numpy as np
import pytest

from attention_widget.widgets.cli import main
from attention_widget.widgets.labs.learned.lab import LEARNED
from attention_widget.widgets.lesson import TABS, Lesson
from attention_widget.widgets.recorded.commands import DRAWS, recorded_lesson
from tests.browser.conftest import assert_drawn

pytestmark = pytest.mark.browser


def jump(rng: np.random.Generator, section) -> dict:
    return {
        f"{section.name}.{control.name}": control.values()[rng.integers(len(control.values()))]
        for control in section.controls
        if control.values() and control.name != "draw"
    }


@pytest.mark.parametrize("jumps", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_random_jumps_over_all_controls_show_what_python_paints(open_lesson, jumps):
    lesson = open_lesson(reduced_motion="reduce")  # a sweep has columns of its own
    python = recorded_lesson_of(lesson.host)
    rng = np.random.default_rng(20260101)
    for _ in range(jumps if lesson.host == "file" else min(jumps, 60)):
        values: dict = {}
        for section in python.sections.values():
            values |= jump(rng, section)
        values["map.draw"] = int(rng.integers(DRAWS))
        lesson.dispatch({"set": values, "last": "map.causal"})
        python.act({"set": values})
        assert_drawn(lesson.drawn(), python.render())
    assert lesson.console == []


def recorded_lesson_of(host: str) -> Lesson:
    from attention_widget.lesson import DEFAULT_SEED, SENTENCE

    return recorded_lesson(SENTENCE, DEFAULT_SEED, DRAWS) if host == "file" else Lesson()


def test_the_file_asks_nobody_for_anything(browser, recorded_file):
    context = browser.new_context(offline=True)
    asked: list[str] = []
    context.route("**/*", lambda route: (asked.append(route.request.url), route.continue_()))
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda m: heard.append(m.text) if m.type in ("error", "warning") else None)
    page.on("pageerror", lambda e: heard.append(str(e)))
    page.goto(recorded_file.as_uri())
    page.wait_for_selector("[data-ready=true]", state="attached")
    page.get_by_role("switch", name="Causal mask").click()
    page.wait_for_function("() => attentionWidget.slots['map.kpi.masked-cells'] === '15'")
    outside = [url for url in asked if not url.startswith(("file:", "data:", "blob:"))]
    assert outside == []
    assert heard == []
    text = recorded_file.read_text(encoding="utf-8")
    assert "unsafe-eval" not in text  # the page's own policy forbids eval, so none was used
    context.close()


def test_the_file_is_small(recorded_file):
    assert len(gzip.compress(recorded_file.read_bytes(), 6)) <= 970_000


def test_the_file_without_the_heads_that_learned_is_smaller(tmp_path):
    path = tmp_path / "lesson.html"
    parts = [tab.name for tab in TABS if tab is not LEARNED]
    assert main(["export", str(path), "--parts", *parts]) == 0
    assert len(gzip.compress(path.read_bytes(), 6)) <= 850_000
