"""Step: see what dropout does to the row sums in training, and that inference leaves it out."""

import re

from attention_widget.widgets.checkpoint.machine import Step, View
from attention_widget.widgets.map.observation import Observation

TELL = {
    "plain": "Raise Dropout above 0 and switch Training on.",
    "idle-p": "Dropout is set, but this is inference. Switch Training on.",
    "idle-t": "This is training, but Dropout is 0. Raise it.",
    "lucky": "This draw changed no row sum. Press New draw.",
    "unsettled": "The means are not near 1 after this many draws. Try a lower Dropout.",
    "left": "Leave Dropout where it is and switch Training off: this is inference.",
    "left-none": "Dropout is back at 0. Raise it, so that inference has something to leave out.",
}
LEFT = (
    "In this draw the row sums left 1, and their mean over many draws is 1 again: the survivors "
    "are scaled by 1/(1−p), so only the expected sum is kept."
)
DONE = (
    "At inference the same setting drops nothing: every row sums to 1. Dropout is for training "
    "only."
)


class SeeDropout(Step):
    """States: the names in `TELL`, and "done"; "left" and "left-none" have the first half seen."""

    key = "dropout"
    title = "See what dropout does to row sums"
    start = "plain"
    states = re.compile("|".join([*TELL, "done"]))

    def observe(self, state: str, o: Observation) -> str:
        acts = o.training and o.dropout
        if state.startswith("left"):
            if o.dropout and not o.training and not o.dropped and not o.sums_off:
                return "done"
            return "left" if o.dropout else "left-none"
        if not acts:
            return "idle-p" if o.dropout else "idle-t" if o.training else "plain"
        if not (o.dropped and o.sums_off):
            return "lucky"
        return "left" if o.means_settled else "unsettled"

    def view(self, state: str) -> View:
        if state == "done":
            return View("You saw dropout act, and not act.", (("good", f"{LEFT} {DONE}"),), DONE)
        if state.startswith("left"):
            return View(TELL[state], (("plain", LEFT),), f"{LEFT} {TELL[state]}")
        kind = "plain" if state == "plain" else "hint"
        wanted = TELL["plain"] + " Watch the row sums, in this draw and their mean."
        notes = () if kind == "plain" else ((kind, TELL[state]),)
        return View(wanted, notes, TELL[state])
