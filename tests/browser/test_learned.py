"""Can a student guess, look at, turn off and watch the trained heads, live and in the file?"""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lesson

pytestmark = pytest.mark.browser


def slot(lesson: Lesson, key: str):
    return lesson.page.locator(f'[data-slot="{key}"]')


def choose(lesson: Lesson, control: str, value: str) -> None:
    lesson.page.locator(f'[data-control="{control}"] input[value="{value}"]').check(force=True)
    lesson.settle()


def open_all(lesson: Lesson) -> Lesson:
    lesson.page.get_by_role("tab", name="Heads that learned").click()
    for question, answer in (("back", "before"), ("again", "same"), ("verb", "subject")):
        choose(lesson, f"guess.{question}", answer)
    return lesson


def test_the_maps_come_after_the_guesses(open_lesson):
    lesson = open_lesson()
    lesson.page.get_by_role("tab", name="Heads that learned").click()
    maps = slot(lesson, "guess.rest")
    expect(maps).to_be_hidden()
    choose(lesson, "guess.back", "before")
    expect(slot(lesson, "guess.verdict.back")).to_contain_text("Right: 1.00 of its weight")
    expect(maps).to_be_hidden()
    open_all(lesson)
    expect(slot(lesson, "guess.verdict.again")).to_contain_text("No: 0.95 of its weight")
    expect(maps).to_be_visible()
    expect(lesson.page.locator('[data-figure="learned.figure"] canvas').first).to_be_visible()
    assert lesson.console == []


def test_a_head_is_picked_from_its_small_map(open_lesson):
    lesson = open_all(open_lesson())
    button = lesson.page.get_by_role("button", name="Head 1.2 previous-token head")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(slot(lesson, "learned.title")).to_contain_text("Head 1.2, layer 1: previous-token head")
    expect(slot(lesson, "learned.looks")).to_have_text(
        "From the last “a” it looks most at “at”, 1.00."
    )


def test_the_copy_breaks_when_the_previous_token_head_is_turned_off(open_lesson):
    lesson = open_all(open_lesson())
    next_word = slot(lesson, "learned.next").locator("th").first
    expect(next_word).to_have_text("time")
    if lesson.host == "file":
        choose(lesson, "learned.change", "1.2")
    else:
        lesson.page.get_by_role("switch", name="Head 1.2").click(force=True)
    expect(slot(lesson, "learned.happened")).to_contain_text("“time” falls from 0.97 to 0.01")
    expect(next_word).not_to_have_text("time")
    expect(slot(lesson, "learned.kpi.second")).to_have_text("4.45")
    assert lesson.console == []


def test_the_heads_are_watched_from_the_keyboard(open_lesson):
    lesson = open_all(open_lesson())
    slider = lesson.slider("Moment of training")
    expect(slot(lesson, "training.told")).to_contain_text("Step 0: ")
    slider.press("End")
    expect(slot(lesson, "training.told")).to_contain_text("Step 3000: ")
    slider.press("ArrowLeft")
    expect(slot(lesson, "training.told")).to_contain_text("Step 2000: ")
