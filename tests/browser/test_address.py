"""Does the address keep up where a browser limits how often it may be written?"""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

# A browser that takes 100 writes in ten seconds and refuses the next, and here the first as well.
LIMIT = """(first) => {
  const write = history.replaceState.bind(history);
  window.writes = [];
  window.refused = 0;
  history.replaceState = (...words) => {
    const now = performance.now();
    if (refused < first || writes.filter((at) => at > now - 10_000).length >= 100) {
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
    lesson.page.evaluate(LIMIT, 0)
    took = lesson.page.evaluate(FLIPS, 151)
    assert "causal=1" in lesson.address()
    assert 1 <= lesson.page.evaluate("writes.length") <= took / 150 + 3
    assert lesson.page.evaluate("refused") == 0


def test_a_refused_write_is_made_up_for(open_lesson):
    lesson = open_lesson()
    lesson.page.evaluate(LIMIT, 3)  # with and without a new address: a try takes two
    lesson.page.evaluate(FLIPS, 101)
    assert "causal=1" in lesson.address()
    assert lesson.page.evaluate("refused") == 3
    lesson.page.reload()
    expect(lesson.page.get_by_role("switch", name="Causal mask")).to_be_checked()


# What came of the second press is there, but nothing is written yet.
LEAVE = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const mask = attentionWidget.root.querySelector("[data-control='map.causal']");
  mask.click(); // takes the turn to write, so that the next press has to wait for its own
  while (attentionWidget.busy() || !attentionWidget.linkWritten) await frame();
  attentionWidget.linkWritten += 60_000; // so the next write is a minute away
  mask.click();
  while (attentionWidget.busy()) await new Promise((done) => setTimeout(done));
  return attentionWidget.linkDue;
}"""


def test_who_reloads_before_the_address_is_written_loses_nothing(open_lesson):
    lesson = open_lesson("?causal=1")
    assert lesson.page.evaluate(LEAVE), "there is something left to write"
    lesson.page.reload()
    lesson.page.wait_for_selector("[data-ready=true]", state="attached")
    expect(lesson.page.get_by_role("switch", name="Causal mask")).to_be_checked()
    assert "causal=1" in lesson.address()


def test_what_was_left_in_one_history_entry_does_not_reach_another(open_lesson):
    lesson = open_lesson("?causal=1")
    assert lesson.page.evaluate(LEAVE)
    lesson.open("?heads=2")
    expect(lesson.page.get_by_role("switch", name="Causal mask")).not_to_be_checked()
    assert "causal" not in lesson.address()
    lesson.page.go_back()
    lesson.page.wait_for_selector("[data-ready=true]", state="attached")
    expect(lesson.page.get_by_role("switch", name="Causal mask")).to_be_checked()
