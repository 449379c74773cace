"""Does the lesson do the same in every engine, live and recorded?"""

import csv
import io

import numpy as np
import pytest
from PIL import Image

from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.map.heatmap import VALUE_DIGITS
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section import palette
from tests.browser.course import host_page, sites
from tests.browser.engines.hands import Keyboard, Mouse
from tests.browser.engines.lesson import READY, Lesson
from tests.browser.test_checkpoint import perfect_record
from tests.browser.test_pixels import CELLS
from tests.checkpoint.student import GRADED, needed_head

pytestmark = pytest.mark.browser
SAID = "(word) => attentionWidget.root.querySelector('[data-live]').textContent.includes(word)"


def check(student: Mouse, key: str) -> None:
    student.press(f"button[data-answer={key}]")


def go_on(student: Mouse, n: int) -> None:
    """A tick is shown and counted; the next step opens and has the focus."""
    lesson, total = student.lesson, len(GRADED)
    lesson.becomes("[data-slot='checkpoint.score']", f"{n} of {total} steps done")
    said = lesson.text("[role=status][data-said]")
    assert f"Step {n} of {total} done." in said
    assert lesson.text(f".marks [data-open={GRADED[n - 1]}] .tick") == "✓"
    if n == total:
        return
    student.press(f"#step-{GRADED[n - 1]} button.next")
    assert lesson.focused(f"[data-step-head={GRADED[n]}]")


@pytest.mark.parametrize("hands", [Mouse, Keyboard])
def test_the_whole_checkpoint_by_mouse_or_by_keyboard_leaves_the_same_record(open_lesson, hands):
    lesson: Lesson = open_lesson()
    student = hands(lesson)
    student.press("#step-hook button.plain")

    def choose(key: str, *values: str) -> None:
        (step,) = (one for one in STEPS if one.key == key)
        for field, value in zip(step.fields, values, strict=True):
            group = f"[data-answers={key}] [data-field={field.name}]"
            student.choose(group, list(field.options).index(value))
        check(student, key)

    def number(key: str, value: int) -> None:
        student.number(f"[data-answers={key}] input[type=number]", value)
        check(student, key)

    choose("read", "yes")
    go_on(student, 1)
    number("hidden", 15)
    student.flip("map.causal")
    go_on(student, 2)
    choose("rows", "first", "last")
    student.flip("map.causal")
    student.flip("map.causal")
    go_on(student, 3)
    number("width", 3)
    student.slide("map.heads", 4)
    go_on(student, 4)
    choose("heads", "first")
    for n in (2, 3, 4):
        student.choose(".minis", n - 1)
    go_on(student, 5)
    choose("dropout", "around")
    student.slide("map.dropout", 0.3)
    student.flip("map.training")
    student.flip("map.training")
    go_on(student, 6)
    choose("property", "accurate")
    go_on(student, 7)
    choose("circuit", needed_head())
    go_on(student, 8)
    choose("layers", "order")
    go_on(student, len(GRADED))
    assert lesson.record() == perfect_record()
    assert lesson.window.js("() => attentionWidget.slots['checkpoint.record'].mastery") == 1
    assert f"All {len(GRADED)} steps are done." in lesson.text("p.closing")
    assert lesson.window.errors() == []


@pytest.mark.parametrize("stage", ["weights", "dropped"])
def test_the_map_has_the_numbers_and_the_colours_of_the_core(open_lesson, stage):
    words = {"causal": 1, "heads": 2, "head": 2, "dropout": 0.5, "training": 1, "stage": stage}
    lesson = open_lesson("?" + "&".join(f"{name}={value}" for name, value in words.items()))
    state = LessonState()
    state.choose(causal=True, heads=2, head=2, dropout=0.5, training=True, stage=stage)
    snap = snapshot(state.settings())
    columns = lesson.drawn()["columns"]
    drawn = np.array(columns["source:map.cells.value"]).reshape(6, 6)
    finite = np.isfinite(snap.shown)
    np.testing.assert_array_equal(drawn[finite], np.round(snap.shown[finite], VALUE_DIGITS))
    assert columns["source:map.cells.state"] == list(snap.cell_states.flat)
    pixels = lesson.window.js(CELLS)
    for (r, g, b, _), kind, value in zip(
        pixels, snap.cell_states.flat, snap.shown.flat, strict=True
    ):
        if kind == "masked":
            assert max(r, g, b) < 0x70, "dark, with its hatch"
        elif kind == "seen":
            place = palette.palette_index(round(float(value), 2), 0.0, 1.0)  # as it is read
            assert f"#{r:02x}{g:02x}{b:02x}" == palette.SCHEMES["light"]["seen"][place]
    assert {"masked", "seen"} <= set(snap.cell_states.flat)


# The parts, and the controls of the part that is open: name, kind, value, least and most value.
PARTS = """() => [...attentionWidget.root.querySelectorAll(".tabs [role=tab]")]
  .map((tab) => tab.textContent)"""
OPEN_ALL = """() => {
  const all = attentionWidget.root.querySelectorAll("section:not([hidden]) details");
  for (const one of all) one.open = true;
}"""
CONTROLS = """() => [...attentionWidget.controls].filter(([, el]) =>
  el.getClientRects().length && !el.disabled).map(([name, el]) =>
  [name, el.dataset.kind, el.dataset.value, Number(el.min), Number(el.max),
    [...el.querySelectorAll('input')].findIndex((radio) => !radio.checked && !radio.disabled)])"""
CHANGED = "(name, was) => attentionWidget.controls.get(name).dataset.value !== was"


def test_every_control_of_every_part_moves_what_it_should(open_lesson):
    lesson = open_lesson()
    student, moved = Mouse(lesson), set()
    for part in lesson.window.js(PARTS):
        lesson.click("tab", part)
        lesson.window.js(OPEN_ALL)
        for name, *_ in lesson.window.js(CONTROLS):
            found = [one for one in lesson.window.js(CONTROLS) if one[0] == name]
            if not found:  # another one has put it away
                continue
            ((_, kind, value, low, high, other),) = found
            css = f"[data-control='{name}']"
            if kind == "switch":
                student.flip(name)
            elif kind == "step":
                student.press(css)
            elif kind == "choice":
                student.press(f"{css} input", other)
            elif kind == "range" and low < high:
                student.slide(name, high if float(value) < high else low)
            else:
                continue
            lesson.window.until(CHANGED, name, value, patience=10)
            moved.add(name)
    assert len(moved) > 25, moved
    assert lesson.window.errors() == []


def test_progress_and_view_survive_a_reload_and_a_way_back(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    student.press("#step-hook button.plain")
    student.choose("[data-answers=read]", 0)
    check(student, "read")
    student.flip("map.causal")
    record, address = lesson.record(), lesson.rest()
    assert "causal=1" in address
    lesson.reload()
    assert lesson.record() == record
    assert lesson.kpi("masked-cells") == "15"
    lesson.window.goto("about:blank")
    lesson.window.back()
    lesson.settle()
    assert lesson.record() == record
    assert lesson.window.address == address
    student.flip("map.causal")  # a page out of a browser's memory has to come to life again
    lesson.kpi_becomes("masked-cells", "0")
    lesson.rest()
    lesson.window.goto(lesson.url)  # another visit: the view is new, the progress is kept
    lesson.settle()
    assert lesson.record() == record
    assert lesson.kpi("masked-cells") == "0"


def test_what_is_taken_away_is_what_is_on_screen(open_lesson):
    lesson = open_lesson("?causal=1&heads=2&head=2")
    for name in ("attention-map.csv", "attention-map.png"):
        (lesson.window.downloads / name).unlink(missing_ok=True)
    lesson.click("summary", "Take it away")
    lesson.click("button", "Numbers (CSV)")
    rows = list(csv.DictReader(io.StringIO(lesson.saved("attention-map.csv").read_text())))
    state = LessonState()
    state.choose(causal=True, heads=2, head=2)
    snap = snapshot(state.settings())
    assert [row["state"] for row in rows] == list(snap.cell_states.flat)
    values = [float(row["value"]) for row in rows]
    np.testing.assert_array_equal(values, np.round(snap.shown.ravel(), VALUE_DIGITS))
    lesson.click("button", "Picture (PNG)")
    picture = np.asarray(Image.open(lesson.saved("attention-map.png")).convert("RGB"))
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 20, "a map, not an empty canvas"
    lesson.click("button", "Copy as NumPy")
    lesson.window.until(SAID, "clipboard")


def test_the_file_works_in_a_sandboxed_frame_of_another_site(window, recorded_file):
    with sites(2) as (course, other):
        source = other.put("/lesson.html", recorded_file.read_bytes())
        frame = (
            f'<iframe sandbox="allow-scripts" src="{source}" width="1100" height="800"></iframe>'
        )
        window.goto(course.put("/page.html", host_page(frame + "</iframe>")))
        window.enter("iframe")
        window.until(READY)
        lesson = Lesson(window, source, "file")
        Keyboard(lesson).flip("map.causal")
        lesson.kpi_becomes("masked-cells", "15")
        assert lesson.kpi("sees-future") == "no"
        window.enter(None)
        window.until("() => heard.some((one) => one.subject === 'lti.frameResize')")
        window.goto("about:blank")
