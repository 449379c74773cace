"""Cost lab: what does more context cost, what do more heads cost, and what does tiling save?"""

import param

from attention_widget.widgets.labs.cost.figure import build_cost_figure
from attention_widget.widgets.labs.cost.render import HEADS, STOPS, WIDTHS, render_cost
from attention_widget.widgets.labs.tiles.lab import tiles_section
from attention_widget.widgets.section.controls import Choice, Range
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.tab import Tab

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


def cost_section() -> Section:
    """Make the section "cost"."""
    return Section("cost", CostState(), CONTROLS, _paint)


def _paint(state: CostState) -> Slots:
    return render_cost(state.stop, int(state.d), int(state.heads))


COST = Tab(
    name="cost",
    template="labs/cost/tab.html",
    title="Cost lab",
    sections=lambda recorded: [cost_section(), tiles_section()],
    figures=lambda: [build_cost_figure("cost")],
    words={"presets": PRESETS, "heads": HEADS},
)
