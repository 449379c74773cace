"""The output is a sum over heads: W_o lets every head reach every channel."""

import numpy as np
import pytest

from attention_widget import MultiHeadAttention
from attention_widget.contributions import head_contributions, head_products

B, H, T, WIDTH, D_OUT = 2, 3, 5, 7, 11
D = H * WIDTH


@pytest.fixture
def layer() -> MultiHeadAttention:
    rng = np.random.default_rng(5)
    w_q, w_k, w_v = rng.standard_normal((3, 13, D))
    return MultiHeadAttention(w_q, w_k, w_v, rng.standard_normal((D, D_OUT)), H)


@pytest.fixture
def x() -> np.ndarray:
    return np.random.default_rng(6).standard_normal((B, T, 13))


def test_the_contributions_of_the_heads_add_up_to_the_output(
    layer: MultiHeadAttention, x: np.ndarray
) -> None:
    record = layer(x)
    parts = head_contributions(record.context, layer.w_o, H)
    assert parts.shape == (B, H, T, D_OUT)
    np.testing.assert_allclose(parts.sum(axis=1), record.output, rtol=0, atol=1e-12)


def test_a_head_contributes_what_is_left_when_the_other_heads_are_silent(
    layer: MultiHeadAttention, x: np.ndarray
) -> None:
    context = layer(x).context
    parts = head_contributions(context, layer.w_o, H)
    for head in range(H):
        alone = np.zeros_like(context)
        columns = slice(head * WIDTH, (head + 1) * WIDTH)
        alone[..., columns] = context[..., columns]
        np.testing.assert_allclose(parts[:, head], alone @ layer.w_o, rtol=0, atol=1e-12)


def test_without_w_o_a_channel_hears_one_head_only(
    layer: MultiHeadAttention, x: np.ndarray
) -> None:
    parts = head_contributions(layer(x).context, np.eye(D), H)
    heard = (parts != 0).any(axis=(0, 2))  # (h, d)
    np.testing.assert_array_equal(heard.sum(axis=0), np.ones(D))
    np.testing.assert_array_equal(heard.argmax(axis=0), np.arange(D) // WIDTH)


def test_the_products_are_the_terms_of_the_matrix_product(
    layer: MultiHeadAttention, x: np.ndarray
) -> None:
    context = layer(x).context
    terms = head_products(context, layer.w_o, H)
    assert terms.shape == (B, H, T, WIDTH, D_OUT)
    assert terms[1, 2, 3, 4, 5] == context[1, 3, 2 * WIDTH + 4] * layer.w_o[2 * WIDTH + 4, 5]


def test_a_w_o_of_another_width_is_refused_with_a_way_out() -> None:
    with pytest.raises(ValueError, match=r"w_o must be \(d, d_out\) with d=12: got \(11, 12\)"):
        head_contributions(np.ones((2, 12)), np.ones((11, 12)), 3)
    with pytest.raises(ValueError, match="h must divide d"):
        head_contributions(np.ones((2, 12)), np.ones((12, 12)), 5)
