"""One window per engine and worker; every test of this room runs in each."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.engines.chromium import Chromium
from tests.browser.engines.driven import Firefox, WebKit
from tests.browser.engines.install import COMMAND, find_firefox, find_webkit
from tests.browser.engines.lesson import Lesson
from tests.browser.engines.window import Window
from tests.conftest import NOT_RUN

ENGINES = ("chromium", "firefox", "webkit")
NAMES = {"firefox": "Firefox", "webkit": "WebKitGTK"}


def open_window(engine: str, browser: Browser, folder: Path, scheme: str = "light") -> Window:
    """Return a new window, or skip the test and say what is missing."""
    if engine == "firefox" and (binary := find_firefox()):
        return Firefox(binary, folder, scheme)
    if engine == "webkit" and (found := find_webkit()):
        return WebKit(*found, folder, scheme)
    if engine == "chromium":
        folder.mkdir(parents=True)
        return Chromium(browser, folder, scheme)
    pytest.skip(f"{NOT_RUN}{NAMES[engine]} is not installed; type {COMMAND}")


@pytest.fixture(scope="module", params=ENGINES)
def window(
    request: pytest.FixtureRequest, browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Window]:
    """The window of this engine, shared by a module's tests."""
    made = open_window(request.param, browser, tmp_path_factory.mktemp("engine") / "own")
    yield made
    made.close()


@pytest.fixture(params=["server", "file"])
def open_lesson(request: pytest.FixtureRequest, window: Window) -> Iterator[Callable[..., Lesson]]:
    """Open the lesson in this engine, in either host, with nothing kept from before."""
    if request.param == "server":
        url = request.getfixturevalue("server").url
    else:
        url = request.getfixturevalue("recorded_file").as_uri()
    lesson = Lesson(window, url, request.param)

    def make(query: str = "") -> Lesson:
        return lesson.open(query)

    window.resize(1200, 900)
    yield make
    window.enter(None)
    window.js("() => { localStorage.clear(); history.replaceState(null, '', location.pathname); }")
    window.goto("about:blank")
