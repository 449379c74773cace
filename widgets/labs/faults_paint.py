"""What does the failure lab show? Formats what `faults_measure` measured."""

import numpy as np

from attention import Attention
from attention.faults import Fault
from widgets.labs.faults_checklist import paint_checklist, passed_in_words
from widgets.labs.faults_measure import DRAWS, HEAD, HEADS, TOKENS, FaultsLook, P, RunLook, look
from widgets.labs.faults_words import ROUNDING, WORDS, size, symptom
from widgets.map_paint import number, paint_axes, paint_cells, paint_sums
from widgets.scene import Paint

NO_MAP = "No map: the reshape is undefined"
NOTHING = "none"
KPIS = (
    "sees-future",
    "masked-cells",
    "row-sums",
    "survivors",
    "mean-sums",
    "dropped",
    "repeats",
    "projection",
)


def paint_faults(faults: frozenset[Fault]) -> Paint:
    """Paint one set of faults; see `Scene.paint`."""
    now = look(faults)
    return (
        _map(now, "training")
        | {_placed(key): value for key, value in _map(now, "inference").items()}
        | (_no_figures() if now.run is None else _figures(now.run))
        | _words(now)
    )


def _placed(key: str) -> str:
    """Put the second map's models and texts beside the first's: "title" -> "inference.title"."""
    kind, colon, rest = key.rpartition(":")
    return f"{kind}{colon}inference.{rest}"


def _map(now: FaultsLook, step: str) -> Paint:
    axes = paint_axes(TOKENS, means=False)
    if now.run is None:
        empty: Paint = {key: [] for key in axes if key.startswith("source:")}
        columns = ("value", "place", "text", "kind", "score", "weight", "head")
        empty |= {f"source:cells.{column}": [] for column in columns}
        empty |= {f"source:{name}": [] for name in ("sums.text", "sums.kind", "drops.x", "drops.y")}
        label = f"{NO_MAP}. {now.problem}"
        return axes | empty | {"title": NO_MAP, "figure": {"aria-label": label, "hidden": True}}
    record = now.run.training if step == "training" else now.run.inference
    sums = now.run.training_sums if step == "training" else now.run.inference_sums
    title = f"Training step, p = {P:g}" if step == "training" else "Inference"
    label = f"Heat map, {title.lower()}, head {HEAD} of {HEADS}. A table below holds its numbers."
    return (
        axes
        | _cells(record)
        | paint_sums(sums, tolerance=(ROUNDING,))
        | {"title": title, "figure": {"aria-label": label, "hidden": False}}
    )


def _cells(record: Attention) -> Paint:
    i = HEAD - 1
    weights, dropped = record.weights[0, i], record.dropped[0, i]
    kinds = np.full(weights.shape, "seen", dtype="<U7")
    kinds[(weights != 0) & (dropped == 0)] = "dropped"
    kinds[np.isneginf(record.masked_scores[0, i])] = "masked"
    return paint_cells(dropped, kinds, record.scores[0, i], dropped, f"{HEAD} of {HEADS}")


def _range(sums: np.ndarray) -> str:
    if np.all(np.abs(sums - 1) <= ROUNDING):
        return "all 1"
    low, high = number(float(sums.min())), number(float(sums.max()))
    return low if low == high else f"{low} to {high}"


def _figures(run: RunLook) -> Paint:
    ratio = run.survivor_ratio
    same = run.inference_gap == 0
    mixed = run.projection_gap < ROUNDING
    return {
        "kpi.sees-future": "yes" if run.sees_future else "no",
        "kpi.masked-cells": str(run.masked_cells),
        "kpi.row-sums": _range(run.weight_sums),
        "kpi.survivors": "none left" if np.isnan(ratio) else f"× {number(ratio)}",
        "kpi.mean-sums": number(float(run.mean_sums.mean())),
        "kpi.dropped": str(run.dropped_at_inference),
        "kpi.repeats": "same" if same else "differ",
        "kpi.projection": "yes" if mixed else "no",
        "note.sees-future": f"{size(run.future_share)} of this head's weight",
        "note.masked-cells": "at −∞, this head",
        "note.row-sums": "before dropout",
        "note.survivors": f"in training; 1/(1−p) = {number(1 / (1 - P))}",
        "note.mean-sums": f"mean of {DRAWS:,} training draws",
        "note.dropped": "this head",
        "note.repeats": "to the last bit" if same else f"by up to {number(run.inference_gap)}",
        "note.projection": " × ".join(str(n) for n in run.output_shape) + " out",
    }


def _no_figures() -> Paint:
    kpis = {f"kpi.{name}": NOTHING for name in KPIS}
    return kpis | {f"note.{name}": "not reached" for name in KPIS}


def _words(now: FaultsLook) -> Paint:
    count = passed_in_words(now.lines)
    paint: Paint = paint_checklist(now.lines) | {
        "count": count,
        "no-map": [["p", {}, ["strong", {}, NO_MAP], f". {now.problem}."]] if now.problem else [],
        "no-fault": "" if now.faults else f"No fault is on, and {count}. Break something.",
        "said.reset": f"All faults off: {count}.",
    }
    for fault, words in WORDS.items():
        on = fault in now.faults
        told = f"{words.label} on: {symptom(fault, now)}" if on else f"{words.label} off."
        paint[f"said.{fault.value}"] = f"{told} {count}."
        paint[f"symptom.{fault.value}"] = _symptom(fault, now) if on else []
        paint[f"readout.{fault.value}"] = "on" if on else "off"
    return paint


def _symptom(fault: Fault, now: FaultsLook) -> list[object]:
    words = WORDS[fault]
    return [
        ["h3", {}, words.label],
        ["p", {}, ["strong", {}, symptom(fault, now)]],
        ["p", {}, words.why],
    ]
