"""Failure lab: which symptom does each fault show, and which line of the checklist catches it?"""

import param

from attention.checklist import CHECKLIST
from attention.faults import Fault
from widgets.controls import Control, Switch
from widgets.heatmap import build_heatmap
from widgets.labs.faults_paint import paint_faults
from widgets.labs.faults_words import WORDS
from widgets.part import Part
from widgets.scene import Paint, Scene


class FaultsState(param.Parameterized):
    """One switch a fault, named as the fault's value; all off at the start."""

    no_mask = param.Boolean(default=False)
    wrong_triangle = param.Boolean(default=False)
    finite_fill = param.Boolean(default=False)
    zero_after_softmax = param.Boolean(default=False)
    missing_rescale = param.Boolean(default=False)
    dropout_at_inference = param.Boolean(default=False)
    indivisible_heads = param.Boolean(default=False)
    no_output_projection = param.Boolean(default=False)


CONTROLS: tuple[Control, ...] = tuple(
    Switch(name=fault.value, label=words.label, help=words.help) for fault, words in WORDS.items()
)


def faults_scene() -> Scene:
    """Make the scene "faults"."""
    return Scene("faults", FaultsState(), CONTROLS, _paint)


def _paint(state: FaultsState) -> Paint:
    return paint_faults(frozenset(fault for fault in Fault if getattr(state, fault.value)))


FAULTS = Part(
    name="faults",
    title="Failure lab",
    scenes=lambda recorded: [faults_scene()],
    figures=lambda: [build_heatmap("faults"), build_heatmap("faults.inference")],
    words={"lines": CHECKLIST},
)
