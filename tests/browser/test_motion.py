"""Does the mask sweep from one recorded picture to the other, and stand still when unwanted?"""

import numpy as np
import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
NEAR = 6  # of 3 x 255: 2 a channel are left to rounding

# The mean brightness of a band above each number, wide enough for its hatch, after each frame, and
# whether the sweep still runs.
FRAMES = """async (value) => {
  const page = attentionWidget, view = page.views.find((one) => one.model.name === 'map.figure');
  const look = () => {
    const layer = view.export('png', false), pen = layer.canvas.getContext('2d');
    const ratio = layer.canvas.width / layer.bbox.width, {x_scale, y_scale} = view.frame, out = [];
    for (let y = 0; y < 6; y++) for (let x = 0; x < 6; x++) {
      const across = (at) => Math.round(x_scale.compute(at) * ratio);
      const down = (at) => Math.round(y_scale.compute(at) * ratio);
      const left = across(x + 0.12), right = across(x + 0.88);
      const low = down(y + 0.12), high = down(y + 0.28);
      const top = Math.min(low, high), wide = right - left, tall = Math.abs(high - low);
      const {data} = pen.getImageData(left, top, wide, tall);
      let sum = 0;
      for (let n = 0; n < data.length; n += 4) sum += data[n] + data[n + 1] + data[n + 2];
      out.push(sum / (wide * tall));
    }
    return out;
  };
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  // A figure that is still being fitted into the page has its hatch elsewhere.
  const size = () => [view.canvas_view.bbox.width, view.canvas_view.bbox.height].join();
  for (let same = 0, was = ""; same < 20; was = size()) {
    await frame();
    same = size() === was ? same + 1 : 0;
  }
  const frames = [look()], start = performance.now();
  page.dispatch({set: {'map.causal': value}, last: 'map.causal'});
  while (page.busy()) await frame();
  const column = (name) => { const {data} = page.models.get('map.cells');
    return [...(data instanceof Map ? data.get(name) : data[name])].join(); };
  const texts = column('text');
  const began = Boolean(page.sweeping);
  let shown = '';
  while (page.sweeping && performance.now() - start < 20000) {
    await frame();
    frames.push(look());
    shown = column('text');
  }
  await frame(); await frame(); await frame();
  frames.push(look());
  return {frames, began, texts, shown: shown || texts};
}"""


@pytest.mark.parametrize("value", [True, False], ids=["on", "off"])
def test_the_sweep_is_monotone_and_ends_where_no_motion_stands(open_lesson, value):
    query = "" if value else "?causal=1"
    moving = open_lesson(query).page.evaluate(FRAMES, value)
    assert moving["began"]
    frames = np.array(moving["frames"])
    assert len(frames) >= 3
    way = np.sign(frames[-1] - frames[0])
    steps = np.diff(frames, axis=0) * way
    assert steps.min() >= -NEAR, "no cell turns back; 2 of 255 a channel are left to rounding"
    assert moving["texts"] == moving["shown"], "numbers are the new ones in every frame"
    still = open_lesson(query, reduced_motion="reduce").page.evaluate(FRAMES, value)
    assert not still["began"]
    np.testing.assert_allclose(moving["frames"][-1], still["frames"][-1], atol=NEAR)
    np.testing.assert_allclose(moving["frames"][0], still["frames"][0], atol=NEAR)


def test_arrows_choose_the_word_only_while_the_map_has_the_focus(open_lesson):
    lesson = open_lesson("?causal=1")
    figure = lesson.page.get_by_role("slider", name="Word that looks")
    words = lesson.page.locator('[data-slot="map.looks"]')
    expect(words).to_have_text(
        "starts looks at Your 0.33, journey 0.38, itself 0.29, and at nothing after it."
    )
    figure.focus()
    lesson.page.keyboard.press("ArrowDown")
    expect(words).to_contain_text("with looks at")
    expect(figure).to_have_attribute("aria-valuetext", "with")
    lesson.page.wait_for_url("**word=4**")
    lesson.page.keyboard.press("Home")
    expect(words).to_contain_text("Your looks at itself 1.00")
    lesson.switch("Causal mask").focus()
    lesson.page.keyboard.press("ArrowDown")
    expect(words).to_contain_text("Your looks at")


def test_a_click_on_a_row_chooses_its_word(open_lesson):
    lesson = open_lesson("?word=2")
    place = lesson.page.evaluate(
        """() => { const view = attentionWidget.views.find((v) => v.model.name === 'map.figure');
          const host = attentionWidget.root.querySelector('[data-figure="map.figure"]');
          host.scrollIntoView({block: 'center'});
          const box = host.getBoundingClientRect(), f = view.frame;
          return [box.left + f.x_scale.compute(3.5), box.top + f.y_scale.compute(4.5)]; }"""
    )
    lesson.page.mouse.click(*place)
    expect(lesson.page.locator('[data-slot="map.looks"]')).to_contain_text("one looks at")


def test_compare_shows_the_map_without_the_mask_inside_each_cell(open_lesson):
    lesson = open_lesson("?causal=1")
    button = lesson.page.get_by_role("button", name="Compare with no mask")
    seen = """() => Object.fromEntries(attentionWidget.models.get('map.figure').renderers
      .filter((r) => r.name).map((r) => [r.name, r.visible]))"""
    assert lesson.page.evaluate(seen)["map.text.under"] is False
    button.focus()
    lesson.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    shown = lesson.page.evaluate(seen)
    assert shown["map.text.under"]
    assert shown["map.under.boxes"]
    assert not shown["map.text.cells"]
    without = open_lesson("")
    under = lesson.drawn()["columns"]
    assert under["source:map.under.text"] == without.drawn()["columns"]["source:map.cells.text"]
    lesson.kpi_becomes("masked-cells", "15")
    lesson.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "false")


def test_present_fills_the_screen_and_its_keys_act_only_while_it_is_on(open_lesson):
    lesson = open_lesson("?causal=1", viewport={"width": 1920, "height": 1080})
    page = lesson.page
    page.keyboard.press("m")
    lesson.kpi_becomes("masked-cells", "15")
    page.get_by_role("button", name="Present", exact=True).click()
    panel = page.locator("[data-present-panel]")
    box = panel.bounding_box()
    assert box["width"] >= 1900
    assert box["height"] >= 1060
    page.keyboard.press("m")
    expect(page.locator('[data-slot="map.present"]')).to_contain_text("sees future? yes")
    page.keyboard.press("4")
    expect(page.locator('[data-slot="map.present"]')).to_contain_text("d_head 3")
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-slot="map.looks"]')).to_contain_text("with looks at")
    page.keyboard.press("Escape")
    expect(panel).not_to_have_class("presenting")
    page.keyboard.press("1")
    lesson.settle()
    lesson.kpi_becomes("d-head", "3")
    assert lesson.console == []
