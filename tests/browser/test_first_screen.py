"""Does everything that a step needs fit one screen: on a laptop, in a frame, on a phone?"""

from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from attention_widget.widgets.checkpoint.machine import LATER, begin, earned
from attention_widget.widgets.checkpoint.record import to_text
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.steps.asking import NEXT
from attention_widget.widgets.labs.prompts.lab import PROMPTS
from attention_widget.widgets.lesson import TABS
from tests.browser.conftest import Lesson
from tests.checkpoint.student import GRADED, Bench, moves, wrong_answer

pytestmark = pytest.mark.browser

# Those with the longest explanations.
WRONG = {"read": "no", "hidden": "21", "rows": "last,none", "width": "12"}
WRONG |= {"heads": "all", "dropout": "less", "property": "trainable"}
ELSEWHERE = {step.key for step in STEPS if step.part != "map"}  # they ask about another tab
WIDE = [(1366, 768), (1280, 720), (885, 768)]  # the last: a frame of 900 with its scroll bar

PHONE = (390, 844)

# Goes to each situation and tells where its parts stand and how many primary buttons are in sight;
# in every eighth one only after the page was painted, which must not move anything.
WALK = """async (situations) => {
  const {root} = attentionWidget, found = [];
  const box = (el) => {
    const {top, bottom, left, right} = el.getBoundingClientRect();
    return [top, bottom, left, right];
  };
  const shown = (el) => el && el.getClientRects().length > 0;
  for (const [n, [record, controls]] of situations.entries()) {
    attentionWidget.dispatch({set: controls});
    attentionWidget.dispatch({restore: record});
    root.querySelector(".more-controls").open = false;
    scrollTo(0, 0);
    for (let frame = 0; n % 8 === 0 && frame < 2; frame++) {
      await new Promise(requestAnimationFrame);
    }
    const boxes = Object.entries({
      card: [...root.querySelectorAll(".step-body")].find(shown),
      marks: root.querySelector(".marks"), controls: root.querySelector(".controls-row"),
      figures: root.querySelector(".figures-row"), map: root.querySelector(".screen .map-panel h2"),
      figure: root.querySelector("[data-figure='map.figure']"),
    }).filter(([, el]) => shown(el)).map(([name, el]) => [name, box(el)]);
    const primary = [...root.querySelectorAll(".screen button")].filter((el) =>
      shown(el) && !el.matches(".mark, .mini, .plain, .quiet, .term, .controls-row *"));
    found.push([attentionWidget.slots["checkpoint.record"].value, Object.fromEntries(boxes),
      primary.length]);
  }
  return found;
}"""


def situations() -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield (name, record, controls of the map) of every kind of state of every step."""
    yield "hook", to_text(begin(STEPS), STEPS), {"causal": False, "heads": 1}

    def now(bench: Bench, name: str) -> tuple[str, str, dict[str, object]]:
        names = ("causal", "heads", "head", "dropout", "training")
        controls = {name: getattr(bench.state, name) for name in names}
        return f"{name} {bench.now}", to_text(bench.progress, STEPS), controls

    for key in GRADED:
        bench = Bench().until(key)
        for controls, answer in moves(bench):
            bench.do(**controls)
            yield now(bench, key)
            if answer is not None:
                bench.answer(WRONG.get(key, wrong_answer(bench, answer)))
                yield now(bench, key)
        assert bench.now.startswith("told"), bench.now
        step, n = STEPS[bench.progress.at], 0
        while n < 8 and not earned(bench.now):
            bench.answer(NEXT)
            yield now(bench, key)
            _, at, own = bench.now.split(":")
            case = step.cases(own)[int(at)]
            wrong = next(v for v in step.case_answers(case) if v != case.right)
            bench.answer(wrong)
            yield now(bench, key)
            n += 1
        bench.progress = type(bench.progress)(
            bench.progress.at,
            tuple(LATER if s == bench.now else s for s in bench.progress.states),
        )
        yield now(bench, key)


@pytest.fixture
def lesson(server, visit) -> Lesson:
    return visit(server.url, "server", viewport={"width": 1366, "height": 768})


Boxes = dict[str, list[float]]  # of each part that is shown: top, bottom, left, right, in px


@pytest.fixture
def walk(recorded_file, visit) -> Callable[[tuple[int, int]], list[tuple[str, Boxes]]]:
    """Return what takes every situation in a window of a size and gives the boxes that are seen."""
    every = {(record, *controls.items()): name for name, record, controls in situations()}

    def go(size: tuple[int, int]) -> list[tuple[str, Boxes]]:
        viewport = dict(zip(("width", "height"), size, strict=True))
        options = {"offline": True, "reduced_motion": "reduce", "viewport": viewport}
        lesson = visit(recorded_file.as_uri(), "file", **options)
        actions = [
            [record, {f"map.{name}": value for name, value in controls}]
            for record, *controls in every
        ]
        found = lesson.page.evaluate(WALK, actions)
        assert [record for record, *_ in found] == [record for record, *_ in every]
        for name, (_, _, primary) in zip(every.values(), found, strict=True):
            assert primary <= 1, f"{name}: at most one primary button is in sight"
        assert lesson.console == []
        return [(name, seen[1]) for name, seen in zip(every.values(), found, strict=True)]

    return go


@pytest.mark.parametrize("size", WIDE, ids=str)
def test_question_answer_feedback_control_and_map_are_in_one_view_in_every_state(walk, size):
    width, height = size
    for name, boxes in walk(size):
        assert {"card", "controls", "figures", "figure"} <= boxes.keys()
        for part, (top, bottom, left, right) in boxes.items():
            assert top >= 0, (name, part, top)
            assert bottom <= height, (name, part, bottom)
            assert left >= 0, (name, part)
            assert right <= width, (name, part, right)
        assert boxes["card"][3] <= boxes["figure"][2], "the card stands beside the map"


def test_on_a_phone_they_lie_within_one_screen_of_each_other_in_every_state(walk):
    width, screen = PHONE
    for name, boxes in walk(PHONE):
        alone = " case" in name or " missed" in name or name.split()[0] in ELSEWHERE
        parts = ["card"] if alone else [*boxes]  # a case has its own map
        height = max(boxes[p][1] for p in parts) - min(boxes[p][0] for p in parts if p != "marks")
        assert height <= screen, (name, height)
        assert all(right <= width for *_, right in boxes.values()), name


ORDER = """() => {
  const stops = [...attentionWidget.root.querySelectorAll(
    ".screen :is(button, input, [tabindex='0'])")].filter((el) => el.getClientRects().length
      && !el.disabled && el.tabIndex >= 0);
  return stops.map((el) => {
    const {top, bottom, left} = el.getBoundingClientRect();
    return [left, (top + bottom) / 2];
  });
}"""


@pytest.mark.parametrize("width", [1366, 885, 390])
def test_the_order_of_tab_is_the_order_of_sight(server, visit, width):
    lesson = visit(server.url, "server", viewport={"width": width, "height": 844})
    lesson.dispatch({"set": {"map.heads": 4, "map.dropout": 0.5, "map.training": True}})
    card = lesson.page.locator(".card").bounding_box()
    beside = card["x"] + card["width"]
    stops = [
        (width > 860 and left >= beside, left, middle)
        for left, middle in lesson.page.evaluate(ORDER)
    ]
    for (column, left, middle), (next_column, next_left, next_middle) in pairwise(stops):
        assert column <= next_column, "the card comes first, then what stands beside it"
        if column == next_column:
            lower = next_middle - middle  # px; what differs by less stands in one line
            assert lower > 12 or (lower > -12 and next_left > left)


def test_dropout_above_0_brings_training_into_view_and_says_that_nothing_is_dropped(lesson):
    training = lesson.switch("Training")
    expect(training).to_be_hidden()
    lesson.slider("Dropout").fill("0.3")
    expect(training).to_be_visible()
    note = lesson.page.get_by_text("Nothing is dropped until Training is on.", exact=True)
    expect(note).to_be_visible()
    training.click()
    expect(note).to_be_hidden()
    expect(lesson.page.get_by_role("button", name="New draw")).to_be_visible()


@pytest.mark.parametrize("width", [1366, 885])
def test_nothing_beside_the_map_moves_when_a_control_is_moved(lesson, width):
    lesson.page.set_viewport_size({"width": width, "height": 768})
    place = """() => { const {top, left, bottom, right} = attentionWidget.root.querySelector(
      "[data-figure='map.figure']").getBoundingClientRect(); return [top, left, bottom, right]; }"""
    before = lesson.page.evaluate(place)
    seen = set()
    for values in (
        {"causal": True},
        {"dropout": 0.3},
        {"training": True},
        {"heads": 4},
        {"head": 3},
        {"draw": 2},
        {"causal": False},
        {"stage": "weights"},
    ):
        last = f"map.{next(iter(values))}"
        lesson.dispatch({"set": {f"map.{n}": v for n, v in values.items()}, "last": last})
        assert lesson.page.evaluate(place) == before, values
        said = lesson.page.locator("[data-live]")
        seen.add(said.inner_text())
        assert said.evaluate("(el) => el.scrollWidth <= el.clientWidth"), "no sentence is cut"
    assert len(seen) == 8


def test_whether_the_future_is_seen_is_told_by_a_sign_besides_its_word_and_colour(lesson):
    signs = []
    for causal in (False, True):
        lesson.dispatch({"set": {"map.causal": causal}})
        sign = "() => getComputedStyle(attentionWidget.root.querySelector('.sign'), '::before')"
        signs.append(
            (
                lesson.kpi("sees-future"),
                lesson.page.evaluate(f"{sign}.content"),
                lesson.page.evaluate(f"{sign}.color"),
            )
        )
    assert [word for word, *_ in signs] == ["yes", "no"]
    assert all(a != b for a, b in zip(*signs, strict=True))


def test_more_controls_stay_open_once_opened(lesson):
    lesson.page.evaluate(
        "() => { attentionWidget.root.querySelector('.more-controls').open = false; }"
    )
    stage = lesson.page.get_by_role("group", name="Stage")
    expect(stage).to_be_hidden()
    lesson.page.get_by_text("More controls", exact=True).click()
    expect(stage).to_be_visible()
    lesson.set(causal=True, heads=3)
    lesson.dispatch({"open": GRADED[0]})
    expect(stage).to_be_visible()


@pytest.mark.parametrize("part", [tab.name for tab in TABS])
@pytest.mark.parametrize("link", ["?tab={}", "#{}"])
def test_a_link_opens_each_tab(open_lesson, link, part):
    lesson = open_lesson(link.format(part))
    expect(lesson.page.locator(f"#part-{part}")).to_be_visible()
    expect(lesson.page.locator(f"#tab-{part}")).to_have_attribute("aria-selected", "true")


@pytest.mark.parametrize("link", ["?tab=<b>none</b>", "#none", "#%E0%A4%A"])
def test_a_link_to_no_tab_opens_the_map_and_says_so(open_lesson, link):
    lesson = open_lesson(link)
    expect(lesson.page.locator("#part-map")).to_be_visible()
    if "none" in link:
        expect(lesson.page.get_by_text("There is no part")).to_contain_text("none")
    assert lesson.console == []


def test_the_labs_come_in_the_order_of_the_lesson():
    names = [tab.name for tab in TABS]
    assert names[0] == "map"
    assert names.index("leak") < names.index("dropout") < names.index("heads") < names.index("cost")
    assert TABS[-1] is PROMPTS
