"""Which numbers stand for "Your journey starts with one step"?

Nothing is trained. Every number is drawn from a seed, so that anybody gets the same map:

    words     x_t = word(token_t) + place(t),           12 numbers each
    word      default_rng([seed, *token.encode()]).standard_normal(12)
    place     default_rng([seed, 1]).standard_normal((16, 12))[t]
    weights   default_rng([seed, 0]).standard_normal((4, 12, 12)) / 4

The same word is the same vector wherever it stands; only the place differs. One set of W_q, W_k,
W_v, W_o serves every head count: 1, 2, 3 or 4 heads cut the same 12 columns differently.
"""

import unicodedata
from collections.abc import Sequence

import numpy as np

from attention_widget.multihead import MultiHeadAttention
from attention_widget.validate import FloatArray

SENTENCE = "Your journey starts with one step"
D_MODEL = 12
MAX_TOKENS = 16
MAX_CHARACTERS = 24
DEFAULT_SEED = 3907


def tokenize(sentence: str) -> tuple[str, ...]:
    """Split a sentence at white space into 1 to 16 tokens of at most 24 characters each.

    Raises:
        ValueError: too few or too many tokens, one that is too long, or one that holds a
            control or other invisible character.
    """
    if not isinstance(sentence, str):
        raise ValueError(
            f"the sentence must be text: got {type(sentence).__name__}; try {SENTENCE!r}"
        )
    return check_tokens(unicodedata.normalize("NFC", sentence).split())


def check_tokens(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return the tokens as a tuple, or raise ValueError as `tokenize` does."""
    if not 1 <= len(tokens) <= MAX_TOKENS:
        raise ValueError(
            f"a sentence must have 1 to {MAX_TOKENS} words: got {len(tokens)}; try {SENTENCE!r}"
        )
    for token in tokens:
        if len(token) > MAX_CHARACTERS:
            raise ValueError(
                f"a word must have at most {MAX_CHARACTERS} characters: "
                f"{token[:MAX_CHARACTERS]!r}... has {len(token)}; shorten it or put spaces in"
            )
        if not token or not token.isprintable():
            raise ValueError(
                f"a word must hold visible characters only: got {token!r}; type it again "
                "without control characters"
            )
    return tuple(tokens)


def check_seed(seed: int) -> int:
    """Return `seed` as an int in 0 ... 2**32 - 1.

    Raises:
        ValueError: it is not a whole number, or lies outside that range.
    """
    whole = isinstance(seed, (int, np.integer)) and not isinstance(seed, bool)
    if not whole or not 0 <= seed < 2**32:
        raise ValueError(
            f"a seed must be a whole number from 0 to {2**32 - 1}: got {seed!r}; try {DEFAULT_SEED}"
        )
    return int(seed)


def lesson_inputs(tokens: Sequence[str], seed: int = DEFAULT_SEED) -> FloatArray:
    """Draw x = word + place for every token, float64 (1, T, 12) of variance about 2.

    Raises:
        ValueError: as `tokenize` and `check_seed`.
    """
    tokens, seed = check_tokens(tokens), check_seed(seed)
    words = [np.random.default_rng([seed, *t.encode()]).standard_normal(D_MODEL) for t in tokens]
    places = np.random.default_rng([seed, 1]).standard_normal((MAX_TOKENS, D_MODEL))
    x: FloatArray = np.array(words) + places[: len(tokens)]  # (T, 12)
    return x[None]  # (1, T, 12)


def lesson_weights(
    seed: int = DEFAULT_SEED,
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Draw W_q, W_k, W_v, W_o, float64 (12, 12) each, for `x @ W`.

    Raises:
        ValueError: as `check_seed`.
    """
    draw = np.random.default_rng([check_seed(seed), 0]).standard_normal((4, D_MODEL, D_MODEL))
    w_q, w_k, w_v, w_o = draw / 4
    return w_q, w_k, w_v, w_o


def lesson_layer(n_heads: int = 4, seed: int = DEFAULT_SEED) -> MultiHeadAttention:
    """Build the lesson's layer; every head count cuts the same four matrices.

    Raises:
        ValueError: `n_heads` does not divide 12, or as `check_seed`.
    """
    return MultiHeadAttention(*lesson_weights(seed), n_heads)
