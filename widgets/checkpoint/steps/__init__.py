"""What are the steps of the checkpoint, in order?"""

from attention_widget.widgets.checkpoint.machine import Step
from attention_widget.widgets.checkpoint.steps.dropout import SeeDropout
from attention_widget.widgets.checkpoint.steps.heads import SeeHeads
from attention_widget.widgets.checkpoint.steps.mask_off import ReadMask
from attention_widget.widgets.checkpoint.steps.predictions import PredictHidden, PredictWidth
from attention_widget.widgets.checkpoint.steps.property import NameProperty
from attention_widget.widgets.checkpoint.steps.rows import PredictRows

STEPS: tuple[Step, ...] = (
    ReadMask(),
    PredictHidden(),
    PredictRows(),
    PredictWidth(),
    SeeHeads(),
    SeeDropout(),
    NameProperty(),
)
