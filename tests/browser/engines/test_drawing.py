"""Do sliders, bars and words, which each engine draws in its own way, look as they should?"""

import time
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser

from attention_widget.widgets.checkpoint.record import to_text
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.section.palette import contrast
from tests.browser.engines.conftest import ENGINES, open_window
from tests.browser.engines.lesson import Lesson
from tests.browser.engines.window import Window
from tests.checkpoint.student import Bench

pytestmark = pytest.mark.browser
TOKEN = "(name) => getComputedStyle(attentionWidget.root.querySelector('.lesson') "
TOKEN += "?? attentionWidget.root).getPropertyValue(name).trim()"
BAR = """(share) => {
  const bar = attentionWidget.root.querySelector("progress");
  bar.className = "";
  bar.max = 1;
  bar.value = share;
}"""
LINES = """(css) => [...attentionWidget.root.querySelectorAll(css)].map((el) => {
  const words = document.createRange();
  words.selectNodeContents(el);
  return [el.textContent, new Set([...words.getClientRects()].map((box) => box.top)).size];
})"""


@pytest.fixture(scope="module", params=[(e, s) for e in ENGINES for s in ("light", "dark")])
def shown(
    request: pytest.FixtureRequest,
    browser: Browser,
    tmp_path_factory: pytest.TempPathFactory,
    recorded_file,
) -> Iterator[Lesson]:
    """The recorded lesson in each engine, light and dark."""
    engine, scheme = request.param
    window: Window = open_window(engine, browser, tmp_path_factory.mktemp("own") / "own", scheme)
    yield Lesson(window, recorded_file.as_uri(), "file").open("?causal=1&heads=2")
    window.close()


def colour(shown: Lesson, name: str) -> str:
    return str(shown.window.js(TOKEN, name))


def painted(shown: Lesson, x: float, y: float, name: str) -> str:
    """Return the colour of that name once the place has it; a change is painted a moment later."""
    wanted, end = colour(shown, name), time.monotonic() + 10
    aim = np.array([int(wanted[n : n + 2], 16) for n in (1, 3, 5)])
    while np.abs((found := shown.window.pixels()[round(y), round(x)].astype(int)) - aim).max() > 3:
        assert time.monotonic() < end, f"{name} is {aim}, but {found} is at {x:.0f}, {y:.0f}"
    return wanted


def test_a_slider_has_the_same_thumb_and_track_everywhere(shown):
    x, y, width, _ = shown.named("slider", "Dropout")  # at its start
    page = colour(shown, "--page")
    assert contrast(painted(shown, x - width / 2 + 9, y, "--accent"), page) >= 3
    assert contrast(painted(shown, x + width / 4, y, "--control"), page) >= 3


def test_a_slider_with_the_focus_has_the_ring_of_all_controls(shown):
    shown.window.js("() => attentionWidget.controls.get('map.heads').focus()")
    shown.window.press("ArrowRight")
    ring = """() => { const style = getComputedStyle(attentionWidget.controls.get('map.heads'));
      return [style.outlineStyle, style.outlineWidth, style.outlineOffset]; }"""
    assert shown.window.js(ring) == ["solid", "3px", "2px"]


def test_nothing_done_looks_empty_and_all_done_looks_full(shown):
    shown.window.js(BAR, 0)
    x, y, *_ = shown.spot("progress")
    empty = painted(shown, x, y, "--page")
    shown.window.js(BAR, 1)
    assert contrast(empty, painted(shown, x, y, "--accent")) >= 3


def test_a_word_beside_a_bar_stays_on_its_line(shown):
    reached = Bench().until("rows").answer("last,none").do(causal=False).do(causal=True)
    record = to_text(reached.progress, STEPS)
    shown.window.js("(record) => attentionWidget.dispatch({restore: record})", record)
    shown.settle()
    lines = shown.window.js(LINES, "#step-rows .row-bars li span:last-child")
    assert "unchanged" in [text for text, _ in lines]
    assert all(count == 1 for _, count in lines), lines
