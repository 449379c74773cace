"""Failure lab: which symptom does each fault show, and which line of the checklist catches it?"""

import param

from attention_widget.checklist import CHECKLIST
from attention_widget.faults import Fault
from attention_widget.widgets.labs.faults.render import render_faults
from attention_widget.widgets.labs.faults.words import WORDS
from attention_widget.widgets.section.controls import Control, Switch
from attention_widget.widgets.section.heatmap import build_heatmap
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.tab import Tab


class FaultsState(param.Parameterized):
    """One switch a fault, named as the fault's value; all off at the start."""

    no_mask = param.Boolean(default=False)
    wrong_triangle = param.Boolean(default=False)
    finite_fill = param.Boolean(default=False)
    zero_after_softmax = param.Boolean(default=False)
    missing_scale = param.Boolean(default=False)
    missing_rescale = param.Boolean(default=False)
    rescale_by_p = param.Boolean(default=False)
    dropout_at_inference = param.Boolean(default=False)
    indivisible_heads = param.Boolean(default=False)
    straight_reshape = param.Boolean(default=False)
    no_output_projection = param.Boolean(default=False)


CONTROLS: tuple[Control, ...] = tuple(
    Switch(name=fault.value, label=words.label, help=words.help) for fault, words in WORDS.items()
)


def faults_section() -> Section:
    """Make the section "faults"."""
    return Section("faults", FaultsState(), CONTROLS, _paint)


def _paint(state: FaultsState) -> Slots:
    return render_faults(frozenset(fault for fault in Fault if getattr(state, fault.value)))


FAULTS = Tab(
    name="faults",
    template="labs/faults/tab.html",
    title="Failure lab",
    sections=lambda recorded: [faults_section()],
    figures=lambda: [build_heatmap("faults"), build_heatmap("faults.inference")],
    words={"lines": CHECKLIST},
)
