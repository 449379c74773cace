"""What would a screen reader say while a student does something with the keyboard alone?

Chromium's own accessibility tree says what the focus is on; an observer on the page hears what the
live regions say. `python -m tests.browser.listening` prints the whole checkpoint as it is heard.
"""

import contextlib
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, TimeoutError, sync_playwright

from tests.browser.chromium import FLAGS, find_chromium, install_chromium
from tests.browser.conftest import Lesson, Server, free_port
from tests.browser.test_checkpoint import ACTIVE, check, mark, start

HEAR = """() => {
  const regions = '[role=status], [role=alert], [role=log], [aria-live]';
  window.heard = [];
  const live = (el) => el.getAttribute('aria-live')
    ?? {status: 'polite', log: 'polite', alert: 'assertive'}[el.getAttribute('role')];
  const text = (el) => el.getClientRects().length ? el.textContent.trim() : '';
  const last = new Map();
  const look = (records) => {
    const touched = records.map((r) => r.target.nodeType === 1 ? r.target : r.target.parentElement);
    for (const el of attentionWidget.root.querySelectorAll(regions)) {
      const now = text(el), before = last.get(el);
      const again = touched.some((other) => el === other || el.contains(other));
      last.set(el, now);
      if (live(el) === 'off' || !now) continue;
      if (now !== before) heard.push([live(el), now]);
      else if (again && records.some((r) => r.type === 'childList')) heard.push(['same', now]);
    }
  };
  look([]);
  window.heard = [];
  new MutationObserver(look).observe(attentionWidget.root,
    {subtree: true, childList: true, characterData: true, attributes: true});
}"""
TAKE = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() =>
  setTimeout(() => { done(window.heard); window.heard = []; }))))"""
AHEAD = f"""(el) => {{
  const now = ({ACTIVE})();
  return now === el ? 0 : now.compareDocumentPosition(el) & 2 ? -1 : 1;
}}"""
QUIET = {"none", "generic", "RootWebArea", "main", "Section", "paragraph", "image", "LabelText"}
STATES = {
    "checked": {"true": "on", "false": "off"},
    "pressed": {"true": "pressed", "false": "not pressed"},
    "expanded": {True: "expanded", False: "collapsed"},
    "disabled": {True: "unavailable"},
    "selected": {True: "selected"},
    "required": {True: "required"},
    "invalid": {"true": "INVALID"},
}


@dataclass
class Heard:
    """What was heard after one key.

    Attributes:
        key: that was pressed.
        focus: said of the element that has the focus, where it or its state is new.
        live: (how urgent, text) said by live regions.
        node: the focused element's own name and role.
    """

    key: str
    focus: str
    live: list[tuple[str, str]]
    node: str

    def __str__(self) -> str:
        said = [self.focus] if self.focus else []
        said += [f"{kind}: {text}" for kind, text in self.live]
        return f"[{self.key}] " + ("\n        ".join(said) or "(silence)")


@dataclass
class Stop:
    """How many Tab stops lay before a control that was wanted."""

    target: str
    between: int


@dataclass
class Listener:
    """A student with a keyboard and a screen reader."""

    lesson: Lesson
    heard: list[Heard] = field(default_factory=list)
    stops: list[Stop] = field(default_factory=list)
    between = 0  # at most so many stops between a step's answer and its control

    def __post_init__(self) -> None:
        self.page = self.lesson.page
        self.page.evaluate(HEAR)
        self.cdp = self.page.context.new_cdp_session(self.page)
        self.cdp.send("Accessibility.enable")
        self.groups: list[str] = []
        self.before = ("", "")
        self._focus()

    def keys(self, *names: str) -> None:
        for name in names:
            self.page.keyboard.press(name)
            self.lesson.settle()
            live = [(kind, text) for kind, text in self.page.evaluate(TAKE)]
            focus, node = self._focus()
            if not live and not focus:  # what is said again at once comes a little later
                with contextlib.suppress(TimeoutError):
                    self.page.wait_for_function("() => window.heard.length", timeout=1000)
                live = [(kind, text) for kind, text in self.page.evaluate(TAKE)]
            self.heard.append(Heard(name, focus, live, node))

    def go_to(self, target: Locator) -> None:
        wanted = target.element_handle()
        presses = 0
        while way := self.page.evaluate(AHEAD, wanted):
            presses += 1
            assert presses < 40, f"Tab never came to {target}"
            self.keys("Tab" if way > 0 else "Shift+Tab")
        self.stops.append(Stop(self.heard[-1].node if self.heard else "", max(0, presses - 1)))

    def press(self, button: Locator) -> None:
        self.go_to(button)
        self.keys("Enter")

    def flip(self, name: str) -> None:
        self.go_to(self.lesson.switch(name))
        self.keys("Space")

    def slide(self, name: str, clicks: int) -> None:
        self.go_to(self.lesson.slider(name))
        self.keys(*["ArrowRight"] * clicks)

    def choose(self, key: str, field: int, label: str) -> None:
        group = self.page.locator(f"[data-answers={key}] [data-field]").nth(field)
        labels = group.locator("label").all_inner_texts()
        self.go_to(group.locator("input").first)
        self.keys("Space", *["ArrowRight"] * labels.index(label))

    def view_head(self, n: int) -> None:
        maps = self.page.get_by_role("radiogroup", name="Viewing head")
        self.go_to(maps.get_by_role("radio", checked=True))
        while not maps.get_by_role("radio", name=f"Head {n}").is_checked():
            self.keys("ArrowRight")

    def number(self, key: str, value: int) -> None:
        self.go_to(self.page.locator(f"[data-answers={key}] input[type=number]"))
        self.keys(*str(value))

    def _focus(self) -> tuple[str, str]:
        """Return what is said of the focused element now, and its name and role."""
        found = self.cdp.send("Runtime.evaluate", {"expression": f"({ACTIVE})()"})
        nodes = self.cdp.send(
            "Accessibility.getAXNodeAndAncestors", {"objectId": found["result"]["objectId"]}
        )["nodes"]
        here, above = nodes[0], nodes[1:]
        own = f"{_text(here, 'name')}, {_text(here, 'role')}"
        said = ", ".join(filter(None, [own, *_states(here)]))
        groups = [
            ", ".join(filter(None, [_text(n, "name"), _text(n, "role"), _text(n, "description")]))
            for n in reversed(above)
            if not n.get("ignored") and _text(n, "role") not in QUIET and _text(n, "name")
        ]
        entered = [group for group in groups if group not in self.groups]
        ident = str(here["nodeId"])
        self.groups = groups
        before, self.before = self.before, (ident, said)
        if before == self.before:
            return "", own
        if before[0] == ident:
            return said, own
        return ", ".join(
            filter(None, [" > ".join([*entered, said]), _text(here, "description")])
        ), own


def _text(node: dict[str, Any], name: str) -> str:
    return str(node.get(name, {}).get("value", "")).strip()


def _states(node: dict[str, Any]) -> list[str]:
    found = {p["name"]: p["value"].get("value") for p in node.get("properties", ())}
    words = [STATES[name].get(value, "") for name, value in found.items() if name in STATES]
    value = found.get("valuetext") or _text(node, "value")
    level = f"level {found['level']}" if "level" in found else ""
    return [str(value), level, *words]


def walk(lesson: Lesson) -> Listener:
    """Do the whole checkpoint by keyboard, some answers wrong, and write down what is heard."""
    student = Listener(lesson)
    page = student.page
    student.keys("Tab")
    student.choose("hook", 0, "loss 0.004")
    student.stops.clear()  # the marks of the steps stand before the first answer
    check(student, "hook")
    start(student)

    student.choose("read", 0, "No, it cannot")
    check(student, "read")
    new_case(student, "read")
    student.choose("read", 0, "No, it cannot")
    check(student, "read")
    forward(student, "read")

    student.number("hidden", 21)
    check(student, "hidden")
    student.flip("Causal mask")
    new_case(student, "hidden")
    student.number("hidden", 9)
    check(student, "hidden")
    new_case(student, "hidden")
    student.number("hidden", 28)
    check(student, "hidden")
    forward(student, "hidden")

    student.choose("rows", 0, "row 1")
    student.choose("rows", 1, "last row")
    check(student, "rows")
    student.flip("Causal mask")
    student.flip("Causal mask")
    forward(student, "rows")

    student.number("width", 3)
    check(student, "width")
    student.slide("Heads", 3)
    forward(student, "width")

    student.choose("heads", 0, "last row")
    check(student, "heads")
    for n in (2, 3, 4):
        student.view_head(n)
    new_case(student, "heads")
    student.choose("heads", 0, "none")
    check(student, "heads")
    forward(student, "heads")

    student.choose("dropout", 0, "some above, some below 1")
    check(student, "dropout")
    student.slide("Dropout", 3)
    student.flip("Training")
    student.flip("Training")
    forward(student, "dropout")

    student.choose("property", 0, "accurate")
    check(student, "property")
    forward(student, "property")

    student.choose("circuit", 0, "head 2.1")
    check(student, "circuit")
    new_case(student, "circuit")
    student.choose("circuit", 0, "head 2.4")
    check(student, "circuit")
    forward(student, "circuit")

    student.choose("layers", 0, "it looks up what the first wrote")
    check(student, "layers")
    student.between = max(stop.between for stop in student.stops)
    student.press(mark(page, "read"))
    student.press(page.get_by_role("button", name="Start over"))
    return student


def look_around(student: Listener) -> None:
    """Use what stands beside the checkpoint: the map's words, Compare, a draw, Reset, a tab."""
    page = student.page
    student.go_to(page.get_by_role("slider", name="Word that looks"))
    student.keys("ArrowDown", "Home")
    student.press(page.get_by_role("button", name="Compare with no mask"))
    student.keys("Enter")
    student.flip("Training")
    student.press(page.get_by_role("button", name="New draw"))
    student.press(page.locator("#part-map [data-reset=map]"))
    student.keys("Enter")


def new_case(student: Listener, key: str) -> None:
    student.press(student.page.locator(f"#step-{key} button[data-go]"))


def forward(student: Listener, key: str) -> None:
    student.press(student.page.locator(f"#step-{key} button.next"))


def main() -> None:
    """Print what is heard, live, on a laptop's screen."""
    server = Server(free_port())
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=find_chromium() or install_chromium(), args=FLAGS
            )
            page = browser.new_page(viewport={"width": 1366, "height": 768})
            student = walk(Lesson(page, server.url, "server").open())
            look_around(student)
            browser.close()
    finally:
        server.stop()
    print(*student.heard, sep="\n")
    print(f"{len(student.heard)} keys; at most {student.between} stops between answer and control")


if __name__ == "__main__":
    main()
