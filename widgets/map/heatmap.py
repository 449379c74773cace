"""How does the stage on screen become the cells and row sums of the main map?"""

from attention_widget.widgets.map.figures import EXACT
from attention_widget.widgets.map.render import render_cells, render_sums
from attention_widget.widgets.map.snapshot import Snapshot
from attention_widget.widgets.section.section import Slots

SCORE_SPAN = 4.0  # the palette of the score stages runs from -4 to 4; further values share its ends


def render_heatmap(snap: Snapshot) -> Slots:
    """Render the cells and row sums on screen."""
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
