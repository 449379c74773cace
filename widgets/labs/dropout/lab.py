"""Dropout lab: why is one draw no measure of dropout, and what does the rescale keep?"""

from functools import lru_cache

import param

from attention_widget.widgets.labs.dropout import words
from attention_widget.widgets.labs.dropout.figure import build_sums_figure
from attention_widget.widgets.labs.dropout.measure import TOKENS
from attention_widget.widgets.labs.dropout.render import render_dropout
from attention_widget.widgets.map.state import MAX_DRAWS
from attention_widget.widgets.section.groups import Render
from attention_widget.widgets.section.heatmap import build_heatmap
from attention_widget.widgets.section.parameters import Cycle
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState
from attention_widget.widgets.section.tab import Tab

RECORDED_DRAWS = 6


class DropoutState(SectionState):
    """The lab's controls; it starts away from p = 0.5, where 1/p and 1/(1-p) look the same."""

    rescale: bool = param.Boolean(
        default=True, label="Rescale by 1/(1−p)", doc="Off is a common slip."
    )
    p: float = param.Number(
        default=0.3, bounds=(0.1, 0.9), step=0.1, label="Dropout p", doc="Share lost on average."
    )
    draw: int = Cycle(
        default=0, bounds=(0, MAX_DRAWS - 1), label="New draw", doc="Drop other cells."
    )


def dropout_section(recorded: bool = False) -> Section:
    """Make the section "dropout"; a recording holds `RECORDED_DRAWS` draws."""
    state = DropoutState()
    if recorded:
        state.param["draw"].bounds = (0, RECORDED_DRAWS - 1)
    return Section("dropout", state, _about(TOKENS), about=_about)


@lru_cache(maxsize=64)
def _about(tokens: tuple[str, ...]) -> Render:
    def paint(state: DropoutState) -> Slots:
        return render_dropout(state.rescale, state.p, state.draw, tokens)

    return paint


DROPOUT = Tab(
    name="dropout",
    template="labs/dropout/tab.html",
    title="Dropout lab",
    sections=lambda recorded: [dropout_section(recorded)],
    words={"say": words},
    figures=lambda: [build_heatmap("dropout"), build_sums_figure("dropout.plot")],
)
