"""Can everybody use it: axe-core, a narrow phone, dark mode, reduced motion?"""

import pytest

from tests.browser.axe import COLOURS, RULES, violations

pytestmark = pytest.mark.browser


SCHEMES = pytest.mark.parametrize(("scheme", "rules"), [("light", RULES), ("dark", COLOURS)])


@SCHEMES
def test_axe_finds_nothing_in_any_tab(open_lesson, scheme, rules):
    lesson = open_lesson("?causal=1&heads=4&dropout=0.3&training=1", color_scheme=scheme)
    lesson.page.evaluate(
        "() => { for (const d of attentionWidget.root.querySelectorAll('details')) d.open = true; }"
    )
    tabs = lesson.page.get_by_role("tab")
    assert tabs.count() >= 1
    for n in range(tabs.count()):
        tabs.nth(n).click()
        assert violations(lesson.page, rules) == [], tabs.nth(n).inner_text()


@SCHEMES
def test_axe_finds_nothing_while_compare_present_or_a_term_is_on(server, visit, scheme, rules):
    page = visit(server.url, "server", "?causal=1&heads=2", color_scheme=scheme).page
    for name in ("Compare with no mask", "Present"):
        button = page.get_by_role("button", name=name, exact=True)
        button.press("Enter")
        assert button.get_attribute("aria-pressed") == "true"
        assert violations(page, rules) == [], name
    page.keyboard.press("Escape")
    page.locator(".reading [data-term]").first.press("Enter")
    assert violations(page, rules) == []


@pytest.mark.parametrize("width", [320, 375])
def test_no_tab_scrolls_sideways_on_a_phone(open_lesson, width):
    lesson = open_lesson("?causal=1&heads=4", viewport={"width": width, "height": 700})
    tabs = lesson.page.get_by_role("tab")
    for n in range(tabs.count()):
        tabs.nth(n).click()
        wide = lesson.page.evaluate("() => document.documentElement.scrollWidth")
        assert wide <= width, tabs.nth(n).inner_text()


def test_nothing_jumps_when_a_control_moves(open_lesson):
    lesson = open_lesson()
    measure = """(which) => [...attentionWidget.root.querySelectorAll(which)].map((el) => {
        const box = el.getBoundingClientRect();
        return [el.className, Math.round(box.top + scrollY), Math.round(box.left)]; })"""
    screen = "#part-map .screen > *"
    asked = "#part-map .card, #part-map .controls-row > .control"  # Training comes in below these
    for which, moves, least in (
        (screen, ({"causal": True}, {"heads": 4}, {"causal": False}, {"stage": "masked"}), 4),
        (asked, ({"dropout": 0.3}, {"training": True}, {"dropout": 0}), 4),
    ):
        before = lesson.page.evaluate(measure, which)
        assert len(before) >= least
        for values in moves:
            lesson.set(**values)
            assert lesson.page.evaluate(measure, which) == before, values


def test_reduced_motion_stops_every_transition(open_lesson):
    lesson = open_lesson(reduced_motion="reduce")
    moving = lesson.page.evaluate(
        """() => [...attentionWidget.root.querySelectorAll('*')]
          .filter((el) => parseFloat(getComputedStyle(el).transitionDuration) > 0).length"""
    )
    assert moving == 0
