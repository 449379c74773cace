"""How does the stage on screen become the cells and row sums of the main map?"""

from attention_widget.widgets.map.figures import EXACT
from attention_widget.widgets.map.follow import LOOKED_UP
from attention_widget.widgets.map.layout import ROOM, render_axes, render_scale
from attention_widget.widgets.map.render import (
    finite,
    no_sums,
    number,
    render_marks,
    render_score,
    render_shown,
    render_sums,
    render_weight,
)
from attention_widget.widgets.map.snapshot import Snapshot
from attention_widget.widgets.section.palette import palette_index
from attention_widget.widgets.section.section import Slots

VALUE_DIGITS = 4  # of what a student takes away
SCORE_SPAN = 4.0  # the palette of the score stages runs from -4 to 4; further values share its ends


def render_stage(snap: Snapshot) -> Slots:
    """Render the cells on screen."""
    exact = {"source:cells.value": [round(v, VALUE_DIGITS) for v in finite(snap.shown)]}
    if snap.settings.stage in ("scores", "masked"):
        return exact | render_shown(
            snap.shown, snap.cell_states, low=-SCORE_SPAN, high=SCORE_SPAN, digits=1
        )
    return exact | render_marks(snap.cell_states) | LOOKED_UP


def render_scores(snap: Snapshot) -> Slots:
    """Render the scores of the tooltip, and the head that it names."""
    s = snap.settings
    return render_score(snap.scores) | {"source:cells.head": f"{s.head} of {s.heads}"}


def render_weights(snap: Snapshot) -> Slots:
    """Render the weights of the tooltip, and the row sums beside the map."""
    weights = render_weight(snap.weights_shown)
    if not snap.sums_shown:
        return weights | no_sums(len(snap.tokens), ROOM)
    mean_slack = 0.05  # 4 standard errors of 1,000 draws' mean
    return weights | render_sums(snap.row_sums, snap.mean_row_sums, tolerance=(EXACT, mean_slack))


def render_places(snap: Snapshot) -> Slots:
    """Render where everything stands; columns of row sums only where they are of what is shown."""
    sums = ("sum", "mean") if snap.sums_shown else ()
    return render_axes(snap.tokens, sums=sums, room=ROOM, arcs=True)


def render_bar(snap: Snapshot) -> Slots:
    """Render the scale below the map."""
    return render_scale(len(snap.tokens), raw=snap.settings.stage in ("scores", "masked"))


def render_under(snap: Snapshot) -> Slots:
    """Render the cells as they are without the mask and before dropout, to compare with."""
    raw = snap.settings.stage in ("scores", "masked")
    without = snap.scores if raw else snap.without_mask  # (T, T)
    span = (-SCORE_SPAN, SCORE_SPAN) if raw else (0.0, 1.0)
    return {
        "source:under.palette_index": [palette_index(float(v), *span) for v in without.flat],
        "source:under.text": [number(v, 1 if raw else 2) for v in without.flat],
    }


def render_compare(snap: Snapshot) -> Slots:
    """Render whether there is a mask to compare with none."""
    return {"compare": {"aria-disabled": "false" if snap.settings.causal else "true"}}
