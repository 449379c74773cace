"""Does a term open its sentence where it stands, by keyboard and by touch, and move nothing?"""

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.section.terms import TERMS

pytestmark = pytest.mark.browser

HEIGHT = "() => document.documentElement.scrollHeight"


def test_a_term_opens_by_the_keyboard_and_shuts_again(open_lesson):
    lesson = open_lesson()
    term = lesson.page.locator(".reading [data-term=mask]")
    card = lesson.page.locator("[data-term-card=mask]")
    assert term.evaluate("(el) => el.getRootNode().getElementById('term-mask').innerText") == (
        f"mask: {TERMS['mask']}"
    ), "what describes the button to a screen reader"
    expect(card).to_be_hidden()
    before = lesson.page.evaluate(HEIGHT)
    term.press("Enter")
    expect(card).to_be_visible()
    expect(term).to_have_attribute("aria-expanded", "true")
    assert lesson.page.evaluate(HEIGHT) == before
    lesson.page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    expect(term).to_be_focused()
    term.press("Space")
    expect(card).to_be_visible()
    lesson.page.keyboard.press("Tab")
    expect(card).to_be_hidden()


def test_by_touch_one_sentence_is_in_sight_and_whole(open_lesson):
    lesson = open_lesson(viewport={"width": 390, "height": 844}, has_touch=True)
    for slot in ("map.reading", "checkpoint.wanted.hook"):
        for term in lesson.page.locator(f'[data-slot="{slot}"] [data-term]').all():
            term.tap()
            shown = lesson.page.locator("[data-term-card]:visible")
            expect(shown).to_have_count(1)
            expect(shown).to_contain_text(TERMS[term.get_attribute("data-term")])
            box = shown.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 390
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= 844
            shown.tap()
            expect(shown).to_have_count(0)
