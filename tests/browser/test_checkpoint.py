"""Can a student do the whole checkpoint by mouse or by keyboard, live and recorded, alike?"""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from attention_widget.assets import read_asset
from attention_widget.widgets.checkpoint.machine import to_text
from attention_widget.widgets.checkpoint.session import Checkpoint
from attention_widget.widgets.checkpoint.steps import STEPS
from tests.browser.conftest import Lesson
from tests.browser.test_accessibility import violations
from tests.checkpoint.student import KEYS, Bench, finish
from tests.checkpoint.test_transition_table import observations, table

pytestmark = pytest.mark.browser

ACTIVE = """() => {
  let el = document.activeElement;
  while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
  return el;
}"""


def record(lesson: Lesson) -> str:
    lesson.settle()
    return str(lesson.page.evaluate("() => attentionWidget.slots['checkpoint.record'].value"))


def perfect_record() -> str:
    """The record of a student who never errs, by the machine alone."""
    bench = Bench()
    finish(bench)
    return to_text(bench.progress)


class Mouse:
    """A student with a mouse; numbers are typed, as they must be."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.page = lesson, lesson.page

    def flip(self, name: str) -> None:
        self.lesson.switch(name).click()
        self.lesson.settle()

    def slide(self, name: str, clicks: int) -> None:
        slider = self.lesson.slider(name)
        box = slider.bounding_box()
        low, high, step = (float(slider.get_attribute(a) or 1) for a in ("min", "max", "step"))
        share = (float(slider.input_value()) + clicks * step - low) / (high - low)
        slider.click(position={"x": 8 + share * (box["width"] - 16), "y": box["height"] / 2})
        self.lesson.settle()

    def choose(self, key: str, field: int, label: str) -> None:
        group = self.page.locator(f"[data-answers={key}] [data-field]").nth(field)
        group.locator("label", has_text=re.compile(f"^{label}$")).click()

    def number(self, key: str, value: int) -> None:
        self.page.locator(f"[data-answers={key}] input[type=number]").click()
        self.page.keyboard.type(str(value))

    def press(self, button: Locator) -> None:
        button.click()
        self.lesson.settle()


class Keyboard:
    """A student who has only a keyboard: Tab, arrows, Space, Enter and digits."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.page = lesson, lesson.page

    def go_to(self, target: Locator) -> None:
        wanted = target.element_handle()
        for key in ("Tab", "Shift+Tab"):
            for _ in range(70):
                if self.page.evaluate(f"(el) => ({ACTIVE})() === el", wanted):
                    return
                self.page.keyboard.press(key)
        raise AssertionError(f"Tab never came to {target}")

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)
            self.lesson.settle()

    def flip(self, name: str) -> None:
        self.go_to(self.lesson.switch(name))
        self.keys("Space")

    def slide(self, name: str, clicks: int) -> None:
        self.go_to(self.lesson.slider(name))
        self.keys(*["ArrowRight" if clicks > 0 else "ArrowLeft"] * abs(clicks))

    def choose(self, key: str, field: int, label: str) -> None:
        group = self.page.locator(f"[data-answers={key}] [data-field]").nth(field)
        radios = group.locator("input")
        labels = group.locator("label").all_inner_texts()
        self.go_to(radios.first)
        self.keys("Space", *["ArrowRight"] * labels.index(label))

    def number(self, key: str, value: int) -> None:
        self.go_to(self.page.locator(f"[data-answers={key}] input[type=number]"))
        self.page.keyboard.type(str(value))

    def press(self, button: Locator) -> None:
        self.go_to(button)
        self.keys("Enter")


def check(student: Mouse | Keyboard, key: str) -> None:
    student.press(student.page.locator(f"button[data-answer={key}]"))


def ticked(student: Mouse | Keyboard, n: int) -> None:
    """A tick is shown, counted and announced, and nothing lost the focus."""
    page = student.page
    announcement = page.locator("[role=status][data-slot='checkpoint.announcement']")
    expect(announcement).to_contain_text(f"Step {n} of 7 done.")
    expect(page.locator(f"[data-step-head={KEYS[n - 1]}] .tick")).to_have_text("✓")
    expect(page.get_by_text(f"{n} of 7 steps done", exact=True)).to_be_visible()
    expect(page.get_by_role("progressbar", name="Checkpoint")).to_have_js_property("value", n)
    assert page.evaluate(f"() => ({ACTIVE})() !== document.body")


def go_on(student: Mouse | Keyboard, n: int) -> None:
    ticked(student, n)
    student.press(student.page.get_by_role("button", name="Next step"))
    head = student.page.locator(f"[data-step-head={KEYS[n]}]")
    assert student.page.evaluate(f"(el) => ({ACTIVE})() === el", head.element_handle())
    expect(head).to_have_attribute("aria-expanded", "true")
    expect(student.page.locator(f"#step-{KEYS[n]}")).to_be_visible()
    expect(student.page.locator(f"#step-{KEYS[n - 1]}")).to_be_hidden()


def do_all(student: Mouse | Keyboard) -> None:
    """Every step, right at once."""
    student.choose("read", 0, "yes")
    student.number("read", 0)
    check(student, "read")
    go_on(student, 1)
    student.number("hidden", 15)
    check(student, "hidden")
    student.flip("Causal mask")
    go_on(student, 2)
    student.choose("rows", 0, "row 1")
    student.choose("rows", 1, "the last row")
    check(student, "rows")
    student.flip("Causal mask")
    student.flip("Causal mask")
    expect(student.page.locator("#step-rows .row-bars li")).to_have_count(6)
    go_on(student, 3)
    student.number("width", 3)
    check(student, "width")
    student.slide("Heads", 3)
    go_on(student, 4)
    for _ in range(3):
        student.slide("Viewing head", 1)
    go_on(student, 5)
    student.flip("Training")
    student.slide("Dropout", 3)
    student.flip("Training")
    go_on(student, 6)
    student.choose("property", 0, "accurate")
    check(student, "property")
    ticked(student, 7)


@pytest.mark.parametrize("hands", [Mouse, Keyboard])
def test_the_whole_checkpoint_by_mouse_or_by_keyboard_leaves_the_same_record(open_lesson, hands):
    lesson = open_lesson()
    do_all(hands(lesson))
    expect(lesson.page.get_by_text("All 7 steps are done.", exact=True)).to_be_visible()
    expect(lesson.page.get_by_text("5 of 5 questions right at the first try")).to_be_visible()
    assert record(lesson) == perfect_record()
    assert lesson.console == []


def test_a_wrong_answer_gets_a_hint_and_the_step_can_still_be_earned(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    student.choose("read", 0, "no")
    student.number("read", 7)
    check(student, "read")
    hint = lesson.page.locator("#step-read .note-line[data-kind=hint]")
    expect(hint).to_contain_text("Not yet.")
    announcement = lesson.page.locator("[role=status][data-slot='checkpoint.announcement']")
    expect(announcement).to_have_text(hint.inner_text())
    expect(lesson.page.get_by_role("button", name="Next step")).to_be_hidden()
    student.choose("read", 0, "yes")
    lesson.page.locator("#answer-read-cells").fill("0")
    check(student, "read")
    ticked(student, 1)


def test_an_empty_or_impossible_answer_is_not_sent(open_lesson):
    lesson = open_lesson()
    before = record(lesson)
    student = Mouse(lesson)
    check(student, "read")
    student.choose("read", 0, "yes")
    check(student, "read")
    for text in ("-1", "37", "1.5"):
        lesson.page.locator("#answer-read-cells").fill(text)
        check(student, "read")
        assert record(lesson) == before, text


def test_a_locked_step_stays_shut_and_says_so(open_lesson):
    lesson = open_lesson()
    head = lesson.page.get_by_role("button", name="Predict which rows change")
    expect(head).to_have_attribute("aria-disabled", "true")
    expect(head).to_contain_text("locked")
    head.click(force=True)
    expect(lesson.page.locator("#step-rows")).to_be_hidden()


def test_an_earned_step_can_be_revisited_and_stays_earned(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    student.choose("read", 0, "yes")
    student.number("read", 0)
    check(student, "read")
    go_on(student, 1)
    student.press(lesson.page.locator("[data-step-head=read]"))
    expect(lesson.page.locator("#step-read")).to_be_visible()
    expect(lesson.page.locator("[data-answer=read]")).to_have_attribute("aria-disabled", "true")
    student.flip("Causal mask")
    expect(lesson.page.locator("[data-step-head=read] .tick")).to_have_text("✓")
    student.press(lesson.page.get_by_role("button", name="Next step"))
    expect(lesson.page.locator("#step-hidden")).to_contain_text("mask off first")


def predict_hidden(student: Mouse | Keyboard, cells: int) -> None:
    """Earn the first step and predict in the second."""
    student.choose("read", 0, "yes")
    student.number("read", 0)
    check(student, "read")
    go_on(student, 1)
    student.number("hidden", cells)
    check(student, "hidden")


def test_progress_and_score_survive_a_reload_and_a_reset_starts_over(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    predict_hidden(student, 12)
    kept = record(lesson)
    lesson.page.reload()
    lesson.page.wait_for_selector("[data-ready=true]", state="attached")
    expect(lesson.page.get_by_text("1 of 7 steps done", exact=True)).to_be_visible()
    expect(lesson.page.locator("#step-hidden")).to_contain_text("Your prediction: 12")
    assert record(lesson) == kept
    student.press(lesson.page.get_by_role("button", name="Start the checkpoint over"))
    expect(lesson.page.get_by_text("0 of 7 steps done", exact=True)).to_be_visible()
    announcement = lesson.page.locator("[role=status][data-slot='checkpoint.announcement']")
    expect(announcement).to_contain_text("starts over")
    expect(lesson.page.locator("#step-read")).to_be_visible()
    lesson.page.reload()
    lesson.page.wait_for_selector("[data-ready=true]", state="attached")
    expect(lesson.page.get_by_text("0 of 7 steps done", exact=True)).to_be_visible()


def test_the_answers_of_step_3_are_folded_away_until_a_student_asks_for_them(open_lesson):
    lesson = open_lesson()
    verdict = lesson.page.locator("[data-slot='map.difference']").get_by_text("changes most")
    expect(verdict).to_be_hidden()
    lesson.switch("Causal mask").click()
    lesson.kpi_becomes("masked-cells", "15")
    expect(lesson.page.locator("[data-live]")).to_contain_text("15 cells")
    assert "ow 1" not in lesson.page.locator("[data-live]").inner_text()
    expect(verdict).to_be_hidden()
    lesson.page.get_by_text("Show the change of each row", exact=True).click()
    expect(verdict).to_be_visible()


def test_on_a_phone_what_the_checkpoint_says_is_seen_where_the_student_acts(open_lesson):
    lesson = open_lesson(viewport={"width": 375, "height": 740})
    student = Mouse(lesson)
    predict_hidden(student, 21)
    switch = lesson.switch("Causal mask")
    switch.focus()
    lesson.page.keyboard.press("Space")
    echo = lesson.page.locator(".echo")
    expect(echo).to_contain_text("You said 21")
    expect(echo).to_be_in_viewport(ratio=1)
    expect(lesson.page.locator("[data-live]")).to_be_in_viewport(ratio=1)
    expect(switch).to_be_in_viewport()
    heard, knob = lesson.page.locator(".heard").bounding_box(), switch.bounding_box()
    assert knob["y"] >= heard["y"] + heard["height"], "what is said hides the control"


def test_the_step_list_does_not_move_the_map(open_lesson):
    lesson = open_lesson()
    where = """() => {
      const figure = attentionWidget.root.querySelector("[data-figure='map.figure']");
      const box = figure.getBoundingClientRect();
      return [box.left + scrollX, box.top + scrollY, box.width, box.height];
    }"""
    before = lesson.page.evaluate(where)
    do_all(Mouse(lesson))
    assert lesson.page.evaluate(where) == before


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_at_a_hint_a_reveal_and_the_end(open_lesson, scheme):
    lesson = open_lesson(color_scheme=scheme)
    for action in (
        {"answer": ["read", "no,1"]},
        {"restore": to_text(Bench().until("hidden").answer("12").do(causal=True).progress)},
        {"restore": missed_rows()},
        {"restore": perfect_record()},
    ):
        lesson.dispatch(action)
        assert violations(lesson.page) == [], action


def missed_rows() -> str:
    bench = Bench().until("rows").answer("last,none").do(causal=False).do(causal=True)
    return to_text(bench.progress)


def random_action(rng: np.random.Generator, checkpoint: Checkpoint) -> dict:
    progress = checkpoint.progress
    step = STEPS[progress.at]
    answers = step.answers(progress.states[progress.at])
    kind = rng.random()
    if kind < 0.4 and answers:
        return {"answer": [step.key, answers[rng.integers(len(answers))]]}
    if kind < 0.45:
        return {"answer": [KEYS[rng.integers(7)], str(rng.integers(60))]}
    if kind < 0.6:
        return {"open": [*KEYS, "none"][rng.integers(8)]}
    if kind < 0.605:
        return {"restart": True}
    if kind < 0.62:
        return {"restore": to_text(Bench().until(KEYS[rng.integers(7)]).progress)}
    if kind < 0.63:
        bad = ["", "1;0", "2;0;a", "1;9;" + ";".join(progress.states)]
        return {"restore": bad[rng.integers(4)]}
    return {}


def test_the_tables_replayed_in_a_browser_say_what_the_machine_says(browser):
    rng = np.random.default_rng(5)
    seen = observations()
    checkpoint = Checkpoint(seen[0])
    script, expected = [], []
    for _ in range(1500):
        action, o = random_action(rng, checkpoint), int(rng.integers(len(seen)))
        checkpoint.act(action, seen[o])
        script.append([action, o])
        expected.append(checkpoint.render())
    assert max(p["checkpoint.progress"]["value"] for p in expected) == 7
    page = browser.new_page()
    got = page.evaluate(
        """([source, table, script]) => {
          const tape = new Function(source + "; return makeCheckpoint;")()(table);
          tape.observe(0);
          return JSON.stringify(script.map(([action, o]) => {
            tape.act(action, table.observations[o]);
            return tape.render();
          }));
        }""",
        [read_asset("checkpoint/transition_table.js"), table(), script],
    )
    page.close()
    for n, (drawn, paint) in enumerate(zip(json.loads(got), expected, strict=True)):
        assert drawn == json.loads(json.dumps(paint)), (n, script[n])
