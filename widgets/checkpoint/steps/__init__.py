"""What are the steps of the checkpoint, in order? The first one counts for nothing."""

from attention_widget.widgets.checkpoint.machine import Step
from attention_widget.widgets.checkpoint.steps.dropout import DropoutSums
from attention_widget.widgets.checkpoint.steps.heads import ShareOfHeads
from attention_widget.widgets.checkpoint.steps.hidden import PredictHidden
from attention_widget.widgets.checkpoint.steps.hook import Hook
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
)
