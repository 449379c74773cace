"""Does the package report to a learning system, and does it come to no harm without one?"""

import io
import json
import time
import zipfile

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.checkpoint.machine import LATER, Open
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.page.saving import SAVING
from attention_widget.widgets.recorded.scorm import package
from tests.browser.chromium import FLAGS, find_chromium
from tests.browser.course import (
    ALL,
    Student,
    earned_record,
    lesson_frame,
    record_of,
    sites,
    with_options,
)
from tests.browser.scorm_runtime import BUNDLES, find_runtime, player_page
from tests.checkpoint.student import Bench, next_answer

pytestmark = pytest.mark.browser
VERSIONS = ["1.2", "2004"]


@pytest.fixture(scope="session")
def runtime():
    return find_runtime()


@pytest.fixture
def system(browser, recorded_file):
    """A learning system that has unpacked the zip of a version; gives (site, open a launch)."""
    with sites(1) as (site,):
        contexts, noise = [], []

        def launch(version, saved=None, script="", page_html=None, **more):
            text = recorded_file.read_text(encoding="utf-8")
            named = {"preset": {}, "lock": [], "name": "attention-1", "scorm": version, **more}
            zipped = package(with_options(text, json.dumps(named)), version, "A lesson")
            with zipfile.ZipFile(io.BytesIO(zipped)) as archive:
                for name in archive.namelist():
                    if name.endswith(".html"):
                        site.put(f"/sco/{name}", archive.read(name))
            html = page_html or player_page(version, saved)
            contexts.append(browser.new_context())
            page = contexts[-1].new_page()
            page.on("pageerror", lambda e: noise.append(str(e)))
            page.goto(site.put("/player.html", html.replace("<head>", f"<head>{script}")))
            return page

        launch.site, launch.noise = site, noise
        yield launch
        for context in contexts:
            context.close()


def offer(site, folder, version):
    bundle = BUNDLES[version][0]
    site.put(f"/{bundle}", (folder / bundle).read_bytes())


def cmi(page, version, name):
    call = "LMSGetValue" if version == "1.2" else "GetValue"
    return page.evaluate(f"(name) => {BUNDLES[version][1]}.{call}(name)", name)


def percent(marks: float) -> str:
    """Return the score of a student with so many marks, in percent, as it is reported."""
    return f"{100 * marks / ALL:.1f}"


def cmi_becomes(page, version, name, value):
    """Wait until the run-time has it: what is saved is saved when the student pauses."""
    call = "LMSGetValue" if version == "1.2" else "GetValue"
    page.wait_for_function(
        f"([name, value]) => String({BUNDLES[version][1]}.{call}(name)) === value",
        arg=[name, value],
    )


NAMES = {
    "1.2": ("cmi.core.lesson_status", "cmi.core.score."),
    "2004": ("cmi.completion_status", "cmi.score."),
}


@pytest.mark.parametrize("version", VERSIONS)
def test_a_real_run_time_sees_incomplete_then_score_then_completed(system, runtime, version):
    offer(system.site, runtime, version)
    page = system(version)
    frame = lesson_frame(page)
    status, score = NAMES[version]
    cmi_becomes(page, version, status, "incomplete")
    assert cmi(page, version, f"{score}raw") == "", "no score before one is earned"
    student = Student(frame).earn(3)
    cmi_becomes(page, version, f"{score}raw", percent(3))
    assert cmi(page, version, status) == "incomplete"
    student.earn(ALL - 3)
    cmi_becomes(page, version, status, "completed")
    assert float(cmi(page, version, f"{score}raw")) == 100
    assert [float(cmi(page, version, score + end)) for end in ("min", "max")] == [0, 100]
    if version == "2004":
        assert float(cmi(page, version, "cmi.score.scaled")) == 1
        assert cmi(page, version, "cmi.success_status") == "unknown", "no teacher set a pass mark"
    assert "completed" in json.dumps(system.site.posted[-1]), "it was committed, not only set"
    assert system.noise == []


@pytest.mark.parametrize(("mark", "verdict"), [(0.9, "failed"), (0.8, "passed")])
@pytest.mark.parametrize("version", VERSIONS)
def test_a_pass_mark_is_held_against_what_was_mastered(system, runtime, version, mark, verdict):
    offer(system.site, runtime, version)
    page = system(version, pass_mark=mark)
    frame = lesson_frame(page)
    states = dict(pair.split("=") for pair in earned_record(ALL).split(";")[3:])
    states |= dict.fromkeys(("read", "hidden"), LATER)
    pairs = ";".join(f"{key}={state}" for key, state in states.items())
    frame.evaluate(
        "(record) => attentionWidget.dispatch({restore: record})",
        f"2;{len(states)};property;{pairs}",
    )
    cmi_becomes(page, version, f"{NAMES[version][1]}raw", percent(ALL - 1))  # all but 2 at once
    status = NAMES["1.2"][0] if version == "1.2" else "cmi.success_status"
    cmi_becomes(page, version, status, verdict)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_second_launch_resumes_where_the_first_was_left(system, runtime, version):
    offer(system.site, runtime, version)
    first = system(version)
    frame = lesson_frame(first)
    Student(frame).earn(4)  # and away at once: nothing waits for a pause then
    left = record_of(frame)
    first.evaluate("() => { document.querySelector('iframe').src = 'about:blank'; }")
    first.wait_for_function(f"() => {BUNDLES[version][1]}.isTerminated()")
    deadline = time.monotonic() + 10
    while left not in json.dumps(system.site.posted[-1:]) and time.monotonic() < deadline:
        first.wait_for_timeout(20)  # a beacon may still be on its way
    saved = system.site.posted[-1]
    exits = saved["cmi"]["core"] if version == "1.2" else saved["cmi"]
    assert exits["exit"] == "suspend", "or a system may start a new attempt without the progress"
    second = lesson_frame(system(version, saved))
    assert record_of(second) == left
    expect(second.locator('[data-slot="checkpoint.score"]')).to_have_text(f"4 of {ALL} steps done")
    assert system.noise == []


def test_completed_stays_completed_and_the_score_stays_when_a_student_starts_over(system, runtime):
    offer(system.site, runtime, "1.2")
    page = system("1.2")
    frame = lesson_frame(page)
    Student(frame).earn(ALL)
    cmi_becomes(page, "1.2", "cmi.core.lesson_status", "completed")
    Student(frame).dispatch({"restart": True})
    again = Student(frame)
    again.dispatch({"reset": "map"})
    again.earn(1)
    page.wait_for_function(
        "(record) => API.LMSGetValue('cmi.suspend_data').includes(record)", arg=record_of(frame)
    )
    assert cmi(page, "1.2", "cmi.core.lesson_status") == "completed"
    assert float(cmi(page, "1.2", "cmi.core.score.raw")) == 100


BROKEN = {
    "throws": "new Proxy({}, {get() { return () => { throw new Error('down'); }; }})",
    "says no": "new Proxy({}, {get() { return () => 'false'; }})",
    "says nothing": "new Proxy({}, {get() { return () => undefined; }})",
    "has no functions": "{LMSInitialize: 7}",
    "is a text": "'API'",
    "starts, then throws": "new Proxy({}, {get(_, name) { return () => {"
    " if (name === 'LMSInitialize') return 'true'; throw new Error('down'); }; }})",
    "starts, then gives rubbish": "new Proxy({}, {get(_, name) { return () => "
    "name === 'LMSInitialize' ? 'true' : '{\"record\": [[[\"<b>\"]]], \"best\": -1}'; }})",
}


@pytest.mark.parametrize("fault", BROKEN)
def test_a_broken_run_time_leaves_the_lesson_working(system, fault):
    html = player_page("1.2").split("<script")[0] + (
        f"<script>window.API = {BROKEN[fault]};</script></head><body>"
        '<iframe title="lesson" src="/sco/lesson.html" width="100%" height="900"></iframe>'
    )
    frame = lesson_frame(system("1.2", page_html=html))
    student = Student(frame).earn(2)
    expect(frame.locator('[data-slot="checkpoint.score"]')).to_have_text(f"2 of {ALL} steps done")
    assert record_of(frame).split(";")[2:4] == earned_record(2).split(";")[2:4]
    assert STEPS[student.bench.progress.at].key == "hidden"
    assert system.noise == []


def packed_page(recorded_file, version="1.2"):
    """The page inside a package."""
    options = json.dumps({"preset": {}, "lock": [], "name": "attention-1", "scorm": version})
    return with_options(recorded_file.read_text(encoding="utf-8"), options)


def test_a_run_time_of_another_origin_cannot_be_reached_and_does_no_harm(browser, recorded_file):
    with sites(2) as (lms, lesson_site):
        url = lesson_site.put("/lesson.html", packed_page(recorded_file))
        page = browser.new_context().new_page()
        noise = []
        page.on("pageerror", lambda e: noise.append(str(e)))
        html = (
            "<script>window.API = {LMSInitialize() { window.called = true; return 'true'; }};"
            f'</script><iframe title="lesson" src="{url}"></iframe>'
        )
        page.goto(lms.put("/player.html", html))
        Student(lesson_frame(page)).earn(1)
        assert page.evaluate("() => window.called") is None
        assert noise == []
        page.context.close()


def test_a_run_time_thirteen_windows_up_is_not_looked_for_and_one_near_is(browser, recorded_file):
    with sites(1) as (site,):
        site.put("/lesson.html", packed_page(recorded_file))
        page = browser.new_context().new_page()
        page.goto(
            site.put(
                "/deep.html",
                """<title>LMS</title><script>
  window.API = {LMSInitialize() { window.called = true; return 'true'; }, LMSGetValue: () => '',
    LMSSetValue: () => 'true', LMSCommit: () => 'true', LMSFinish: () => 'true'};
  addEventListener("load", () => { // nest frames as deep as asked
    let at = window;
    const depth = Number(new URLSearchParams(location.search).get("depth"));
    for (let n = 0; n < depth; n++) {
      const frame = at.document.createElement("iframe");
      if (n === depth - 1) frame.src = "/lesson.html";
      at.document.body.append(frame);
      at = frame.contentWindow;
    }
    window.deepest = at;
  });
</script><body></body>""",
            )
            + "?depth=3"
        )
        ready = "() => deepest.document.querySelector('[data-ready=true]')"
        page.wait_for_function(ready)
        assert page.evaluate("() => window.called") is True
        page.goto(f"{site.origin}/deep.html?depth=13")
        page.wait_for_function(ready)
        assert page.evaluate("() => window.called") is None
        page.context.close()


def answers_to_new_cases(key: str, wrong: str) -> list[str]:
    """What somebody who knows answers after that wrong answer, until the step is earned."""
    bench, answers = Bench().do(Open(key)).answer(wrong), []
    while (answer := next_answer(bench)) is not None:
        bench.answer(answer)
        answers += [answer] if answer != "next" else []
    assert answers
    return answers


@pytest.mark.parametrize("version", VERSIONS)
def test_the_report_has_each_question_with_its_answers_and_whether_the_first_was_right(
    system, runtime, version
):
    offer(system.site, runtime, version)
    page = system(version)
    frame = lesson_frame(page)
    student = Student(frame)
    student.dispatch({"open": "read", "last": "checkpoint.open"})
    student.dispatch({"answer": ["read", "no"], "last": "checkpoint.answer"})
    student.bench.answer("no")
    student.earn(2)
    # 0.5 for the first question, 1 for the second
    cmi_becomes(page, version, f"{NAMES[version][1]}raw", percent(1.5))
    told = f"() => JSON.parse({BUNDLES[version][1]}.renderCMIToJSONString()).cmi.interactions"
    rows = page.evaluate(told)
    rows = list(rows.values()) if isinstance(rows, dict) else rows
    said = "student_response" if version == "1.2" else "learner_response"
    wrong = "wrong" if version == "1.2" else "incorrect"
    found = [(row["id"], row[said], row["result"]) for row in rows]
    assert found[0] == ("read", "; ".join(["no", *answers_to_new_cases("read", "no")]), wrong)
    assert found[1] == ("hidden", "15", "correct")
    assert all(row["time" if version == "1.2" else "timestamp"] for row in rows)
    assert system.noise == []


# ---- what is not saved is said, and comes back


ALARM = "[data-saving]"


def launch_again(page, site):
    """The course page anew, in the same browser: a new session of the run-time."""
    page.goto(f"{site.origin}/player.html")
    return lesson_frame(page)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_frame_that_is_reloaded_says_it_is_not_saved_and_the_next_launch_has_it(
    system, runtime, version
):
    offer(system.site, runtime, version)
    page = system(version)
    frame = lesson_frame(page)
    Student(frame).earn(1)
    cmi_becomes(page, version, f"{NAMES[version][1]}raw", percent(1))
    frame.evaluate("() => location.reload()")
    page.wait_for_function(f"() => {BUNDLES[version][1]}.isTerminated()")
    frame = lesson_frame(page)
    expect(frame.locator(ALARM)).to_contain_text(SAVING["shut"])
    frame.wait_for_function("() => attentionWidget.slots['checkpoint.progress'].value === 1")
    student = Student(frame)
    student.dispatch({"restart": True})
    student.dispatch({"reset": "map"})
    student.earn(3)
    expect(frame.locator(ALARM)).to_contain_text(SAVING["copy"])
    mine = record_of(frame)
    kept = """() => new Promise((done) => { const o = indexedDB.open("attention-lesson", 1);
      o.onsuccess = () => { const all = o.result.transaction("unsaved").objectStore("unsaved")
        .getAll(); all.onsuccess = () => { o.result.close(); done(all.result.join()); }; }; })"""
    page.wait_for_function(f"(mine) => ({kept})().then((text) => text.includes(mine))", arg=mine)
    page.evaluate("() => localStorage.clear()")  # as some courses do at every login
    frame = launch_again(page, system.site)
    frame.wait_for_function("() => attentionWidget.slots['checkpoint.progress'].value === 3")
    assert record_of(frame) == mine
    expect(frame.locator("[data-saving-note]")).to_have_text(SAVING["brought"])
    cmi_becomes(page, version, f"{NAMES[version][1]}raw", percent(3))
    expect(frame.locator(ALARM)).to_be_hidden()
    frame.wait_for_function("() => !Object.keys(localStorage).some((k) => k.includes('unsaved'))")
    assert system.noise == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_popup_that_is_opened_again_says_it_is_not_saved(system, runtime, version):
    """The run-time stays in the page that opened it and refuses a second beginning."""
    offer(system.site, runtime, version)
    page = system(version)
    Student(lesson_frame(page)).earn(2)
    cmi_becomes(page, version, f"{NAMES[version][1]}raw", percent(2))
    with page.expect_popup() as popup:
        page.evaluate("() => { window.open('/sco/lesson.html'); }")
    second = popup.value
    second.wait_for_selector("[data-ready=true]", state="attached")
    expect(second.locator(ALARM)).to_contain_text(SAVING["shut"])
    expect(second.locator(ALARM)).to_contain_text(SAVING["copy"])


@pytest.mark.parametrize("version", VERSIONS)
def test_a_page_that_comes_back_from_the_browsers_cache_goes_on_saving(
    browser, system, runtime, version
):
    offer(system.site, runtime, version)
    system(version).close()
    own = browser.browser_type.launch(
        executable_path=find_chromium(),
        args=FLAGS,
        ignore_default_args=["--disable-back-forward-cache"],
    )
    page = own.new_page()
    page.goto(f"{system.site.origin}/player.html")
    Student(lesson_frame(page)).earn(1)
    cmi_becomes(page, version, f"{NAMES[version][1]}raw", percent(1))
    page.evaluate("() => addEventListener('pageshow', (e) => { window.came = e.persisted; })")
    page.goto(system.site.put("/other.html", "<!doctype html><title>Other</title>"))
    page.go_back(wait_until="commit")
    page.wait_for_function("() => window.came === true")
    page.evaluate("() => { window.attentionWidget = frames[0].attentionWidget; }")
    student = Student(page)
    student.dispatch({"restart": True})
    student.dispatch({"reset": "map"})
    student.earn(2)
    cmi_becomes(page, version, f"{NAMES[version][1]}raw", percent(2))
    assert percent(2) in json.dumps(system.site.posted[-1]), "it was committed, not only set"
    own.close()


PREVIEW = {
    "1.2": ("cmi.core.lesson_mode", "cmi.core.credit", "LMSSetValue", "LMSCommit", "LMSFinish"),
    "2004": ("cmi.mode", "cmi.credit", "SetValue", "Commit", "Terminate"),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("mode", ["browse", "review"])
def test_a_preview_and_a_review_show_the_record_and_change_nothing(system, version, mode):
    name_mode, name_credit, set_, commit, finish = PREVIEW[version]
    kept = {"cmi.suspend_data": json.dumps({"record": earned_record(ALL), "best": 1})}
    given = {name_mode: mode, name_credit: "no-credit"} | (kept if mode == "review" else {})
    prefix = "LMS" if version == "1.2" else ""
    html = player_page(version).split("<script")[0] + (
        f"<script>window.calls = []; const cmi = {json.dumps(given)}; const ok = (name) => (...w)"
        " => { calls.push([name, ...w].join(' ')); return 'true'; };"
        f"window.{BUNDLES[version][1]} = {{{prefix}Initialize: () => 'true', {prefix}GetValue: "
        f"(n) => cmi[n] ?? '', {set_}: ok('set'), {commit}: ok('commit'), {finish}: ok('end'), "
        f"{prefix}GetLastError: () => '0'}};</script></head><body>"
        '<iframe title="lesson" src="/sco/lesson.html" width="100%" height="900"></iframe>'
    )
    page = system(version, page_html=html)
    frame = lesson_frame(page)
    expect(frame.locator("[data-saving-note]")).to_have_text(SAVING[mode])
    student = Student(frame)
    if mode == "review":
        expect(frame.locator("progress")).to_have_attribute("value", str(ALL))
        student.dispatch({"restart": True})
        student.dispatch({"reset": "map"})
    student.earn(ALL)
    page.evaluate("() => { document.querySelector('iframe').src = 'about:blank'; }")
    page.wait_for_function("() => frames[0].location.href === 'about:blank'")
    assert page.evaluate("() => calls") == []
    assert system.noise == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_plain_export_inside_somebody_elses_unit_calls_nothing(
    browser, recorded_file, runtime, version
):
    with sites(1) as (site,):
        offer(site, runtime, version)
        site.put("/lesson.html", recorded_file.read_bytes())
        name = BUNDLES[version][1]
        watch = f"""<script>window.calls = []; {name} = new Proxy({name}, {{get(api, verb) {{
          const was = api[verb]; return typeof was !== "function" ? was : (...words) => {{
            calls.push(String(verb)); return was.apply(api, words); }}; }}}});</script>"""
        site.put("/unit.html", '<!doctype html><iframe src="/lesson.html"></iframe>')
        page_text = player_page(version, lesson="/unit.html").replace("</head>", f"{watch}</head>")
        page = browser.new_context().new_page()
        page.goto(site.put("/player.html", page_text))
        page.wait_for_function("() => frames[0]?.frames[0]?.attentionWidget")
        lesson = next(f for f in page.frames if f.url.endswith("/lesson.html"))
        Student(lesson).earn(ALL)
        page.goto("about:blank")
        page.go_back()
        page.wait_for_function("() => frames[0]?.frames[0]?.attentionWidget")
        assert page.evaluate("() => calls") == []
        page.context.close()
