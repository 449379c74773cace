"""Claims that the sections about the trained heads share."""

from collections.abc import Iterable

import numpy as np

from tests.truth.claims.common import these
from tests.truth.numbers import Claim
from tests.truth.trained import HEADS, Head

SLACK = 1e-5  # the page computes in float32


def measured(kind: str, *values: float) -> list[Claim]:
    """Claim numbers that the page computes in float32."""
    return [Claim(kind, float(value), slack=SLACK) for value in values]


def bar(kind: str, share: float) -> list[Claim]:
    """Claim a share in a table: its number and the length of its bar."""
    return [*measured(kind, share), Claim("bar", max(float(share), 0.0), places=3, slack=SLACK)]


def name(head: Head) -> float:
    """Return a head's name: "2.1" is head 1 of layer 2."""
    return head[0] + 1 + (head[1] + 1) / 10


def names(heads: Iterable[Head]) -> list[Claim]:
    """Claim heads that are called by their names, in order."""
    return these("name of a head", *map(name, sorted(heads)))


def named(text: str) -> Head:
    """Return the head of a name."""
    return next(head for head in HEADS if f"{name(head):.1f}" == text)


def percent(kind: str, share: float) -> list[Claim]:
    """Claim a share in percent: whole, and with a decimal below 10 %."""
    whole = share >= 0.1 or not share
    return these(kind, float(np.round(100 * share)) if whole else 100 * share)
