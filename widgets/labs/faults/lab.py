"""Failure lab: which symptom does each fault show, and which line of the checklist catches it?"""

from functools import lru_cache

import param

from attention_widget.checklist import CHECKLIST
from attention_widget.faults import Fault
from attention_widget.widgets.labs.faults import around
from attention_widget.widgets.labs.faults.measure import TOKENS
from attention_widget.widgets.labs.faults.render import render_faults
from attention_widget.widgets.labs.faults.words import WORDS
from attention_widget.widgets.section.groups import Render
from attention_widget.widgets.section.heatmap import build_heatmap
from attention_widget.widgets.section.section import Section, Slots
from attention_widget.widgets.section.state import SectionState
from attention_widget.widgets.section.tab import Tab


def _switch(fault: Fault) -> param.Boolean:
    words = WORDS[fault]
    return param.Boolean(default=False, label=words.label, doc=words.help)


class FaultsState(SectionState):
    """One switch per fault, named as the fault's value; all off at the start."""


for _fault in WORDS:
    FaultsState.param.add_parameter(_fault.value, _switch(_fault))


def faults_section() -> Section:
    """Make the section "faults"."""
    return Section("faults", FaultsState(), _about(TOKENS), about=_about)


@lru_cache(maxsize=64)
def _about(tokens: tuple[str, ...]) -> Render:
    def paint(state: FaultsState) -> Slots:
        on = frozenset(fault for fault in Fault if getattr(state, fault.value))
        return render_faults(on, tokens)

    return paint


FAULTS = Tab(
    name="faults",
    template="labs/faults/tab.html",
    title="Failure lab",
    sections=lambda recorded: [faults_section()],
    figures=lambda: [build_heatmap("faults"), build_heatmap("faults.inference")],
    words={"lines": CHECKLIST, "say": around},
)
