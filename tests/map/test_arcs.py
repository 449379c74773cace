"""Do arcs and sentence say what the chosen row of the map says?"""

import numpy as np
import pytest

from attention_widget.widgets.map.arcs import AHEAD, filled
from attention_widget.widgets.map.section import map_section
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState


def said(word, **values):
    section = map_section(LessonState(word=word, **values))
    slots = section.render()
    return filled(slots["map.looks"]["of"][word - 1], slots["source:map.cells.weight"])


def test_masked_starts_looks_at_what_came_and_at_nothing_after_it():
    assert said(3, causal=True) == (
        "starts looks at Your 0.33, journey 0.38, itself 0.29, and at nothing after it."
    )


def test_unmasked_the_sentence_counts_the_words_that_come_after():
    assert said(3).endswith("; 3 of these come after it.")
    assert said(5).endswith("; 1 of these comes after it.")
    assert said(6).endswith("; no word comes after it.")


def test_a_row_that_dropout_emptied_looks_at_nothing():
    state = LessonState(causal=True, dropout=0.9, training=True)
    empty = np.flatnonzero(snapshot(state.settings()).row_sums == 0)
    row = int(empty[0])
    assert said(row + 1, causal=True, dropout=0.9, training=True).endswith(
        "looks at nothing: all of its weights were dropped."
    )


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("drops", [False, True])
def test_an_arc_is_as_thick_as_the_weight_and_ahead_means_after_the_word(causal, drops):
    state = LessonState(causal=causal, training=True, dropout=0.4 if drops else 0.0)
    slots = map_section(state).render()
    weights = snapshot(state.settings()).layer.dropped[0, 0]
    widths = np.array(slots["source:map.cells.weight"], float).reshape(6, 6)
    np.testing.assert_allclose(widths, weights, atol=0.005)
    kinds = np.array(slots["source:map.arcs.kind"]["of"])
    np.testing.assert_array_equal(kinds == AHEAD, np.triu(np.ones((6, 6), bool), 1))
    if causal:
        assert not widths[kinds == AHEAD].any()


def test_the_word_only_chooses_and_changes_no_other_slot():
    section = map_section()
    before = dict(section.render())
    section.set({"word": 5})
    after = section.render()
    assert {key for key in before if before[key] != after[key]} == {"map.control.word"}


def test_a_shorter_sentence_keeps_the_word_in_it():
    state = LessonState(word=6)
    state.sentence = "two words"
    assert state.word == 2
    state.word = 9
    assert state.word == 2


def test_braces_tabs_and_numbers_in_a_sentence_stay_as_they_are():
    assert said(1, sentence="{0} 7 \\t1", causal=True) == (
        "{0} looks at itself 1.00, and at nothing after it."
    )
