"""What do the trained heads do in one sentence, and what are they called?"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget.models.learned.measures import likelier_many
from attention_widget.models.learned.model import Head
from attention_widget.models.learned.roles import CLEAR, NOTHING, Off, roles, worth
from attention_widget.models.learned.store import shipped
from attention_widget.models.learned.vocabulary import VOCABULARY, numbers_of, with_start
from attention_widget.softmax import softmax

FloatArray = npt.NDArray[np.floating]
START_TOKEN = "(start)"


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
