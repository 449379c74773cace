"""Does the package report to a learning system, and does it come to no harm without one?"""

import io
import json
import zipfile

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.recorded.scorm import package
from tests.browser.course import (
    Student,
    earned_record,
    lesson_frame,
    record_of,
    sites,
    with_options,
)
from tests.browser.scorm_runtime import BUNDLES, find_runtime, player_page

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

        def launch(version, saved=None, script="", page_html=None):
            text = recorded_file.read_text(encoding="utf-8")
            options = json.dumps({"preset": {}, "lock": [], "scorm": version})
            zipped = package(with_options(text, options), version, "A lesson")
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
    assert cmi(page, version, status) == "incomplete"
    assert cmi(page, version, f"{score}raw") == "", "no score before one is earned"
    student = Student(frame).earn(3)
    assert cmi(page, version, status) == "incomplete"
    assert float(cmi(page, version, f"{score}raw")) == pytest.approx(42.9)
    student.earn(4)
    assert cmi(page, version, status) == "completed"
    assert float(cmi(page, version, f"{score}raw")) == 100
    assert [float(cmi(page, version, score + end)) for end in ("min", "max")] == [0, 100]
    if version == "2004":
        assert float(cmi(page, version, "cmi.score.scaled")) == 1
        assert cmi(page, version, "cmi.success_status") == "passed"
    assert "completed" in json.dumps(system.site.posted[-1]), "it was committed, not only set"
    assert system.noise == []


@pytest.mark.parametrize("version", VERSIONS)
def test_a_second_launch_resumes_where_the_first_was_left(system, runtime, version):
    offer(system.site, runtime, version)
    first = system(version)
    frame = lesson_frame(first)
    Student(frame).earn(4)
    left = record_of(frame)
    first.evaluate("() => { document.querySelector('iframe').src = 'about:blank'; }")
    first.wait_for_function(f"() => {BUNDLES[version][1]}.isTerminated()")
    saved = system.site.posted[-1]
    exits = saved["cmi"]["core"] if version == "1.2" else saved["cmi"]
    assert exits["exit"] == "suspend", "or a system may start a new attempt without the progress"
    second = lesson_frame(system(version, saved))
    assert record_of(second) == left
    expect(second.locator('[data-slot="checkpoint.score"]')).to_have_text("4 of 7 steps done")
    assert system.noise == []


def test_completed_stays_completed_and_the_score_stays_when_a_student_starts_over(system, runtime):
    offer(system.site, runtime, "1.2")
    page = system("1.2")
    frame = lesson_frame(page)
    Student(frame).earn(7).dispatch({"restart": True})
    again = Student(frame)
    again.dispatch({"reset": "map"})
    again.earn(1)
    assert cmi(page, "1.2", "cmi.core.lesson_status") == "completed"
    assert float(cmi(page, "1.2", "cmi.core.score.raw")) == 100
    assert record_of(frame) in cmi(page, "1.2", "cmi.suspend_data")


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
    expect(frame.locator('[data-slot="checkpoint.score"]')).to_have_text("2 of 7 steps done")
    assert record_of(frame).split(";")[2:4] == earned_record(2).split(";")[2:4]
    assert student.bench.progress.at == 1
    assert system.noise == []


def test_a_run_time_of_another_origin_cannot_be_reached_and_does_no_harm(browser, recorded_file):
    with sites(2) as (lms, lesson_site):
        url = lesson_site.put("/lesson.html", recorded_file.read_bytes())
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
        text = recorded_file.read_text(encoding="utf-8")
        site.put("/lesson.html", text)
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
