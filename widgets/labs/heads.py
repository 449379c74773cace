"""Heads and W_o: what do the heads hand over side by side, and who mixes it?"""

import param

from attention.lesson import D_MODEL
from widgets.controls import Choice, Range, Switch
from widgets.labs.heads_figure import build_shares_figure
from widgets.labs.heads_measure import TOKENS
from widgets.labs.heads_paint import paint_heads
from widgets.part import Part
from widgets.scene import Paint, Scene
from widgets.state import MAX_HEADS

WORDS = {str(i): f"{i} {token}" for i, token in enumerate(TOKENS, start=1)}


class HeadsState(param.Parameterized):
    """The lab's controls; `token` and `channel` count from 1."""

    heads = param.Integer(default=MAX_HEADS, bounds=(1, MAX_HEADS))
    causal = param.Boolean(default=True)
    token: param.Selector[str] = param.Selector(default=str(len(TOKENS)), objects=list(WORDS))
    channel = param.Integer(default=1, bounds=(1, D_MODEL))


def heads_scene() -> Scene:
    """Make the scene "heads"."""
    return Scene(
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


def _paint(state: HeadsState) -> Paint:
    return paint_heads(state.heads, state.causal, int(state.token), state.channel)


HEADS = Part(
    name="heads",
    title="Heads and W_o",
    scenes=lambda recorded: [heads_scene()],
    figures=lambda: [build_shares_figure("heads")],
)
