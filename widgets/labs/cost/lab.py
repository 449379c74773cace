"""Cost lab: what does more context cost, what do more heads cost, and what does tiling save?"""

import param

from attention_widget.widgets.labs.cost import words
from attention_widget.widgets.labs.cost.figure import build_cost_figure
from attention_widget.widgets.labs.cost.render import HEADS, STOPS, WIDTHS, render_cost
from attention_widget.widgets.labs.cost.wall import build_squares_figure, build_wall_figure
from attention_widget.widgets.labs.tiles.lab import tiles_section
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState
from attention_widget.widgets.section.tab import Tab

PRESETS = (
    {"label": "Toy: T = 6, d = 12, h = 4", "stop": 0, "d": 12, "heads": 4},
    {"label": "GPT-2 124M: T = 1024, d = 768, h = 12", "stop": 7, "d": 768, "heads": 12},
)


class CostState(SectionState):
    """The lab's controls; `stop` counts along `STOPS`, the lengths T."""

    stop: int = param.Integer(
        default=7,
        bounds=(0, len(STOPS) - 1),
        label="Context length T",
        doc="6, then every power of two from 16 to 131,072.",
    )
    d: int = param.Selector(default=768, objects=WIDTHS, label="Width d")
    heads: int = param.Selector(default=12, objects=list(HEADS), label="Heads h")


def cost_section() -> Section:
    """Make the section "cost"."""
    return Section("cost", CostState(), _paint)


def _paint(state: CostState) -> Slots:
    return render_cost(state.stop, state.d, state.heads)


COST = Tab(
    name="cost",
    template="labs/cost/tab.html",
    title="Cost lab",
    sections=lambda recorded: [cost_section(), tiles_section()],
    figures=lambda: [
        build_squares_figure("cost.squares"),
        build_wall_figure("cost.wall"),
        build_cost_figure("cost"),
    ],
    words={"presets": PRESETS, "heads": HEADS, "say": words},
)
