"""What are the steps of the checkpoint, in order? The first one counts for nothing."""

from collections.abc import Collection

from attention_widget.widgets.checkpoint.machine import Step
from attention_widget.widgets.checkpoint.steps.circuit import BreakTheCopy
from attention_widget.widgets.checkpoint.steps.dropout import DropoutSums
from attention_widget.widgets.checkpoint.steps.heads import ShareOfHeads
from attention_widget.widgets.checkpoint.steps.hidden import PredictHidden
from attention_widget.widgets.checkpoint.steps.hook import Hook
from attention_widget.widgets.checkpoint.steps.layers import WhyTwoLayers
from attention_widget.widgets.checkpoint.steps.property import NameProperty
from attention_widget.widgets.checkpoint.steps.read import CanItCheat
from attention_widget.widgets.checkpoint.steps.rows import PredictRows
from attention_widget.widgets.checkpoint.steps.width import PredictWidth

STEPS: tuple[Step, ...] = (
    Hook(),
    CanItCheat(),
    PredictHidden(),
    PredictRows(),
    PredictWidth(),
    ShareOfHeads(),
    DropoutSums(),
    NameProperty(),
    BreakTheCopy(),
    WhyTwoLayers(),
)


def steps_about(parts: Collection[str]) -> tuple[Step, ...]:
    """Return the steps of a lesson that shows these tabs, the map always among them."""
    return tuple(step for step in STEPS if step.part in {"map", *parts})
