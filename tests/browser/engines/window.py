"""What may a test ask of a browser, whichever engine it has?

A window shows one page. `js` takes a function's text; what it returns comes back as Python.
"""

import io
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "Space": " ",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
    "Shift": "\ue008",
}
PATIENCE = 30  # s
# Elements of the lesson by role and accessible name, as far as the lesson makes use of that.
NAMED = """(role, name) => {
  const css = {switch: '[role=switch]', slider: 'input[type=range], [role=slider]',
    tab: '[role=tab]', button: 'button:not([role=tab])', summary: 'summary'}[role];
  const called = (el) => (el.getAttribute('aria-label')
    ?? [...el.labels ?? []].map((one) => one.textContent).join(' ')) || el.textContent;
  const found = [...attentionWidget.root.querySelectorAll(css)].find((el) =>
    el.getClientRects().length && called(el).trim().replace(/\\s+/g, ' ') === name);
  if (!found) throw new Error(`no ${role} ${name}`);
  return found;
}"""
# Where to click: the middle, once it is in sight, if nothing else lies over it.
SPOT = """(el) => {
  el.scrollIntoView({block: 'center', inline: 'nearest', behavior: 'instant'});
  const box = el.getBoundingClientRect(), x = box.x + box.width / 2, y = box.y + box.height / 2;
  const hit = el.getRootNode().elementFromPoint(x, y);
  const label = el.labels?.[0];
  if (!hit || !(el.contains(hit) || hit.contains(el) || label?.contains(hit)))
    throw new Error(`${hit?.outerHTML.slice(0, 80)} lies over ${el.outerHTML.slice(0, 80)}`);
  return [x, y, box.width, box.height];
}"""
ACTIVE = """() => {
  let el = document.activeElement;
  while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
  return el;
}"""


class Window(ABC):
    """One page in one browser.

    Attributes:
        engine: "chromium", "firefox" or "webkit".
        downloads: the folder where files arrive.
    """

    engine = ""
    downloads: Path

    @abstractmethod
    def goto(self, url: str) -> None: ...

    @abstractmethod
    def reload(self) -> None: ...

    @abstractmethod
    def back(self) -> None: ...

    @abstractmethod
    def js(self, function: str, *values: Any) -> Any:
        """Return what a function of the page returns for these values."""

    @abstractmethod
    def pointer(self, *steps: tuple[str, float, float]) -> None:
        """Move the mouse, press and let go: ("move" | "down" | "up", x, y)."""

    @abstractmethod
    def press(self, *keys: str) -> None:
        """Press keys one after the other; "Shift+Tab" holds one."""

    @abstractmethod
    def png(self) -> bytes: ...

    @abstractmethod
    def resize(self, width: int, height: int) -> None: ...

    @abstractmethod
    def enter(self, css: str | None) -> None:
        """Go into the page's only frame of that kind, or back to the top with None."""

    @abstractmethod
    def errors(self) -> list[str]:
        """Return what the console called an error since the page was opened."""

    @abstractmethod
    def close(self) -> None: ...

    @property
    def address(self) -> str:
        return str(self.js("() => location.href"))

    def until(self, function: str, *values: Any, patience: float = PATIENCE) -> Any:
        """Ask until the function returns something true, and return that."""
        end = time.monotonic() + patience
        while not (found := self.js(function, *values)):
            assert time.monotonic() < end, f"never true: {function} {values}"
            time.sleep(0.02)  # polling another process
        return found

    def click(self, x: float, y: float) -> None:
        self.pointer(("move", x, y), ("down", x, y), ("up", x, y))

    def pixels(self) -> np.ndarray:
        """Return what is in sight, (height, width, 3)."""
        return np.asarray(Image.open(io.BytesIO(self.png())).convert("RGB"))
