"""What the numbers of the dropout lab stand for."""

from typing import Any

import numpy as np

from tests.truth.claims.common import (
    ORDINALS,
    Claims,
    cell_states,
    constants,
    map_claims,
    rounded,
    span,
    these,
)
from tests.truth.independent import DRAWS, FUTURE, T, kept, many_sums, scores, weights
from tests.truth.numbers import Claim


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    p, draw, rescale = values["p"], values["draw"], values["rescale"]
    weight = weights(4, True)[0]
    factor = 1 / (1 - p) if rescale else 1.0
    dropped = weight * kept(4, p, draw)[0] * factor
    sums = dropped.sum(axis=1)
    states = cell_states(FUTURE, weight, dropped)
    many = many_sums(weight, p, factor)
    mean, spread = many.mean(axis=0), many.std(axis=0, ddof=1)
    exact = weight.sum(axis=1) * (1.0 if rescale else 1 - p)
    exact_spread = np.sqrt(p * (1 - p) * (weight**2).sum(axis=1)) * factor
    empty_draws = (many == 0).mean(axis=0)
    agree = np.abs(mean - exact) <= 4 * exact_spread / np.sqrt(DRAWS)
    lost, empty = int((states == "dropped").sum()), int((sums == 0).sum())
    target, means = exact[0], span("mean row sum", mean)
    probability = these("p", p)
    this = these("draw", draw + 1)
    verdict = [*constants(DRAWS), *means]
    if rescale:
        verdict = [*constants(1, 1), *these("1/(1-p)", factor), *verdict, *constants(1)]
    else:
        verdict += [*constants(1), *these("1 - p", target), *constants(1)]
    told = [*this, *these("dropped weights", lost), *span("row sum", sums)]
    told += these("empty rows", empty) if empty else []
    survivors = dropped[dropped != 0] / weight[dropped != 0]
    rows: list[Claim] = []
    tips: list[Claim] = []
    top = max(1.0, float(sums.max()))
    for i in range(T):
        error = spread[i] / np.sqrt(DRAWS)
        rows += [
            ORDINALS[i],
            *these("row sum", sums[i]),
            *rounded("bar of a row sum", [sums[i] / top], 3),
            *these("mean row sum and its error", mean[i], error),
            *rounded("bar of a mean", [mean[i] / top], 3),
            *these("exact mean", exact[i]),
            *these("spread, measured and exact", spread[i], exact_spread[i]),
            *these("share of empty draws", empty_draws[i]),
        ]
        tips += these("row sum, mean and spread", sums[i], mean[i], spread[i])
    figures = {
        "announcement.draw": [*told, *constants(DRAWS), *means],
        "announcement.p": [*probability, *verdict],
        "announcement.rescale": verdict,
        "announcement.reset": verdict,
        "verdict": verdict,
        "first-row": [
            *constants(1, 0),
            *these("only sum of row 1", factor),
            *these("exact mean", target),
            *constants(0),
            *these("share of empty draws", empty_draws[0]),
            *constants(DRAWS),
            *these("spread", spread[0]),
            *constants(1),
            *these("spread", spread[-1]),
            *constants(T),
        ],
        "figure": [*constants(1, 4), *probability],
        "plot.figure": [*probability, *constants(DRAWS)],
        "kpi.dropped": these("dropped of legal weights", lost, (~FUTURE).sum()),
        "kpi.this-draw": span("row sum", sums),
        "kpi.mean": means,
        "kpi.exact": these("exact mean", target),
        "kpi.survivors": these("survivor", survivors.min()) if survivors.size else [],
        "kpi.against-inference": these("training over inference", mean.mean() / 1.0),
        "note.mean": [
            *these("rows that agree", agree.sum()),
            *constants(T),
            *these("mean", target),
        ],
        "note.this-draw": [*these("empty rows", empty), *constants(T)],
        "title": [*this, *constants(1), *probability],
        "many-title": [*constants(DRAWS), *probability],
        "readout.draw": this,
        "readout.p": probability,
        "rows": rows,
    }
    columns = {
        "plot.rows.row": ORDINALS,
        "plot.rows.draw": rounded("row sum", sums, 6),
        "plot.rows.mean": rounded("mean row sum", mean, 6),
        "plot.rows.low": rounded("mean - spread", mean - spread, 6),
        "plot.rows.high": rounded("mean + spread", mean + spread, 6),
        "plot.rows.tip": tips,
        "plot.exact.x": rounded("exact mean", exact, 6),
    }
    return (
        {f"dropout.{key}": found for key, found in figures.items()}
        | {f"source:dropout.{key}": found for key, found in columns.items()}
        | map_claims("dropout", dropped, states, scores(4)[0], (1, 4), sums)
    )
