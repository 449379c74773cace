"""How do all heads look beside each other, each as a small map to pick?"""

from attention_widget.widgets.map.render import pixels
from attention_widget.widgets.map.snapshot import Snapshot
from attention_widget.widgets.map.state import MAX_HEADS
from attention_widget.widgets.section.section import Slots


def render_heads(snap: Snapshot) -> Slots:
    """Render every head, and empty places for those that are not there."""
    heads = snap.settings.heads
    states = snap.all_cell_states
    paint: Slots = {}
    for i in range(MAX_HEADS):
        if i < heads:
            paint[f"mini.{i + 1}"] = pixels(snap.all_heads[i], states[i])
        else:
            paint[f"mini.{i + 1}"] = {"width": 1, "palette_indices": []}
    return paint


def render_buttons(snap: Snapshot) -> Slots:
    """Render which heads can be picked, and which is."""
    s = snap.settings
    return {
        f"mini-button.{i}": {
            "disabled": i > s.heads,
            "checked": s.head == i,
        }
        for i in range(1, MAX_HEADS + 1)
    }
