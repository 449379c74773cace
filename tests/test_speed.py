"""Is the batched way faster than the loop, and are tiles no slower than the dense map?

Times are the best of many interleaved runs, which a busy machine disturbs least.
"""

from time import perf_counter

import numpy as np

from attention import scaled_dot_product_attention, tiled_attention
from attention.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize


def best_times(runs, *calls):
    """Give the shortest time of each call, taken in turns."""
    best = [float("inf")] * len(calls)
    for _ in range(runs):
        for i, call in enumerate(calls):
            start = perf_counter()
            call()
            best[i] = min(best[i], perf_counter() - start)
    return best


def test_all_heads_at_once_take_less_than_half_the_time_of_a_loop_over_heads():
    layer, x = lesson_layer(4), lesson_inputs(tokenize(SENTENCE))

    def loop():
        q, k, v = x @ layer.w_q, x @ layer.w_k, x @ layer.w_v
        heads = [
            scaled_dot_product_attention(q[..., c], k[..., c], v[..., c], causal=True).output
            for c in (slice(3 * i, 3 * i + 3) for i in range(4))
        ]
        return np.concatenate(heads, axis=-1) @ layer.w_o

    np.testing.assert_allclose(loop(), layer(x).output, atol=1e-14)
    looped, batched = best_times(600, loop, lambda: layer(x))
    assert batched < looped / 2


def test_causal_tiles_are_no_slower_than_the_dense_map():
    q, k, v = np.random.default_rng(0).standard_normal((3, 1, 12, 1024, 64)).astype(np.float32)
    dense, tiled = best_times(
        3,
        lambda: scaled_dot_product_attention(q, k, v, causal=True),
        lambda: tiled_attention(q, k, v, causal=True),
    )
    assert tiled < dense
