"""How do all heads look beside each other, each as a small map to pick?"""

import numpy as np

from attention_widget.widgets.map.render import pixels
from attention_widget.widgets.map.snapshot import Snapshot
from attention_widget.widgets.map.state import MAX_HEADS
from attention_widget.widgets.section.section import Slots


def render_heads(snap: Snapshot) -> Slots:
    """Render every head, and empty places for those that are not there."""
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
