"""What does the failure lab show? Formats what `faults_measure` measured."""

import numpy as np

from attention_widget import Attention
from attention_widget.faults import Fault
from attention_widget.measures import cell_states
from attention_widget.widgets.labs.faults.checklist import passed_in_words, render_checklist
from attention_widget.widgets.labs.faults.measure import (
    DRAWS,
    HEAD,
    HEADS,
    TOKENS,
    FaultsLook,
    P,
    RunLook,
    look,
)
from attention_widget.widgets.labs.faults.words import (
    ROUNDING,
    WORDS,
    fixed_in_words,
    moved_in_words,
    symptom,
)
from attention_widget.widgets.map.layout import render_axes, render_scale
from attention_widget.widgets.map.render import number, render_cells, render_sums
from attention_widget.widgets.section.section import Slots

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


def render_faults(faults: frozenset[Fault], tokens: tuple[str, ...] = TOKENS) -> Slots:
    """Render one set of faults; see `Section.render`."""
    now = look(faults, tokens)
    return (
        _map(now, "training")
        | {_placed(key): value for key, value in _map(now, "inference").items()}
        | (_no_figures() if now.run is None else _figures(now.run))
        | _words(now)
    )


def _placed(key: str) -> str:
    """Put the second map's models and texts beside the first's: "title" -> "inference.title"."""
    prefix, colon, rest = key.rpartition(":")
    return f"{prefix}{colon}inference.{rest}"


def _map(now: FaultsLook, step: str) -> Slots:
    axes = render_axes(now.tokens) | render_scale(len(now.tokens))
    if now.run is None:
        empty: Slots = {key: [] for key in axes if key.startswith("source:")}
        columns = ("palette_index", "text", "state", "score", "weight", "head")
        empty |= {f"source:cells.{column}": [] for column in columns}
        others = ["sums.text", "sums.verdict", "drops.x", "drops.y", "answers.x", "answers.y"]
        others += ["answers.ring", "sample.answer.ring", "sample.answer.palette_index"]
        empty |= {f"source:{name}": [] for name in others}
        label = f"{NO_MAP}. {now.problem}"
        return axes | empty | {"title": NO_MAP, "figure": {"aria-label": label, "hidden": True}}
    record = now.run.training if step == "training" else now.run.inference
    sums = now.run.training_sums if step == "training" else now.run.inference_sums
    title = f"Training step, p = {P:g}" if step == "training" else "Inference"
    label = f"Heat map, {title.lower()}, head {HEAD} of {HEADS}. A table below holds its numbers."
    return (
        axes
        | _cells(record)
        | render_sums(sums, tolerance=(ROUNDING,))
        | {"title": title, "figure": {"aria-label": label, "hidden": False}}
    )


def _cells(record: Attention) -> Slots:
    i = HEAD - 1
    weights, dropped = record.weights[0, i], record.dropped[0, i]
    states = cell_states(record.masked_scores[0, i], weights, dropped)
    return render_cells(dropped, states, record.scores[0, i], dropped, f"{HEAD} of {HEADS}")


def _range(sums: np.ndarray) -> str:
    if np.all(np.abs(sums - 1) <= ROUNDING):
        return "all 1"
    low, high = number(float(sums.min())), number(float(sums.max()))
    return low if low == high else f"{low} to {high}"


def _figures(run: RunLook) -> Slots:
    ratio = run.survivor_ratio
    same = run.inference_gap == 0
    mixed = run.projection_gap < ROUNDING
    return {
        "kpi.sees-future": "yes" if run.sees_future else "no",
        "verdict.sees-future": {"data-state": "alarm" if run.sees_future else "calm"},
        "kpi.masked-cells": str(run.masked_cells),
        "kpi.row-sums": _range(run.weight_sums),
        "kpi.survivors": "none left" if np.isnan(ratio) else f"× {number(ratio)}",
        "kpi.mean-sums": number(float(run.mean_sums.mean())),
        "kpi.dropped": str(run.dropped_at_inference),
        "kpi.repeats": "same" if same else "differ",
        "kpi.projection": "yes" if mixed else "no",
        "note.sees-future": moved_in_words(run),
        "note.masked-cells": "at −∞, this head",
        "note.row-sums": "before dropout",
        "note.survivors": f"in training; 1/(1−p) = {number(1 / (1 - P))}",
        "note.mean-sums": f"mean of {DRAWS:,} training draws",
        "note.dropped": "this head",
        "note.repeats": "to the last bit" if same else f"by up to {number(run.inference_gap)}",
        "note.projection": " × ".join(str(n) for n in run.output_shape) + " out",
    }


def _no_figures() -> Slots:
    kpis = {f"kpi.{name}": NOTHING for name in KPIS}
    notes = {f"note.{name}": "not reached" for name in KPIS}
    return kpis | notes | {"verdict.sees-future": {"data-state": None}}


def _words(now: FaultsLook) -> Slots:
    count = passed_in_words(now.lines)
    paint: Slots = render_checklist(now.lines) | {
        "count": count,
        "no-map": [["p", {}, ["strong", {}, NO_MAP], f". {now.problem}."]] if now.problem else [],
        "fixed": fixed_in_words(now),
        "no-fault": "" if now.faults else f"No fault is on, and {count}. Break something.",
        "announcement.reset": f"All faults off: {count}.",
    }
    for fault, words in WORDS.items():
        on = fault in now.faults
        told = f"Fault {'on' if on else 'off'}: {words.label}."
        told += f" {symptom(fault, now)}" if on else ""
        paint[f"announcement.{fault.value}"] = f"{told} {count}."
        paint[f"symptom.{fault.value}"] = _symptom(fault, now) if on else []
    return paint


def _symptom(fault: Fault, now: FaultsLook) -> list[object]:
    words = WORDS[fault]
    return [
        ["h3", {}, words.label],
        ["p", {}, ["strong", {}, symptom(fault, now)]],
        ["p", {}, words.why],
    ]
