"""Is a mask taken for what it says, and is a reader warned where it says something else?"""

import warnings

import numpy as np
import pytest

from attention_widget import causal_mask, scaled_dot_product_attention, tiled_attention

RNG = np.random.default_rng(0)
Q, K, V = RNG.standard_normal((3, 2, 5, 7))
ZEROS_AND_ONES = causal_mask(5).astype(float)


@pytest.mark.parametrize("attend", [scaled_dot_product_attention, tiled_attention])
def test_a_float_mask_of_zeros_and_ones_is_warned_of_and_still_added(attend):
    with pytest.warns(UserWarning, match=r"astype\(bool\).*-inf") as caught:
        attend(Q, K, V, mask=ZEROS_AND_ONES)
    assert len(caught) == 1


def test_the_numbers_of_such_a_mask_are_those_of_a_bias():
    with pytest.warns(UserWarning, match="added to the scores") as caught:
        record = scaled_dot_product_attention(Q, K, V, mask=ZEROS_AND_ONES)
    assert caught[0].filename == __file__
    np.testing.assert_array_equal(record.masked_scores, record.scores + ZEROS_AND_ONES)
    exps = np.exp(record.scores + ZEROS_AND_ONES)
    np.testing.assert_allclose(record.weights, exps / exps.sum(-1, keepdims=True))
    assert (record.weights[..., ~causal_mask(5)] > 0).all()  # what the warning is for


def test_such_a_mask_can_leave_almost_a_whole_row_on_the_future():
    q, k = np.zeros((2, 60, 4))
    with pytest.warns(UserWarning, match="added to the scores"):
        weights = scaled_dot_product_attention(q, k, k, mask=np.tri(60)).weights
    assert weights[0, 1:].sum() == pytest.approx(59 / (59 + np.e))
    assert weights[0, 1:].sum() > 0.95


@pytest.mark.parametrize(
    "mask",
    [
        causal_mask(5),
        np.where(causal_mask(5), 0, -np.inf),
        np.zeros((5, 5)),
        np.ones((5, 5)),
        np.where(causal_mask(5), 1, 0.5),
        np.where(causal_mask(5), 1, -np.inf),
        np.full((5, 5), -0.0),
    ],
)
def test_no_other_mask_is_warned_of(mask):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scaled_dot_product_attention(Q, K, V, mask=mask)
        tiled_attention(Q, K, V, mask=mask)


@pytest.mark.parametrize(("t_q", "t_k"), [(1, 5), (2, 5), (5, 5), (3, 7)])
def test_with_a_cache_the_mask_of_the_docstring_gives_the_last_rows_of_the_whole(t_q, t_k):
    q, k, v = np.random.default_rng(1).standard_normal((3, 2, t_k, 7))
    whole = scaled_dot_product_attention(q, k, v, causal=True)
    mask = np.tri(t_q, t_k, t_k - t_q, dtype=bool)
    cached = scaled_dot_product_attention(q[:, -t_q:], k, v, mask=mask)
    np.testing.assert_allclose(cached.weights, whole.weights[:, -t_q:], atol=1e-12)
    np.testing.assert_allclose(cached.output, whole.output[:, -t_q:], atol=1e-12)
    for documented in (scaled_dot_product_attention, causal_mask):
        assert "np.tri(t_q, t_k, t_k - t_q, dtype=bool)" in documented.__doc__
