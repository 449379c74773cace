"""What the numbers of the subject and its verb stand for."""

from typing import Any

from tests.truth.claims.common import Claims
from tests.truth.claims.trained import bar, measured, names
from tests.truth.trained import NONE, of_one_and_many, sentence, subject_head


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    head = subject_head()
    words = ("the", "dog" + "s" * values["many"], "near", "the", "cat" + "s" * values["between"])
    now = sentence(" ".join(words), NONE if values["on"] else frozenset({head}))
    pair = [float(share) for share in of_one_and_many(now.chances[0, -1])]
    row = now.weights[0, *head, -1]
    named = names([head])
    told = [*([] if values["on"] else named), *measured("chance", max(pair), min(pair))]
    figures = {
        "told": told,
        "chances": [claim for share in pair for claim in bar("chance", share)],
        "looks": [*named, *measured("weight", row.max(), row[-1])],
        "readout.on": named,
        **{f"announcement.{name}": told for name in ("many", "between", "on", "reset")},
    }
    return {f"subject.{key}": found for key, found in figures.items()}
