"""What the numbers of the failure lab stand for."""

from functools import cache
from typing import Any

import numpy as np

from tests.truth.claims.common import Claims, cell_states, constants, map_claims, size, these
from tests.truth.faulty import (
    FILL,
    H,
    P,
    factor,
    inference,
    influence,
    mean_training_sum,
    passes,
    training,
)
from tests.truth.independent import DRAWS, FUTURE, D, T, matrices
from tests.truth.numbers import Claim

REFUSAL = constants(D, 5, 2, 1, 2, 3, 4, 6, 12)
WHY = {
    "missing_scale": constants(8),
    "finite_fill": constants(0),
    "zero_after_softmax": constants(0),
}
FACTORS = ("missing_rescale", "rescale_by_p")


@cache
def _cached(name: str, faults: frozenset[str]) -> Any:
    made = {"moved": influence, "mean": mean_training_sum, "peak": _peak}
    return made[name](faults)


def _peak(faults: frozenset[str]) -> float:
    weights = inference(faults - {"dropout_at_inference"}).weights
    several = np.count_nonzero(weights, axis=-1) > 1
    return float(weights.max(axis=-1)[several].mean())


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    faults = frozenset(name for name, on in values.items() if on)
    found = _refused() if "indivisible_heads" in faults else _ran(faults)
    own = {key: value for key, value in found.items() if not key.startswith("said.")}
    prefixed = {key if ":" in key else f"faults.{key}": value for key, value in own.items()}
    return prefixed | _told(values, found)


def _told(values: dict[str, Any], found: Claims) -> Claims:
    """Claim the announcements and symptoms: what was said, why it hurts, how many lines pass."""
    told: Claims = {}
    for name, on in values.items():
        said = found.get(f"said.{name}", []) if on else []
        label = constants(1) if name == "missing_scale" else []
        told[f"faults.announcement.{name}"] = [*label, *said, *found["count"]]
        told[f"faults.symptom.{name}"] = [*label, *said, *WHY.get(name, [])] if on else []
    told["faults.announcement.reset"] = found["count"]
    told["faults.no-fault"] = [] if any(values.values()) else found["count"]
    return told


def _refused() -> Claims:
    return {
        "said.indivisible_heads": REFUSAL,
        "count": these("lines that pass", 0, 7),
        "check.heads_divide_width": these("d, h and remainder", D, 5, D % 5),
        "check.rows_sum_over_past": constants(1),
        "check.dropout_in_training": constants(1, 1),
        "no-map": REFUSAL,
        "figure": REFUSAL,
        "inference.figure": REFUSAL,
        "fixed": these("h and head", 5, 1),
    }


def _ran(faults: frozenset[str]) -> Claims:
    train, step, again = training(faults), inference(faults), inference(faults, 1)
    moved, passing = _cached("moved", faults), passes(faults)
    weights = step.weights[0]
    at_minus_inf = int(np.isneginf(step.masked[0]).sum())
    share = float(weights[FUTURE].sum() / weights.sum())
    changed = float(np.abs(step.output - again.output).max())
    lost = int(((weights != 0) & (step.dropped[0] == 0)).sum())
    sums = weights.sum(axis=1)
    alive = train.dropped != 0
    ratio = train.dropped[alive] / train.weights[alive]
    mean = _cached("mean", faults)
    found: Claims = {
        "count": these("lines that pass", sum(passing.values()), 7),
        "fixed": these("h and head", H, 1),
        "title": these("p", P),
        "figure": [*these("p", P), *constants(1, H)],
        "inference.figure": constants(1, H),
        "kpi.masked-cells": these("scores at -inf", at_minus_inf),
        "kpi.row-sums": _sums(sums),
        "kpi.survivors": these("survivor", factor(faults)),
        "kpi.mean-sums": these("mean training sum", mean),
        "kpi.dropped": these("dropped at inference", lost),
        "note.sees-future": _largest_move(moved),
        "note.survivors": [*constants(1, 1), *these("1/(1-p)", 1 / (1 - P))],
        "note.mean-sums": constants(DRAWS),
        "note.repeats": these("change between calls", changed) if changed else [],
        "note.projection": these("shape of the output", 1, T, D),
    }
    found |= _checks(faults, step, ratio)
    found |= _symptoms(faults, step, moved, at_minus_inf, share, sums, mean)
    found["said.dropout_at_inference"] = [
        *these("dropped at inference", lost),
        *these("change between calls", changed),
    ]
    for name, record in (("faults", train), ("faults.inference", step)):
        masked = np.isneginf(record.masked[0])
        states = cell_states(masked, record.weights[0], record.dropped[0])
        shown = record.dropped[0]
        found |= map_claims(name, shown, states, record.scores[0], (1, H), shown.sum(axis=1))
    return found


def _sums(sums: np.ndarray) -> list[Claim]:
    if np.allclose(sums, 1, rtol=0, atol=1e-9):
        return constants(1)
    low, high = (round(float(value), 2) for value in (sums.min(), sums.max()))
    return these("row sum", *((low,) if low == high else (sums.min(), sums.max())))


def _largest_move(moved: np.ndarray) -> list[Claim]:
    early = np.triu(moved, 1)
    if not early.any():
        return []
    output, word = np.unravel_index(early.argmax(), early.shape)
    return [*these("word and output", word + 1, output + 1), *size("move", early.max())]


def _checks(faults: frozenset[str], step: Any, ratio: np.ndarray) -> Claims:
    minus = np.isneginf(step.masked)
    past_error = np.abs(np.where(FUTURE, 0, step.weights).sum(axis=-1) - 1).max()
    later = np.where(FUTURE, step.weights, 0).max()
    lost = np.abs(step.dropped - step.weights).max()
    due = step.context @ matrices()[3]
    missed = np.abs(step.output - due).max() / max(1.0, np.abs(due).max())
    scale = 1.0 if "missing_scale" in faults else 1 / np.sqrt(D // H)
    return {
        "check.mask_before_softmax": these(
            "scores at -inf, of each head, and others",
            (minus & FUTURE).sum((1, 2)).min(),
            FUTURE.sum(),
            (minus & ~FUTURE).sum((1, 2)).max(),
        ),
        "check.rows_sum_over_past": [
            *constants(1, 1),
            *size("error of a row", past_error),
            *size("weight on a later word", later),
        ],
        "check.dropout_in_training": [
            *constants(1, 1),
            *these("survivor", ratio.min()),
            *these("1/(1-p)", 1 / (1 - P)),
            *size("change at inference", lost),
        ],
        "check.heads_divide_width": these("d, h, remainder, d_head", D, H, 0, D // H),
        "check.scaled_scores": these("factor of q . k, and due", scale, 1 / np.sqrt(D // H)),
        "check.one_projection": size("miss of the output", missed),
        "check.score_shape": these("shape of the scores", 1, H, T, T),
    }


def _symptoms(
    faults: frozenset[str],
    step: Any,
    moved: np.ndarray,
    at_minus_inf: int,
    share: float,
    sums: np.ndarray,
    mean: float,
) -> Claims:
    on_later = these("share of the weight on later words", share)
    cells = these("scores at -inf", at_minus_inf)
    found: Claims = {
        "said.no_mask": [*cells, *on_later],
        "said.wrong_triangle": [*(cells if at_minus_inf else []), *on_later],
    }
    filled = (step.masked[0] != step.scores[0]) & ~np.isneginf(step.masked[0])
    if filled.any():
        found["said.finite_fill"] = [
            *cells,
            *these("filled cells and what with", filled.sum(), FILL),
            *size("largest weight of one", step.weights[0][filled].max()),
            *constants(0),
        ]
    if (1 - sums).max() < 1e-9:
        found["said.zero_after_softmax"] = constants(1)
    else:
        found["said.zero_after_softmax"] = [
            *these("smallest row sum", sums.min()),
            *size("short of 1", float((1 - sums).max())),
            *constants(1, T, 1, T - 1),
            *(claim for move in moved[:-1, -1] for claim in size("move", move)),
        ]
    found["said.missing_scale"] = [
        *these("times too large", np.sqrt(D // H)),
        *these("largest weight", _cached("peak", faults)),
        *these("largest weight, scaled", _cached("peak", faults - {"missing_scale"})),
        *constants(1),
    ]
    for name in FACTORS:
        found[f"said.{name}"] = [
            *these("survivor", factor(faults)),
            *these("1/(1-p)", 1 / (1 - P)),
            *constants(DRAWS),
            *these("mean training sum", mean),
        ]
    found["said.straight_reshape"] = _largest_move(moved)
    gap = float(np.abs(step.output - step.context @ matrices()[3]).max())
    found["said.no_output_projection"] = these("distance from context W_o", gap)
    return found
