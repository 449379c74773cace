"""How do h heads share one width d without a loop?"""

import numpy as np
import numpy.typing as npt

from attention_widget.sdpa import Attention, in_dtype, scaled_dot_product_attention
from attention_widget.stages import CORRECT, Stages, split_width
from attention_widget.validate import FloatArray, count, float_array, probability, working_dtype


def head_width(d: int, n_heads: int) -> int:
    """Return the width of one head, d_head = d / h.

    Raises:
        ValueError: d or h is not a whole number of at least 1, or h does not divide d.
    """
    d, n_heads = count("d", d), count("n_heads", n_heads)
    if d % n_heads:
        divisors = [str(h) for h in range(1, d + 1) if d % h == 0]
        choice = " or ".join(filter(None, [", ".join(divisors[:-1]), divisors[-1]]))
        raise ValueError(f"h must divide d: d={d}, h={n_heads} leaves {d % n_heads}; try {choice}")
    return d // n_heads


def split_heads(x: npt.ArrayLike, n_heads: int) -> FloatArray:
    """Return every head its own slice of the width: (..., T, d) -> (..., h, T, d_head), a view.

    Head i holds the columns i*d_head ... (i+1)*d_head - 1.

    Raises:
        ValueError: h does not divide d, or x has no axes (T, d).
    """
    array = float_array("x", x)
    if array.ndim < 2:
        raise ValueError(
            f"x needs at least the axes (T, d): got {array.shape}; add one with x[None, :]"
        )
    head_width(array.shape[-1], n_heads)
    return split_width(array, n_heads)


def merge_heads(x: npt.ArrayLike) -> FloatArray:
    """Put the heads side by side again: (..., h, T, d_head) -> (..., T, d); undoes `split_heads`.

    Raises:
        ValueError: x has no axes (h, T, d_head).
    """
    array = float_array("x", x)
    if array.ndim < 3:
        raise ValueError(
            f"x needs at least the axes (h, T, d_head): got {array.shape}; make it with "
            "split_heads(x, n_heads)"
        )
    *lead, h, t, width = array.shape
    return array.swapaxes(-2, -3).reshape(*lead, t, h * width)  # (..., T, d)


class MultiHeadAttention:
    """Attend h times over one width.

    Z_i = softmax(mask(Q_i K_i^T / sqrt(d_head))) V_i
    Y   = [Z_1, ..., Z_h] W_o + b_o
    with
    Q   = x W_q + b_q, and so for K and V; head i reads the columns i*d_head ... (i+1)*d_head - 1.

    Args:
        w_q: (d_in, d), for `x @ w_q`; likewise w_k and w_v.
        w_o: (d, d_out).
        n_heads: h; it must divide d.
        b_q: bias (d,) or None; likewise b_k and b_v; b_o is (d_out,).

    Raises:
        ValueError: h does not divide d, or a weight or bias has the wrong shape.

    Source: Vaswani et al. 2017, section 3.2.2, with d_head = d / h.
    """

    __slots__ = ("b_k", "b_o", "b_q", "b_v", "n_heads", "w_k", "w_o", "w_q", "w_v")

    def __init__(
        self,
        w_q: npt.ArrayLike,
        w_k: npt.ArrayLike,
        w_v: npt.ArrayLike,
        w_o: npt.ArrayLike,
        n_heads: int,
        *,
        b_q: npt.ArrayLike | None = None,
        b_k: npt.ArrayLike | None = None,
        b_v: npt.ArrayLike | None = None,
        b_o: npt.ArrayLike | None = None,
    ) -> None:
        self.w_q = float_array("w_q", w_q)
        if self.w_q.ndim != 2:
            raise ValueError(
                f"w_q must be (d_in, d): got {self.w_q.shape}; a single head of width d is "
                "(d_in, d) with n_heads=1"
            )
        d = self.w_q.shape[1]
        head_width(d, n_heads)
        self.n_heads = int(n_heads)
        self.w_k = _shaped("w_k", w_k, self.w_q.shape)
        self.w_v = _shaped("w_v", w_v, self.w_q.shape)
        self.w_o = float_array("w_o", w_o)
        if self.w_o.ndim != 2 or self.w_o.shape[0] != d:
            raise ValueError(
                f"w_o must be (d, d_out) with d={d}: got {self.w_o.shape}; transpose it if it is "
                "stored as (d_out, d)"
            )
        self.b_q, self.b_k, self.b_v = (
            None if b is None else _shaped(name, b, (d,))
            for name, b in (("b_q", b_q), ("b_k", b_k), ("b_v", b_v))
        )
        self.b_o = None if b_o is None else _shaped("b_o", b_o, self.w_o.shape[1:])

    def __call__(
        self,
        x: npt.ArrayLike,
        *,
        causal: bool = True,
        dropout: float = 0.0,
        rng: np.random.Generator | None = None,
        training: bool = False,
        stages: Stages = CORRECT,
    ) -> Attention:
        """Attend over x with every head at once.

        Args:
            x: (B, T, d_in).
            causal: position t sees positions <= t only.
            dropout: probability p that a weight is dropped, in [0, 1]; acts in training only.
            rng: generator of the dropout field; needed when dropout acts.
            training: whether this is a training step.
            stages: the steps, each of which may be exchanged (see `attention_widget.faults`).

        Returns:
            `Attention` in the dtype of x: scores, masked_scores, weights and dropped
            (B, h, T, T), context (B, T, d), output (B, T, d_out).

        Raises:
            ValueError: x has the wrong shape or is not numeric, p lies outside [0, 1], or rng
                is missing.
        """
        array = float_array("x", x)
        if array.ndim != 3 or array.shape[-1] != self.w_q.shape[0]:
            raise ValueError(
                f"x must be (B, T, d) with d={self.w_q.shape[0]}: got {array.shape}; add the "
                "batch axis with x[None], or use a layer of that width"
            )
        p = probability("dropout", dropout)
        work = array.astype(working_dtype(array.dtype, self.w_q.dtype), copy=False)
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            q = stages.split(
                _projected(work, self.w_q, self.b_q), self.n_heads
            )  # (B, h, T, d_head)
            k = stages.split(_projected(work, self.w_k, self.b_k), self.n_heads)
            v = stages.split(_projected(work, self.w_v, self.b_v), self.n_heads)
            heads = scaled_dot_product_attention(
                q,
                k,
                v,
                causal=causal,
                dropout=p if stages.drops(training) else 0.0,
                rng=rng,
                stages=stages,
            )
            context = merge_heads(heads.output)  # (B, T, d)
            output = stages.project(context, self.w_o, self.b_o)  # (B, T, d_out)
        return in_dtype(
            Attention(
                heads.scores, heads.masked_scores, heads.weights, heads.dropped, output, context
            ),
            array.dtype,
        )

    @property
    def d_head(self) -> int:
        """Width of one head, d / h."""
        return int(self.w_q.shape[1]) // self.n_heads


def _projected(x: FloatArray, w: FloatArray, b: FloatArray | None) -> FloatArray:
    projected: FloatArray = x @ w  # (B, T, d)
    return projected if b is None else projected + b


def _shaped(name: str, value: npt.ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    array = float_array(name, value)
    if array.shape != shape:
        raise ValueError(
            f"{name} must have the shape {shape}: got {array.shape}; weights are stored for "
            "x @ w, so transpose one that is stored for w @ x"
        )
    return array
