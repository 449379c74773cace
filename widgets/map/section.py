"""What is the lesson's main map: which state, and what is painted for it?"""

from attention_widget.widgets.map.announcements import announcements
from attention_widget.widgets.map.difference import render_difference
from attention_widget.widgets.map.figures import render_figures
from attention_widget.widgets.map.heads import render_heads
from attention_widget.widgets.map.heatmap import render_heatmap
from attention_widget.widgets.map.numpy_script import render_script
from attention_widget.widgets.map.observation import observe
from attention_widget.widgets.map.render import render_axes
from attention_widget.widgets.map.snapshot import Snapshot, snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section.section import Section, Slots


def map_section(state: LessonState | None = None, recorded_draws: int | None = None) -> Section:
    """Make the section "map"; a recording lists its draws and cannot take free text."""
    state = state or LessonState()
    if recorded_draws is not None:
        state.param["draw"].bounds = (0, recorded_draws - 1)
    return Section("map", state, render_map, recorded=recorded_draws is not None)


def render_map(state: LessonState) -> Slots:
    """Render the snapshot of `state`; see `Section.render`."""
    snap = snapshot(state.settings())
    return (
        render_axes(snap.tokens)
        | render_heatmap(snap)
        | render_figures(snap)
        | render_heads(snap)
        | render_difference(snap)
        | _render_controls(snap)
        | {f"announcement.{name}": text for name, text in announcements(snap).items()}
        | {"observation": observe(snap).to_text()}
    )


def _render_controls(snap: Snapshot) -> Slots:
    s = snap.settings
    return {
        "readout.head": f"{s.head} of {s.heads}",
        "readout.draw": f"draw {s.draw + 1}",
        "readout.training": "training" if s.training else "inference",
        "limit.head": {"max": s.heads, "disabled": s.heads == 1},
    } | render_script(s)
