"""Is a term a button in its sentence, and is each explained where it first stands?"""

import re

import pytest

from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.page.markup import skeleton
from attention_widget.widgets.section.terms import (
    TERMS,
    term_button,
    with_terms,
    without_terms,
)
from tests.checkpoint.student import GRADED, Bench, moves

ASKED = {"query", "key", "value", "score", "softmax", "mask", "head"}
ASKED |= {"d_head", "context", "W_o", "dropout", "draw", "nat"}


def test_a_marked_term_becomes_a_button_and_is_said_without_its_marks():
    text = "A [[mask]] and two [[weights|weight]]."
    assert with_terms(text) == [
        "A ",
        term_button("mask", "mask"),
        " and two ",
        term_button("weights", "weight"),
        ".",
    ]
    assert without_terms(text) == "A mask and two weights."
    assert with_terms("none") == ["none"]
    assert with_terms("") == []


def test_a_students_own_brackets_stay_as_they_are():
    text = "[[me|you]] [[x]] [["
    assert with_terms(text) == [text]
    assert without_terms(text) == text
    with pytest.raises(KeyError):
        term_button("x", "x")


def test_every_term_has_one_sentence():
    assert set(TERMS) > ASKED
    for term, text in TERMS.items():
        assert re.fullmatch(r"[A-Z]([^.!?]|\.\d)*\.", text), term


def buttons(node):
    """Return the terms of the buttons in nodes."""
    if not isinstance(node, (list, tuple)):
        return set()
    if node[:1] == ["button"]:
        return {node[1]["data-term"]}
    return set().union(*map(buttons, node))


def test_every_term_can_be_opened_where_the_page_uses_it():
    markup = skeleton(Lesson())
    opened = set(re.findall('data-term="([^"]+)"', markup))
    assert set(re.findall('data-term-card="([^"]+)"', markup)) == set(TERMS)
    slots = Lesson().render()
    opened |= set().union(*map(buttons, slots.values()))
    for key in GRADED:
        bench = Bench().until(key)
        for controls, _ in moves(bench):
            bench.do(**controls)
            asked = STEPS[bench.progress.at].view(bench.now).wanted
            opened |= buttons(with_terms(asked))
    assert opened == set(TERMS)
