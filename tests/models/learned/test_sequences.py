"""The rows hold what the model has to find, and nothing that gives it away."""

import numpy as np
import pytest

from attention_widget.models.learned.sequences import (
    LONGEST,
    NOUNS,
    SHORTEST,
    VERBS,
    distinct_words,
    draw_rows,
    grammar,
    over_and_over,
    phrases,
    said_again,
    twice,
)
from attention_widget.models.learned.vocabulary import (
    LONGEST as LONGEST_SENTENCE,
)
from attention_widget.models.learned.vocabulary import (
    START,
    VOCABULARY,
    near,
    numbers_of,
    read_words,
    with_start,
)

RNG = np.random.default_rng


def test_a_stretch_of_3_to_7_words_is_said_a_second_time() -> None:
    lengths = set()
    for row in said_again(300, 21, RNG(0)).tolist():
        again = [t for t, word in enumerate(row) if word in row[:t]]
        first = [row.index(row[t]) for t in again]
        assert again == list(range(again[0], again[0] + len(again)))  # one stretch,
        assert first == list(range(first[0], first[0] + len(first)))  # in the same order
        assert first[-1] < again[0]
        lengths.add(len(again))
    assert lengths == set(range(SHORTEST, LONGEST + 1))


def test_a_phrase_is_said_over_and_over_to_the_end() -> None:
    for row in over_and_over(100, 21, RNG(1)).tolist():
        length = len(set(row))
        assert 2 <= length <= LONGEST
        assert row == [row[t % length] for t in range(21)]


def test_the_verb_agrees_with_the_first_noun_and_the_other_noun_tells_nothing() -> None:
    words, many = phrases(2000, RNG(2))
    plural = set(NOUNS[1].tolist())
    assert [row[1] in plural for row in words.tolist()] == many.tolist()
    assert [row[5] in VERBS[1] for row in words.tolist()] == many.tolist()
    between = np.array([row[4] in plural for row in words.tolist()])
    assert abs(np.corrcoef(between, many)[0, 1]) < 0.1
    assert 0.4 < many.mean() < 0.6


def test_a_grammar_row_is_phrase_after_phrase_from_an_early_place_on() -> None:
    starts = set()
    the = VOCABULARY.index("the")
    for row in grammar(200, 21, RNG(3)).tolist():
        fits = [
            s
            for s in range(6)
            if all(row[t] == the for t in range(s, 21, 6))
            and all(row[t] in NOUNS for t in range(s + 1, 21, 6))
        ]
        assert fits
        starts.add(fits[0])
    assert starts == set(range(6))


def test_a_batch_is_half_said_again_a_quarter_repeated_and_a_quarter_grammar() -> None:
    rows = draw_rows(64, 21, RNG(4))
    assert rows.shape == (64, 21)
    the = VOCABULARY.index("the")
    assert [row.count(the) >= 2 for row in rows[48:].tolist()] == [True] * 16
    assert [len(set(row)) <= LONGEST for row in rows.tolist()] == [False] * 32 + [True] * 16 + [
        False
    ] * 16


def test_the_test_rows_are_distinct_words_said_twice() -> None:
    for row in twice(50, 8, RNG(5)).tolist():
        assert row[:8] == row[8:]
        assert len(set(row)) == 8
    assert len({tuple(row) for row in distinct_words(50, 21, RNG(6)).tolist()}) == 50


def test_there_are_85_words_and_no_word_twice() -> None:
    assert len(set(VOCABULARY)) == len(VOCABULARY) == START == 85
    assert numbers_of(VOCABULARY).tolist() == list(range(85))
    assert with_start(numbers_of(("one", "step"))[None])[0, 0] == START


def test_a_sentence_is_read_as_it_is_typed() -> None:
    assert read_words("  One STEP\tat a time ") == ("one", "step", "at", "a", "time")
    assert len(read_words("day by " * 8)) == LONGEST_SENTENCE


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must have 1 to 16 words: got 0"),
        ("day " * 17, "must have 1 to 16 words: got 17"),
        ("one stepp", "knows 85 words and not “stepp”; try “step” or"),
        ("the dragon sleeps", "not “dragon”; try “"),
        ("a b c d e", "not “b”, “c”, “d” and others; try"),
        ("one " + "z" * 400, "not “z{22}…”; try"),
        ("one st\u0000ep", "not “st�ep”"),
        (None, "must be text: got NoneType"),
    ],
)
def test_a_sentence_of_other_words_is_refused_with_near_ones(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        read_words(text)


def test_near_words_are_words_of_the_vocabulary() -> None:
    assert near("steps")[0] == "step"
    assert near("teacherz")[0] == "teachers" or near("teacherz")[0] == "teacher"
    for word in ("dragon", "", "x" * 9999):
        assert len(near(word)) == 3
        assert set(near(word)) <= set(VOCABULARY)
