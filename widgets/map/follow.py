"""Which columns of the map follow from others, so that a page without Python need not hold them?

A cell of weights says what its tooltip says, or the mark of its state, and has the colour of what
it says. Here stand the two tables in which a page looks that up: half of a recording would be these
two columns otherwise.
"""

from attention_widget.widgets.map.render import MARKS, number
from attention_widget.widgets.section.palette import (
    DROPPED_INDEX,
    MASKED_INDEX,
    STEPS,
    palette_index,
)
from attention_widget.widgets.section.section import Slots

WEIGHT, STATE, TEXT = (f"source:map.cells.{name}" for name in ("weight", "state", "text"))

# {"texts": column, "states": column, "marks": {state: text}}: the text, or the mark of the state.
# {"texts": column, "places": {text: number}, "beyond": number}: the number of the text.
LOOKED_UP: Slots = {
    "source:cells.text": {"texts": WEIGHT, "states": STATE, "marks": MARKS},
    "source:cells.palette_index": {
        "texts": TEXT,
        "places": {number(n / 100): palette_index(n / 100, 0.0, 1.0) for n in range(101)}
        | {MARKS["masked"]: MASKED_INDEX, MARKS["dropped"]: DROPPED_INDEX},
        "beyond": STEPS - 1,
    },
}
