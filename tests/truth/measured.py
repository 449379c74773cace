"""How many is it? Each number that stands in words, found by other code or by trying."""

import re
from collections.abc import Callable
from functools import cache
from math import ceil, log

import numpy as np

from attention_widget.lesson import tokenize
from attention_widget.models.learned.vocabulary import read_words
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.lesson import Lesson
from tests.truth.claims.cost import LENGTHS, operations
from tests.truth.faulty import H, influence
from tests.truth.independent import FUTURE, T, kept, weights

GPT2 = (768, 12)
KIB = 1024
Numbers = tuple[float, ...]


@cache
def painted() -> dict[str, object]:
    """Return what the sections show at the start."""
    return Lesson(recorded_draws=1).render()


def tab_of(slot: str) -> list[list[object]]:
    """Return the rows of a table."""
    rows = painted()[slot]
    assert isinstance(rows, list)
    return rows


def row_sum() -> Numbers:
    """Return what every row of weights sums to."""
    sums = np.concatenate([weights(H, causal).sum(axis=-1).ravel() for causal in (True, False)])
    assert np.ptp(sums) < 1e-12
    return (round(float(sums[0]), 12),)


def masked() -> Numbers:
    """Return the largest weight of a masked cell."""
    return (float(weights(H, True)[:, FUTURE].max()),)


def dropped() -> Numbers:
    """Return the largest weight that is left of a dropped one."""
    keep = kept(H, 0.5, 0)
    return (float((weights(H, True) * keep)[~keep].max()),)


def lowest_weight() -> Numbers:
    """Return the number that every weight without a mask lies above."""
    assert weights(1, False).min() > 0
    return (0.0,)


def first_row() -> Numbers:
    """Return the place of the row that has one cell under the mask, and changes most."""
    change = np.abs(weights(1, True) - weights(1, False))[0].sum(axis=1)
    seen = (~FUTURE).sum(axis=1)
    assert change.argmax() == seen.argmin()
    assert seen.min() == 1
    return (float(change.argmax() + 1),)


def changes() -> Numbers:
    """Return the least change of a row and the most that a share of weight can change."""
    change = np.abs(weights(1, True) - weights(1, False))[0].sum(axis=1) / 2
    return (float(np.round(change.min(), 12)), float(weights(1, True)[0].sum(axis=1).max()))


def bytes_of(t: int, h: int = GPT2[1]) -> float:
    """Return the bytes of GPT-2's scores of one layer in float32."""
    return float(t * t * h * 4)


def operation_counts() -> Numbers:
    """Return how many operations stand before T d^2 and before T^2 d."""
    squared = (operations(2, 1) - 2 * operations(1, 1)) / 2
    return (operations(1, 1) - squared, squared)


def underflow(dtype: type[np.floating]) -> float:
    """Return how far below the maximum a score must lie for its exponential to round to 0."""
    return float(ceil(-log(float(np.finfo(dtype).smallest_subnormal)) + log(2)))


def zeroed() -> Numbers:
    """Return the word exchanged, the outputs that it moves, and by how much at the most."""
    moved = influence(frozenset({"zero_after_softmax"}))[:-1, -1]
    assert (moved > 0).all()
    return (T, 1, T - 1, float(moved.max()))


def preset(place: int) -> Numbers:
    """Return T, d and h that a preset of the cost lab sets."""
    lesson = Lesson()
    tab = next(part for part in lesson.tabs if part.name == "cost")
    found = (tab.words or {})["presets"][place]  # type: ignore[index]
    return (LENGTHS[found["stop"]], found["d"], found["heads"])


def carried() -> Numbers:
    """Return how many things a row of the tiles carries between the query and the output."""
    cells = [cell for cell in tab_of("tiles.rows")[0] if isinstance(cell, list)]
    return (len(cells) - 3,)  # query, output and state


def words_taken() -> Numbers:
    """Return how many words a sentence may have, by trying."""

    def taken(read: Callable[[str], object], n: int) -> bool:
        try:
            return bool(read("day " * n))
        except ValueError:
            return False

    for_map, for_model = ([n for n in range(40) if taken(f, n)] for f in (tokenize, read_words))
    assert for_map == for_model
    return (for_map[0], for_map[-1])


def refused() -> Numbers:
    """Return h and d of the layer that refuses to run."""
    lesson = Lesson()
    lesson.act({"set": {"faults.indivisible_heads": True}})
    d, h = re.findall(r"[dh]=(\d+)", str(lesson.render()["faults.no-map"]))[:2]
    return (float(h), float(d))


def asked(step: str) -> Numbers:
    """Return how many answers a step of the checkpoint lets choose from."""
    return (len(next(s for s in STEPS if s.key == step).fields[0].options),)
