"""Does a student who hears the page hear once, and only what is so, what came of each key?"""

import re

import pytest

from tests.browser.listening import Heard, Listener, look_around, walk
from tests.browser.test_checkpoint import check
from tests.checkpoint.student import GRADED

pytestmark = pytest.mark.browser

STOPS = """() => [...attentionWidget.root.querySelectorAll(
    ".screen :is(button, input, [tabindex='0'])")].filter((el) => el.getClientRects().length
      && !el.disabled && el.tabIndex >= 0).map((el) => el.id || el.textContent)"""


def sentences(heard: Heard) -> list[str]:
    """Everything that was said after a key, cut into sentences."""
    name = re.sub(r", [a-z]+(, .*)?$", "", heard.focus)
    said = [name, *(text for _, text in heard.live)]
    parts = [part.strip() for text in said for part in re.split(r"(?<=[.?!”])\s+", text)]
    return [part for part in parts if len(part) > 12]


def test_the_whole_checkpoint_is_heard_once_without_silence_and_without_a_false_alarm(
    server, visit
):
    student = walk(lesson := visit(server.url, "server", reduced_motion="reduce"))
    lesson.page.set_viewport_size({"width": 390, "height": 844})
    look_around(student)
    for heard in student.heard:
        assert heard.focus or heard.live, f"silence after {heard.key}"
        assert len(heard.live) <= 1, f"two regions speak at once: {heard}"
        assert all(kind == "polite" for kind, _ in heard.live), heard
        assert "INVALID" not in heard.focus, heard
        assert not heard.node.endswith("none"), f"the focus is lost: {heard}"
        said = sentences(heard)
        assert len(said) == len(set(said)), f"said twice: {heard}"
    assert student.between <= 3
    told = [text for heard in student.heard for _, text in heard.live]
    flips = [text for text in told if text.startswith("Causal mask on")]
    assert len(flips) == 2
    for text in flips:
        assert (
            "starts looks at Your 0.33, journey 0.38, itself 0.29, and at nothing after it" in text
        )
    opened = [text for text in told if re.match(rf"Step \d of {len(GRADED)}\. ", text)]
    assert len(opened) == len(GRADED), "each step says itself when it is opened"
    inputs = [heard.focus for heard in student.heard if ", spinbutton, " in heard.focus]
    assert any("How many cells will be masked?" in focus for focus in inputs)


def test_only_an_answer_that_was_left_out_is_called_invalid(open_lesson):
    lesson = open_lesson()
    student = Listener(lesson)
    check(student, "hook")
    assert "INVALID" in student.heard[-1].focus
    student.keys("Space")
    assert "INVALID" not in student.heard[-1].focus
    check(student, "hook")
    assert "Loss 0.004" in student.heard[-1].live[0][1]


def test_the_bar_says_how_many_steps_are_done_in_words(open_lesson):
    lesson = open_lesson()
    bar = lesson.page.get_by_role("progressbar", name="Checkpoint")
    assert bar.get_attribute("aria-valuetext") == f"0 of {len(GRADED)} steps done"


def test_the_stops_are_the_same_at_each_width(open_lesson):
    lesson = open_lesson("?causal=1&heads=4&dropout=0.5&training=1")
    found = []
    for width in (1366, 885, 390):
        lesson.page.set_viewport_size({"width": width, "height": 844})
        found.append(lesson.page.evaluate(STOPS))
    assert len(found[0]) > 10
    assert found[0] == found[1] == found[2]
