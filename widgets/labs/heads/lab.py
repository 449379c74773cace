"""Heads and W_o: what do the heads hand over side by side, and who mixes it?"""

from functools import lru_cache

import param

from attention_widget.lesson import D_MODEL
from attention_widget.widgets.labs.heads import words
from attention_widget.widgets.labs.heads.figure import build_shares_figure
from attention_widget.widgets.labs.heads.measure import TOKENS
from attention_widget.widgets.labs.heads.render import render_heads
from attention_widget.widgets.map.state import MAX_HEADS
from attention_widget.widgets.section.groups import Render
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState
from attention_widget.widgets.section.tab import Tab


class HeadsState(SectionState):
    """The lab's controls; `token` and `channel` count from 1."""

    heads: int = param.Integer(
        default=MAX_HEADS, bounds=(1, MAX_HEADS), label="Heads", doc="h; each is d/h wide."
    )
    causal: bool = param.Boolean(default=True, label="Causal mask")
    token: int = param.Integer(default=len(TOKENS), bounds=(1, len(TOKENS)), label="Token")
    channel: int = param.Integer(
        default=1,
        bounds=(1, D_MODEL),
        label="Output channel",
        doc="One of the 12 numbers that W_o makes.",
    )

    def follow(self, tokens: tuple[str, ...]) -> None:
        """Let the token be one of these."""
        self.param["token"].bounds = (1, len(tokens))
        self.param["token"].default = len(tokens)
        self.token = len(tokens)


def heads_section() -> Section:
    """Make the section "heads"."""
    return Section("heads", HeadsState(), _about(TOKENS), about=_about)


@lru_cache(maxsize=64)
def _about(tokens: tuple[str, ...]) -> Render:
    def paint(state: HeadsState) -> Slots:
        return render_heads(state.heads, state.causal, state.token, state.channel, tokens)

    return paint


HEADS = Tab(
    name="heads",
    template="labs/heads/tab.html",
    title="Heads and W_o",
    sections=lambda recorded: [heads_section()],
    words={"say": words},
    figures=lambda: [build_shares_figure("heads")],
)
