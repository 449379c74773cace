"""What the numbers of the guesses about trained heads stand for."""

from typing import Any

import numpy as np

from tests.truth.claims.common import Claims, these
from tests.truth.claims.trained import bar, measured, names
from tests.truth.trained import (
    Head,
    induction_heads,
    previous_head,
    sentence,
    subject_head,
    worth,
)

COPIED, SPOKEN = "one step at a time one step at a", "the dogs near the cat"
SHOWN = 0.01  # a word with less is among the others


def questions() -> dict[str, tuple[str, Head, int, float]]:
    """Return each question's sentence, head, the place it looks at, and its score."""
    back, again, verb = previous_head(), induction_heads()[0], subject_head()
    whole, copied = worth(), COPIED.split()
    return {
        "back": (COPIED, back, len(copied) - 1, whole.previous[back]),
        "again": (COPIED, again, copied.index("a") + 2, whole.induction[again]),
        "verb": (SPOKEN, verb, SPOKEN.split().index("dogs") + 1, whole.subject[verb]),
    }


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    left = list(values.values()).count("open")
    found = {"guess.wait": these("guesses to go", left) if left else []}
    for question, (text, head, place, score) in questions().items():
        row = sentence(text).weights[0, *head, -1]
        told, table = [], []
        if values[question] != "open":
            told = [*measured("weight", row[place]), *names([head]), *measured("score", score)]
            for at in sorted(np.flatnonzero(row >= SHOWN), key=lambda at: -row[at]):
                table += [*these("place", at), *bar("weight", row[at])]
            table += bar("weight of the others", row[row < SHOWN].sum())
        found[f"guess.ask.{question}"] = [*these("layer", head[0] + 1), *names([head])]
        found[f"guess.verdict.{question}"] = found[f"guess.announcement.{question}"] = told
        found[f"guess.row.{question}"] = table
    return found
