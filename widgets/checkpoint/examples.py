"""What are the weights of another sentence, under whatever mask?"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from attention_widget import softmax
from attention_widget.lesson import DEFAULT_SEED, lesson_inputs, lesson_layer, tokenize

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.floating]


@dataclass(frozen=True, eq=False)
class Example:
    """One sentence, h heads.

    Attributes:
        tokens: the words, T of them.
        scores: before any mask, (h, T, T).
    """

    tokens: tuple[str, ...]
    scores: FloatArray

    def weights(self, allowed: BoolArray | None = None) -> FloatArray:
        """Return the weights (h, T, T) when only the `allowed` cells (T, T) may be looked at."""
        if allowed is None:
            return softmax(self.scores)
        return softmax(np.where(allowed, self.scores, -np.inf))


def example(sentence: str, heads: int = 1, seed: int = DEFAULT_SEED) -> Example:
    """Compute a sentence as the map does."""
    tokens = tokenize(sentence)
    record = lesson_layer(heads, seed)(lesson_inputs(tokens, seed), causal=False)
    return Example(tokens, record.scores[0])


def back(size: int, ahead: int = 0) -> BoolArray:
    """Return which cells may be looked at: itself, back, and `ahead` words ahead."""
    return np.tri(size, k=ahead, dtype=bool)


def forward(size: int, behind: int = 0) -> BoolArray:
    """Return the mask on the wrong side: itself, ahead, and `behind` words back."""
    return back(size, behind).T


def answers(size: int) -> BoolArray:
    """Return the cells that hold the answers: the next word of every word but the last."""
    return np.eye(size, k=1, dtype=bool)
