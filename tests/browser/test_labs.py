"""Do the cost lab, the leak lab, the prompts and the script work in a real browser?"""

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.labs.leak.lab import RECORDED_SEEDS
from attention_widget.widgets.map.numpy_script import numpy_script
from attention_widget.widgets.map.state import LessonState
from tests.browser.conftest import Lesson

pytestmark = pytest.mark.browser


def tab(lesson: Lesson, name: str) -> None:
    lesson.page.get_by_role("tab", name=name).click()


def slot(lesson: Lesson, key: str):
    return lesson.page.locator(f'[data-slot="{key}"]')


def test_a_student_opens_an_answer_and_marks_it(open_lesson):
    lesson = open_lesson()
    tab(lesson, "Interview prompts")
    card = lesson.page.locator("article").nth(5)
    answer = card.get_by_text("a head is 64 wide")
    expect(answer).to_be_hidden()
    card.get_by_text("Show the answer").click()
    expect(answer).to_be_visible()
    for n in range(5):
        lesson.page.locator("article").nth(n).get_by_label("Got it").check(force=True)
    card.get_by_label("Not yet").check(force=True)
    expect(slot(lesson, "prompts.count")).to_have_text("5 of 7 got it, 1 not yet")
    lesson.page.get_by_role("button", name="Clear the marks").click()
    expect(slot(lesson, "prompts.count")).to_have_text("0 of 7 got it")
    expect(card.get_by_label("Not marked")).to_be_checked()
    assert lesson.console == []


def test_the_length_is_set_from_the_keyboard_and_named_in_tokens(open_lesson):
    lesson = open_lesson()
    tab(lesson, "Cost lab")
    slider = lesson.slider("Context length T")
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "131,072 tokens")
    expect(slot(lesson, "cost.kpi.scores")).to_have_text("768 GiB")
    slider.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", "6 tokens")


def test_a_preset_sets_length_width_and_heads_at_once(open_lesson):
    lesson = open_lesson()
    tab(lesson, "Cost lab")
    lesson.page.get_by_role("button", name="Toy").click()
    expect(slot(lesson, "cost.kpi.parameters")).to_have_text("576")
    expect(slot(lesson, "cost.kpi.head-width")).to_have_text("3")
    expect(slot(lesson, "cost.readout.stop")).to_have_text("6")
    lesson.page.get_by_role("button", name="GPT-2 124M").click()
    expect(slot(lesson, "cost.note.parameters")).to_have_text("2,362,368 with biases")
    expect(slot(lesson, "cost.kpi.scores")).to_have_text("48 MiB")


def test_the_last_tile_gives_the_whole_matrix_result(open_lesson):
    lesson = open_lesson()
    tab(lesson, "Cost lab")
    lesson.slider("Tiles read").press("End")
    expect(slot(lesson, "tiles.kpi.read")).to_have_text("6 of 6")
    expect(slot(lesson, "tiles.note.finished")).to_contain_text("all rows are the same as")
    lesson.page.locator("#part-cost").get_by_text("Causal mask", exact=True).click()
    expect(slot(lesson, "tiles.kpi.read")).to_have_text("6 of 9")


def test_what_is_copied_is_the_script_for_what_is_on_screen(open_lesson):
    lesson = open_lesson("?causal=1&heads=4&head=3&dropout=0.3&training=1&draw=2")
    state = LessonState()
    state.choose(causal=True, heads=4, head=3, dropout=0.3, training=True, draw=2)
    script = lesson.page.locator("[data-script]")
    assert script.evaluate("el => el.textContent") == numpy_script(state.settings())
    lesson.set(stage="scores", causal=False)
    state.choose(stage="scores", causal=False)
    assert script.evaluate("el => el.textContent") == numpy_script(state.settings())


def run_of(lesson: Lesson):
    return slot(lesson, "leak.status")


@pytest.fixture
def live(open_lesson) -> Lesson:
    lesson = open_lesson()
    tab(lesson, "Leak lab")
    return lesson


only_live = pytest.mark.parametrize("open_lesson", ["server"], indirect=True)


@only_live
def test_a_run_trains_to_its_end_and_draws_its_conclusion(live):
    live.page.get_by_role("button", name="Start", exact=True).click()
    expect(run_of(live)).to_contain_text("Done", timeout=60_000)
    expect(slot(live, "leak.conclusion")).to_contain_text("worse than always guessing")
    expect(live.page.get_by_role("heading", name="Measured, seed")).to_be_visible()
    columns = live.drawn()["columns"]
    assert len(columns["source:leak.curves.at"]) == 75
    assert columns["source:leak.leaky.loss"][1] > columns["source:leak.guess.loss"][0]
    assert live.console == []


START_THEN_CANCEL = """async () => {
  const find = (act) => attentionWidget.root.querySelector(`[data-act="leak.${act}"]`);
  find('start').click();
  while (find('cancel').getAttribute('aria-disabled') === 'true') {
    await new Promise(requestAnimationFrame);
  }
  find('cancel').click();
}"""


@only_live
def test_a_cancelled_run_leaves_this_page_and_others_working(live, open_lesson):
    other = open_lesson()
    live.page.evaluate(START_THEN_CANCEL)
    expect(run_of(live)).to_contain_text("Cancelled after", timeout=30_000)
    for page in (other, live):
        tab(page, "Map")
        page.switch("Causal mask").check()
        page.kpi_becomes("masked-cells", "15")
    tab(live, "Leak lab")
    live.page.evaluate(START_THEN_CANCEL)
    expect(run_of(live)).to_contain_text("Cancelled after", timeout=30_000)
    assert live.console == []


@pytest.mark.parametrize("open_lesson", ["file"], indirect=True)
def test_a_recording_shows_whole_runs_and_says_that_it_is_one(live):
    assert live.page.get_by_role("button", name="Start", exact=True).count() == 0
    assert live.page.get_by_role("progressbar").count() == 0
    texts = set()
    for seed in RECORDED_SEEDS:
        live.page.locator("#part-leak").get_by_label(str(seed), exact=True).check(force=True)
        expect(run_of(live)).to_contain_text(f"from seed {seed}")
        expect(run_of(live)).to_contain_text("recorded")
        texts.add(slot(live, "leak.conclusion").inner_text())
    assert len(texts) == len(RECORDED_SEEDS)
    assert live.console == []


def test_the_numbers_of_a_map_fit_its_cells_however_late_its_tab_is_opened(open_lesson):
    lesson = open_lesson()  # with every figure there, those behind the tabs unseen so far
    for name in ("heads", "dropout"):
        lesson.page.locator(f"#tab-{name}").click()
    lesson.page.wait_for_function("""() => {
      const cells = attentionWidget.models.get("dropout.text.cells");
      const host = attentionWidget.root.querySelector('[data-figure="dropout.figure"]');
      const size = () => parseFloat(cells.glyph.text_font_size.value), found = size();
      attentionWidget.fit();
      return host.clientWidth > 300 && found === size() && found !== 12; // the figure's own
    }""")
