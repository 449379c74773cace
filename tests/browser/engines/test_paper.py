"""Does Firefox, too, print one page on which nothing is missing?

Its own reader of PDF shows the page again, with words that can be read. Chromium's paper is looked
at in `tests/browser/test_print.py`; WebKitGTK's driver cannot print.
"""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section.palette import SCHEMES, STEPS, palette_index
from tests.browser.engines.conftest import open_window
from tests.browser.engines.driven import Firefox
from tests.browser.engines.lesson import Lesson
from tests.checkpoint.student import GRADED

pytestmark = pytest.mark.browser
PAPER = {"A4": (21.0, 29.7), "Letter": (21.59, 27.94)}  # cm
# The page in the reader: how many there are, where it lies, and every word with its place.
READ = """() => {
  const pages = document.querySelectorAll(".page"), layer = pages[0]?.querySelector(".textLayer");
  if (!layer?.querySelector(".endOfContent") || !pages[0].querySelector("canvas")) return null;
  const box = (el) => { const {left, top, right, bottom} = el.getBoundingClientRect();
    return [left, top, right, bottom]; };
  const words = [...layer.querySelectorAll("span")].filter((el) =>
    !el.children.length && el.textContent.trim());
  return {pages: pages.length, page: box(pages[0]), words: words.map((el) =>
    [el.textContent.normalize("NFKC"), box(el)])};
}"""
ON_PAPER = (
    "Which of these would you ship?",  # the step
    f"0 of {len(GRADED)} steps done",
    "Causal mask",
    "Heads 4",
    "Dropout 0.0",
    "sees future? ✓ no",
    "masked cells 15",
    "d_head = d / h 3",
    "How much each word looks at each word, head 1 of 4",
    "starts looks at Your",
)
NOT_ON_PAPER = ("Cost lab", "Lock in", "Reset", "Take it away", "More controls", "Start over")


@pytest.fixture(scope="module", params=["light", "dark"])
def opened(
    request: pytest.FixtureRequest,
    browser: Browser,
    tmp_path_factory: pytest.TempPathFactory,
    recorded_file,
) -> Iterator[tuple[Lesson, str]]:
    """The recorded lesson in a Firefox, and the scheme of its pages."""
    folder = tmp_path_factory.mktemp("paper") / "own"
    window = open_window("firefox", browser, folder, request.param)
    yield Lesson(window, recorded_file.as_uri(), "file"), request.param
    window.close()


def blankless(text: str) -> str:
    return "".join(text.split())


def share_of(picture: np.ndarray, colour: str, tolerance: int = 12) -> float:
    """Return the share of pixels that have about this colour."""
    aim = np.array([int(colour[n : n + 2], 16) for n in (1, 3, 5)])
    return float((np.abs(picture.astype(int) - aim).max(axis=-1) <= tolerance).mean())


def place_of(words: list[tuple[str, list[float]]], start: str) -> int:
    return next(n for n, (text, _) in enumerate(words) if text.startswith(start))


@pytest.mark.parametrize("paper", PAPER)
def test_firefox_prints_the_map_its_legend_the_figures_the_switches_and_the_step_on_one_page(
    opened: tuple[Lesson, str], paper: str, tmp_path: Path
) -> None:
    lesson, named = opened
    window = lesson.window
    assert isinstance(window, Firefox)
    window.resize(1200, 900)
    lesson.open("?causal=1&heads=4")
    printed = tmp_path / "page.pdf"
    printed.write_bytes(window.pdf(*PAPER[paper]))
    assert window.js("() => attentionWidget.root.querySelectorAll('.printed').length") == 0
    assert window.errors() == []
    window.resize(1000, 1300)
    window.goto(f"{printed.as_uri()}#zoom=page-fit")
    found = window.until(READ)
    left, top, right, bottom = found["page"]
    words = found["words"]
    assert found["pages"] == 1
    text = blankless("".join(word for word, _ in words))
    for wanted in ON_PAPER:
        assert blankless(wanted) in text, wanted
    for other in NOT_ON_PAPER:
        assert blankless(other) not in text, other
    for (one, (x, y, x_end, y_end)), (other, (u, v, u_end, v_end)) in combinations(words, 2):
        assert left < x < x_end < right, one
        assert top < y < y_end < bottom, one
        apart = u >= x_end - 2 or u_end <= x + 2 or v >= y_end - 2 or v_end <= y + 2
        assert apart, f"{one!r} lies over {other!r}"
    below = words[place_of(words, "starts looks at")][1]
    above = words[place_of(words, "How much each word")][1]
    sheet = window.pixels()
    picture = sheet[round(above[3]) : round(below[1]), round(below[0]) : round(right)]
    state, scheme = LessonState(), SCHEMES[named]
    state.choose(causal=True, heads=4)
    snap = snapshot(state.settings())
    for value, kind in zip(snap.shown.flat, snap.cell_states.flat, strict=True):
        if kind == "seen":
            cell = scheme["seen"][palette_index(round(float(value), 2), 0.0, 1.0)]
            assert share_of(picture, cell) > 0.002, f"{value} is nowhere on the paper"
    assert share_of(picture, str(scheme["masked"])) > 0.015
    legend = picture[-picture.shape[0] // 8 :]
    for step in range(0, STEPS, STEPS // 6):
        assert share_of(legend, scheme["seen"][step]) > 0.0005, "the colour bar is on the paper"
    mask, heads = (words[place_of(words, name)][1] for name in ("Causal mask", "Heads"))
    switch = sheet[round(mask[1]) : round(mask[3]), round(below[0]) : round(mask[0])]
    assert share_of(switch, "#1a56ad") > 0.3, "a switch that is on"
    assert mask[2] < heads[0]
    title = words[place_of(words, "Causal and multi-head")][1]
    ink = sheet[round(title[1]) : round(title[3]), round(title[0]) : round(title[2])].astype(int)
    assert ink.min() < 60 < 240 < ink.max(), "dark on paper, whatever the screen's scheme"
