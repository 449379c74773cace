"""What does a layer cost, and which of its costs depends on the number of heads?"""

from dataclasses import dataclass

from attention_widget.multihead import head_width
from attention_widget.validate import count


@dataclass(frozen=True, slots=True)
class Cost:
    """Exact counts for one forward pass of one layer.

    Attributes:
        parameters: numbers in W_q, W_k, W_v and W_o.
        parameters_with_bias: the same with four biases.
        flops: floating point operations of the matrix products; an (m, n) by (n, k) product
            counts 2 m n k.
        score_shape: shape of the score tensor, (B, h, T, T).
        score_bytes: its size in bytes when it is held whole.
    """

    parameters: int
    parameters_with_bias: int
    flops: int
    score_shape: tuple[int, int, int, int]
    score_bytes: int


def attention_cost(t: int, d: int, n_heads: int, *, batch: int = 1, dtype_bytes: int = 4) -> Cost:
    """Count what one layer costs: 4d^2 (+ 4d) parameters and B (8Td^2 + 4T^2 d) FLOPs.

    Only the score tensor depends on h: B h T^2 numbers. The causal mask saves none of it here,
    since every score is computed and then masked.

    Args:
        t: T, positions, at least 0.
        d: width, at least 1.
        n_heads: h; it must divide d.
        batch: B, at least 0.
        dtype_bytes: bytes per number: 2 for float16, 4 for float32, 8 for float64.

    Raises:
        ValueError: h does not divide d, or an argument is not a whole number or is too small.
    """
    head_width(d, n_heads)
    t, batch = count("t", t, least=0), count("batch", batch, least=0)
    dtype_bytes = count("dtype_bytes", dtype_bytes)
    return Cost(
        parameters=4 * d * d,
        parameters_with_bias=4 * d * d + 4 * d,
        flops=batch * (8 * t * d * d + 4 * t * t * d),
        score_shape=(batch, n_heads, t, t),
        score_bytes=batch * n_heads * t * t * dtype_bytes,
    )


def tile_score_bytes(
    t: int, n_heads: int, tile: int, *, batch: int = 1, dtype_bytes: int = 4
) -> int:
    """Count the bytes of scores that `tiled_attention` holds at once: B h min(tile, T)^2 bytes.

    Compare with `attention_cost(...).score_bytes`; this one does not grow with T.

    Raises:
        ValueError: an argument is not a whole number, or is too small.
    """
    side = min(count("t", t, least=0), count("tile", tile))
    heads = count("n_heads", n_heads) * count("batch", batch, least=0)
    return heads * side * side * count("dtype_bytes", dtype_bytes)
