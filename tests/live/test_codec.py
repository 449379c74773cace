"""Does every painted value arrive exactly as it was, and in few bytes?"""

import json
import math

import numpy as np
import pytest
from bokeh.core.serialization import Serializer
from hypothesis import given
from hypothesis import strategies as st

from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.live.codec import pack
from attention_widget.widgets.live.dashboard import LessonView
from tests.live.unpacking import unpack, unpack_paint

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False), st.text()
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner))
)


def exactly(value):
    """Tell 1 from 1.0, True and "1", and 0.0 from -0.0."""
    return json.dumps(value)


@given(VALUES, VALUES)
def test_every_value_arrives_as_it_was(before, value):
    assert exactly(unpack(pack(value, before), before)) == exactly(value)


@given(st.data(), st.lists(st.floats(allow_nan=False)), st.lists(st.text("a|~−0.1")))
def test_columns_of_which_some_cells_moved_arrive_as_they_are(data, numbers, words):
    for column in (numbers, words):
        moved = [data.draw(st.sampled_from(column)) for _ in column]
        assert exactly(unpack(pack(moved, column), column)) == exactly(moved)


def test_a_number_that_became_true_is_sent():
    assert unpack(pack([1, 2.0], [True, 2]), [True, 2]) == [1, 2.0]
    assert exactly(unpack(pack([1, 2.0], [True, 2]), [True, 2])) == "[1, 2.0]"
    assert math.copysign(1, unpack(pack([-0.0] * 9))[0]) == -1


class Answers:
    """A view whose answers are read as the page reads them, and measured as Bokeh writes them."""

    def __init__(self):
        self.lesson = Lesson()
        self.view = LessonView(self.lesson)
        self.slots = json.loads(json.dumps(self.lesson.render()))
        self.sizes = []
        self.view._send_msg = self.hear

    def hear(self, message):
        text = json.dumps(Serializer().encode(message), separators=(",", ":"))
        self.sizes.append(len(text))
        unpack_paint(json.loads(text)["entries"][2][1], self.slots)

    def act(self, **values):
        for name, value in values.items():
            self.view._handle_msg({"set": {f"map.{name}": value}, "last": f"map.{name}", "seq": 1})


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


@pytest.fixture(scope="module")
def walked():
    answers = Answers()
    for name, rng in random_actions(300):
        answers.act(**{name: choose(name, rng)})
    return answers


def test_after_many_answers_the_page_holds_what_python_paints(walked):
    painted = walked.lesson.render()
    assert walked.slots.keys() == painted.keys()
    for key, value in painted.items():
        if ".announcement." not in key:
            assert exactly(walked.slots[key]) == exactly(value), key


def test_an_answer_takes_less_than_three_kilobytes_whatever_moved(walked):
    assert len(walked.sizes) == 300
    assert max(walked.sizes) < 2600  # the frames around it and the question take about 900 more
    assert np.mean(walked.sizes) < 1500


def test_sessions_in_the_same_state_share_what_is_painted():
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
