"""Heads and W_o: what do the heads hand over side by side, and who mixes it?"""

import param

from attention_widget.lesson import D_MODEL
from attention_widget.widgets.labs.heads.figure import build_shares_figure
from attention_widget.widgets.labs.heads.measure import TOKENS
from attention_widget.widgets.labs.heads.render import render_heads
from attention_widget.widgets.map.state import MAX_HEADS
from attention_widget.widgets.section.controls import Choice, Range, Switch
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.tab import Tab

WORDS = {str(i): f"{i} {token}" for i, token in enumerate(TOKENS, start=1)}


class HeadsState(param.Parameterized):
    """The lab's controls; `token` and `channel` count from 1."""

    heads = param.Integer(default=MAX_HEADS, bounds=(1, MAX_HEADS))
    causal = param.Boolean(default=True)
    token: param.Selector[str] = param.Selector(default=str(len(TOKENS)), objects=list(WORDS))
    channel = param.Integer(default=1, bounds=(1, D_MODEL))


def heads_section() -> Section:
    """Make the section "heads"."""
    return Section(
        "heads",
        HeadsState(),
        (
            Range(name="heads", label="Heads", low=1, high=MAX_HEADS, help="h; each is d/h wide."),
            Switch(name="causal", label="Causal mask"),
            Choice(name="token", label="Token", options=WORDS),
            Range(
                name="channel",
                label="Output channel",
                low=1,
                high=D_MODEL,
                help="One of the 12 numbers that W_o makes.",
            ),
        ),
        _paint,
    )


def _paint(state: HeadsState) -> Slots:
    return render_heads(state.heads, state.causal, int(state.token), state.channel)


HEADS = Tab(
    name="heads",
    template="labs/heads/tab.html",
    title="Heads and W_o",
    sections=lambda recorded: [heads_section()],
    figures=lambda: [build_shares_figure("heads")],
)
