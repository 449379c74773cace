"""What does each head of the shipped model do, measured on rows that nobody has seen?"""

from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from attention_widget.models.learned.measures import Scores, score, score_run
from attention_widget.models.learned.model import Head
from attention_widget.models.learned.paths import Way, without_path
from attention_widget.models.learned.store import Name, shipped

Off = frozenset[Head]
ROWS, ROW_SEED = 100, 2  # of the test rows, drawn anew and never trained on
CLEAR = 0.5  # a head is named after what it does with more than half of its weight
NOTHING: Off = frozenset()


@lru_cache(maxsize=512)
def worth(off: Off = NOTHING, causal: bool = True, name: Name = "two-layers") -> Scores:
    """Return the scores of a shipped model on the test rows.

    Args:
        off: heads that are turned off.
        causal: whether the mask is on.
        name: which model.
    """
    return score(shipped(name), np.random.default_rng(ROW_SEED), ROWS, off=off, causal=causal)


@cache
def worth_without(way: Way) -> Scores:
    """Return the scores when layer 2 does not hear the previous-token head on one way."""
    source = roles().previous
    rng = np.random.default_rng(ROW_SEED)
    return score_run(lambda words: without_path(shipped(), words, source, [way]), rng, ROWS)


@dataclass(frozen=True, slots=True)
class Roles:
    """Which head does what, as measured.

    Attributes:
        previous: looks most at the word just before.
        induction: the heads that look for the place after the same word, from the highest score
            down.
        subject: looks most at the subject of a phrase.
        idle: the one without which the verb's number, then the copy, changes least.
    """

    previous: Head
    induction: tuple[Head, ...]
    subject: Head
    idle: Head


@cache
def roles() -> Roles:
    """Return the heads found by their scores."""
    scores = worth()
    induction = sorted(heads(), key=lambda head: -scores.induction[head])
    return Roles(
        previous=max(heads(), key=lambda head: scores.previous[head]),
        induction=tuple(head for head in induction if scores.induction[head] > CLEAR),
        subject=max(heads(), key=lambda head: scores.subject[head]),
        idle=min(heads(), key=_change),
    )


def _change(head: Head) -> tuple[float, float]:
    whole, without = worth(), worth(frozenset({head}))
    return (
        abs(without.verb_right - whole.verb_right),
        abs(without.second_loss - whole.second_loss),
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
