"""Are the numbers on the page those of other code, and does a sentence stand where it belongs?"""

import base64
import importlib
import io
import random

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from attention_widget.widgets.lesson import Lesson as Sections
from tests.browser.conftest import Lesson
from tests.truth.numbers import faults_of
from tests.truth.test_every_number import axes_of, is_read

pytestmark = pytest.mark.browser
TABS = {
    "faults": "Failure lab",
    "dropout": "Dropout lab",
    "heads": "Heads and W_o",
    "cost": "Cost lab",
    "tiles": "Cost lab",
}
SAMPLE = 3  # states of each, from a seed
READ_SECTION = """(name) => {
  const page = attentionWidget, found = {};
  for (const [key, els] of page.targets) {
    if (key.startsWith(name + '.') && key.indexOf('.control.') < 0) {
      const own = els.filter((el) => ['P', 'SPAN', 'TBODY', 'THEAD', 'TR', 'DD', 'TD', 'LI',
        'STRONG', 'DIV'].includes(el.tagName));
      if (own.length) found[key] = own.map((el) =>
        key.endsWith('figure') ? [el.getAttribute('aria-label')] : cells(el));
    }
  }
  function cells(el) {
    if (!el.children.length) return [el.textContent];
    return [...el.childNodes].flatMap((child) =>
      child.nodeType === 3 ? [child.textContent] : child.style.getPropertyValue('--level')
        ? [Number(child.style.getPropertyValue('--level'))] : cells(child));
  }
  return found;
}"""


@pytest.mark.parametrize("name", TABS)
def test_the_numbers_on_the_page_are_those_of_other_code(open_lesson, name: str) -> None:
    lesson = open_lesson()
    lesson.page.get_by_role("tab", name=TABS[name]).click()
    claim = importlib.import_module(f"tests.truth.claims.{name}").claims
    section = Sections(recorded_draws=3).sections[name]
    choices = random.Random(name)
    compared = 0
    for _ in range(SAMPLE):
        values = {axis.name: choices.choice(axis.values) for axis in axes_of(section)}
        lesson.dispatch({"set": {f"{name}.{key}": value for key, value in values.items()}})
        claims = claim(section_values(section, values))
        for key, shown in lesson.page.evaluate(READ_SECTION, name).items():
            if not is_read(key) or key not in claims:
                continue
            for value in shown:
                assert faults_of(key, value, claims[key]) == [], values
                compared += len(claims[key])
        for key, column in lesson.drawn()["columns"].items():
            if key in claims and not key.endswith(".cells.head"):  # one value for every cell
                assert faults_of(key, column, claims[key]) == [], values
                compared += len(column)
    assert compared > 100


def section_values(section, values):
    section.state.choose(**values)
    return section.values()


def live(lesson: Lesson):
    return lesson.page.locator("[data-live]")


def test_each_tab_keeps_the_sentence_about_its_own_last_change(open_lesson) -> None:
    lesson = open_lesson()
    start = live(lesson).inner_text()
    lesson.set(training=True)
    expect(live(lesson)).to_contain_text("nothing is dropped")
    of_the_map = live(lesson).inner_text()
    lesson.page.get_by_role("tab", name="Dropout lab").click()
    expect(live(lesson)).to_have_text(start)
    lesson.set(**{"dropout.p": 0.7})
    expect(live(lesson)).to_contain_text("p = 0.7")
    lesson.page.get_by_role("tab", name="Map", exact=True).click()
    expect(live(lesson)).to_have_text(of_the_map)


def test_a_figure_is_no_unnamed_stop_for_the_keyboard(open_lesson) -> None:
    lesson = open_lesson()
    lesson.page.wait_for_function("() => attentionWidget.whole")
    stops = lesson.page.evaluate("""() => {
      const found = [];
      const walk = (root) => root.querySelectorAll('*').forEach((el) => {
        if (el.tabIndex >= 0) found.push(el.className);
        if (el.shadowRoot) walk(el.shadowRoot);
      });
      const figures = attentionWidget.root.querySelectorAll('[data-figure]');
      figures.forEach(walk);
      return [figures.length, found];
    }""")
    assert stops[0] >= 7
    assert stops[1] == []


PICTURE = """() => {
  const {canvas} = attentionWidget.views[0].canvas_view.overlays;
  return canvas.toDataURL().split(",")[1];
}"""
WIDE = "(px) => attentionWidget.views[0].canvas_view.overlays.canvas.width === px"


def edges(picture: str) -> tuple[int, float]:
    """Return how wide a picture is and how steep its edges are on average."""
    grey = Image.open(io.BytesIO(base64.b64decode(picture))).convert("RGBA").convert("L")
    return grey.width, float(np.square(np.diff(np.asarray(grey, dtype=float), axis=1)).mean())


def test_moved_to_a_screen_of_another_pixel_ratio_the_map_is_as_sharp_as_from_the_start(
    server, visit
) -> None:
    size = {"width": 1200, "height": 900}
    due = {}
    for ratio in (3, 1):
        page = visit(server.url, "server", viewport=size, device_scale_factor=ratio).page
        due[ratio] = edges(page.evaluate(PICTURE))
    assert due[3][0] == 3 * due[1][0]
    cdp = page.context.new_cdp_session(page)
    for ratio, motion in ((3, "reduce"), (1, "no-preference")):
        moved = size | {"deviceScaleFactor": ratio, "mobile": False}
        cdp.send("Emulation.setDeviceMetricsOverride", moved)
        # An emulated screen asks no media query again until something else does.
        feature = {"name": "prefers-reduced-motion", "value": motion}
        cdp.send("Emulation.setEmulatedMedia", {"features": [feature]})
        page.wait_for_function(WIDE, arg=due[ratio][0], timeout=5000)
        assert page.evaluate("() => innerWidth") == size["width"], "no other size in CSS pixels"
        page.evaluate("() => new Promise(requestAnimationFrame)")
        assert edges(page.evaluate(PICTURE))[1] == pytest.approx(due[ratio][1], rel=0.1)
    cdp.detach()
