"""Does a later word reach an earlier output? Change it alone, and look."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from attention_widget.validate import BoolArray, FloatArray, float_array


def word_influence(
    step: Callable[[FloatArray], FloatArray], x: npt.ArrayLike, other: npt.ArrayLike
) -> FloatArray:
    """Return how far each output moves when one word alone is exchanged.

    influence_tj = max |step(x with word j from other)_t - step(x)_t|

    Weights of 0 on the future do not show that a layer is causal: a future score in a row's
    denominator, or a row that belongs to another word, reaches the output all the same.

    Args:
        step: (B, T, d) -> (B, T, d_out); the same input must always give the same output, so a
            step that draws has to draw the same field in every call.
        x: the words, (B, T, d).
        other: what they are exchanged for, one at a time, (B, T, d).

    Returns:
        (T, T), in the units of the output: row t is the output, column j the word. A causal
        step has exactly 0 wherever j > t.

    Raises:
        ValueError: x and other do not have one shape (B, T, d).
    """
    array, exchanged = float_array("x", x), float_array("other", other)
    if array.ndim != 3 or array.shape != exchanged.shape:
        raise ValueError(
            f"x and other must both be (B, T, d): got {array.shape} and {exchanged.shape}; "
            "give every word one to exchange it for"
        )
    t = array.shape[1]
    before = step(array)  # (B, T, d_out)
    influence = np.zeros((t, t), dtype=before.dtype)
    for j in range(t):
        changed = array.copy()
        changed[:, j] = exchanged[:, j]
        influence[:, j] = np.abs(step(changed) - before).max(axis=(0, 2), initial=0)
    return influence


def reaches_the_past(influence: FloatArray) -> bool:
    """Say whether any later word moves an earlier output at all; NaN counts as moving it."""
    later: BoolArray = ~np.tri(*influence.shape, dtype=np.bool_)
    return bool((influence[later] != 0).any())
