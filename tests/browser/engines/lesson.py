"""The lesson in a window, as a student meets it."""

import json
import time
from pathlib import Path
from typing import Any

from tests.browser.conftest import READ_PAGE
from tests.browser.engines.window import ACTIVE, NAMED, PATIENCE, SPOT, Window

READY = "() => Boolean(window.attentionWidget && !attentionWidget.busy())"
# What is in the layout now, of all that fits a selector.
SHOWN = """(css) => [...attentionWidget.root.querySelectorAll(css)]
  .filter((el) => el.getClientRects().length)"""
RESTING = "() => !attentionWidget.busy() && !attentionWidget.linkDue"


class Lesson:
    """Opens the lesson and finds what is on it."""

    def __init__(self, window: Window, url: str, host: str) -> None:
        self.window, self.url, self.host = window, url, host

    def open(self, query: str = "") -> "Lesson":
        self.window.goto(self.url + query)
        self.settle()
        return self

    def reload(self) -> None:
        self.window.js("() => { delete window.attentionWidget; }")
        self.window.reload()
        self.settle()

    def settle(self) -> None:
        self.window.until(READY)

    def rest(self) -> str:
        """Return the address once all that was done is written into it."""
        self.window.until(RESTING)
        return self.window.address

    def spot(self, css: str, nth: int = 0) -> list[float]:
        """Return the middle and the size of an element of the lesson, scrolled into sight."""
        return list(self.window.js(f"(css, nth) => ({SPOT})(({SHOWN})(css)[nth])", css, nth))

    def named(self, role: str, name: str) -> list[float]:
        """Return the same for what has that role and name."""
        return list(self.window.js(f"(role, name) => ({SPOT})(({NAMED})(role, name))", role, name))

    def click(self, role: str, name: str) -> None:
        self.window.click(*self.named(role, name)[:2])
        self.settle()

    def value(self, role: str, name: str) -> Any:
        """Return whether a switch or radio is on, or a slider's value as text."""
        read = "(el) => ['checkbox', 'radio'].includes(el.type) ? el.checked : el.value"
        return self.window.js(f"(role, name) => ({read})(({NAMED})(role, name))", role, name)

    def text(self, css: str) -> str:
        find = "(css) => attentionWidget.root.querySelector(css).textContent"
        return str(self.window.js(find, css))

    def kpi(self, key: str) -> str:
        return self.text(f"[data-kpi={key}]")

    def becomes(self, css: str, text: str) -> None:
        self.window.until(
            "(css, text) => attentionWidget.root.querySelector(css).textContent === text", css, text
        )

    def kpi_becomes(self, key: str, text: str) -> None:
        self.becomes(f"[data-kpi={key}]", text)

    def drawn(self) -> dict[str, Any]:
        return dict(json.loads(self.window.js(READ_PAGE)))

    def record(self) -> str:
        self.settle()
        return str(self.window.js("() => attentionWidget.slots['checkpoint.record'].value"))

    def focused(self, css: str) -> bool:
        return bool(self.window.js(f"(css) => ({ACTIVE})()?.matches(css) ?? false", css))

    def saved(self, name: str) -> Path:
        """Return a file that was asked for, once it is whole."""
        path, end = self.window.downloads / name, time.monotonic() + PATIENCE
        while not (path.is_file() and path.stat().st_size):
            self.window.js("() => 0")  # lets Playwright hear of it
            assert time.monotonic() < end, f"{name} never arrived"
            time.sleep(0.05)  # polling another process
        return path
