"""Two students: one has a mouse, the other only a keyboard."""

from tests.browser.engines.lesson import SHOWN, Lesson
from tests.browser.engines.window import ACTIVE

# Is the element behind what has the focus, before it, or the same? Radios of a group count as one.
WAY = f"""(css, nth) => {{
  const el = ({SHOWN})(css)[nth], at = ({ACTIVE})();
  if (!el) throw new Error(`nothing is ${{css}}`);
  if (el === at || (el.type === 'radio' && at?.name === el.name)) return 0;
  if (!at || !attentionWidget.root.contains(at)) return 1;
  return at.compareDocumentPosition(el) & Node.DOCUMENT_POSITION_FOLLOWING ? 1 : -1;
}}"""
READ = """(css) => {
  const el = attentionWidget.root.querySelector(css);
  return [el.value, el.min, el.max, el.step].map(Number);
}"""
PLACE = f"(css) => ({SHOWN})(css).findIndex((radio) => radio.checked)"


class Mouse:
    """Points and clicks; numbers are typed, as they must be."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.window = lesson, lesson.window

    def press(self, css: str, nth: int = 0) -> None:
        self.window.click(*self.lesson.spot(css, nth)[:2])
        self.lesson.settle()

    def flip(self, control: str) -> None:
        self.press(f"[data-control='{control}'][data-kind=switch]")

    def slide(self, control: str, to: float) -> None:
        css = f"[data-control='{control}'][data-kind=range]"
        _, low, high, _ = self.window.js(READ, css)
        self.slide_to(css, (to - low) / (high - low))

    def slide_to(self, css: str, share: float) -> None:
        """Click on a slider at this share of its way."""
        x, y, width, _ = self.lesson.spot(css)
        self.window.click(x - width / 2 + 9 + share * (width - 18), y)
        self.lesson.settle()

    def choose(self, group: str, nth: int) -> None:
        self.press(f"{group} input[type=radio]", nth)

    def number(self, css: str, value: int) -> None:
        self.press(css)
        self.window.press(*str(value))


class Keyboard(Mouse):
    """Tab, arrows, Space, Enter and digits."""

    def go_to(self, css: str, nth: int = 0) -> None:
        for _ in range(90):
            way = self.window.js(WAY, css, nth)
            if way == 0:
                return
            self.window.press("Tab" if way > 0 else "Shift+Tab")
        raise AssertionError(f"Tab never came to {css}")

    def press(self, css: str, nth: int = 0) -> None:
        self.go_to(css, nth)
        self.window.press("Enter")
        self.lesson.settle()

    def flip(self, control: str) -> None:
        self.go_to(f"[data-control='{control}'][data-kind=switch]")
        self.window.press("Space")
        self.lesson.settle()

    def slide(self, control: str, to: float) -> None:
        css = f"[data-control='{control}'][data-kind=range]"
        self.go_to(css)
        value, _, _, step = self.window.js(READ, css)
        for _ in range(round(abs(to - value) / step)):
            self.window.press("ArrowRight" if to > value else "ArrowLeft")
            self.lesson.settle()

    def choose(self, group: str, nth: int) -> None:
        css = f"{group} input[type=radio]"
        self.go_to(css)
        self.window.press("Space")
        while (place := self.window.js(PLACE, css)) != nth:
            self.window.press("ArrowRight" if place < nth else "ArrowLeft")
            self.lesson.settle()

    def number(self, css: str, value: int) -> None:
        self.go_to(css)
        self.window.press(*str(value))
