"""Does a page that cannot begin say so, whatever keeps it from beginning?"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, WebSocketRoute, expect

from tests.browser.conftest import Server
from tests.browser.line import Line

pytestmark = pytest.mark.browser
ARGUMENTS = ("root, views", "page", "page, paint", "page, dispatch")
FEATURES = (
    "Array.prototype.at",
    "Array.prototype.flatMap",
    "Object.hasOwn",
    "Object.fromEntries",
    "String.prototype.replaceAll",
    "Element.prototype.replaceChildren",
    "Promise.allSettled",
    "queueMicrotask",
    "WeakRef",
    "ResizeObserver",
    "IntersectionObserver",
    "MessageChannel",
)


class CarelessProxy(Line):
    """Forwards to a server, but changes what stands in the head of each request.

    Args:
        to_port: of the server.
        exchanged: pattern -> what is handed on instead, for whole header lines.
    """

    def __init__(self, to_port: int, exchanged: dict[bytes, bytes]) -> None:
        self.exchanged = {re.compile(old, re.I | re.M): new for old, new in exchanged.items()}
        super().__init__(to_port)

    def on_the_way(self, data: bytes) -> bytes:
        """Change a request; the browser sends each in one piece."""
        for old, new in self.exchanged.items():
            data = old.sub(new, data)
        return data


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1200, "height": 900})
    yield context.new_page()
    context.close()


def refused(page: Page, proxy: CarelessProxy, status: int) -> None:
    answers: list[str] = []
    page.on(
        "websocket", lambda socket: socket.on("socketerror", lambda error: answers.append(error))
    )
    page.goto(f"http://127.0.0.1:{proxy.port}/app")
    sign = page.locator(".start")
    expect(sign).to_contain_text("its line to the server was refused", timeout=5000)
    expect(sign).to_contain_text("tell your teacher")
    expect(sign).to_contain_text(f"--allow-origin 127.0.0.1:{proxy.port} ")
    expect(sign).to_contain_text("Host, Upgrade and Connection")
    expect(page.locator(".waiting")).to_be_hidden()
    assert str(status) in answers[0]
    proxy.close()


def test_a_proxy_that_hands_on_another_host_is_told_what_to_set(page, server):
    host = b"Host: localhost:%d" % server.port
    refused(page, CarelessProxy(server.port, {rb"^Host: .*?(?=\r$)": host}), 403)


def test_a_proxy_that_hands_on_no_websocket_is_told_what_to_hand_on(page, server):
    host = b"Host: localhost:%d" % server.port
    plain = {rb"^Upgrade: .*\r\n": b"", rb"^Host: .*?(?=\r$)": host}
    refused(page, CarelessProxy(server.port, plain), 400)


def test_a_line_that_is_never_answered_is_said(page, server):
    page.route_web_socket(re.compile("/ws"), lambda socket: None)
    page.goto(server.url)
    expect(page.locator(".start")).to_contain_text("has not begun yet", timeout=10000)


@pytest.fixture(params=["server", "file"])
def url(request: pytest.FixtureRequest) -> str:
    if request.param == "server":
        running: Server = request.getfixturevalue("server")
        return running.url
    path: Path = request.getfixturevalue("recorded_file")
    return path.as_uri()


@pytest.mark.parametrize("feature", FEATURES)
def test_a_browser_without_a_feature_is_told_which_versions_work(page, recorded_file, feature):
    told_to_update(page, recorded_file.as_uri(), feature)


def test_a_live_page_tells_an_old_browser_as_well(page, server):
    told_to_update(page, server.url, "Object.hasOwn")


def told_to_update(page: Page, url: str, feature: str) -> None:
    owner, _, name = feature.rpartition(".")
    page.add_init_script(f"delete {owner or 'window'}.{name};")
    page.goto(url, wait_until="commit")
    sign = page.locator(".start")
    expect(sign).to_contain_text("Firefox from version 92 and in Safari from version 15.4")
    expect(sign).to_contain_text(name)


def changed(page: Page, url: str, pattern: str, exchanged: dict[str, str]) -> list[str]:
    """Serve what fits the pattern, and the websocket's texts, with other words; says where."""
    done: list[str] = []

    def change(text: str, where: str) -> str:
        for old, new in exchanged.items():
            if old in text:
                done.append(where)
            text = text.replace(old, new)
        return text

    def answer(route: Route) -> None:
        address = route.request.url
        local = address.startswith("file:")
        body = Path(address[7:]).read_text(encoding="utf-8") if local else route.fetch().text()
        kind = "text/javascript" if address.split("?")[0].endswith(".js") else "text/html"
        route.fulfill(body=change(body, address), content_type=kind)

    def line(socket: WebSocketRoute) -> None:
        ahead = socket.connect_to_server()
        ahead.on_message(lambda text: socket.send(change(str(text), socket.url)))

    page.route(re.compile(pattern), answer)
    page.route_web_socket(re.compile("/ws"), line)
    return done


def test_a_bundle_that_does_not_parse_ends_in_a_message(page, url):
    done = changed(
        page, url, r"bokeh\.min\.js|lesson\.html", {"Copyright (c) Anaconda": "*/ class {"}
    )
    page.goto(url)
    expect(page.locator(".start")).to_contain_text("The lesson could not begin")
    expect(page.locator(".start-detail")).to_contain_text("SyntaxError")
    expect(page.locator("main")).to_have_css("visibility", "hidden")
    assert len(done) == 1


def test_scripts_of_the_lesson_that_do_not_parse_end_in_a_message(page, url):
    done = changed(page, url, r"lesson\.html", {"function makePage(root, views)": "function ((;"})
    page.goto(url)
    expect(page.locator(".start")).to_be_visible(timeout=10000)
    assert len(done) == 1


def test_a_script_that_does_not_arrive_ends_in_a_message(page, server):
    page.route(re.compile(r"bokeh\.min\.js"), lambda route: route.abort())
    page.goto(server.url)
    expect(page.locator(".start")).to_contain_text("The lesson could not begin")


@pytest.mark.parametrize("step", ["makePage", "shell", "applySlots", "listen", "connect"])
def test_whatever_throws_at_the_start_ends_in_a_message(page, url, step):
    bad = " throw new TypeError('no such luck'); "
    heads = {
        f"function {step}({args}) {{": f"function {step}({args}) {{{bad}" for args in ARGUMENTS
    }
    done = changed(page, url, r"lesson\.html", heads)
    page.goto(url)
    sign = page.locator(".start")
    expect(sign).to_contain_text("The lesson could not begin")
    expect(sign).to_contain_text("no such luck")
    assert len(done) == 1


def test_a_stray_error_of_something_else_goes_when_the_lesson_works(page, url):
    page.add_init_script(
        "addEventListener('DOMContentLoaded', () => { throw new Error('stray'); })"
    )
    page.goto(url)
    page.wait_for_selector("[data-ready=true]", state="attached", timeout=30000)
    expect(page.locator(".start")).to_have_count(0)
    expect(page.locator("main")).to_have_css("visibility", "visible")


@pytest.mark.parametrize(("width", "columns"), [(1200, 2), (600, 1)])
def test_without_container_queries_the_layout_still_has_columns(page, url, width, columns):
    page.set_viewport_size({"width": width, "height": 900})
    without = {"@container (": "@nothing (", "container-type": "x-container"}
    done = changed(page, url, r"lesson\.html", without)
    page.goto(url)
    page.wait_for_selector("[data-ready=true]", state="attached", timeout=30000)
    screen = page.locator(".screen")
    tracks = screen.evaluate("(el) => getComputedStyle(el).gridTemplateColumns")
    assert len(tracks.split()) == columns
    assert len(done) == 2
