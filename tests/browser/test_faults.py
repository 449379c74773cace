"""What does a student lose when the line drops or the server goes away? Nothing."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Lesson, Server, free_port
from tests.browser.line import Line

pytestmark = pytest.mark.browser
LOST = "The connection to the server was lost"


@pytest.fixture
def proxied(browser):
    """A server of its own behind a line, and a page that reaches it through that line."""
    running = [Server(free_port(), "--allow-websocket-origin", "*")]
    line = Line(running[0].port)
    context = browser.new_context()
    lesson = Lesson(context.new_page(), f"http://localhost:{line.port}/app", "server").open()
    yield lesson, line, running
    context.close()
    line.close()
    running[0].stop()


def work(lesson: Lesson) -> None:
    lesson.switch("Causal mask").check()
    lesson.slider("Heads").fill("4")
    lesson.kpi_becomes("d-head", "3")
    lesson.page.get_by_role("tab", name="Dropout lab").click()
    lesson.dispatch({"set": {"dropout.p": 0.7}, "last": "dropout.p"})


def still_there(lesson: Lesson) -> None:
    lesson.page.wait_for_function(
        "() => window.attentionWidget && !attentionWidget.busy()"
        " && attentionWidget.slots['map.kpi.d-head'] === '3'"
    )
    lesson.kpi_becomes("masked-cells", "15")
    lesson.page.wait_for_function(
        "() => attentionWidget.controls.get('dropout.p').dataset.value === '0.7'"
    )
    lesson.slider("Heads").fill("2")
    lesson.kpi_becomes("d-head", "6")


def test_a_dropped_line_is_said_and_the_page_comes_back_as_it_was(proxied):
    lesson, line, _ = proxied
    work(lesson)
    line.cut()
    expect(lesson.page.locator("[data-connection]")).to_contain_text(LOST)
    line.mend()
    expect(lesson.page.locator("[data-connection]")).to_be_hidden(timeout=20000)
    still_there(lesson)


def test_a_restarted_server_finds_the_student_where_they_were(proxied):
    lesson, line, running = proxied
    work(lesson)
    running[0].stop()
    expect(lesson.page.locator("[data-connection]")).to_contain_text(LOST)
    running[0] = Server(line.to_port, "--allow-websocket-origin", "*")
    expect(lesson.page.locator("[data-connection]")).to_be_hidden(timeout=20000)
    still_there(lesson)


def test_two_tabs_of_one_student_do_not_disturb_each_other(server, browser):
    context = browser.new_context()
    one = Lesson(context.new_page(), server.url, "server").open()
    two = Lesson(context.new_page(), server.url, "server").open()
    one.slider("Heads").fill("4")
    one.kpi_becomes("d-head", "3")
    two.switch("Causal mask").check()
    two.kpi_becomes("masked-cells", "15")
    two.kpi_becomes("d-head", "12")
    one.kpi_becomes("masked-cells", "0")
    context.close()


def test_a_german_machine_in_tokyo_sees_the_same_numbers(open_lesson):
    here = open_lesson("?causal=1&heads=2").drawn()
    there = open_lesson("?causal=1&heads=2", locale="de-DE", timezone_id="Asia/Tokyo").drawn()
    assert there == here


def test_a_server_with_another_locale_and_clock_paints_the_same(browser, server):
    other = Server(free_port(), env={"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Kolkata"})
    context = browser.new_context()
    try:
        pages = [
            Lesson(context.new_page(), url, "server").open("?causal=1&heads=2").drawn()
            for url in (server.url, other.url)
        ]
    finally:
        context.close()
        other.stop()
    assert pages[0] == pages[1]
