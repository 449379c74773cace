"""Step: how many cells does the mask darken?"""

from functools import lru_cache

from attention_widget import causal_mask
from attention_widget.widgets.checkpoint.machine import Field, View
from attention_widget.widgets.checkpoint.pictures import squares_picture
from attention_widget.widgets.checkpoint.steps.asking import Case, told
from attention_widget.widgets.checkpoint.steps.number import PredictNumber
from attention_widget.widgets.checkpoint.words import HIDDEN, listed
from attention_widget.widgets.map.observation import Observation

SIZES = (4, 8, 3, 7, 5, 6, 9)  # one drops out: the student's own


class PredictHidden(PredictNumber):
    """Masked cells of one head; SIZE is T."""

    key = "hidden"
    title = HIDDEN["title"]
    fields = (Field("cells", HIDDEN["field"], {}),)
    idea = HIDDEN["idea"]
    look_again = HIDDEN["again"]

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

    def text(self, name: str, size: int) -> str:
        return HIDDEN[name].format(size=size)

    def why(self, guess: int, size: int, measured: int) -> View:
        masked = ~causal_mask(size)
        kind = "guess"
        if guess == size**2 - measured:
            kind = "stay"
        elif 2 * guess == size**2:
            kind = "half"
        counts = listed(
            [
                HIDDEN["row"].format(cells=int(row.sum()), row=n)
                for n, row in enumerate(masked, start=1)
                if row.any()
            ]
        )
        text = HIDDEN[kind].format(guess=guess) + HIDDEN["why"].format(
            counts=counts, cells=measured
        )
        cells = ((i, j) for i in range(size) for j in range(size) if masked[i, j])
        return told(text, outlined=tuple(cells))

    def all_cases(self) -> tuple[Case, ...]:
        return _cases()

    def top_of(self, case: Case) -> int:
        return max(SIZES) ** 2


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    cases = []
    for size in SIZES:
        masked = ~causal_mask(size)
        terms = " + ".join(str(int(row.sum())) for row in masked if row.any())
        cells = int(masked.sum())
        cases.append(
            Case(
                HIDDEN["case"].format(size=size),
                str(cells),
                HIDDEN["case-why"].format(terms=terms, cells=cells),
                squares_picture(size, None),
                squares_picture(size, masked),
            )
        )
    return tuple(cases)
