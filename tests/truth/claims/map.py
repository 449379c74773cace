"""What the numbers of the main map stand for."""

from functools import cache
from typing import Any

import numpy as np

from tests.truth.claims.common import (
    ORDINALS,
    Claims,
    cell_states,
    constants,
    rounded,
    span,
    these,
)
from tests.truth.independent import DRAWS, FUTURE, SEED, D, T, kept, many_sums, scores, weights
from tests.truth.numbers import Claim

ALL_HEADS = range(1, 5)


@cache
def _means(h: int, head: int, causal: bool, p: float) -> np.ndarray:
    return many_sums(weights(h, causal)[head - 1], p, 1 / (1 - p)).mean(axis=0)


def _sums(kind: str, sums: np.ndarray) -> list[Claim]:
    return constants(1) if np.allclose(sums, 1, rtol=0, atol=1e-9) else span(kind, sums)


def _means_in_words(means: np.ndarray) -> list[Claim]:
    low, high = f"{means.min():.2f}", f"{means.max():.2f}"
    return span("mean row sum", means)[: 1 if low == high else 2]


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    h, head, causal, stage = (values[name] for name in ("heads", "head", "causal", "stage"))
    p, training, draw = values["dropout"], values["training"], values["draw"]
    drops = training and p > 0
    score, weight = scores(h)[head - 1], weights(h, causal)[head - 1]
    masked_scores = np.where(FUTURE & causal, -np.inf, score)
    factor = 1 / (1 - p)
    dropped = weight * kept(h, p, draw)[head - 1] * factor if drops else weight
    states = cell_states(FUTURE & causal, weight, dropped)
    lost = int((states == "dropped").sum())
    sums = dropped.sum(axis=1)
    means = _means(h, head, causal, p) if drops else sums
    survivors = dropped[dropped != 0] / weight[dropped != 0]
    masked = int((FUTURE & causal).sum())
    answers = float(weight.diagonal(1).mean())
    change = np.abs(weights(h, False) - weights(h, True))[head - 1].sum(axis=1) / 2
    viewing, probability = these("head", head, h), these("p", p)
    mask = these("masked cells", masked)
    if not causal:
        mask = [*mask, *these("weight on answers", answers), *these("words, and 1/T", T, 1 / T)]
    drop = probability if p else constants(0)
    if drops:
        drop = [*probability, *these("dropped weights", lost), *_sums("row sum", sums)]
        drop = [*drop, *constants(DRAWS), *_means_in_words(means)]
    wide = these("heads and their width", h, D // h, D, h)
    table: list[Claim] = []
    for i in range(T):
        table += [ORDINALS[i], *these("change of a row", change[i])]
        table += rounded("bar of a change", [change[i]], 3)
    figures = {
        "announcement.causal": mask,
        "announcement.reset": mask,
        "announcement.draw": drop,
        "announcement.dropout": drop,
        "announcement.training": drop,
        "announcement.head": [*viewing, *_sums("row sum", sums)],
        "announcement.heads": [*wide, *these("head", head)],
        "announcement.seed": these("seed", SEED),
        "announcement.sentence": these("words", T),
        "announcement.stage": these("head", head),
        "difference": table,
        "figure": viewing,
        "title": viewing,
        "present": these("masked cells and d_head", masked, D // h),
        "kpi.answers": these("weight on answers", answers),
        "kpi.d-head": these("d_head", D // h),
        "kpi.dropped-cells": these("dropped weights", lost),
        "kpi.masked-cells": these("masked cells", masked),
        "kpi.row-sums": _sums("row sum", sums),
        "kpi.score-shape": these("shape of the scores", 1, h, T, T),
        "kpi.survivors": these("survivor", survivors.min()) if survivors.size else [],
        "note.answers": these("1/T", 1 / T),
        "note.d-head": these("d / h", D, h),
        "note.masked-cells": these("masked cells in all heads", masked * h, h) if h > 1 else [],
        "note.row-sums": [*constants(DRAWS), *_means_in_words(means)],
        "note.score-shape": these("bytes of the scores", h * T * T * 4),
        "note.survivors": [*constants(1, 1), *these("1/(1-p)", factor)] if drops else [],
        "readout.draw": these("draw", draw + 1),
        "readout.dropout": probability,
        "readout.head": viewing,
        "readout.heads": these("heads", h),
        "script.draw": these("draw, from 0", draw),
        "script.dropout": probability,
        "script.head": these("head", head),
        "script.heads": these("heads", h),
        "script.seed": these("seed", SEED),
    }
    raw = stage in ("scores", "masked")
    shown = {"scores": score, "masked": masked_scores, "weights": weight, "dropped": dropped}[stage]
    on_show = np.full((T, T), "seen")
    if stage != "scores":
        on_show = np.where(FUTURE & causal, "masked", "seen")
    if stage == "dropped":
        on_show = states
    looked = dropped if stage == "dropped" else weight  # what a tooltip and the arcs call weight
    rows, columns = np.nonzero(on_show == "dropped")
    by_word: list[list[Claim]] = []
    for word, row in enumerate(looked):
        ahead = int((row[word + 1 :] > 0).sum())
        later = these("arcs to later words", ahead) if ahead else []
        by_word.append([*these("weight of an arc", *row[row > 0]), *later])
    looks = [claim for row in by_word for claim in row]
    by_cell = {
        "cells.value": rounded("value of a cell", np.where(np.isfinite(shown), shown, 0), 4),
        "cells.text": these(
            "value of a cell",
            *np.where((on_show == "seen") | np.isinf(shown), shown, 0).flat,
        ),
        "cells.score": these("score in a tooltip", *score.flat),
        "cells.weight": these("weight in a tooltip", *looked.flat),
        "cells.head": viewing,
        "drops.x": these("place of a dropped cell", *(columns + 0.5)),
        "drops.y": these("place of a dropped cell", *(rows + 0.5)),
        "sums.text": these("row sum or mean", *sums, *means) if drops and not raw else [],
    }
    if stage != "dropped":
        by_cell["sums.text"] = []  # the sums are of what is shown
    scale = (-4, 0, 4) if raw else (0, 0.1, 0.3, 0.6, 1)
    figures |= {"looks": looks, "announcement.word": looks}
    for name in ("causal", "reset", "head"):  # each says a text of its own, then the chosen row
        own = figures[f"announcement.{name}"]
        figures[f"announcement.{name}"] = [c for row in by_word for c in (*own, *row)]
    without = score if raw else weights(h, False)[head - 1]
    by_cell["under.text"] = these("value without the mask", *without.flat)
    by_cell["notes.text"] = these("tick of the colour bar", *scale)
    return {f"map.{key}": found for key, found in figures.items()} | {
        f"source:map.{key}": found for key, found in by_cell.items()
    }
