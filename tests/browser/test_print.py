"""Is what a student prints one page on which nothing is missing and nothing lies over another?"""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser
PAPER = {"width": 718, "height": 1047}  # px of A4 within margins of 1 cm

READ = """() => {
  const root = attentionWidget.root;
  const box = (el) => { const {top, bottom, left, right} = el.getBoundingClientRect();
    return [left, top, right, bottom]; };
  const seen = (css) => [...root.querySelectorAll(css)].filter((el) => el.getClientRects().length);
  const parts = {card: ".card", controls: ".controls-row", figures: ".kpis.first", minis: ".minis",
    title: ".map-panel h2", picture: ".printed", looks: ".looks-words"};
  const picture = seen(".printed")[0];
  const pixels = picture.getContext("2d").getImageData(0, 0, picture.width, picture.height).data;
  const colours = new Set();
  for (let n = Math.floor(pixels.length * 0.92 / 4) * 4; n < pixels.length; n += 4)
    colours.add(`${pixels[n]} ${pixels[n + 1]} ${pixels[n + 2]}`);
  return {
    boxes: Object.fromEntries(Object.entries(parts).map(([key, css]) => [key, box(seen(css)[0])])),
    hidden: seen(".tabs, .live, [data-answer], [data-restart], .take-panel").length,
    legend: colours.size,
    exact: seen(".track, .mini, .card").map((el) => getComputedStyle(el).printColorAdjust),
    ink: getComputedStyle(root.querySelector(".lesson")).color,
    ratio: picture.width / picture.height,
  };
}"""


@pytest.mark.parametrize(("width", "scheme"), [(1366, "light"), (390, "light"), (1366, "dark")])
def test_the_map_its_legend_the_figures_the_switches_and_the_step_fill_one_page(
    server, visit, width, scheme
):
    screen = {"width": width, "height": 768}
    lesson = visit(server.url, "server", "?causal=1&heads=4", viewport=screen, color_scheme=scheme)
    lesson.dispatch({"open": "read"})
    margins = dict.fromkeys(("top", "bottom", "left", "right"), "1cm")
    for paper in ("A4", "Letter"):
        pdf = lesson.page.pdf(format=paper, margin=margins)
        assert len(re.findall(rb"/Type\s*/Page\b", pdf)) == 1, paper
    lesson.page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
    lesson.page.emulate_media(media="print", color_scheme=scheme)
    lesson.page.set_viewport_size(PAPER)
    found = lesson.page.evaluate(READ)
    boxes = found["boxes"]
    for name, (left, top, right, bottom) in boxes.items():
        assert left >= 0, name
        assert right <= PAPER["width"] + 1, name
        assert bottom <= PAPER["height"], name
        for other, (x, y, x_end, y_end) in boxes.items():
            apart = x >= right - 1 or x_end <= left + 1 or y >= bottom - 1 or y_end <= top + 1
            assert name == other or apart, f"{name} lies over {other}"
    left, top, right, bottom = boxes["picture"]
    assert (right - left) / (bottom - top) == pytest.approx(found["ratio"], rel=0.02)
    assert found["legend"] > 20, "the colour bar is in the picture"
    assert found["hidden"] == 0
    assert set(found["exact"]) == {"exact"}
    track = lesson.page.locator(".controls-row .track").first
    expect(track).to_have_css("background-color", "rgb(26, 86, 173)")  # a switch that is on
    assert found["ink"] == "rgb(22, 24, 29)", "dark on paper, whatever the screen's scheme"
    lesson.page.evaluate("() => dispatchEvent(new Event('afterprint'))")
    assert lesson.page.locator(".printed").count() == 0
    lesson.page.emulate_media(media="screen")
