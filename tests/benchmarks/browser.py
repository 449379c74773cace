"""A Chromium whose pages measure themselves."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.chromium import FLAGS, find_chromium, install_chromium

SCRIPT = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
SIZE = {"width": 1200, "height": 900}


@contextlib.contextmanager
def chromium() -> Iterator[Browser]:
    """Return a browser."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(
            executable_path=find_chromium() or install_chromium(), args=FLAGS
        )
        try:
            yield running
        finally:
            running.close()


def fresh_page(browser: Browser) -> Page:
    """Return a page with nothing in its cache."""
    page = browser.new_context(viewport=SIZE).new_page()
    page.add_init_script(SCRIPT)
    page.set_default_timeout(120_000)
    return page


class Meter:
    """Counts what goes through a page's websocket, as Chromium reports it: uncompressed."""

    def __init__(self, page: Page) -> None:
        self.bytes = self.frames = 0
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        for name in ("Sent", "Received"):
            session.on(f"Network.webSocketFrame{name}", self._count)

    def _count(self, event: dict) -> None:
        self.bytes += len(event["response"]["payloadData"].encode())
        self.frames += 1
