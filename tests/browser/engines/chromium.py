"""Chromium, driven by Playwright."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Frame, Page

from tests.browser.engines.window import Window


class Chromium(Window):
    """One page in a context of its own."""

    engine = "chromium"

    def __init__(self, browser: Browser, downloads: Path, scheme: str = "light") -> None:
        self.downloads = downloads
        context = browser.new_context(
            viewport={"width": 1200, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        self.page: Page = context.new_page()
        self.here: Page | Frame = self.page
        self._errors: list[str] = []
        self.page.on("console", lambda m: self._hear(m.type, m.text))
        self.page.on("pageerror", lambda error: self._hear("error", str(error)))
        self.page.on("download", lambda d: d.save_as(downloads / d.suggested_filename))

    def _hear(self, kind: str, text: str) -> None:
        if kind == "error":
            self._errors.append(text)

    def goto(self, url: str) -> None:
        self.here = self.page
        self._errors.clear()
        self.page.goto(url)

    def reload(self) -> None:
        self.page.reload()

    def back(self) -> None:
        self.page.go_back()

    def js(self, function: str, *values: Any) -> Any:
        return self.here.evaluate(f"(values) => ({function})(...values)", list(values))

    def pointer(self, *steps: tuple[str, float, float]) -> None:
        left, top = 0.0, 0.0
        if isinstance(self.here, Frame):
            box = self.here.frame_element().bounding_box()
            assert box is not None
            left, top = box["x"], box["y"]
        for step, x, y in steps:
            if step == "move":
                self.page.mouse.move(left + x, top + y)
            elif step == "down":
                self.page.mouse.down()
            else:
                self.page.mouse.up()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def png(self) -> bytes:
        return self.page.screenshot()

    def resize(self, width: int, height: int) -> None:
        self.page.set_viewport_size({"width": width, "height": height})

    def enter(self, css: str | None) -> None:
        self.here = self.page
        if css is not None:
            frame = self.page.wait_for_selector(css, state="attached").content_frame()
            assert frame is not None
            self.here = frame

    def errors(self) -> list[str]:
        return list(self._errors)

    def close(self) -> None:
        self.page.context.close()
