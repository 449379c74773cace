"""What are the steps of the checkpoint, in order?"""

from widgets.checkpoint.machine import Step
from widgets.checkpoint.name_property import NameProperty
from widgets.checkpoint.predict_rows import PredictRows
from widgets.checkpoint.predict_steps import PredictHidden, PredictWidth
from widgets.checkpoint.read_mask import ReadMask
from widgets.checkpoint.see_dropout import SeeDropout
from widgets.checkpoint.see_heads import SeeHeads

STEPS: tuple[Step, ...] = (
    ReadMask(),
    PredictHidden(),
    PredictRows(),
    PredictWidth(),
    SeeHeads(),
    SeeDropout(),
    NameProperty(),
)
