"""Does the page get what differs, whole and exact, and one message per change?"""

import json

import numpy as np
import panel as pn
import pytest

from attention_widget.widgets.checkpoint.words import SCORES
from attention_widget.widgets.cli import main
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.live import server
from attention_widget.widgets.live.dashboard import Dashboard
from attention_widget.widgets.recorded.options import LessonOptions


def exactly(value):
    """Tell 1 from 1.0, True and "1", and 0.0 from -0.0."""
    return json.dumps(value)


class Page:
    """What a page holds: its first slots and the answers after them."""

    def __init__(self, lesson=None):
        self.dashboard = Dashboard(lesson)
        self.lesson, self.view = self.dashboard.lesson, self.dashboard.view
        self.slots = json.loads(self.view.first)
        self.messages = []
        self.view._send_msg = self.take

    def take(self, text):
        message = json.loads(text)
        self.messages.append(message)
        self.slots |= message["slots"]

    def act(self, **action):
        self.view.hear(json.dumps({"seq": 1, **action}))

    def set(self, **values):
        for name, value in values.items():
            self.act(set={f"map.{name}": value}, last=f"map.{name}")

    def is_as_rendered(self):
        rendered = self.lesson.render()
        assert self.slots.keys() == rendered.keys()
        for key, value in rendered.items():
            if ".announcement." not in key:
                assert exactly(self.slots[key]) == exactly(value), key
        return True


def random_actions(n):
    rng = np.random.default_rng(5)
    for _ in range(n):
        yield rng.choice(["causal", "heads", "head", "dropout", "training", "draw", "stage"]), rng


def choose(name, rng):
    if name in ("causal", "training"):
        return bool(rng.integers(2))
    if name == "stage":
        return str(rng.choice(["scores", "masked", "weights", "dropped"]))
    if name == "dropout":
        return int(rng.integers(10)) / 10
    return int(rng.integers(1, 5))


def test_after_many_answers_the_page_holds_what_python_renders():
    page = Page()
    for name, rng in random_actions(100):
        page.set(**{name: choose(name, rng)})
    assert len(page.messages) == 100
    assert page.is_as_rendered()


def test_an_answer_renders_no_section_but_the_one_that_was_touched():
    page, rendered = Page(), []
    for section in page.lesson.sections.values():
        section.render = lambda name=section.name, old=section.render: (
            rendered.append(name),
            old(),
        )[1]
    page.act(set={"map.heads": 3})
    page.act(reset="heads")
    page.act(open="mask")
    page.dashboard.lesson.sections["cost"].state.stop = 3
    assert rendered == ["map", "heads", "cost"]


SECTIONS = [
    pytest.param(section.name, name, id=f"{section.name}.{name}")
    for section in Lesson().sections.values()
    for name in section.names
]


def other_value(section, name):
    """Another value that the control may take."""
    values = [v for v in section.control(name).values() if v != getattr(section.state, name)]
    return values[0] if values else {"sentence": "the river is red", "seed": 11}[name]


@pytest.mark.parametrize(("section", "name"), SECTIONS)
def test_a_parameter_set_in_python_changes_the_page_in_one_message(section, name):
    page = Page()
    there = page.lesson.sections[section]
    if name == "head":
        there.state.heads = 4
        page.messages.clear()
    value = other_value(there, name)
    setattr(there.state, name, value)
    (message,) = page.messages
    assert message["slots"][f"{section}.control.{name}"] == {"value": value}
    assert message["seq"] is None
    assert page.is_as_rendered()


def test_several_parameters_set_at_once_are_one_message():
    page = Page()
    page.dashboard.state.param.update(causal=True, heads=3, head=2)
    (message,) = page.messages
    assert message["slots"]["map.kpi.masked-cells"] == "15"
    assert message["slots"]["map.kpi.d-head"] == "4"
    assert page.is_as_rendered()


def test_fewer_heads_than_the_viewing_head_lower_it_in_the_same_message():
    page = Page()
    page.dashboard.state.param.update(heads=4, head=4)
    page.messages.clear()
    page.dashboard.state.heads = 2
    (message,) = page.messages
    assert message["slots"]["map.control.head"] == {"value": 2}
    assert page.is_as_rendered()


def test_a_value_that_is_refused_leaves_state_and_page_as_they_were():
    page = Page()
    with pytest.raises(ValueError, match="Heads"):
        page.dashboard.state.heads = 9
    assert page.dashboard.state.heads == 1
    assert page.messages == []


def test_a_value_that_is_there_already_sends_nothing():
    page = Page()
    page.dashboard.state.causal = False
    assert page.messages == []


def test_a_watcher_sees_what_the_student_does_and_what_it_sets_is_in_the_same_answer():
    page, seen = Page(), []
    state = page.dashboard.state

    def follow(event):
        seen.append((event.name, event.new))
        state.training = event.new

    state.param.watch(follow, "causal")
    page.set(causal=True)
    assert seen == [("causal", True)]
    (message,) = page.messages
    assert message["slots"]["map.readout.training"] == "training"
    assert page.is_as_rendered()


def test_panels_own_ways_to_follow_a_state_work_in_both_directions():
    page = Page()
    state = page.dashboard.state
    slider = pn.widgets.IntSlider(start=1, end=4, value=1)
    slider.link(state, value="heads")
    said = pn.bind(lambda causal: f"mask {causal}", state.param.causal)
    slider.value = 3
    assert page.slots["map.kpi.d-head"] == "4"
    page.set(causal=True)
    assert said() == "mask True"


def test_python_earns_a_step_as_a_student_does():
    page = Page()
    page.dashboard.state.heads = 2
    assert page.slots["checkpoint.record"] == page.lesson.render()["checkpoint.record"]


def test_two_dashboards_of_one_state_both_follow():
    one = Page()
    two = Page(Lesson(one.dashboard.state))
    one.set(causal=True)
    assert two.slots["map.kpi.masked-cells"] == "15"
    assert two.is_as_rendered()


def test_a_page_that_is_made_later_starts_from_what_there_is_then():
    page = Page()
    page.dashboard.state.causal = True
    assert page.view.stale
    view = page.dashboard.__panel__()
    assert not view.stale
    assert json.loads(view.first)["map.kpi.masked-cells"] == "15"


def test_a_page_that_is_behind_gets_all_there_is():
    page = Page()
    page.dashboard.state.causal = True
    late = json.loads(page.view.first)
    page.act(all=True)
    late |= page.messages[-1]["slots"]
    page.slots = late
    assert page.is_as_rendered()


@pytest.mark.parametrize("text", ["", "{", "5", "null", "[]", "9" * 5000, "[" * 10**5, 5, None, {}])
def test_what_is_no_action_is_passed_over(text):
    page = Page()
    page.view.hear(text)
    assert page.messages == []


def test_sessions_in_the_same_state_share_what_is_rendered():
    one, two = Lesson(), Lesson()
    for lesson in (one, two):
        lesson.act({"set": {"map.heads": 4, "map.causal": True}})
    a, b = one.render(), two.render()
    lists = [key for key, value in a.items() if isinstance(value, list) and value]
    assert len(lists) > 40
    own = ("leak.", "checkpoint.")  # a student's own run, and progress
    assert [key for key in lists if a[key] is not b[key] and not key.startswith(own)] == []


def test_what_is_shared_stays_out_of_the_other_sessions_way():
    one, two = Lesson(), Lesson()
    before = json.dumps(two.render())
    one.act({"set": {"map.heads": 4, "map.sentence": "<b> \x00", "heads.h": "x", "map.seed": "5"}})
    assert json.dumps(two.render()) == before
    assert one.render()["map.problem.sentence"]


@pytest.mark.parametrize("score", SCORES)
def test_a_live_page_says_which_figure_a_course_gets(score):
    page = Dashboard(score=score).view.page
    assert f'data-score="{score}"' in page
    assert f">{SCORES[score]}</p>" in page


def test_only_the_site_itself_may_frame_the_page_unless_others_are_named(monkeypatch):
    asked = []
    monkeypatch.setattr(server, "run_server", asked.append)
    course = "https://course.example.org"
    assert main(["serve"]) == main(["serve", "--allow-frame", course]) == 0
    assert [settings.frame_ancestors for settings in asked] == [("'self'",), ("'self'", course)]


def test_the_figure_is_mastery_unless_a_teacher_says_otherwise(monkeypatch):
    asked = []
    monkeypatch.setattr(server, "run_server", asked.append)
    assert main(["serve"]) == main(["serve", "--score", "completion"]) == 0
    assert [settings.score for settings in asked] == ["mastery", "completion"]
    assert LessonOptions().score == "mastery"
    with pytest.raises(ValueError, match="the score is one of mastery, completion: got 'luck'"):
        server.ServerSettings(score="luck")
