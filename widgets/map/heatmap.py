"""How does the stage on screen become the cells and row sums of the main map?"""

from attention_widget.widgets.map.figures import EXACT
from attention_widget.widgets.map.render import (
    render_score,
    render_shown,
    render_sums,
    render_weight,
)
from attention_widget.widgets.map.snapshot import Snapshot
from attention_widget.widgets.section.section import Slots

SCORE_SPAN = 4.0  # the palette of the score stages runs from -4 to 4; further values share its ends


def render_stage(snap: Snapshot) -> Slots:
    """Render the cells on screen."""
    raw = snap.settings.stage in ("scores", "masked")
    span = SCORE_SPAN if raw else 0.0
    return render_shown(
        snap.shown,
        snap.cell_states,
        low=-span if raw else 0.0,
        high=span if raw else 1.0,
        digits=1 if raw else 2,
    )


def render_scores(snap: Snapshot) -> Slots:
    """Render the scores of the tooltip, and the head that it names."""
    s = snap.settings
    return render_score(snap.scores) | {"source:cells.head": f"{s.head} of {s.heads}"}


def render_weights(snap: Snapshot) -> Slots:
    """Render the weights of the tooltip, and the row sums beside the map."""
    mean_slack = 0.05 if snap.settings.drops else EXACT  # 4 standard errors of 1,000 draws' mean
    sums = render_sums(snap.row_sums, snap.mean_row_sums, tolerance=(EXACT, mean_slack))
    return render_weight(snap.dropped) | sums
