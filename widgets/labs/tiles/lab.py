"""Tiles: how does attention get by without ever holding the T x T scores?"""

from typing import Any

import param

from attention_widget.widgets.labs.tiles.measure import walk
from attention_widget.widgets.labs.tiles.render import render_tiles
from attention_widget.widgets.section.controls import Range, Switch
from attention_widget.widgets.section.section import Section, Slots

MOST = len(walk(False).steps)


class TilesState(param.Parameterized):
    """The stepper's controls; with the mask on there are fewer tiles to read."""

    causal: bool = param.Boolean(default=True)
    read: int = param.Integer(default=1, bounds=(0, MOST))

    def choose(self, **values: Any) -> None:
        """Set parameters; never more tiles than there are to read."""
        last = len(walk(bool(values.get("causal", self.causal))).steps)
        values["read"] = min(values.get("read", self.read), last)
        self.param.update(**values)


def tiles_section() -> Section:
    """Make the section "tiles"."""
    return Section(
        "tiles",
        TilesState(),
        (
            Switch(name="causal", label="Causal mask", help="Tiles above the diagonal go unread."),
            Range(name="read", label="Tiles read", low=0, high=MOST, help="One at a time."),
        ),
        _paint,
    )


def _paint(state: TilesState) -> Slots:
    return render_tiles(state.causal, state.read)
