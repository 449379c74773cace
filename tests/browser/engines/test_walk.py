"""Does the lesson survive a student who does anything, in any order, in every engine?

A seeded walk over controls, parts, words, answers, reloads, ways back, zooms and window sizes. At
each rest the address says what the controls say, the page is what the core computes, and the
console has no error. `WALK_SECONDS` and `WALK_SEED` make the long walk longer, or another one.
"""

import os
import time
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest

from attention_widget.widgets.map.section import map_section
from tests.browser.engines.hands import Mouse
from tests.browser.engines.lesson import Lesson

pytestmark = pytest.mark.browser
SEED = int(os.environ.get("WALK_SEED", "14"))
LONG = float(os.environ.get("WALK_SECONDS", "30"))
SIZES = ((1366, 768), (900, 800), (600, 900), (1200, 900))
# What may be used now: [kind, css], each element told by a number of its own.
USABLE = """() => {
  const root = attentionWidget.root, out = [];
  const css = `section:not([hidden]) :is([data-control], button, summary, input[type=number]),
    .tabs [role=tab]`;
  let n = 0;
  for (const el of root.querySelectorAll("[data-walk]")) delete el.dataset.walk;
  const off = (el) => el.disabled || el.getAttribute("aria-disabled") === "true";
  for (const el of root.querySelectorAll(css)) {
    if (!el.checkVisibility() || off(el)) continue;
    if (el.dataset.take || "present" in el.dataset) continue;
    el.dataset.walk = String(n);
    const kind = el.dataset.kind ?? (el.type === "number" ? "number" : "press");
    out.push([kind, `[data-walk="${n++}"]`, Number(el.min), Number(el.max)]);
  }
  return out;
}"""
# The map's controls as they stand, and their starts.
HELD = """() => Object.fromEntries([...attentionWidget.controls]
  .filter(([name]) => name.startsWith("map."))
  .map(([name, el]) => [name.slice(4), [el.dataset.value, el.dataset.default]]))"""
NAME = """(css) => { const el = attentionWidget.root.querySelector(css);
  return el.dataset.control ?? el.textContent.trim().slice(0, 40); }"""
WRONG = "() => attentionWidget.wrong ?? ''"


class Walk:
    """One walk; `steps` says what was done."""

    def __init__(self, lesson: Lesson, seed: int) -> None:
        self.lesson, self.window = lesson, lesson.window
        self.rng = np.random.default_rng(seed)
        self.steps: list[str] = []

    def go(self, seconds: float, least: int) -> None:
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end or len(self.steps) < least:
                self.step()
                if len(self.steps) % 8 == 0:
                    self.rest()
            self.rest()
        except Exception as error:
            error.add_note(f"after {len(self.steps)} steps: {'; '.join(self.steps[-12:])}")
            raise

    def step(self) -> None:
        chance = self.rng.random()
        if chance < 0.03:
            self.steps.append("reload")
            self.lesson.rest()
            self.lesson.reload()
        elif chance < 0.05:
            self.steps.append("away and back")
            self.lesson.rest()
            self.window.goto("about:blank")
            self.window.back()
            self.lesson.settle()
        elif chance < 0.08:
            width, height = SIZES[self.rng.integers(len(SIZES))]
            self.steps.append(f"size {width}")
            self.window.resize(width, height)
        elif chance < 0.1:
            zoom = (0.8, 1, 1.5)[self.rng.integers(3)]
            self.steps.append(f"zoom {zoom}")
            self.window.js("(zoom) => { document.documentElement.style.zoom = zoom; }", zoom)
        else:
            try:
                self.use()
            except Exception as error:
                if " lies over " not in str(error):
                    raise
                self.steps.append("covered")  # by the card of a term, which Escape puts away
                self.window.press("Escape")

    def use(self) -> None:
        usable = self.window.js(USABLE)
        kind, css, low, high = usable[self.rng.integers(len(usable))]
        name = self.window.js(NAME, css)
        self.steps.append(f"{kind} {name}")
        student = Mouse(self.lesson)
        zoomed = self.window.js("() => Number(document.documentElement.style.zoom || 1) !== 1")
        if zoomed or kind == "pick":  # by key: engines disagree on where a zoomed element lies
            focus = "(css) => attentionWidget.root.querySelector(css).focus({preventScroll: true})"
            self.window.js(focus, css)
            keys = {"range": ("ArrowRight", "ArrowLeft"), "pick": ("ArrowDown", "ArrowUp")}
            choice = keys.get(kind, ("Space", "Space"))
            if kind not in ("choice", "text", "number"):
                self.window.press(choice[self.rng.integers(2)])
        elif kind == "range":
            if low < high:
                student.slide_to(css, self.rng.random())
        elif kind == "choice":
            count = self.window.js(
                "(css) => attentionWidget.root.querySelectorAll(css + ' input').length", css
            )
            student.press(f"{css} input", int(self.rng.integers(count)))
        elif kind in ("text", "number"):
            student.press(css)
            self.window.press(str(self.rng.integers(10)))
        else:
            student.press(css)
        self.lesson.settle()

    def rest(self) -> None:
        """Compare the page, its address and the core, and read the console."""
        address = self.lesson.rest()
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        words = {"true": "1", "false": "0"}
        held = {
            name: words.get(value, value)
            for name, (value, start) in self.window.js(HELD).items()
            if value is not None and value != start
        }
        assert asked == held
        section = map_section()
        section.set(asked)
        drawn = self.lesson.drawn()["columns"]
        for key, value in section.render().items():
            if key.startswith("source:map.cells.") and isinstance(value, list) and key in drawn:
                assert drawn[key] == value, key
        assert self.window.js(WRONG) == ""
        assert self.window.errors() == []


def test_a_short_walk_ends_as_it_should(open_lesson):
    Walk(open_lesson(), SEED).go(seconds=0, least=24)


@pytest.mark.slow
def test_a_long_walk_ends_as_it_should(open_lesson):
    walk = Walk(open_lesson(), SEED)
    walk.go(seconds=LONG, least=100)
    assert len(walk.steps) >= 100
