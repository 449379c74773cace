"""Which numbers stand under the map, and how are they written?"""

import numpy as np

from attention_widget.widgets.map.render import number
from attention_widget.widgets.map.snapshot import MEAN_DRAWS, Snapshot
from attention_widget.widgets.map.state import STAGES, Settings
from attention_widget.widgets.section.section import Slots

EXACT = 1e-9  # float64 rows of a softmax sum to 1 far closer than this


def render_figures(snap: Snapshot) -> Slots:
    """Render what dropout has no part in, slots "kpi.<key>" and "note.<key>"."""
    heads = snap.settings.heads
    return {
        "kpi.sees-future": "yes" if snap.sees_future else "no",
        "verdict.sees-future": {"data-state": "alarm" if snap.sees_future else "calm"},
        "kpi.masked-cells": str(snap.masked_cells),
        "kpi.d-head": str(snap.d_head),
        "present": (
            f"sees future? {'yes' if snap.sees_future else 'no'} · "
            f"masked cells {snap.masked_cells} · d_head {snap.d_head}"
        ),
        "kpi.score-shape": " × ".join(str(n) for n in snap.score_shape),
        "kpi.answers": number(snap.weight_on_answers),
        "note.masked-cells": f"{snap.masked_cells_all_heads} in all {heads} heads"
        if heads > 1
        else "in the one head",
        "note.d-head": f"{snap.rest.output.shape[-1]} / {heads}",
        "note.answers": f"an even spread gives {number(1 / len(snap.tokens))}",
        "note.score-shape": f"{snap.score_bytes:,} bytes as float32",
    }


def render_dropout(snap: Snapshot) -> Slots:
    """Render what dropout makes of the rows."""
    s, ratio = snap.settings, snap.survivor_ratio
    return {
        "kpi.row-sums": sums_in_words(snap.row_sums),
        "kpi.dropped-cells": str(snap.dropped_cells),
        "kpi.survivors": "none left" if np.isnan(ratio) else f"× {number(ratio)}",
        "note.row-sums": f"mean of {MEAN_DRAWS:,}: {sums_in_words_loose(snap)}",
        "note.survivors": (
            f"1/(1−p) = {number(1 / (1 - s.dropout))}" if s.drops else "nothing is dropped"
        ),
    }


def render_titles(snap: Snapshot) -> Slots:
    """Render what the map is called."""
    s = snap.settings
    return {
        "figure": {
            "aria-label": (
                f"Heat map, {STAGES[s.stage].lower()}, head {s.head} of {s.heads}, "
                f"causal mask {'on' if s.causal else 'off'}. The table below holds its numbers."
            )
        },
        "title": f"{_title(s)}, head {s.head} of {s.heads}",
    }


def _title(s: Settings) -> str:
    if s.stage == "scores":
        return "The score of each word for each word, before the mask"
    if s.stage == "masked":
        return "The score of each word for each word, after the mask"
    when = ", after dropout" if s.drops and s.stage == "dropped" else ""
    return f"How much each word looks at each word{when}"


def sums_in_words(sums: np.ndarray) -> str:
    """Say what the row sums are, "all 1" or their range."""
    if np.all(np.abs(sums - 1) <= EXACT):
        return "all 1"
    return f"{number(sums.min())} to {number(sums.max())}"


def sums_in_words_loose(snap: Snapshot) -> str:
    """Say the range of the mean row sums."""
    low, high = number(snap.mean_row_sums.min()), number(snap.mean_row_sums.max())
    return low if low == high else f"{low} to {high}"
