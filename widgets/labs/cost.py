"""Cost lab: what does more context cost, what do more heads cost, and what does tiling save?"""

import param

from widgets.controls import Choice, Range
from widgets.labs.cost_figure import build_cost_figure
from widgets.labs.cost_paint import HEADS, STOPS, WIDTHS, paint_cost
from widgets.labs.tiles import tiles_scene
from widgets.part import Part
from widgets.scene import Paint, Scene

PRESETS = (
    {"label": "Toy: T = 6, d = 12, h = 4", "stop": 0, "d": "12", "heads": "4"},
    {"label": "GPT-2 124M: T = 1024, d = 768, h = 12", "stop": 7, "d": "768", "heads": "12"},
)


class CostState(param.Parameterized):
    """The lab's controls; `stop` counts along `STOPS`, the lengths T."""

    stop: int = param.Integer(default=7, bounds=(0, len(STOPS) - 1))
    d: str = param.Selector(default="768", objects=list(WIDTHS))
    heads: str = param.Selector(default="12", objects=[str(h) for h in HEADS])


CONTROLS = (
    Range(
        name="stop",
        label="Context length T",
        low=0,
        high=len(STOPS) - 1,
        help="6, then every power of two from 16 to 131,072.",
    ),
    Choice(name="d", label="Width d", options=WIDTHS),
    Choice(name="heads", label="Heads h", options={str(h): str(h) for h in HEADS}),
)


def cost_scene() -> Scene:
    """Make the scene "cost"."""
    return Scene("cost", CostState(), CONTROLS, _paint)


def _paint(state: CostState) -> Paint:
    return paint_cost(state.stop, int(state.d), int(state.heads))


COST = Part(
    name="cost",
    title="Cost lab",
    scenes=lambda recorded: [cost_scene(), tiles_scene()],
    figures=lambda: [build_cost_figure("cost")],
    words={"presets": PRESETS, "heads": HEADS},
)
