"""Tiles: how does attention get by without ever holding the T x T scores?"""

import param

from attention_widget.widgets.labs.tiles.measure import walk
from attention_widget.widgets.labs.tiles.render import render_tiles
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState

MOST = len(walk(False).steps)


class TilesState(SectionState):
    """The stepper's controls; with the mask on there are fewer tiles to read."""

    causal: bool = param.Boolean(
        default=True, label="Causal mask", doc="Tiles above the diagonal go unread."
    )
    read: int = param.Integer(default=1, bounds=(0, MOST), label="Tiles read", doc="One at a time.")

    @param.depends("causal", "read", watch=True, on_init=True)
    def _read_no_more_tiles_than_there_are(self) -> None:
        last = len(walk(self.causal).steps)
        if self.read > last:
            self.read = last


def tiles_section() -> Section:
    """Make the section "tiles"."""
    return Section("tiles", TilesState(), _paint)


def _paint(state: TilesState) -> Slots:
    return render_tiles(state.causal, state.read)
