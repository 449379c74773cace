"""Dropout lab: why is one draw no measure of dropout, and what does the rescale keep?"""

import param

from attention_widget.widgets.labs.dropout.figure import build_sums_figure
from attention_widget.widgets.labs.dropout.render import render_dropout
from attention_widget.widgets.map.state import MAX_DRAWS
from attention_widget.widgets.section.controls import Range, Step, Switch
from attention_widget.widgets.section.heatmap import build_heatmap
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.tab import Tab

RECORDED_DRAWS = 6


class DropoutState(param.Parameterized):
    """The lab's controls; it starts away from p = 0.5, where 1/p and 1/(1-p) look the same."""

    rescale = param.Boolean(default=True)
    p = param.Number(default=0.3, bounds=(0.1, 0.9))
    draw = param.Integer(default=0, bounds=(0, MAX_DRAWS - 1))


def dropout_section(recorded: bool = False) -> Section:
    """Make the section "dropout"; a recording holds `RECORDED_DRAWS` draws."""
    last = (RECORDED_DRAWS if recorded else MAX_DRAWS) - 1
    return Section(
        "dropout",
        DropoutState(),
        (
            Switch(name="rescale", label="Rescale by 1/(1−p)", help="Off is a common slip."),
            Range(
                name="p",
                label="Dropout p",
                low=0.1,
                high=0.9,
                step=0.1,
                help="Share lost on average.",
            ),
            Step(name="draw", label="New draw", low=0, high=last, help="Drop other cells."),
        ),
        _paint,
    )


def _paint(state: DropoutState) -> Slots:
    return render_dropout(state.rescale, state.p, state.draw)


DROPOUT = Tab(
    name="dropout",
    template="labs/dropout/tab.html",
    title="Dropout lab",
    sections=lambda recorded: [dropout_section(recorded)],
    figures=lambda: [build_heatmap("dropout"), build_sums_figure("dropout.plot")],
)
