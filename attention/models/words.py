"""How do the numbers of words become vectors, and how far off is a prediction of the next word?

    x    = token[w] + place[0..T-1]           (B, T, d)
    loss = -log softmax(logits)[target]       (B, T), nats

Without `place` no query could ask for "the next position": attention alone sees a bag of words.
"""

import numpy as np
import numpy.typing as npt

from attention_widget.softmax import normalise
from attention_widget.validate import FloatArray

IntArray = npt.NDArray[np.int64]


def embed(token: FloatArray, place: FloatArray, words: IntArray) -> FloatArray:
    """Return token[w] + place[t], int (B, T) -> (B, T, d); T is at most the rows of `place`."""
    x: FloatArray = token[words] + place[: words.shape[1]]
    return x


def embed_back(
    token: FloatArray, place: FloatArray, words: IntArray, d_x: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the gradients of `token` and `place` from that of x, (B, T, d)."""
    d_token, d_place = np.zeros_like(token), np.zeros_like(place)
    np.add.at(d_token, words, d_x)  # a word may occur many times
    d_place[: words.shape[1]] = d_x.sum(axis=0)
    return d_token, d_place


def losses_at(logits: FloatArray, targets: IntArray) -> FloatArray:
    """Measure the surprise -log softmax(logits)[target] in nats, (..., V) -> (...)."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    chosen = np.take_along_axis(shifted, targets[..., None], axis=-1)[..., 0]
    surprise: FloatArray = np.log(np.exp(shifted).sum(axis=-1)) - chosen
    return surprise


def mean_loss_back(logits: FloatArray, targets: IntArray) -> FloatArray:
    """Return the gradient of the mean loss: (softmax - one-hot(target)) / (B T), (B, T, V)."""
    d_logits = normalise(logits)
    np.put_along_axis(
        d_logits,
        targets[..., None],
        np.take_along_axis(d_logits, targets[..., None], axis=-1) - 1,
        axis=-1,
    )
    d_logits /= targets.size
    return d_logits
