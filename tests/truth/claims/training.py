"""What the numbers of the training and of the other two models stand for."""

from typing import Any

import numpy as np

from tests.truth.claims.common import Claims, these
from tests.truth.claims.trained import measured, names
from tests.truth.numbers import Claim
from tests.truth.trained import induction_heads, moments, previous_head, worth, worth_without

TOP = 5  # of the line that marks the moment


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    seen, at = moments(), values["moment"]
    back, pair = previous_head(), induction_heads()[:2]
    step = these("step", seen["step"][at])
    losses = these("loss", seen["first_loss"][at], seen["second_loss"][at])
    told = [*step, *losses, *names([back]), *these("score", seen["previous"][at][back])]
    told += [*names(pair), *these("score", *(seen["induction"][at][head] for head in pair))]
    turn = turned()
    one, two, free = worth(name="one-layer"), worth(), worth(name="no-mask", causal=False)
    free_masked = worth(name="no-mask")
    rows = ((two, two), (one, one), (free, free_masked))
    ways = [worth_without(way).second_loss for way in ("queries", "keys", "values")]
    figures = {
        "told": told,
        "readout.moment": step,
        "announcement.moment": told,
        "announcement.reset": told,
        "turn": turn,
        "figure": turn,
        "controls": [
            claim
            for trained, masked in rows
            for claim in measured(
                "loss", trained.first_loss, trained.second_loss, masked.first_loss
            )
        ],
        "one-layer": measured("loss", one.second_loss, two.second_loss),
        "no-mask": measured("loss", free.first_loss, free_masked.first_loss),
        "paths": measured("loss", two.second_loss, *ways),
    }
    curves = {
        "first": seen["first_loss"],
        "second": seen["second_loss"],
        "previous": seen["previous"][:, *back],
        "induction": seen["induction"][:, *pair[0]],
    }
    columns = {
        "curves.at": these("moment", *range(len(seen["step"]))),
        "now.at": these("moment", at, at),
        "now.loss": these("end of the mark", 0, TOP),
    } | {
        f"curves.{key}": [Claim("point of a curve", round(float(v), 3), places=3) for v in curve]
        for key, curve in curves.items()
    }
    return {f"training.{key}": found for key, found in figures.items()} | {
        f"source:training.{key}": found for key, found in columns.items()
    }


def turned() -> list[Claim]:
    """Claim between which moments the second saying falls the most, and what else moves there."""
    seen = moments()
    second = seen["second_loss"]
    falls = [second[n] - second[n + 2] for n in range(len(second) - 2)]
    a = int(np.argmax(falls))
    ends = [a, a + 2]
    return [
        *these("step", *seen["step"][ends]),
        *these("loss", *second[ends]),
        *these("score", *seen["previous"][:, *previous_head()][ends]),
        *these("score", *seen["induction"][:, *induction_heads()[0]][ends]),
        *these("loss", *seen["first_loss"][ends]),
    ]
