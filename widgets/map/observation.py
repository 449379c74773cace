"""What can be seen on the widget just now, as far as the checkpoint grades it?

An `Observation` is measured from the arrays of a snapshot, never read off a switch, and coarse:
all states of a recording give a few hundred different ones.
"""

from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.map.snapshot import MEAN_DRAWS, Snapshot

EXACT = 1e-9  # rows of a float64 softmax sum to 1 far closer than this
WIDE = 4.0  # standard errors: a fair mean is further off once in 16,000 draws


@dataclass(frozen=True, slots=True)
class Observation:
    """One look at the widget.

    Attributes:
        tokens: T, words in the sentence.
        sees_future: some weight lies above the diagonal.
        masked_cells: scores at -inf in the viewing head.
        heads: h, from the shape of the score tensor.
        head: the viewing head, from 1.
        d_head: width of one head.
        training: whether this is a training step.
        dropout: whether p is above 0.
        dropped: whether any weight was dropped in this draw.
        sums_off: whether any row sum of this draw is not 1.
        means_settled: every mean row sum is 1, but for the chance left in that many draws.
        alike: the one row, from 1, with the same weights in every head; 0 for none, -1 for several.
        most: the row, from 1, that the mask changes most in this head.
        changes: the change of every row in percent; 0 only where nothing changed at all.
    """

    tokens: int
    sees_future: bool
    masked_cells: int
    heads: int
    head: int
    d_head: int
    training: bool
    dropout: bool
    dropped: bool
    sums_off: bool
    means_settled: bool
    alike: int
    most: int
    changes: tuple[int, ...]

    @property
    def masked(self) -> bool:
        """Whether the map has masked cells."""
        return self.masked_cells > 0

    @property
    def width(self) -> int:
        """d, the width of all heads together."""
        return self.heads * self.d_head

    def to_text(self) -> str:
        """Write it as a short text, the same for equal observations."""
        *plain, changes = astuple(self)
        return ".".join(str(int(v)) for v in plain) + ":" + ".".join(map(str, changes))

    @classmethod
    def from_text(cls, text: str) -> "Observation":
        """Read what `to_text` wrote.

        Raises:
            ValueError: the text is not one of those.
        """
        plain, _, changes = text.partition(":")
        words = plain.split(".")
        facts: dict[str, Any] = {}
        for fact, word in zip(fields(cls)[:-1], words, strict=True):
            facts[fact.name] = bool(int(word)) if fact.type is bool else int(word)
        return cls(**facts, changes=tuple(map(int, changes.split("."))))


def observe(snap: Snapshot) -> Observation:
    """Measure one state."""
    weights = snap.weights.astype(np.float64)  # (T, T)
    p = snap.settings.dropout if snap.settings.drops else 0.0
    error = np.sqrt(p / (1 - p) * (weights**2).sum(axis=-1) / MEAN_DRAWS)  # (T,)
    return Observation(
        tokens=len(snap.tokens),
        sees_future=snap.sees_future,
        masked_cells=snap.masked_cells,
        heads=snap.score_shape[1],
        head=snap.settings.head,
        d_head=snap.d_head,
        training=snap.settings.training,
        dropout=snap.settings.dropout > 0,
        dropped=snap.dropped_cells > 0,
        sums_off=bool((np.abs(snap.row_sums - 1) > EXACT).any()),
        means_settled=bool((np.abs(snap.mean_row_sums - 1) <= WIDE * error + EXACT).all()),
        alike=alike_row(snap.layer.weights[0]),
        most=int(np.argmax(snap.change)) + 1,
        changes=tuple(percent(float(change)) for change in snap.change),
    )


def alike_row(weights: npt.NDArray[np.floating]) -> int:
    """Return the one row, from 1, that is the same in all heads of (h, T, T); 0 for none, -1 for
    several."""
    (rows,) = np.nonzero((weights == weights[:1]).all(axis=(0, 2)))
    return -1 if len(rows) > 1 else int(rows[0]) + 1 if len(rows) else 0


def percent(change: float) -> int:
    """Return a change, 0 to 1, in percent; 0 only where nothing changed at all."""
    return 0 if change == 0 else max(1, round(100 * change))
