"""The leak lab's story leaves enough open that a guess without reading is a fair baseline."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from attention_widget.models.leak.text import STORY, WORDS, decode, encode, unigram_loss, windows


def test_one_previous_word_does_not_settle_the_next() -> None:
    pairs, firsts = Counter(itertools.pairwise(WORDS)), Counter(WORDS[:-1])
    total = len(WORDS) - 1
    left_open = -sum(n / total * math.log(n / firsts[first]) for (first, _), n in pairs.items())
    assert left_open > 1.0  # nats that even a perfect table of word pairs cannot save
    assert 100 < len(WORDS) < 300


def test_the_unigram_loss_is_that_of_guessing_by_how_often_each_answer_occurs() -> None:
    _, targets = windows(8)
    answers = [int(word) for row in targets[:, :-1] for word in row]
    often = Counter(answers)
    guess = {word: n / len(answers) for word, n in often.items()}
    loss = -sum(math.log(guess[word]) for word in answers) / len(answers)
    assert unigram_loss(targets[:, :-1]) == pytest.approx(loss)


def test_every_answer_but_the_last_stands_in_the_window() -> None:
    inputs, targets = windows(7)
    assert inputs.shape == targets.shape == (len(WORDS) - 7, 7)
    np.testing.assert_array_equal(targets[:, :-1], inputs[:, 1:])
    assert decode(inputs[3]) == " ".join(WORDS[3:10])
    assert decode(targets[-1]) == " ".join(WORDS[-7:])


def test_text_is_read_as_it_is_typed() -> None:
    assert decode(encode("The rider, the river.")) == "the rider , the river ."
    assert decode(encode(STORY)) == " ".join(WORDS)
