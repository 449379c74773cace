"""What is the lesson's main map: which state, and what is painted for it?"""

from collections.abc import Callable
from functools import partial

from attention_widget.lesson import tokenize
from attention_widget.widgets.map import words
from attention_widget.widgets.map.announcements import (
    announce_dropout,
    announce_head,
    announce_mask,
    announce_rest,
)
from attention_widget.widgets.map.arcs import render_arcs, render_looks
from attention_widget.widgets.map.difference import render_difference
from attention_widget.widgets.map.figures import render_dropout, render_figures, render_titles
from attention_widget.widgets.map.heads import render_buttons, render_heads
from attention_widget.widgets.map.heatmap import (
    render_bar,
    render_compare,
    render_places,
    render_scores,
    render_stage,
    render_under,
    render_weights,
)
from attention_widget.widgets.map.numpy_script import SETTINGS, render_setting
from attention_widget.widgets.map.observation import observe
from attention_widget.widgets.map.snapshot import Snapshot, snapshot
from attention_widget.widgets.map.state import LessonState, Settings
from attention_widget.widgets.section.groups import Groups
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.terms import with_terms


def map_section(state: LessonState | None = None, recorded_draws: int | None = None) -> Section:
    """Make the section "map"; a recording lists its draws and cannot take free text."""
    state = state or LessonState()
    if recorded_draws is not None:
        state.param["draw"].bounds = (0, recorded_draws - 1)
        state.param["word"].bounds = (1, len(tokenize(state.sentence)))
    return Section("map", state, render_map, recorded=recorded_draws is not None)


def _render_observation(snap: Snapshot) -> Slots:
    return {"observation": observe(snap).to_text()}


def _render_controls(snap: Snapshot) -> Slots:
    s = snap.settings
    return {
        "readout.head": f"{s.head} of {s.heads}",
        "limit.head": {"max": s.heads, "disabled": s.heads == 1},
        "minis": {"hidden": s.heads == 1},
    }


def _render_draw(snap: Snapshot) -> Slots:
    return {"readout.draw": f"draw {snap.settings.draw + 1}"}


def _render_training(snap: Snapshot) -> Slots:
    s = snap.settings
    return {
        "readout.training": "training" if s.training else "inference",
        "with-training": {"hidden": s.dropout == 0},
        "with-draw": {"hidden": not s.drops},
        "training-note": with_terms(
            "" if s.dropout == 0 else words.DROPPING if s.drops else words.IDLE
        ),
    }


def _render_reading(snap: Snapshot) -> Slots:
    raw = snap.settings.stage in ("scores", "masked")
    # All terms stand behind the controls: between an answer and its control lie few stops of Tab.
    text = f"{words.READING['scores' if raw else 'weights']} {words.FIRST_TERMS}"
    return {"reading": with_terms(text)}


def _of_state(render: Callable[[Snapshot], Slots]) -> Callable[[Settings], Slots]:
    return lambda settings: render(snapshot(settings))


render_map = Groups(
    *map(
        _of_state,
        (
            render_places,
            render_bar,
            render_arcs,
            render_looks,
            render_under,
            render_compare,
            render_stage,
            render_scores,
            render_weights,
            render_figures,
            render_dropout,
            render_titles,
            render_heads,
            render_buttons,
            render_difference,
            _render_controls,
            _render_draw,
            _render_training,
            _render_reading,
            announce_mask,
            announce_dropout,
            announce_head,
            announce_rest,
            _render_observation,
        ),
    ),
    *(partial(render_setting, name) for name in SETTINGS),
)
