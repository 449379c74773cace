"""How does a gradient become a step?"""

from collections.abc import Sequence

import numpy as np

from attention_widget.validate import FloatArray

MEMORY_OF_MEAN, MEMORY_OF_SQUARE = 0.9, 0.99  # beta_1 and beta_2
Arrays = tuple[FloatArray, ...]


class Adam:
    """Steps p -= lr m_hat / (sqrt(s_hat) + 1e-8).

    m and s are the running means of g and g^2; they started at 0, so the hats divide them by
    1 - beta^number, where `number` counts the steps from 1.

    Args:
        arrays: what is going to be trained, for the shapes and dtypes.

    Source: Kingma and Ba 2015, algorithm 1.
    """

    def __init__(self, arrays: Sequence[FloatArray]) -> None:
        self._mean: Arrays = tuple(np.zeros_like(array) for array in arrays)
        self._square = self._mean
        self._number = 0

    def step(
        self, arrays: Sequence[FloatArray], gradient: Sequence[FloatArray], lr: float
    ) -> Arrays:
        """Return the arrays one step on; new ones each time, so that a run keeps what it had."""
        b1, b2 = MEMORY_OF_MEAN, MEMORY_OF_SQUARE
        self._number += 1
        self._mean = tuple(b1 * m + (1 - b1) * g for m, g in zip(self._mean, gradient, strict=True))
        self._square = tuple(
            b2 * s + (1 - b2) * g * g for s, g in zip(self._square, gradient, strict=True)
        )
        m_scale, s_scale = 1 / (1 - b1**self._number), 1 / (1 - b2**self._number)
        return tuple(
            p - lr * m * m_scale / (np.sqrt(s * s_scale) + 1e-8)
            for p, m, s in zip(arrays, self._mean, self._square, strict=True)
        )
