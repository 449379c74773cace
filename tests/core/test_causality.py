"""Is a later word found out by what it moves, where weights of 0 would hide it?"""

import numpy as np
import pytest

from attention_widget import MultiHeadAttention, reaches_the_past, word_influence
from attention_widget.lesson import lesson_inputs, lesson_layer

X = lesson_inputs(("Your", "journey", "starts", "with", "one", "step"))
OTHER = lesson_inputs(("My", "road", "ends", "after", "two", "days"))


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4])
def test_behind_the_mask_a_later_word_moves_no_earlier_output_by_a_bit(n_heads):
    layer = lesson_layer(n_heads)
    influence = word_influence(lambda x: layer(x).output, X, OTHER)
    assert (np.triu(influence, 1) == 0).all()
    assert (influence[np.tri(6, dtype=bool)] > 0.01).all()
    assert not reaches_the_past(influence)


def test_without_a_mask_every_word_moves_every_output():
    layer = lesson_layer(4)
    influence = word_influence(lambda x: layer(x, causal=False).output, X, OTHER)
    assert (influence > 0.01).all()
    assert reaches_the_past(influence)


def test_each_entry_is_the_largest_move_of_one_output_by_one_word():
    layer = lesson_layer(2)
    influence = word_influence(lambda x: layer(x, causal=False).output, X, OTHER)
    exchanged = X.copy()
    exchanged[0, 4] = OTHER[0, 4]
    moved = layer(exchanged, causal=False).output - layer(X, causal=False).output
    np.testing.assert_array_equal(influence[:, 4], np.abs(moved[0]).max(-1))


def test_the_largest_of_a_batch_counts():
    w = np.random.default_rng(0).standard_normal((4, 6, 6))
    layer = MultiHeadAttention(*w, 2)
    x, other = np.random.default_rng(1).standard_normal((2, 3, 5, 6))
    whole = word_influence(lambda v: layer(v, causal=False).output, x, other)
    single = [
        word_influence(lambda v: layer(v, causal=False).output, x[i : i + 1], other[i : i + 1])
        for i in range(3)
    ]
    np.testing.assert_allclose(whole, np.max(single, axis=0), rtol=1e-12)


def test_nan_counts_as_moving():
    influence = np.zeros((3, 3))
    assert not reaches_the_past(influence)
    influence[0, 2] = np.nan
    assert reaches_the_past(influence)


def test_words_of_another_shape_are_refused():
    with pytest.raises(ValueError, match=r"x and other must both be \(B, T, d\)"):
        word_influence(lambda x: x, X, OTHER[:, :5])
