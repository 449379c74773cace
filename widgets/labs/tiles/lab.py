"""Tiles: how does attention get by without ever holding the T x T scores?"""

from functools import lru_cache

import param

from attention_widget.widgets.labs.tiles.measure import TOKENS, walk
from attention_widget.widgets.labs.tiles.render import render_tiles
from attention_widget.widgets.section.groups import Render
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState

MOST = len(walk(False).steps)


class TilesState(SectionState):
    """The stepper's controls; with the mask on there are fewer tiles to read."""

    causal: bool = param.Boolean(
        default=True, label="Causal mask", doc="Tiles above the diagonal go unread."
    )
    read: int = param.Integer(default=1, bounds=(0, MOST), label="Tiles read", doc="One at a time.")

    _tokens = TOKENS

    def follow(self, tokens: tuple[str, ...]) -> None:
        """Let as many tiles be read as there are of these words."""
        self._tokens = tokens
        self.param["read"].bounds = (0, len(walk(False, tokens).steps))
        self._read_no_more_tiles_than_there_are()

    @param.depends("causal", "read", watch=True, on_init=True)
    def _read_no_more_tiles_than_there_are(self) -> None:
        last = len(walk(self.causal, self._tokens).steps)
        if self.read > last:
            self.read = last


def tiles_section() -> Section:
    """Make the section "tiles"."""
    return Section("tiles", TilesState(), _about(TOKENS), about=_about)


@lru_cache(maxsize=64)
def _about(tokens: tuple[str, ...]) -> Render:
    def paint(state: TilesState) -> Slots:
        return render_tiles(state.causal, state.read, tokens)

    return paint
