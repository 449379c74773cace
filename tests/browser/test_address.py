"""Does the address keep up where a browser limits how often it may be written?"""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# A browser that takes so many writes in that many milliseconds, refuses the next, and counts.
LIMIT = """([most, span, used]) => {
  const write = history.replaceState.bind(history);
  window.writes = Array(used).fill(performance.now());
  window.refused = 0;
  history.replaceState = (...words) => {
    const now = performance.now();
    if (writes.filter((at) => at > now - span).length >= most) {
      refused += 1;
      throw new DOMException("too many", "SecurityError");
    }
    writes.push(now);
    write(...words);
  };
}"""
FLIPS = """async (many) => {
  const began = performance.now();
  const mask = attentionWidget.root.querySelector("[data-control='map.causal']");
  for (let n = 0; n < many; n++) {
    mask.click();
    await new Promise((done) => setTimeout(done, 8));
  }
  return performance.now() - began;
}"""


def test_150_quick_presses_are_a_few_writes_and_the_last_is_among_them(open_lesson):
    lesson = open_lesson()
    lesson.page.evaluate(LIMIT, [100, 10_000, 0])
    took = lesson.page.evaluate(FLIPS, 151)
    assert "causal=1" in lesson.address()
    assert 1 <= lesson.page.evaluate("writes.length") <= took / 150 + 3
    assert lesson.page.evaluate("refused") == 0


def test_a_refused_write_is_made_up_for(open_lesson):
    lesson = open_lesson()
    lesson.page.evaluate(LIMIT, [1, 2500, 1])
    lesson.page.evaluate(FLIPS, 101)
    assert "causal=1" in lesson.address()
    assert lesson.page.evaluate("refused") > 0
    lesson.page.reload()
    expect(lesson.page.get_by_role("switch", name="Causal mask")).to_be_checked()
