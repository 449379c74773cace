"""What does hostile input do to a lesson? Each fuzzing test tries 20,000 of a kind."""

import json
import random
import warnings

import numpy as np
import pytest

from attention_widget.lesson import tokenize
from attention_widget.widgets.checkpoint.machine import advance, earned
from attention_widget.widgets.checkpoint.record import from_text, to_text
from attention_widget.widgets.checkpoint.render import render_checkpoint
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.live.dashboard import LessonView
from attention_widget.widgets.map.snapshot import _run, snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section.wording import shown
from tests.checkpoint.student import Bench
from tests.live import junk

MANY = 20_000
KINDS = ("set", "reset", "act", "answer", "open", "restart", "restore", "seq", "last")
ODD = (b"\0", np.zeros(3), np.float64("nan"), np.int64(2), object(), {1: 2}, {None: ()}, (1, 2), 1j)


def as_text(action):
    """Write an action as a page does, as far as JSON can hold it."""
    try:
        return json.dumps(action)
    except (TypeError, ValueError, RecursionError):
        return "{}"


def check_message(error):
    """Assert that a message is short, on one line, and the lesson's own rather than Python's."""
    text = str(error)
    assert text.isprintable(), ascii(text)
    assert len(text) < 240, ascii(text)
    assert "str_digits" not in text


def anything(rng):
    return rng.choice(ODD) if rng.random() < 0.1 else junk.value(rng)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1])
def test_a_control_takes_a_value_or_says_its_rule_in_one_short_line(seed):
    rng = random.Random(seed)
    controls = [c for section in Lesson().sections.values() for c in section.controls]
    taken = 0
    for _ in range(MANY):
        control, raw = rng.choice(controls), anything(rng)
        try:
            value = control.parse(raw)
        except ValueError as error:
            check_message(error)
        else:
            taken += 1
            assert not control.values() or value in control.values()
    assert taken > 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2])
def test_an_action_of_any_shape_leaves_a_lesson_that_works(seed):
    rng = random.Random(seed)
    lesson = Lesson()
    for section in lesson.sections.values():
        section.commands.clear()  # they train models
    view, sent = LessonView(lesson), []
    view._send_msg = sent.append
    names = [
        f"{section.name}.{name}" for section in lesson.sections.values() for name in section.names
    ]
    for n in range(MANY):
        action = {kind: anything(rng) for kind in rng.sample(KINDS, rng.randrange(1, 4))}
        if rng.random() < 0.5:
            chosen = rng.choices((*names, 5, junk.text(rng), "map.", ".", "map.__class__"), k=3)
            action["set"] = {name: anything(rng) for name in chosen}
        if n % 50:
            lesson.act(action)
            continue
        view.hear(as_text(action))
        view.hear(anything(rng))
        json.dumps(sent).encode()
        sent.clear()
    lesson.act({"reset": "map", "restart": True})
    assert lesson.map_state.settings() == LessonState().settings()
    assert lesson.render()["map.kpi.masked-cells"] == "0"


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3])
def test_a_link_of_any_shape_sets_what_is_fine_and_explains_the_rest(seed):
    rng = random.Random(seed)
    lesson = Lesson()
    section = lesson.sections["map"]
    for _ in range(MANY):
        section.set(
            {rng.choice((*section.names, junk.text(rng))): junk.text(rng) for _ in range(3)}
        )
        assert set(section.problems) <= set(section.names)
        assert lesson.map_state.head <= lesson.map_state.heads
    lesson.render()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4])
def test_a_record_that_cannot_be_read_is_refused_and_one_that_can_is_painted(seed):
    rng = random.Random(seed)
    lesson, bench = Lesson(), Bench()
    good = [to_text(bench.progress, STEPS)]
    good += [
        f"1;{n};"
        + ";".join(
            [
                "done-first:15:6:2",
                "done-first:15:6",
                "done-later:1:9.0",
                "done-first:3:4",
                "seen:123",
                "plain",
                "ask",
            ][: n + 1]
        )
        for n in range(7)
    ]
    read = 0
    for _ in range(MANY):
        text = junk.mangled(rng, rng.choice(good)) if rng.random() < 0.9 else junk.text(rng)
        try:
            progress = from_text(text, STEPS)
        except ValueError as error:
            check_message(error)
            continue
        read += 1
        assert from_text(to_text(progress, STEPS), STEPS) == progress
        render_checkpoint(advance(progress, lesson.seen(), STEPS), STEPS)
    assert read > 500


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5])
def test_every_state_that_a_record_may_name_can_go_on(seed):
    """Also the ones no student reaches: whatever the patterns of the steps let through."""
    from hypothesis import HealthCheck, given, settings
    from hypothesis import seed as fixed
    from hypothesis import strategies as st

    lesson = Lesson()
    seen = lesson.seen()

    @fixed(seed)
    @settings(
        max_examples=400, database=None, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(st.sampled_from(STEPS), st.data())
    def try_one(step, data):
        state = data.draw(st.from_regex(step.states, fullmatch=True).filter(step.legal))
        step.view(state)
        if earned(state):
            return
        step.view(step.observe(state, seen))
        for value in step.answers(state)[:20]:
            step.view(step.answer(state, value))

    try_one()


@pytest.mark.slow
@pytest.mark.parametrize("seed", [6])
def test_a_sentence_of_any_characters_is_words_or_refused(seed):
    rng = random.Random(seed)
    for n in range(MANY):
        text = junk.text(rng)
        try:
            tokens = tokenize(text)
        except ValueError as error:
            check_message(error)
            continue
        assert 1 <= len(tokens) <= 16
        assert all(token.isprintable() and len(token) <= 24 for token in tokens)
        if n % 40 == 0:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                lesson = Lesson(LessonState(sentence=text, seed=rng.randrange(2**32)))
                lesson.render()


def test_text_that_is_too_long_is_refused_and_never_cut():
    section = Lesson().sections["map"]
    section.set({"sentence": "one " + " " * 600 + "two", "seed": "00000000000000123"})
    assert "at most 500 characters" in section.problems["sentence"]
    assert section.state.seed == 123
    section.set({"seed": "7 and what follows"})
    assert "0 to 4294967295" in section.problems["seed"]
    assert section.state.seed == 123


@pytest.mark.parametrize(
    "raw",
    [10**5000, junk.nested(5000), "a" * 10**6, "\n\r\0x\u202ey", b"x", None, np.zeros(9)],
    ids=range(7),
)
def test_what_was_given_is_quoted_short_and_on_one_line(raw):
    assert len(shown(raw)) <= 50
    assert shown(raw).isprintable()


def test_the_shared_memory_of_chosen_sentences_is_bounded():
    """A visitor chooses sentence and seed, so every result that is kept may be a new one."""
    heads, words = 4, " ".join("abcdefghijklmnop")
    record = _run(words, 1, True, heads, 0.5, 0)
    arrays = [getattr(record, name) for name in record.__dataclass_fields__]
    size = sum(array.nbytes for array in arrays if isinstance(array, np.ndarray))
    kept = _run.cache_info().maxsize + snapshot.cache_info().maxsize
    assert kept * size < 100e6, "a snapshot may hold a record that is kept nowhere else"
