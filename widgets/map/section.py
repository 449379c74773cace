"""What does the main map say and show for a state?

Words and marks for one snapshot: the map, the measured figures, all heads, the difference that
the mask makes, and the sentence that says what the last action changed.
"""

import numpy as np

from attention_widget.lesson import check_seed, tokenize
from attention_widget.widgets.map.numpy_script import render_script
from attention_widget.widgets.map.observation import observe
from attention_widget.widgets.map.render import (
    number,
    pixels,
    render_axes,
    render_cells,
    render_sums,
)
from attention_widget.widgets.map.snapshot import MEAN_DRAWS, Snapshot, snapshot
from attention_widget.widgets.map.state import MAX_DRAWS, MAX_HEADS, STAGES, LessonState
from attention_widget.widgets.section.controls import (
    Choice,
    Control,
    Range,
    Step,
    Switch,
    Text,
    shown,
)
from attention_widget.widgets.section.section import Section, Slots

EXACT = 1e-9  # float64 rows of a softmax sum to 1 far closer than this
SCORE_SPAN = 4.0  # the palette of the score stages runs from -4 to 4; further values share its ends


def _words(text: str) -> str:
    return " ".join(tokenize(text))


def _seed(text: str) -> int:
    try:
        return check_seed(int(text))
    except ValueError:
        raise ValueError(
            f"Seed is a whole number from 0 to {2**32 - 1}: got {shown(text)}; try 7"
        ) from None


MASK = Switch(name="causal", label="Causal mask", help="Each word may look back, never ahead.")
CONTROLS: tuple[Control, ...] = (
    MASK,
    Range(name="heads", label="Heads", low=1, high=MAX_HEADS, help="h; each is d/h wide."),
    Range(name="head", label="Viewing head", low=1, high=MAX_HEADS, help="Which map is shown."),
    Range(name="dropout", label="Dropout", low=0, high=0.9, step=0.1, help="p; in training only."),
    Switch(name="training", label="Training", help="Off is inference."),
    Choice(name="stage", label="Stage", options=STAGES),
    Step(name="draw", label="New draw", low=0, high=MAX_DRAWS - 1, help="Drop other cells."),
    Text(name="sentence", label="Sentence", check=_words, help="1 to 16 words."),
    Text(name="seed", label="Seed", check=_seed, max_length=40, help="Of every random number."),
)


def map_section(state: LessonState | None = None, recorded_draws: int | None = None) -> Section:
    """Make the section "map"; a recording lists its draws and cannot take free text."""
    controls = CONTROLS
    if recorded_draws is not None:
        draw = Step(name="draw", label="New draw", low=0, high=recorded_draws - 1)
        controls = tuple(
            draw if c.name == "draw" else c for c in CONTROLS if not isinstance(c, Text)
        )
    return Section("map", state or LessonState(), controls, render_map)


def render_map(state: LessonState) -> Slots:
    """Render the snapshot of `state`; see `Section.render`."""
    snap = snapshot(state.settings())
    return (
        render_axes(snap.tokens)
        | _render_heatmap(snap)
        | _render_figures(snap)
        | _render_heads(snap)
        | _render_difference(snap)
        | _render_controls(snap)
        | {f"announcement.{name}": text for name, text in announcements(snap).items()}
        | {"observation": observe(snap).to_text()}
    )


def _render_heatmap(snap: Snapshot) -> Slots:
    s, i = snap.settings, snap.head_index
    raw = s.stage in ("scores", "masked")
    span = SCORE_SPAN if raw else 0.0
    mean_slack = 0.05 if s.drops else EXACT  # about 4 standard errors of a mean of 1,000 draws
    return render_cells(
        snap.shown,
        snap.cell_states,
        snap.layer.scores[0, i],
        snap.layer.dropped[0, i],
        f"{s.head} of {s.heads}",
        low=-span if raw else 0.0,
        high=span if raw else 1.0,
        digits=1 if raw else 2,
    ) | render_sums(snap.row_sums, snap.mean_row_sums, tolerance=(EXACT, mean_slack))


def sums_in_words(sums: np.ndarray) -> str:
    """Say what the row sums are, "all 1" or their range."""
    if np.all(np.abs(sums - 1) <= EXACT):
        return "all 1"
    return f"{number(sums.min())} to {number(sums.max())}"


def _render_figures(snap: Snapshot) -> Slots:
    s = snap.settings
    ratio = snap.survivor_ratio
    shape = " × ".join(str(n) for n in snap.score_shape)
    return {
        "kpi.sees-future": "yes" if snap.sees_future else "no",
        "kpi.masked-cells": str(snap.masked_cells),
        "kpi.d-head": str(snap.d_head),
        "kpi.row-sums": sums_in_words(snap.row_sums),
        "kpi.dropped-cells": str(snap.dropped_cells),
        "kpi.survivors": "none left" if np.isnan(ratio) else f"× {number(ratio)}",
        "kpi.score-shape": shape,
        "kpi.answers": number(snap.weight_on_answers),
        "note.masked-cells": f"{snap.masked_cells_all_heads} in all {s.heads} heads"
        if s.heads > 1
        else "in the one head",
        "note.d-head": f"{snap.layer.output.shape[-1]} / {s.heads}",
        "note.score-shape": f"{snap.score_bytes:,} bytes as float64",
        "note.row-sums": f"mean of {MEAN_DRAWS:,}: {sums_in_words_loose(snap)}",
        "note.survivors": (
            f"1/(1−p) = {number(1 / (1 - s.dropout))}" if s.drops else "nothing is dropped"
        ),
        "figure": {
            "aria-label": (
                f"Heat map, {STAGES[s.stage].lower()}, head {s.head} of {s.heads}, "
                f"causal mask {'on' if s.causal else 'off'}. The table below holds its numbers."
            )
        },
        "title": f"{STAGES[s.stage]} · head {s.head} of {s.heads}",
    }


def sums_in_words_loose(snap: Snapshot) -> str:
    """Say the range of the mean row sums."""
    low, high = number(snap.mean_row_sums.min()), number(snap.mean_row_sums.max())
    return low if low == high else f"{low} to {high}"


def _render_heads(snap: Snapshot) -> Slots:
    s = snap.settings
    weights, dropped = snap.layer.weights[0], snap.all_heads
    masked = np.isneginf(snap.layer.masked_scores[0])
    paint: Slots = {}
    for i in range(MAX_HEADS):
        there = i < s.heads
        if there:
            lost = (weights[i] != 0) & (dropped[i] == 0)
            cell_states = np.where(masked[i], "masked", np.where(lost, "dropped", "seen"))
            paint[f"mini.{i + 1}"] = pixels(dropped[i], cell_states)
        else:
            paint[f"mini.{i + 1}"] = {"width": 1, "palette_indices": []}
        paint[f"mini-button.{i + 1}"] = {
            "disabled": not there,
            "aria-pressed": "true" if s.head == i + 1 else "false",
        }
    return paint


def _render_difference(snap: Snapshot) -> Slots:
    rows = []
    top = float(snap.change.max())
    for i, (token, change) in enumerate(zip(snap.tokens, snap.change, strict=True), start=1):
        verdict = "unchanged" if change == 0 else "changes most" if change == top else ""
        rows.append(
            [
                "tr",
                {},
                ["th", {"scope": "row"}, f"{i} {token}"],
                ["td", {}, number(float(change))],
                ["td", {}, ["i", {"class": "bar", "data-level": round(float(change), 3)}]],
                ["td", {}, verdict],
            ]
        )
    return {"difference": rows}


def _render_controls(snap: Snapshot) -> Slots:
    s = snap.settings
    return {
        "readout.heads": str(s.heads),
        "readout.head": f"{s.head} of {s.heads}",
        "readout.dropout": f"{s.dropout:.1f}",
        "readout.draw": f"draw {s.draw + 1}",
        "readout.causal": "on" if s.causal else "off",
        "readout.training": "training" if s.training else "inference",
        "limit.head": {"max": s.heads, "disabled": s.heads == 1},
    } | render_script(s)


def announcements(snap: Snapshot) -> dict[str, str]:
    """Say, for each control, what has just changed if it was the one that moved."""
    s = snap.settings
    last = len(snap.tokens)
    future = "some weight lies on the future" if snap.sees_future else "no weight on the future"
    if s.causal:
        mask = (
            f"Causal mask on: {snap.masked_cells} cells of this head are masked and there is "
            f"{future}."
        )
    else:
        mask = (
            f"Causal mask off: {snap.masked_cells} cells are masked, {future}, and the answers "
            f"hold {number(snap.weight_on_answers)} of the weight on average."
        )
    if s.drops:
        drop = (
            f"Dropout {s.dropout:.1f} in training: {snap.dropped_cells} weights dropped in this "
            f"draw, row sums {sums_in_words(snap.row_sums)}, mean of {MEAN_DRAWS:,} draws "
            f"{sums_in_words_loose(snap)}."
        )
    elif s.dropout > 0:
        drop = f"Dropout is set to {s.dropout:.1f} but this is inference: nothing is dropped."
    else:
        drop = f"Dropout is 0: nothing is dropped{' in training' if s.training else ''}."
    heads = (
        f"{s.heads} {'head' if s.heads == 1 else 'heads'}, each {snap.d_head} wide "
        f"({snap.layer.output.shape[-1]} / {s.heads}). Showing head {s.head}."
    )
    view = f"Head {s.head} of {s.heads}: row sums {sums_in_words(snap.row_sums)}."
    stage = f"Showing {STAGES[s.stage].lower()} of head {s.head}."
    return {
        "causal": mask,
        "heads": heads,
        "head": view,
        "dropout": drop,
        "training": drop,
        "draw": drop,
        "stage": stage,
        "sentence": f"New sentence of {last} {'word' if last == 1 else 'words'}.",
        "seed": f"Seed {s.seed}: new random geometry.",
        "reset": f"Back to the start. {mask}",
    }
