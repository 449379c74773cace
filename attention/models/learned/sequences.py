"""What is the model trained on?

Nothing here is real language. Three kinds of made-up rows, each with something that a head can
use:

    said again    distinct words in random order; a stretch of 3 to 7 of them comes twice
    over and over a phrase of 2 to 7 random words, repeated to the end of the row
    grammar       "the dog near the cats sleeps": the verb agrees with the first noun, and another
                  noun stands between

Only the words that were said before, and the verbs, can be predicted better than by counting.
"""

import numpy as np
import numpy.typing as npt

from attention_widget.models.learned.vocabulary import (
    ARTICLE,
    PLACES,
    PLURAL,
    SINGULAR,
    VERBS_OF_MANY,
    VERBS_OF_ONE,
    VOCABULARY,
    numbers_of,
)
from attention_widget.models.words import IntArray

SHORTEST, LONGEST = 3, 7  # words of a stretch that is said again
NOUNS = np.array([numbers_of(SINGULAR), numbers_of(PLURAL)])  # [is it plural, which]
VERBS = np.array([numbers_of(VERBS_OF_ONE), numbers_of(VERBS_OF_MANY)])
_PLACES, _ARTICLE = numbers_of(PLACES), int(numbers_of((ARTICLE,))[0])
PHRASE = 6  # words of "the dog near the cats sleeps"


def draw_rows(n: int, t: int, rng: np.random.Generator) -> IntArray:
    """Draw a batch, int (n, t): half said again, a quarter over and over, a quarter grammar."""
    again, over = n // 2, n // 4
    return np.concatenate(
        [
            said_again(again, t, rng),
            over_and_over(over, t, rng),
            grammar(n - again - over, t, rng),
        ]
    )


def distinct_words(n: int, t: int, rng: np.random.Generator) -> IntArray:
    """Draw rows of words in random order, none twice in a row, int (n, t)."""
    order: IntArray = rng.random((n, len(VOCABULARY))).argsort(axis=1)[:, :t]
    return order


def said_again(n: int, t: int, rng: np.random.Generator) -> IntArray:
    """Draw rows in which a stretch of distinct words comes a second time, int (n, t)."""
    length = rng.integers(SHORTEST, LONGEST + 1, (n, 1))
    first = rng.integers(0, t - 2 * length + 1)
    second = rng.integers(first + length, t - length + 1)
    at = np.arange(t)
    inside = (at >= second) & (at < second + length)  # (n, t)
    source = np.where(inside, at - second + first, at)
    return np.take_along_axis(distinct_words(n, t, rng), source, axis=1)


def over_and_over(n: int, t: int, rng: np.random.Generator) -> IntArray:
    """Draw rows that repeat a phrase to their end, int (n, t)."""
    length = rng.integers(2, LONGEST + 1, (n, 1))
    return np.take_along_axis(distinct_words(n, t, rng), np.arange(t) % length, axis=1)


def twice(n: int, half: int, rng: np.random.Generator) -> IntArray:
    """Draw rows of `half` distinct words, all said a second time: the test, int (n, 2 half)."""
    words = distinct_words(n, half, rng)
    return np.concatenate([words, words], axis=1)


def phrases(n: int, rng: np.random.Generator) -> tuple[IntArray, npt.NDArray[np.bool_]]:
    """Draw "the NOUN near the NOUN VERB" n times, int (n, 6), and whether each subject is many."""
    many, other = rng.integers(2, size=(2, n))
    subject, between = rng.integers(len(SINGULAR), size=(2, n))
    words = np.stack(
        [
            np.full(n, _ARTICLE),
            NOUNS[many, subject],
            rng.choice(_PLACES, n),
            np.full(n, _ARTICLE),
            NOUNS[other, between],
            VERBS[many, rng.integers(len(VERBS_OF_ONE), size=n)],
        ],
        axis=1,
    )
    return words, many.astype(bool)


def grammar(n: int, t: int, rng: np.random.Generator) -> IntArray:
    """Draw rows of up to five words in random order and then phrase after phrase, int (n, t)."""
    count = -(-t // PHRASE)
    rows = phrases(n * count, rng)[0].reshape(n, count * PHRASE)
    before = rng.integers(0, PHRASE, (n, 1))
    at = np.arange(t)
    shifted = np.take_along_axis(rows, np.maximum(at - before, 0), axis=1)
    return np.where(at < before, distinct_words(n, t, rng), shifted)
