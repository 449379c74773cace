"""Steps: how many cells does the mask hide, and how wide is one of four heads?"""

from attention_widget.widgets.checkpoint.machine import Field
from attention_widget.widgets.checkpoint.steps.number import PredictNumber
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.map.state import MAX_HEADS


class PredictHidden(PredictNumber):
    """Masked cells of one head; SIZE is T."""

    key = "hidden"
    title = "Predict how many cells the mask hides"
    fields = (Field("cells", "cells that will be masked", {}),)

    def shown(self, o: Observation) -> bool:
        return o.masked

    def measured(self, o: Observation) -> int:
        return o.masked_cells

    def size(self, o: Observation) -> int:
        return o.tokens

    def top(self, size: int) -> int:
        return size**2

    def too_short(self, o: Observation) -> bool:
        return o.tokens < 2

    def words(self, name: str, guess: int, measured: int, size: int) -> str:
        if name == "wait":
            return "Turn the causal mask off first: a prediction is made before looking."
        if name == "ask":
            return (
                f"The map has {size} rows and {size} columns. A word may look at itself and back. "
                "How many cells will the mask hide? Predict before you turn it on."
            )
        if name == "held":
            return "Turn the causal mask on and compare."
        if name == "done":
            terms = " + ".join(map(str, range(size - 1, 0, -1)))
            adding = f" {terms} = {measured}:" if size > 2 and _fits(measured, size) else ""
            return (
                f"All cells right of the diagonal are hidden;{adding} row 1 hides most, the last "
                "none."
            )
        if guess == size**2 - measured:
            return "Your number is how many cells stay visible."
        if 2 * guess == size**2:
            return "Half of the square would cut the diagonal too, and a word may see itself."
        return "Count cells right of the diagonal, row by row: each row hides one fewer."


class PredictWidth(PredictNumber):
    """d_head at four heads; SIZE is d."""

    key = "width"
    title = f"Predict d_head for {MAX_HEADS} heads"
    fields = (Field("width", f"d_head with {MAX_HEADS} heads", {}, low=1),)
    low = 1

    def shown(self, o: Observation) -> bool:
        return o.heads == MAX_HEADS

    def measured(self, o: Observation) -> int:
        return o.d_head

    def size(self, o: Observation) -> int:
        return o.width

    def top(self, size: int) -> int:
        return size * MAX_HEADS

    def words(self, name: str, guess: int, measured: int, size: int) -> str:
        if name == "wait":
            return f"Set Heads below {MAX_HEADS} first: a prediction is made before looking."
        if name == "ask":
            return (
                f"All heads together are d = {size} wide. How wide is one head, d_head, when there "
                f"are {MAX_HEADS}? Predict before you raise Heads."
            )
        if name == "held":
            return f"Set Heads to {MAX_HEADS} and compare."
        if name == "done":
            return f"d_head = d/h = {size}/{MAX_HEADS}: the heads share the width."
        if guess == size:
            return "More heads do not widen the layer: they share d between them."
        return f"The {MAX_HEADS} heads split d = {size} into equal parts."


def _fits(measured: int, size: int) -> bool:
    return measured == size * (size - 1) // 2
