"""How much of an output channel comes from which head?"""

import numpy.typing as npt

from attention_widget.multihead import split_heads
from attention_widget.validate import FloatArray, float_array


def head_products(context: npt.ArrayLike, w_o: npt.ArrayLike, n_heads: int) -> FloatArray:
    """Return every term of the sum that W_o makes: z_c W_o[c, o], with c counted within its head.

    Args:
        context: the heads' context vectors side by side, (..., T, d).
        w_o: output projection (d, d_out), for `context @ w_o`.
        n_heads: h; it must divide d.

    Returns:
        (..., h, T, d_head, d_out); its sum over h and d_head is the output before the bias.

    Raises:
        ValueError: h does not divide d, or the shapes do not fit.
    """
    weights = float_array("w_o", w_o)
    heads = split_heads(context, n_heads)  # (..., h, T, d_head)
    width = heads.shape[-1]
    if weights.ndim != 2 or weights.shape[0] != n_heads * width:
        raise ValueError(
            f"w_o must be (d, d_out) with d={n_heads * width}: got {weights.shape}; pass the W_o "
            "of the layer that made the context"
        )
    slices = weights.reshape(n_heads, 1, width, -1)  # head i owns its rows of W_o
    return heads[..., None] * slices  # (..., h, T, d_head, d_out)


def head_contributions(context: npt.ArrayLike, w_o: npt.ArrayLike, n_heads: int) -> FloatArray:
    """Split the output by head: y_i = Z_i W_o[rows of head i], and sum_i y_i = Z W_o.

    Args, Raises: as `head_products`.

    Returns:
        (..., h, T, d_out).
    """
    total: FloatArray = head_products(context, w_o, n_heads).sum(axis=-2)
    return total
