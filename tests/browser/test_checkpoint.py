"""Does the checkpoint take right and wrong answers as the lesson says, live and recorded?

`engines/test_lesson.py` does the whole of it by mouse and by keyboard, in every engine.
"""

import json
import re

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from attention_widget.assets import read_asset
from attention_widget.widgets.checkpoint.record import to_text
from attention_widget.widgets.checkpoint.session import Checkpoint
from attention_widget.widgets.checkpoint.steps import STEPS
from tests.browser.axe import violations
from tests.browser.conftest import Lesson
from tests.browser.test_accessibility import SCHEMES
from tests.checkpoint.student import GRADED, KEYS, Bench, finish
from tests.checkpoint.test_transition_table import observations, table

pytestmark = pytest.mark.browser

SAID = "[role=status][data-said]"
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
    return to_text(bench.progress, STEPS)


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


def check(student: Mouse, key: str) -> None:
    student.press(student.page.locator(f"button[data-answer={key}]"))


def start(student: Mouse) -> None:
    """Pass over the card before the first question."""
    student.press(student.page.get_by_role("button", name="Go to the first question"))
    expect(student.page.locator("#step-read")).to_be_visible()


def ticked(student: Mouse, n: int) -> None:
    """A tick is shown, counted and announced, and nothing lost the focus."""
    page, total = student.page, len(GRADED)
    expect(page.locator(SAID)).to_contain_text(f"Step {n} of {total} done.")
    expect(mark(page, GRADED[n - 1]).locator(".tick")).to_have_text("✓")
    expect(page.locator("[data-slot='checkpoint.score']")).to_have_text(
        f"{n} of {total} steps done"
    )
    expect(page.get_by_role("progressbar", name="Checkpoint")).to_have_js_property("value", n)


def mark(page: Page, key: str) -> Locator:
    return page.locator(f".marks [data-open={key}]")


def go_on(student: Mouse, n: int) -> None:
    ticked(student, n)
    student.press(student.page.locator(f"#step-{GRADED[n - 1]} button.next"))
    head = student.page.locator(f"[data-step-head={GRADED[n]}]")
    assert student.page.evaluate(f"(el) => ({ACTIVE})() === el", head.element_handle())
    expect(mark(student.page, GRADED[n])).to_have_attribute("aria-current", "step")
    expect(student.page.locator(f"#step-{GRADED[n]}")).to_be_visible()
    expect(student.page.locator(f"#step-{GRADED[n - 1]}")).to_be_hidden()


def test_a_wrong_answer_is_shown_on_the_map_and_a_new_case_earns_the_step(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    predict_hidden(student, 21)
    student.flip("Causal mask")
    step = lesson.page.locator("#step-hidden")
    hint = step.locator(".note-line[data-kind=hint]")
    expect(hint).to_contain_text("Together 15")
    expect(lesson.page.locator(SAID)).to_contain_text(hint.inner_text())
    outlined = """() => {
      const data = attentionWidget.models.get("map.outlines").data;
      return (data instanceof Map ? data.get("x") : data.x).length;
    }"""
    assert lesson.page.evaluate(outlined) == 15
    expect(step.locator("input[type=number]")).to_be_hidden()
    expect(step.locator("button.next")).to_be_hidden()
    student.press(step.get_by_role("button", name="Try a new case"))
    head = lesson.page.locator("[data-step-head=hidden]")
    assert lesson.page.evaluate(f"(el) => ({ACTIVE})() === el", head.element_handle())
    assert lesson.page.evaluate(outlined) == 0
    expect(step).to_contain_text("4 words")
    expect(step.locator("table.squares tr")).to_have_count(4)
    expect(step.locator("input[type=number]")).to_have_value("")
    student.number("hidden", 6)
    check(student, "hidden")
    ticked(student, 2)
    marks = "() => attentionWidget.slots['checkpoint.record'].mastery"
    assert lesson.page.evaluate(marks) == pytest.approx(1.5 / len(GRADED))


def test_an_empty_or_impossible_answer_is_not_sent(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    start(student)
    before = record(lesson)
    check(student, "read")
    assert record(lesson) == before
    lesson.dispatch({"restore": to_text(Bench().until("hidden").progress, STEPS)})
    before = record(lesson)
    for text in ("", "-1", "37", "1.5"):
        lesson.page.locator("#answer-hidden-cells").fill(text)
        check(student, "hidden")
        assert record(lesson) == before, text


def test_a_locked_step_stays_shut_and_says_so(open_lesson):
    lesson = open_lesson()
    button = mark(lesson.page, "rows")
    expect(button).to_have_attribute("aria-disabled", "true")
    expect(button).to_contain_text("locked")
    button.click(force=True)
    expect(lesson.page.locator("#step-rows")).to_be_hidden()


def test_an_earned_step_can_be_revisited_and_stays_earned(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    start(student)
    student.choose("read", 0, "Yes, it can")
    check(student, "read")
    go_on(student, 1)
    student.press(mark(lesson.page, "read"))
    expect(lesson.page.locator("#step-read")).to_be_visible()
    expect(lesson.page.locator("[data-answer=read]")).to_be_hidden()
    student.flip("Causal mask")
    expect(mark(lesson.page, "read").locator(".tick")).to_have_text("✓")
    student.press(lesson.page.locator("#step-read button.next"))
    expect(lesson.page.locator("#step-hidden")).to_contain_text("mask off first")


def predict_hidden(student: Mouse, cells: int) -> None:
    """Earn the first step and predict in the second."""
    start(student)
    student.choose("read", 0, "Yes, it can")
    check(student, "read")
    go_on(student, 1)
    student.number("hidden", cells)
    check(student, "hidden")


def test_progress_survives_a_reload_and_a_reset_starts_over(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    predict_hidden(student, 12)
    kept = record(lesson)
    lesson.page.reload()
    lesson.page.wait_for_selector("[data-ready=true]", state="attached")
    score = lesson.page.locator("[data-slot='checkpoint.score']")
    expect(score).to_have_text(f"1 of {len(GRADED)} steps done")
    expect(lesson.page.locator("#step-hidden")).to_contain_text("Locked in: 12")
    assert record(lesson) == kept
    student.press(lesson.page.get_by_role("button", name="Start over"))
    expect(score).to_have_text(f"0 of {len(GRADED)} steps done")
    expect(lesson.page.locator(SAID)).to_contain_text("starts over")
    expect(lesson.page.locator("#step-hook")).to_be_visible()
    lesson.page.reload()
    lesson.page.wait_for_selector("[data-ready=true]", state="attached")
    expect(score).to_have_text(f"0 of {len(GRADED)} steps done")


def test_the_hook_shows_what_each_model_wrote_and_grades_nothing(open_lesson):
    lesson = open_lesson()
    student = Mouse(lesson)
    student.choose("hook", 0, "loss 0.004")
    check(student, "hook")
    hook = lesson.page.locator("#step-hook")
    for text in ("the rider the sea the house sea", "the rider saw the sea", "copied"):
        expect(hook).to_contain_text(text)
    facts = lesson.page.evaluate("() => attentionWidget.slots['checkpoint.record']")
    assert (facts["completion"], facts["mastery"]) == (0, 0)
    start(student)


def test_the_answers_of_step_3_are_folded_away_until_a_student_asks_for_them(open_lesson):
    lesson = open_lesson()
    verdict = lesson.page.locator("[data-slot='map.difference']").get_by_text("changes most")
    expect(verdict).to_be_hidden()
    lesson.switch("Causal mask").click()
    lesson.kpi_becomes("masked-cells", "15")
    expect(lesson.page.locator("[data-live]")).to_contain_text("15 cells")
    assert "ow 1" not in lesson.page.locator("[data-live]").inner_text()
    expect(verdict).to_be_hidden()
    lesson.page.get_by_text("What the mask changes, row by row", exact=True).click()
    expect(verdict).to_be_visible()


@SCHEMES
def test_axe_finds_nothing_at_a_hint_a_reveal_and_the_end(open_lesson, scheme, rules):
    lesson = open_lesson(color_scheme=scheme)
    for action in (
        {"open": "read"},
        {"answer": ["read", "no"]},
        {"answer": ["read", "next"]},
        {"restore": to_text(Bench().until("hidden").answer("12").do(causal=True).progress, STEPS)},
        {"restore": missed_rows()},
        {"restore": perfect_record()},
    ):
        lesson.dispatch(action)
        assert violations(lesson.page, rules) == [], action


def missed_rows() -> str:
    bench = Bench().until("rows").answer("last,none").do(causal=False).do(causal=True)
    return to_text(bench.progress, STEPS)


def random_action(rng: np.random.Generator, checkpoint: Checkpoint) -> dict:
    progress = checkpoint.progress
    step = STEPS[progress.at]
    answers = step.answers(progress.states[progress.at])
    kind = rng.random()
    if kind < 0.4 and answers:
        return {"answer": [step.key, answers[rng.integers(len(answers))]]}
    if kind < 0.45:
        return {"answer": [KEYS[rng.integers(len(KEYS))], str(rng.integers(60))]}
    if kind < 0.6:
        return {"open": [*KEYS, "none"][rng.integers(len(KEYS) + 1)]}
    if kind < 0.605:
        return {"restart": True}
    if kind < 0.62:
        return {
            "restore": to_text(Bench().until(GRADED[rng.integers(len(GRADED))]).progress, STEPS)
        }
    if kind < 0.63:
        old = "done-first:0:yes;done-later:15:6;ask:0;wait:0;few:;plain;ask"
        some = ["", "1;0", "2;0;a", "1;9;" + ";".join(progress.states), f"1;2;{old}"]
        some += ["2;2;rows;read=done-first;hidden=nonsense", "2;1;read;read=done-later:1"]
        return {"restore": some[rng.integers(len(some))]}
    return {}


def test_the_tables_replayed_in_a_browser_say_what_the_machine_says(browser):
    rng = np.random.default_rng(5)
    seen = observations()
    checkpoint = Checkpoint(seen[0], STEPS)
    script, expected = [], []
    for _ in range(1500):
        action, o = random_action(rng, checkpoint), int(rng.integers(len(seen)))
        checkpoint.act(action, seen[o])
        script.append([action, o])
        expected.append(checkpoint.render())
    assert max(p["checkpoint.progress"]["value"] for p in expected) == len(GRADED)
    page = browser.new_page()
    got = page.evaluate(
        """([source, table, script]) => {
          const shown = new Set(table.steps.map((step) => step.part));
          const tape = new Function(source + "; return makeCheckpoint;")()(table, shown);
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
