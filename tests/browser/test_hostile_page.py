"""What can the page around, or whoever writes a link, do to a student's page? Nothing."""

import json
import random
from urllib.parse import quote

import pytest

from attention_widget.widgets.recorded.snippet import iframe
from tests.browser.conftest import Lesson, Server, free_port
from tests.browser.course import (
    Student,
    host_page,
    lesson_frame,
    sites,
    wait_heard,
    with_options,
)
from tests.browser.line import Line
from tests.live import junk

pytestmark = pytest.mark.browser

# 20,000 messages of every shape, from this window (the wrong source) and as from the page around;
# the generator is mulberry32, so that a seed is one sequence everywhere.
FUZZ = """async ([seed, id]) => {
  let state = seed;
  const random = () => {
    let t = state += 0x6D2B79F5;
    t = Math.imul(t ^ t >>> 15, t | 1);
    t ^= t + Math.imul(t ^ t >>> 7, t | 61);
    return ((t ^ t >>> 14) >>> 0) / 4294967296;
  };
  const pick = (list) => list[Math.floor(random() * list.length)];
  const texts = ["", id, id, "SPLICE.getState.response", "SPLICE.getState",
    "lti.frameResize", "__proto__", "constructor", "<img src=x onerror=window.hit=1>",
    '{"record":"1;0;;;;;;;","best":1e999}', '{"record":{}}', "[[[",
    "1;0;;;;;;;", "9".repeat(5000), "\\ud800\\0"];
  const keys = ["subject", "message_id", "state", "record", "best", "error", "height", "__proto__",
    "constructor", "toString", "then", "score"];
  const deep = (n) => { let v = 0; for (; n; n--) v = n % 2 ? [v] : {state: v}; return v; };
  const value = (depth) => {
    const kind = Math.floor(random() * (depth ? 9 : 5));
    if (kind < 2) return pick(texts);
    if (kind < 4) return pick([0, -1, 1e308, NaN, Infinity, null, undefined, true, 10n ** 30n]);
    if (kind === 4) return pick([new Date(NaN), /x/, new Map([[1, 2]]), new Uint8Array(9)]);
    if (kind === 5) return Array.from({length: 4}, () => value(depth - 1));
    if (kind === 6 && random() < 0.02) return pick([deep(2000), "x".repeat(1e6)]);
    const made = {};
    for (let n = 0; n < 4; n++) {
      Object.defineProperty(made, pick(keys), {value: value(depth - 1), enumerable: true,
        configurable: true, writable: true});
    }
    return made;
  };
  let sent = 0;
  const parent = window.parent;
  for (let n = 0; n < 20000; n++) {
    const data = value(3);
    if (n % 3 === 0 && data && typeof data === "object") {
      Object.assign(data, {subject: "SPLICE.getState.response", message_id: n < 19000 ? "x" : id});
    }
    if (n % 4) window.dispatchEvent(new MessageEvent("message", {data, source: parent}));
    else window.postMessage(data, "*");
    sent++;
    if (n % 500 === 0) await new Promise((done) => setTimeout(done));
  }
  await new Promise((done) => setTimeout(done));
  return sent;
}"""


@pytest.mark.slow
@pytest.mark.parametrize("host", ["server", "recorded_file"])
@pytest.mark.parametrize("seed", [7])
def test_20000_fuzzed_messages_to_a_framed_page_change_nothing(browser, request, host, seed):
    lesson = request.getfixturevalue(host)
    noise = []
    with sites(2) as (course, other):
        url = lesson.url if host == "server" else other.put("/lesson.html", lesson.read_bytes())
        page = browser.new_context().new_page()
        page.on("pageerror", lambda error: noise.append(str(error)))
        frame_markup = iframe(url + "?causal=1&heads=2").replace(' loading="lazy"', "")
        page.goto(course.put("/course.html", host_page(frame_markup)))
        frame = lesson_frame(page)
        painted = frame.evaluate("() => JSON.stringify(attentionWidget.slots)")
        asked = wait_heard(page, "SPLICE.getState", 1)[0]["message_id"]
        assert frame.evaluate(FUZZ, [seed, asked]) == 20_000
        frame.wait_for_function("() => !attentionWidget.busy()")
        assert frame.evaluate("() => JSON.stringify(attentionWidget.slots)") == painted
        assert frame.evaluate("() => [window.hit, {}.state, {}.record]") == [None] * 3
        Student(frame).earn(1)
        page.context.close()
    assert noise == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [8])
def test_links_full_of_markup_open_a_page_that_works(open_lesson, seed):
    rng = random.Random(seed)
    names = ("sentence", "seed", "heads", "stage", "<b>x</b>", "activity_id", "__proto__", "draw")
    for _ in range(4):
        words = [f"{quote(rng.choice(names))}={quote(rng.choice(junk.MARKUP))}" for _ in range(5)]
        lesson = open_lesson("?causal=1&" + "&".join(words))
        lesson.kpi_becomes("masked-cells", lesson.kpi("masked-cells"))
        lesson.slider("Heads").fill("4")
        lesson.kpi_becomes("d-head", "3")
        assert lesson.page.evaluate("() => window.hit") is None
        assert lesson.page.locator("img, iframe, svg[onload]").count() == 0
        assert "Traceback" not in lesson.page.content()
        assert lesson.console == []


@pytest.mark.slow
def test_a_line_that_is_gone_for_30_seconds_loses_nothing(browser):
    server = Server(free_port(), "--allow-websocket-origin", "*")
    line = Line(server.port)
    context = browser.new_context()
    try:
        lesson = Lesson(context.new_page(), f"http://localhost:{line.port}/app", "server").open()
        lesson.set(causal=True, heads=4)
        lesson.kpi_becomes("d-head", "3")
        line.cut()
        lesson.page.locator("[data-connection]").wait_for(state="visible")
        lesson.page.wait_for_timeout(30_000)  # the length of the cut is what is tried here
        line.mend()
        lesson.page.locator("[data-connection]").wait_for(state="hidden", timeout=20_000)
        lesson.kpi_becomes("d-head", "3")
        lesson.kpi_becomes("masked-cells", "15")
    finally:
        context.close()
        line.close()
        server.stop()


def test_a_refused_value_is_shown_as_it_was_typed(open_lesson):
    for given in ("$&", "$`", "$$"):
        lesson = open_lesson("?heads=" + quote(given))
        assert given in lesson.page.locator('[data-slot="map.problems"]').inner_text()


@pytest.mark.parametrize("word", ["toString", "__proto__", "constructor"])
def test_a_word_that_every_object_knows_is_no_option_of_the_file(
    visit, recorded_file, tmp_path, word
):
    path = tmp_path / "lesson.html"
    options = json.dumps({"scorm": word, "preset": {word: 1, f"map.{word}": "$&"}, "lock": [word]})
    path.write_text(with_options(recorded_file.read_text(encoding="utf-8"), options), "utf-8")
    lesson = visit(path.as_uri(), "file", offline=True)
    problems = lesson.page.locator('[data-slot="lesson.problems"]').inner_text()
    assert "Option “scorm” has a form that does not fit" in problems
    assert problems.count(word) >= 3
    assert lesson.console == []
