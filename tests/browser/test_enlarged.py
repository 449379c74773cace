"""Can the page be read with larger text: at 200 %, with a default font of 24 px, at 400 % zoom?"""

import contextlib
from collections.abc import Iterator

import pytest
from playwright.sync_api import TimeoutError

from tests.browser.axe import violations
from tests.browser.conftest import Lesson

pytestmark = pytest.mark.browser
# Default font in px, and the window: a laptop, a phone, and 1280 px seen at 400 %.
SIZES = [(32, 1366, 768), (32, 390, 844), (24, 1366, 768), (24, 320, 640), (16, 320, 256)]

# Words that are broken, help that is larger than its label, controls that lie over one another, and
# what makes the page scroll sideways.
FAULTS = """() => {
  const root = attentionWidget.root, found = [];
  const apart = ".visually-hidden, .live, pre, code";
  const shown = (el) => el.checkVisibility() && !el.closest(apart);
  const area = ":is(.screen, .controls-panel, .tabs, .top, .kpis, .more-controls, .tile-controls)";
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!shown(node.parentElement) || !node.parentElement.closest(area)) continue;
    for (const {0: word, index} of node.data.matchAll(/[^\\s/-]+/g)) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1 && word.length < 14) found.push(`broken: ${word}`);
    }
  }
  const size = (el) => parseFloat(getComputedStyle(el).fontSize);
  for (const help of root.querySelectorAll(".control > .help")) {
    const label = help.parentElement.querySelector("label, legend, button");
    if (shown(help) && label && size(help) >= size(label)) found.push(`large: ${help.textContent}`);
  }
  const controls = [...root.querySelectorAll("button, input, summary")].filter((el) => shown(el)
    && !el.closest("[role=tablist]"));
  const boxes = controls.map((el) => (el.closest("label") ?? el).getBoundingClientRect());
  boxes.forEach((a, n) => boxes.slice(n + 1).forEach((b, m) => {
    const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    const [one, other] = [n, n + 1 + m].map((at) => controls[at].outerHTML.slice(0, 90));
    if (across > 1 && down > 1) found.push(`over one another: ${one} and ${other}`);
  }));
  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth) found.push(`as wide as ${wide}`);
  return [...new Set(found)];
}"""


FITS = "() => document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def enlarged(server, browser) -> Iterator[Lesson]:
    context = browser.new_context(viewport={"width": 1366, "height": 768})
    lesson = Lesson(context.new_page(), server.url, "server")
    lesson.open("?causal=1&heads=4&dropout=0.3&training=1")
    lesson.page.wait_for_function("() => attentionWidget.whole")
    yield lesson
    context.close()


@pytest.mark.parametrize(("font", "width", "height"), SIZES)
def test_no_word_is_broken_nothing_overlaps_and_nothing_scrolls_sideways(
    enlarged, font, width, height
):
    page = enlarged.page
    cdp = page.context.new_cdp_session(page)
    cdp.send("Page.enable")
    cdp.send("Page.setFontSizes", {"fontSizes": {"standard": font, "fixed": font - 3}})
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(
        "(px) => getComputedStyle(attentionWidget.root.querySelector('.lesson')).fontSize === px",
        arg=f"{font}px",
    )
    tabs = page.get_by_role("tab")
    for n in range(tabs.count()):
        tabs.nth(n).evaluate("(tab) => tab.click()")
        with contextlib.suppress(TimeoutError):  # the figures follow a frame later
            page.wait_for_function(FITS, timeout=2000)
        assert page.evaluate(FAULTS) == [], tabs.nth(n).inner_text()
    tabs.first.evaluate("(tab) => tab.click()")
    if font == 32 and width < 400:
        assert violations(page) == []
    cdp.send("Page.setFontSizes", {"fontSizes": {"standard": 16, "fixed": 13}})
    cdp.detach()
