"""What happens to input that is not fine? A plain message, the last good view, nothing executed."""

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.section.section import REFUSED

pytestmark = pytest.mark.browser


@pytest.fixture
def live(visit, server):
    return visit(server.url, "server", "?causal=1")


def enter(lesson, label, text):
    field = lesson.page.get_by_role("textbox", name=label, exact=True)
    field.fill(text)
    field.press("Enter")
    lesson.settle()


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "1 to 16 words: got 0"),
        ("   ", "1 to 16 words: got 0"),
        (" ".join(["word"] * 17), "1 to 16 words: got 17"),
        ("a" * 400, "at most 24 characters"),
    ],
)
def test_a_sentence_out_of_bounds_is_explained_beside_its_field(live, text, rule):
    before = live.drawn()["columns"]
    enter(live, "Sentence", text)
    expect(live.page.locator('[data-slot="map.problem.sentence"]')).to_contain_text(rule)
    expect(live.page.locator("[data-live]")).to_have_text(REFUSED)
    assert live.drawn()["columns"] == before
    assert live.kpi("masked-cells") == "15"
    enter(live, "Sentence", "one more try")
    expect(live.page.locator('[data-slot="map.problem.sentence"]')).to_be_empty()
    expect(live.page.locator("[data-live]")).to_contain_text("New sentence of 3 words")
    live.kpi_becomes("masked-cells", "3")
    assert live.console == []


@pytest.mark.parametrize("text", ["1e99", "-1", "seven", "4294967296", "<b>1</b>"])
def test_a_seed_out_of_bounds_is_explained_beside_its_field(live, text):
    before = live.drawn()["columns"]
    enter(live, "Seed", text)
    expect(live.page.locator('[data-slot="map.problem.seed"]')).to_contain_text("0 to 4294967295")
    expect(live.page.locator("[data-live]")).to_have_text(REFUSED)
    assert live.drawn()["columns"] == before


@pytest.mark.parametrize(
    "text",
    [
        "<script>window.hit=1</script>",
        "<img/src=x/onerror=window.hit=1>",
        "</script><b>x",
        "{{7*7}} ${1} $$x$$ `r`",
    ],
)
def test_markup_in_a_sentence_is_only_text(live, text):
    enter(live, "Sentence", text)
    expect(live.page.locator('[data-slot="map.problem.sentence"]')).not_to_contain_text("Traceback")
    assert live.page.evaluate("() => window.hit") is None
    assert live.page.locator("img").count() == 0
    enter(live, "Sentence", "still works")
    live.kpi_becomes("masked-cells", "1")
    assert live.console == []


@pytest.mark.parametrize(
    "text", ["שלום עולם טוב", "مرحبا بالعالم الجميل", "I 🙂 maps", "日本 語 文"]
)
def test_emoji_and_right_to_left_words_are_words(live, text):
    enter(live, "Sentence", text)
    live.kpi_becomes("masked-cells", str(len(text.split()) * (len(text.split()) - 1) // 2))
    assert live.drawn()["columns"]["source:map.cells.query"][0] == text.split()[0]
    live.settle()
    again = live.open("?" + live.address().split("?")[1])
    assert again.drawn()["columns"]["source:map.cells.query"][0] == text.split()[0]
