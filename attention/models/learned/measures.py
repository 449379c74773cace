"""What does a head do? Four numbers for every head, and what the model is worth.

Everything is measured on rows that are drawn here and were never trained on. `w` is the word at a
position, `a_{t,j}` the weight of row t on position j:

    previous token   mean of a_{t,t-1}: it looks one place back
    duplicate token  mean of a_{t,j} where j is the same word, earlier
    induction        mean of a_{t,j+1}: the place after the same word, earlier
    subject          weight on the subject from where the verb must be predicted
    copying          of a head's output matrix: does what it reads make the same word likelier?
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass

import numpy as np

from attention_widget.models.learned.model import Head, Reading, WordModel
from attention_widget.models.learned.sequences import VERBS, phrases, twice
from attention_widget.models.learned.vocabulary import with_start
from attention_widget.models.words import IntArray, losses_at
from attention_widget.softmax import softmax
from attention_widget.validate import BoolArray, FloatArray

HALF = 8  # words of the rows that are said twice; with the start token 17 positions
SUBJECT_AT = 2  # position of the first noun of "START the dog near the cats"
Run = Callable[[IntArray], Reading]


def previous_token_scores(weights: FloatArray) -> FloatArray:
    """Average a_{t,t-1} over rows 1 ... T-1, (..., T, T) -> (...)."""
    scores: FloatArray = np.diagonal(weights, offset=-1, axis1=-2, axis2=-1).mean(axis=-1)
    return scores


def duplicate_token_scores(weights: FloatArray, words: IntArray) -> FloatArray:
    """Average the weight on the same word, earlier: (B, ..., T, T) and int (B, T) -> (...).

    Only rows count whose word came before; of several earlier places the last one counts. nan
    when there is no such row.
    """
    return _scores_at(weights, words, 0)


def induction_scores(weights: FloatArray, words: IntArray) -> FloatArray:
    """Average the weight on the word that followed the same word, earlier; as above.

    Source: Olsson et al. 2022, "In-context learning and induction heads", prefix matching score.
    """
    return _scores_at(weights, words, 1)


def _scores_at(weights: FloatArray, words: IntArray, offset: int) -> FloatArray:
    same = words[:, :, None] == words[:, None, :]  # (B, T, T)
    before = same & np.tri(words.shape[1], k=-1, dtype=np.bool_)
    b, t = np.nonzero(before.any(axis=-1))
    if not len(b):
        return np.full(weights.shape[1:-2], np.nan)
    last = words.shape[1] - 1 - before[b, t, ::-1].argmax(axis=-1)
    scores: FloatArray = weights[b, ..., t, last + offset].mean(axis=0)
    return scores


def copying_scores(model: WordModel) -> FloatArray:
    """Return sum(lambda) / sum(|lambda|) of every head's way from word to word, (L, h), -1 to 1.

    lambda are the eigenvalues of token W_v W_o readout with the head's slices of W_v and W_o,
    (V, V): 1 if every reading raises the same word's logit, -1 if it lowers it. They are those
    of the (d_head, d_head) product in another order, and zeros.

    Source: Elhage et al. 2021, "A mathematical framework for transformer circuits".
    """
    scores = np.zeros((len(model.layers), model.n_heads))
    token = model.token[: model.readout.shape[1]].astype(np.float64)  # without the start token
    for number, layer in enumerate(model.layers):
        for i in range(model.n_heads):
            own = slice(i * layer.d_head, (i + 1) * layer.d_head)
            small = (layer.w_o[own] @ model.readout) @ (token @ layer.w_v[:, own])
            values = np.linalg.eigvals(small)
            scores[number, i] = values.sum().real / np.abs(values).sum()
    return scores


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What a model is worth, and what its heads do. Losses in nats per word.

    Attributes:
        first_loss: at the words of a row that is said for the first time; they cannot be known.
        first_right: share of those whose likeliest word is the right one.
        second_loss: at the words of the second saying, from the second word on.
        second_right: see `first_right`.
        verb_right: share of phrases in which verbs of the right number are the likelier.
        previous: (L, h), likewise duplicate, induction and subject.
    """

    first_loss: float
    first_right: float
    second_loss: float
    second_right: float
    verb_right: float
    previous: FloatArray
    duplicate: FloatArray
    induction: FloatArray
    subject: FloatArray


def score(
    model: WordModel,
    rng: np.random.Generator,
    n: int = 200,
    *,
    causal: bool = True,
    off: Collection[Head] = (),
) -> Scores:
    """Measure a model on n rows said twice and n phrases, drawn from `rng`.

    Args:
        model: what is measured.
        rng: draws the rows; the same generator gives the same rows for every model.
        n: rows of each kind.
        causal: whether the mask is on.
        off: heads that are turned off.
    """
    return score_run(lambda words: model(words, causal=causal, off=off), rng, n)


def score_run(run: Run, rng: np.random.Generator, n: int = 200) -> Scores:
    """Measure any way to read, for example one without a path; see `score`."""
    rows = twice(n, HALF, rng)
    said = with_start(rows)  # whole, so that a model without a mask has every answer before it
    reading = run(said)
    logits = reading.logits[:, :-1]
    losses = losses_at(logits, rows)  # (n, 2 HALF)
    right = logits.argmax(axis=-1) == rows
    weights = reading.weights
    sentences, many = phrases(n, rng)
    spoken = run(with_start(sentences))
    return Scores(
        first_loss=float(losses[:, :HALF].mean()),
        first_right=float(right[:, :HALF].mean()),
        second_loss=float(losses[:, HALF + 1 :].mean()),
        second_right=float(right[:, HALF + 1 :].mean()),
        verb_right=float((likelier_many(spoken.logits[:, -2]) == many).mean()),
        previous=previous_token_scores(weights).mean(axis=0),
        duplicate=duplicate_token_scores(weights, said),
        induction=induction_scores(weights, said),
        subject=spoken.weights[..., -2, SUBJECT_AT].mean(axis=0),
    )


def likelier_many(logits: FloatArray) -> BoolArray:
    """Say whether verbs of many ("run") are likelier than verbs of one ("runs"), (..., V)."""
    chances = softmax(logits)
    one, many = (chances[..., verbs].sum(axis=-1) for verbs in VERBS)
    return np.asarray(many > one)
