"""Does the lesson live well in somebody else's page: height, saved work, keyboard, no storage?"""

import json

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.checkpoint.machine import begin
from attention_widget.widgets.checkpoint.record import to_text
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.recorded.export import POLICY
from attention_widget.widgets.recorded.snippet import FOLLOW, embedded, iframe
from tests.browser.axe import violations
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.conftest import Server, free_port
from tests.browser.course import (
    ALL,
    Student,
    earned_record,
    heard,
    host_page,
    lesson_frame,
    record_of,
    sites,
    wait_heard,
)

pytestmark = pytest.mark.browser

FITS = """() => { const html = document.documentElement;
  return innerHeight > 400 && html.scrollHeight <= innerHeight
    && innerHeight - Math.ceil(html.getBoundingClientRect().height) <= 1; }"""


@pytest.fixture
def course(browser, recorded_file):
    """Make a page of another origin around the exported lesson, and what its console says."""
    with sites(2) as (course_site, lesson_site):
        contexts, noise = [], []

        def make(
            answer=..., sandbox=False, body="{frame}", headers=None, query="", site="localhost"
        ):
            text = recorded_file.read_text(encoding="utf-8")
            url = lesson_site.put("/lesson.html", text, **(headers or {}))
            url = url.replace("127.0.0.1", site)
            frame = iframe(url + query, sandbox=sandbox).replace(' loading="lazy"', "")
            page_url = course_site.put(
                "/course.html", host_page(body.replace("{frame}", frame) + FOLLOW, answer)
            )
            contexts.append(browser.new_context())
            page = contexts[-1].new_page()
            page.on("pageerror", lambda e: noise.append(str(e)))
            page.on("console", lambda m: noise.append(m.text) if m.type == "error" else None)
            page.goto(page_url)
            return page

        make.noise = noise
        yield make
        for context in contexts:
            context.close()


def scores(page):
    return [m["score"] for m in heard(page, "SPLICE.reportScoreAndState") if "score" in m]


# ---- height


def test_the_frame_of_another_origin_follows_the_height_of_every_tab(course):
    page = course()
    frame = lesson_frame(page)
    tabs = frame.get_by_role("tab")
    heights = set()
    for n in range(tabs.count()):
        tabs.nth(n).click()
        frame.wait_for_function(FITS)
        heights.add(page.locator("iframe").evaluate("(el) => el.clientHeight"))
    assert len(heights) > 1, "the tabs differ in height, so the frame must grow and shrink"
    page.set_viewport_size({"width": 400, "height": 700})
    frame.wait_for_function(FITS)
    tabs.nth(0).click()
    page.set_viewport_size({"width": 1200, "height": 700})
    frame.wait_for_function(FITS)
    frame.locator("#part-map").get_by_text("The map as a table").click()
    frame.wait_for_function(FITS)
    assert course.noise == []


def test_following_comes_to_rest_where_scroll_bars_take_room(browser, recorded_file):
    """A bar that comes and goes changes the width and so the height: it must not go on so."""
    chromium = browser.browser_type.launch(
        executable_path=find_chromium(), args=FLAGS, ignore_default_args=["--hide-scrollbars"]
    )
    with sites(2) as (course_site, lesson_site):
        url = lesson_site.put("/lesson.html", recorded_file.read_bytes())
        body = iframe(url).replace(' loading="lazy"', "") + FOLLOW
        page = chromium.new_page(viewport={"width": 900, "height": 600})
        page.goto(course_site.put("/course.html", host_page(body)))
        frame = lesson_frame(page)
        frame.wait_for_function(FITS)
        for width in (420, 560, 700, 800):
            page.set_viewport_size({"width": width, "height": 600})
            frame.wait_for_function(FITS)
            bar = "() => innerWidth - document.documentElement.clientWidth"
            assert frame.evaluate(bar) == 0, f"a scroll bar stayed at {width}"
        frames = """() => new Promise((done) => { let n = 0;
          const next = () => ++n < 60 ? requestAnimationFrame(next) : done(); next(); })"""
        frame.evaluate(frames)  # a second of painting: whatever still moves has moved
        before = len(heard(page, "lti.frameResize"))
        frame.evaluate(frames)
        assert len(heard(page, "lti.frameResize")) == before
        assert frame.evaluate(FITS)
    chromium.close()


@pytest.mark.parametrize("site", ["localhost", "127.0.0.1"])  # another process, or the same
def test_a_container_that_was_hidden_is_told_its_height_when_it_is_shown(course, site):
    page = course(body='<div id="box" style="display: none">{frame}</div>', site=site)
    frame = lesson_frame(page)
    assert heard(page, "lti.frameResize") == []
    show = "(on) => { document.getElementById('box').style.display = on ? 'block' : 'none'; }"
    page.evaluate(show, True)
    wait_heard(page, "lti.frameResize", 1)
    frame.wait_for_function(FITS)
    frame.wait_for_function(
        "() => document.querySelector('[data-figure] > *').getBoundingClientRect().width > 300"
    )
    frame.evaluate(
        """() => new IntersectionObserver((entries) => {
          window.unseen = !entries.at(-1).boundingClientRect.height; }).observe(document.body)"""
    )
    page.evaluate(show, False)
    frame.wait_for_function("() => window.unseen", polling=50)  # it paints no frames now
    page.evaluate("() => { heard.length = 0; }")
    page.evaluate(show, True)
    assert wait_heard(page, "lti.frameResize", 1)[0]["height"] > 400
    assert course.noise == []


def test_the_live_page_in_a_frame_tells_its_height_too(browser, server):
    with sites(1) as (site,):
        body = iframe(server.url).replace(' loading="lazy"', "") + FOLLOW
        page = browser.new_context().new_page()
        page.goto(site.put("/course.html", host_page(body, None)))
        frame = lesson_frame(page)
        frame.wait_for_function(FITS)
        frame.get_by_role("tab").nth(1).click()
        frame.wait_for_function(FITS)
        Student(frame).earn(1)
        reported = wait_heard(page, "SPLICE.reportScoreAndState", 1)
        page.wait_for_function("() => heard.some((m) => m.score > 0)")
        assert all(m.get("score") != 0 for m in reported)
        page.context.close()


# ---- saved work and score


def test_state_is_saved_without_a_score_until_a_step_is_earned(course):
    page = course(answer=None, query="?activity_id=week-6")
    frame = lesson_frame(page)
    asked = heard(page, "SPLICE.getState")
    assert [m["activity_id"] for m in asked] == ["week-6"]
    student = Student(frame)
    for n, action in enumerate(({"open": "read"}, {"answer": ["read", "no"]}), start=1):
        student.dispatch(action)
        first = wait_heard(page, "SPLICE.reportScoreAndState", n)
        assert [set(m) for m in first] == [{"subject", "message_id", "activity_id", "state"}] * n
    student.bench.answer("no")
    for n in range(3):  # what comes quickly is combined, so one step at a time
        student.earn(1)
        everything = wait_heard(page, "SPLICE.reportScoreAndState", len(first) + n + 1)
    given = [m["score"] for m in everything if "score" in m]
    assert given == pytest.approx([0.5 / ALL, 1.5 / ALL, 2.5 / ALL])
    assert everything[-1]["state"]["record"] == record_of(frame)
    assert {m["activity_id"] for m in everything} == {"week-6"}
    ids = [m["message_id"] for m in page.evaluate("() => heard")]
    assert len(set(ids)) == len(ids)
    events = wait_heard(page, "SPLICE.sendEvent", 3)
    assert [(m["name"], m["data"]) for m in events] == [
        ("step-earned", {"earned": n, "of": ALL}) for n in (1, 2, 3)
    ]
    assert course.noise == []


def test_the_whole_checkpoint_reports_a_score_of_1_once(course):
    page = course(answer=None)
    Student(lesson_frame(page)).earn(ALL)
    page.wait_for_function("() => heard.some((m) => m.name === 'checkpoint-finished')")
    assert scores(page)[-1] == 1
    assert scores(page).count(1) == 1
    assert 0 not in scores(page)


def test_state_comes_back_from_the_host_and_the_score_is_not_said_again(course):
    kept = {"record": earned_record(5), "best": 5 / ALL}
    page = course(answer=kept)
    frame = lesson_frame(page)
    frame.wait_for_function(f"() => attentionWidget.slots['checkpoint.progress'].value === {5}")
    assert record_of(frame).split(";")[2:] == kept["record"].split(";")[2:]
    expect(frame.locator('[data-slot="checkpoint.score"]')).to_have_text(f"5 of {ALL} steps done")
    assert scores(page) == []


def test_a_host_that_keeps_state_as_text_is_understood(course):
    page = course(answer=json.dumps({"record": earned_record(2), "best": 2 / ALL}))
    frame = lesson_frame(page)
    frame.wait_for_function("() => attentionWidget.slots['checkpoint.progress'].value === 2")


def test_starting_over_saves_but_never_takes_a_score_away(course):
    page = course(answer=None)
    frame = lesson_frame(page)
    Student(frame).earn(2)
    page.wait_for_function("() => heard.some((m) => m.score > 0.2)")
    Student(frame).dispatch({"restart": True})
    page.wait_for_function("() => heard.some((m) => m.name === 'checkpoint-restarted')")
    last = heard(page, "SPLICE.reportScoreAndState")[-1]
    assert "score" not in last
    assert last["state"]["best"] == pytest.approx(2 / ALL)
    student = Student(frame)
    student.dispatch({"reset": "map"})
    student.earn(1)
    assert scores(page) == pytest.approx([1 / ALL, 2 / ALL])
    student.earn(2)
    page.wait_for_function("() => heard.some((m) => m.score > 0.3)")
    assert scores(page) == pytest.approx([1 / ALL, 2 / ALL, 3 / ALL])


def test_a_student_who_was_faster_than_the_host_loses_nothing(course):
    page = course()  # silent at first
    frame = lesson_frame(page)
    Student(frame).earn(2)
    mine = record_of(frame)
    late = """([record]) => document.querySelector("iframe").contentWindow.postMessage({
      subject: "SPLICE.getState.response", state: {record, best: 0.1},
      message_id: heard.find((m) => m.subject === "SPLICE.getState").message_id}, "*")"""
    page.evaluate(late, [earned_record(1)])
    page.wait_for_function("() => heard.some((m) => m.score > 0.2)")
    assert record_of(frame) == mine


def test_messages_that_are_not_the_hosts_answer_change_nothing(course):
    with sites(1) as (stranger,):
        noisy = stranger.put("/noise.html", '<!doctype html><link rel="icon" href="data:,">')
        page = course(body=f"{{frame}}<iframe id='other' title='other' src='{noisy}'></iframe>")
        frame = lesson_frame(page)
        before = record_of(frame)
        good = earned_record(3)
        message_id = heard(page, "SPLICE.getState")[0]["message_id"]
        answer = {"subject": "SPLICE.getState.response", "message_id": message_id}
        other = page.locator("#other").element_handle().content_frame()
        # from a window that is not the parent
        other.evaluate(
            "(m) => parent.frames[0].postMessage(m, '*')", {**answer, "state": {"record": good}}
        )
        hostile = """([answer, good]) => {
          const say = (m) => document.querySelector("iframe").contentWindow.postMessage(m, "*");
          const deep = {}; let at = deep;
          for (let n = 0; n < 300; n++) at = at.next = {};
          say(null); say(7); say("SPLICE.getState.response"); say([]); say({subject: {}});
          say({...answer, message_id: "guess", state: {record: good}});
          say({...answer, message_id: null, state: {record: good}});
          say({...answer, subject: "SPLICE.getState", state: {record: good}});
          say({subject: "x", deep});
          say(new Map([["subject", answer.subject]]));
        }"""
        page.evaluate(hostile, [answer, good])
        Student(frame).dispatch({"last": "map.reset"})  # by now all of them have arrived
        assert record_of(frame) == before
        assert course.noise == []


@pytest.mark.parametrize(
    "state",
    [
        7,
        [],
        {"record": 7},
        {"record": "x" * 100_000},
        {"record": "1;0;<img src=x onerror=hit=1>", "best": 99},
        {"record": {"record": {"record": "1"}}},
        {"__proto__": {"record": "1;0"}},
        "not json",
        "[" * 4000,
    ],
)
def test_a_state_that_is_not_one_leaves_the_lesson_at_its_start(course, state):
    page = course(answer=state)
    frame = lesson_frame(page)
    student = Student(frame)
    assert record_of(frame) == to_text(begin(STEPS), STEPS)
    student.earn(1)
    page.wait_for_function("() => heard.some((m) => m.score > 0)")
    assert frame.evaluate("() => window.hit") is None
    assert course.noise == []


def test_progress_stays_in_the_browser_where_no_host_answers(browser, recorded_file):
    with sites(1) as (site,):
        context = browser.new_context()
        url = site.put("/lesson.html", recorded_file.read_bytes())
        for steps in (2, 1):
            page = context.new_page()
            page.goto(url)
            page.wait_for_selector("[data-ready=true]", state="attached")
            if steps == 2:
                Student(page).earn(2)
        page.wait_for_function("() => attentionWidget.slots['checkpoint.progress'].value === 2")
        context.close()


# ---- shut in


def test_it_works_and_comes_back_in_a_sandbox_that_only_allows_scripts(course):
    page = course(answer={"record": earned_record(1), "best": 1 / ALL}, sandbox=True)
    frame = lesson_frame(page)
    assert frame.evaluate("() => origin") == "null"
    storage = "() => { try { return !!localStorage; } catch { return 'blocked'; } }"
    assert frame.evaluate(storage) == "blocked"
    frame.wait_for_function("() => attentionWidget.slots['checkpoint.progress'].value === 1")
    frame.wait_for_function(FITS)
    frame.get_by_role("switch", name="Causal mask").click()
    expect(frame.locator("[data-kpi=masked-cells]")).to_have_text("15")
    assert course.noise == []


BLOCKED = """for (const [where, name] of [[window, 'localStorage'], [window, 'sessionStorage'],
  [window, 'indexedDB'], [Document.prototype, 'cookie']]) {
  const get = () => { throw new DOMException('blocked', 'SecurityError'); };
  Object.defineProperty(where, name, {get});
}"""


def test_it_works_where_storage_and_cookies_are_blocked(browser, recorded_file):
    context = browser.new_context(offline=True)
    context.add_init_script(BLOCKED)
    page = context.new_page()
    noise = []
    page.on("pageerror", lambda e: noise.append(str(e)))
    page.goto(recorded_file.as_uri())
    page.wait_for_selector("[data-ready=true]", state="attached")
    Student(page).earn(2)
    expect(page.locator('[data-slot="checkpoint.score"]')).to_have_text(f"2 of {ALL} steps done")
    assert noise == []
    context.close()


def test_it_works_under_the_strict_policy_sent_as_a_header(course):
    strict = f"{POLICY}; base-uri 'none'; form-action 'none'; object-src 'none'"
    page = course(answer=None, headers={"Content_Security_Policy": strict})
    frame = lesson_frame(page)
    frame.wait_for_function(FITS)
    Student(frame).earn(1)
    probe = """() => new Promise((done) => setTimeout(() => { // later, so as the page itself
      try { done(new Function("return 1")()); } catch { done(0); } }))"""
    assert frame.evaluate(probe) == 0, "the header must forbid eval, or this shows nothing"
    course.noise.clear()  # of that probe
    tabs = frame.get_by_role("tab")
    for n in range(tabs.count()):
        tabs.nth(n).click()
    assert course.noise == []


# ---- people


def test_axe_finds_nothing_in_the_frame_nor_around_it(course):
    page = course()
    frame = lesson_frame(page)
    frame.wait_for_function(FITS)
    for place in (page, frame):
        assert violations(place) == []


STOPS = "() => (window.stops ??= new Set()).add(document.activeElement).size"


def test_tab_enters_the_frame_passes_through_and_leaves_it_both_ways(course):
    page = course(body="<button id=before>before</button>{frame}<button id=after>after</button>")
    frame = lesson_frame(page)
    here = "() => document.activeElement?.id || document.activeElement?.tagName"
    page.locator("#before").focus()
    visited = []
    for _ in range(150):
        page.keyboard.press("Tab")
        if page.evaluate(here) == "after":
            break
        visited.append(frame.evaluate(here))
        stops = frame.evaluate(STOPS)
        if visited[-1] == "map-causal":
            page.keyboard.press("Space")
            expect(frame.locator("[data-kpi=masked-cells]")).to_have_text("15")
    assert page.evaluate(here) == "after"
    assert {"map-causal", "map-heads", "map-dropout"} <= set(visited)
    assert stops == len(visited) > 8, "each stop is an element of its own"
    for _ in range(150):
        page.keyboard.press("Shift+Tab")
        if page.evaluate(here) == "before":
            break
    assert page.evaluate(here) == "before"
    assert course.noise == []


# ---- without a frame


def test_the_server_embedded_form_works_and_leaves_the_pages_address_alone(browser):
    with sites(1) as (site,):
        host = site.origin.removeprefix("http://")
        server = Server(free_port(), "--allow-websocket-origin", host)
        try:
            page = browser.new_context().new_page()
            noise = []
            page.on("pageerror", lambda e: noise.append(str(e)))
            page.goto(site.put("/course.html", host_page(embedded(server.url))) + "?id=42")
            page.wait_for_selector("[data-ready=true]", state="attached", timeout=30000)
            page.get_by_role("switch", name="Causal mask").click()
            expect(page.locator("[data-kpi=masked-cells]")).to_have_text("15")
            assert page.url.endswith("?id=42")
            assert noise == []
        finally:
            server.stop()
            page.context.close()
