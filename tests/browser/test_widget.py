"""Does the widget do in a real browser what the lesson says, live and recorded?"""

import numpy as np
import pytest
from playwright.sync_api import expect

from attention_widget.widgets.map.section import map_section
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from tests.looked_up import looked_up

pytestmark = pytest.mark.browser


def test_the_mask_turns_yes_and_0_into_no_and_15(open_lesson):
    lesson = open_lesson()
    lesson.kpi_becomes("sees-future", "yes")
    lesson.kpi_becomes("masked-cells", "0")
    label = lesson.page.locator("#part-map").get_by_text("Causal mask", exact=True)
    label.click()  # on the words beside the switch, as a student would
    lesson.kpi_becomes("sees-future", "no")
    lesson.kpi_becomes("masked-cells", "15")
    expect(lesson.switch("Causal mask")).to_be_checked()
    lesson.switch("Causal mask").click()
    lesson.kpi_becomes("masked-cells", "0")
    assert lesson.console == []


def test_d_head_is_12_over_h_and_the_viewing_head_never_exceeds_the_heads(open_lesson):
    lesson = open_lesson()
    for heads, width in ((4, "3"), (3, "4"), (2, "6"), (1, "12")):
        lesson.slider("Heads").fill("4")
        lesson.kpi_becomes("d-head", "3")
        lesson.slider("Viewing head").fill("4")
        lesson.slider("Heads").fill(str(heads))
        lesson.kpi_becomes("d-head", width)
        expect(lesson.slider("Viewing head")).to_have_value(str(heads))
        expect(lesson.slider("Viewing head")).to_have_attribute("max", str(heads))


def test_dropout_at_inference_changes_nothing(open_lesson):
    lesson = open_lesson("?causal=1&heads=2")
    before = lesson.drawn()["columns"]
    lesson.slider("Dropout").fill("0.7")
    lesson.settle()
    expect(lesson.page.locator("[data-live]")).to_contain_text("nothing is dropped")
    assert lesson.drawn()["columns"] == before
    lesson.kpi_becomes("dropped-cells", "0")
    lesson.switch("Training").check()
    expect(lesson.page.locator("[data-kpi=dropped-cells]")).not_to_have_text("0")
    assert lesson.drawn()["columns"] != before


@pytest.mark.parametrize("stage", ["scores", "masked", "weights", "dropped"])
def test_the_drawn_map_equals_the_core(open_lesson, stage):
    lesson = open_lesson(f"?causal=1&heads=4&head=3&dropout=0.3&training=1&draw=2&stage={stage}")
    state = LessonState()
    state.choose(causal=True, heads=4, head=3, dropout=0.3, training=True, draw=2, stage=stage)
    snap = snapshot(state.settings())
    drawn = np.array(lesson.drawn()["columns"]["source:map.cells.value"]).reshape(6, 6)
    finite = np.isfinite(snap.shown)
    np.testing.assert_allclose(drawn[finite], snap.shown[finite], rtol=0, atol=0.51e-4)
    cell_states = np.array(lesson.drawn()["columns"]["source:map.cells.state"]).reshape(6, 6)
    np.testing.assert_array_equal(cell_states, snap.cell_states)


@pytest.mark.slow
def test_one_figure_is_kept_through_200_interactions(open_lesson):
    lesson = open_lesson()
    mark = """() => { const find = (root) => { const out = [...root.querySelectorAll('canvas')];
      for (const el of root.querySelectorAll('*')) {
        if (el.shadowRoot) out.push(...find(el.shadowRoot));
      }
      return out; };
      const all = find(document); window.marked ??= new Set(all);
      return [all.length, all.filter((c) => !window.marked.has(c)).length,
        attentionWidget.models.get('map.figure').id]; }"""
    before = lesson.page.evaluate(mark)
    rng = np.random.default_rng(1)
    for _ in range(200):
        lesson.set(
            causal=bool(rng.integers(2)),
            heads=int(rng.integers(1, 5)),
            dropout=float(rng.integers(10)) / 10,
        )
    assert lesson.page.evaluate(mark) == before
    assert before[1] == 0


def test_a_tooltip_names_the_head_that_is_shown(open_lesson):
    lesson = open_lesson("?heads=4&head=2")
    area = lesson.page.locator('[data-figure="map.figure"]')
    area.scroll_into_view_if_needed()
    box = area.bounding_box()
    tip = lesson.page.locator(".bk-Tooltip, .bk-tooltip-content").first
    # the middle of the drawn cells: between the row labels and the row sums
    place = lesson.page.evaluate(
        """() => { const view = Bokeh.index.find_one
             ? Bokeh.index.find_one(attentionWidget.models.get('map.figure'))
             : Object.values(Bokeh.index).find((v) => v.model.name === 'map.figure');
           const f = view.frame; return [f.x_scale.compute(1.5) , f.y_scale.compute(2.5)]; }"""
    )
    lesson.page.mouse.move(box["x"] + place[0] + 12, box["y"] + place[1] + 9)
    lesson.page.mouse.move(box["x"] + place[0] + 9, box["y"] + place[1] + 6)
    expect(tip).to_contain_text("2 of 4")
    expect(tip).to_contain_text("starts")
    expect(tip).to_contain_text("journey")


def test_the_keyboard_alone_drives_every_control(open_lesson):
    lesson = open_lesson()
    page = lesson.page
    page.keyboard.press("Tab")
    seen = []

    def focused() -> str:
        return page.evaluate(
            """() => { let el = document.activeElement;
              while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
              return el?.dataset.control ?? el?.closest('[data-control]')?.dataset.control
                ?? el?.dataset.reset ?? el?.id ?? ''; }"""
        )

    def tab_to(name: str) -> None:
        for _ in range(60):
            if focused() == name:
                seen.append(name)
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key never reached {name}")

    tab_to("map.causal")
    page.keyboard.press("Space")
    lesson.kpi_becomes("masked-cells", "15")
    tab_to("map.heads")
    page.keyboard.press("End")
    lesson.kpi_becomes("d-head", "3")
    tab_to("map.head")
    page.keyboard.press("ArrowRight")
    expect(lesson.slider("Viewing head")).to_have_value("2")
    tab_to("map.dropout")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(lesson.slider("Dropout")).to_have_value("0.3")
    tab_to("map.training")
    page.keyboard.press("Space")
    expect(page.locator("[data-kpi=survivors]")).to_have_text("× 1.43")
    tab_to("map.stage")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("radio", name="Weights")).to_be_checked()
    tab_to("map.draw")
    page.keyboard.press("Enter")
    expect(page.locator('[data-slot="map.readout.draw"]')).to_have_text("draw 2")
    tab_to("map")
    page.keyboard.press("Enter")
    lesson.kpi_becomes("masked-cells", "0")
    expect(lesson.slider("Heads")).to_have_value("1")
    assert len(seen) == 8


def test_a_link_reproduces_the_view_and_follows_it(open_lesson):
    lesson = open_lesson("?causal=1&heads=4&head=2&dropout=0.2&training=1&draw=1&stage=weights")
    first = lesson.drawn()
    lesson.switch("Causal mask").uncheck()
    lesson.kpi_becomes("masked-cells", "0")
    lesson.settle()
    assert "causal" not in lesson.address()
    assert "heads=4" in lesson.address()
    lesson.switch("Causal mask").check()
    lesson.kpi_becomes("masked-cells", "15")
    lesson.settle()
    again = open_lesson("?" + lesson.address().split("?")[1])
    assert again.drawn() == first


def test_a_bad_link_says_so_and_keeps_the_defaults(open_lesson):
    lesson = open_lesson("?heads=7&dropout=nan&causal=maybe&stage=%3Cimg%20src%3Dx%3E&draw=-1")
    problems = lesson.page.locator('[data-slot="map.problems"]')
    expect(problems).to_contain_text("Heads goes from 1 to 4")
    expect(problems).to_contain_text("Dropout goes from 0 to 0.9")
    expect(problems).to_contain_text("<img src=x>")
    assert lesson.page.locator("img").count() == 0
    assert lesson.kpi("d-head") == "12"
    lesson.switch("Causal mask").check()
    lesson.kpi_becomes("masked-cells", "15")
    assert lesson.console == []


def test_the_small_maps_pick_the_head_that_is_viewed(open_lesson):
    lesson = open_lesson("?heads=3")
    maps = lesson.page.get_by_role("radiogroup", name="Viewing head")
    maps.get_by_role("radio", name="Head 3").click()
    expect(lesson.slider("Viewing head")).to_have_value("3")
    expect(maps.get_by_role("radio", name="Head 3")).to_be_checked()
    expect(maps.get_by_role("radio", name="Head 4")).to_have_count(0)


def test_the_table_says_what_the_map_shows_with_the_answers_and_the_sums(open_lesson):
    lesson = open_lesson("?causal=1&stage=weights")
    lesson.page.locator("#part-map").get_by_text("The map as a table").click()
    table = lesson.page.locator('[data-mirror="map.cells"]')
    rows = table.locator("tbody tr")
    expect(rows).to_have_count(6)
    expect(rows.first.locator("td")).to_have_text(
        ["journey", "1.00", "0 masked (answer)"] + ["0 masked"] * 4
    )
    section = map_section()
    section.set({"causal": True, "stage": "weights"})
    slots = section.render()
    due = looked_up(slots, slots["source:map.cells.text"])[-6:]
    assert rows.last.locator("td").all_inner_texts() == ["nothing here", *due]
    lesson.set(stage="dropped", dropout=0.5, training=True)
    section.set({"stage": "dropped", "dropout": 0.5, "training": True})
    sums = section.render()["source:map.sums.text"]
    expect(table.locator("thead th").nth(-2)).to_have_text("sum")
    expect(table.locator("thead th").last).to_have_text("mean")
    for n in (0, 5):
        shown = rows.nth(n).locator("td").all_inner_texts()
        assert shown[-2:] == [sums[n], sums[6 + n]]


def test_two_controls_moved_before_the_answer_both_count(open_lesson):
    lesson = open_lesson()
    lesson.page.evaluate(
        """() => { const move = (set, last) => attentionWidget.dispatch({set, last});
          move({'map.causal': true}, 'map.causal');
          move({'map.heads': 2}, 'map.heads'); move({'map.heads': 3}, 'map.heads'); }"""
    )
    lesson.settle()
    lesson.kpi_becomes("masked-cells", "15")
    lesson.kpi_becomes("d-head", "4")
    expect(lesson.switch("Causal mask")).to_be_checked()
    assert lesson.drawn()["controls"]["map.causal"] == "true"
    assert "causal=1&heads=3" in lesson.address()
