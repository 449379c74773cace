"""What do the trained heads do in one sentence, and on rows that nobody has seen?"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget.models.learned.measures import Scores, likelier_many, score, score_run
from attention_widget.models.learned.model import Head
from attention_widget.models.learned.paths import Way, without_path
from attention_widget.models.learned.store import Name, shipped
from attention_widget.models.learned.vocabulary import VOCABULARY, numbers_of, with_start
from attention_widget.softmax import softmax

FloatArray = npt.NDArray[np.floating]
Off = frozenset[Head]
START_TOKEN = "(start)"
ROWS, ROW_SEED = 100, 2  # of the test rows, drawn anew and never trained on
CLEAR = 0.5  # a head is named after what it does with more than half of its weight
NOTHING: Off = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class SentenceReading:
    """The model on one sentence.

    Attributes:
        tokens: the start token and the words.
        weights: (L, h, T, T).
        scores: before the softmax, -inf where masked, (L, h, T, T).
        chances: of every word to come next, (V,).
        known: chance that each word but the first got where it had to be predicted, (T - 2,).
    """

    tokens: tuple[str, ...]
    weights: FloatArray
    scores: FloatArray
    chances: FloatArray
    known: FloatArray

    def chance(self, word: str) -> float:
        """Return the chance of one word to come next."""
        return float(self.chances[VOCABULARY.index(word)])

    def likeliest(self, n: int = 3) -> list[tuple[str, float]]:
        """Return the n likeliest next words and their chances."""
        order = np.argsort(-self.chances, kind="stable")[:n]
        return [(VOCABULARY[i], float(self.chances[i])) for i in order]

    @property
    def says_many(self) -> bool:
        """Whether verbs of many are likelier than verbs of one."""
        return bool(likelier_many(np.log(self.chances)))


@lru_cache(maxsize=512)
def read(words: tuple[str, ...], off: Off = NOTHING, causal: bool = True) -> SentenceReading:
    """Let the shipped model read a sentence."""
    numbers = numbers_of(words)
    reading = shipped()(with_start(numbers[None]), off=off, causal=causal)
    chances = softmax(reading.logits[0].astype(np.float64))  # (T, V)
    return SentenceReading(
        tokens=(START_TOKEN, *words),
        weights=reading.weights[0],
        scores=np.stack([record.masked_scores[0] for record in reading.layers]),
        chances=chances[-1],
        known=chances[np.arange(1, len(words)), numbers[1:]],
    )


@lru_cache(maxsize=512)
def worth(off: Off = NOTHING, causal: bool = True, name: Name = "two-layers") -> Scores:
    """Measure a shipped model on the test rows."""
    return score(shipped(name), np.random.default_rng(ROW_SEED), ROWS, off=off, causal=causal)


@cache
def worth_without(way: Way) -> Scores:
    """Measure the model when layer 2 does not hear the previous-token head on one way."""
    source = roles().previous
    rng = np.random.default_rng(ROW_SEED)
    return score_run(lambda words: without_path(shipped(), words, source, [way]), rng, ROWS)


@dataclass(frozen=True, slots=True)
class Roles:
    """Which head does what, as measured; `induction` from the highest score down."""

    previous: Head
    induction: tuple[Head, ...]
    subject: Head


@cache
def roles() -> Roles:
    """Find the heads by their scores."""
    scores = worth()
    induction = sorted(heads(), key=lambda head: -scores.induction[head])
    return Roles(
        previous=max(heads(), key=lambda head: scores.previous[head]),
        induction=tuple(head for head in induction if scores.induction[head] > CLEAR),
        subject=max(heads(), key=lambda head: scores.subject[head]),
    )


def heads() -> tuple[Head, ...]:
    """Return all heads of the shipped model."""
    return shipped().heads


def head_name(head: Head) -> str:
    """Return "layer.head", both counted from 1."""
    return f"{head[0] + 1}.{head[1] + 1}"


def head_named(name: str) -> Head:
    """Return the head of a name; undoes `head_name`."""
    layer, i = name.split(".")
    return int(layer) - 1, int(i) - 1


def kind_of(head: Head) -> str:
    """Return what a head is called, with its score, or "" where none of the three fits."""
    scores, found = worth(), roles()
    for kind, members, values in (
        ("previous-token head", (found.previous,), scores.previous),
        ("induction head", found.induction, scores.induction),
        ("subject head", (found.subject,), scores.subject),
    ):
        if head in members and values[head] > CLEAR:
            return f"{kind}, {values[head]:.2f}"
    return ""


def in_a_row(names: list[str]) -> str:
    """Join names: "2.1", "2.1 and 2.3", "2.1, 2.3 and 2.2"."""
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
