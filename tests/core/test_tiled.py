"""Do the tiles give the dense numbers step by step, skip the future, and need little memory?"""

import tracemalloc

import numpy as np
import pytest

from attention_widget import (
    log_sum_exp,
    scaled_dot_product_attention,
    tile_grid,
    tile_steps,
    tiled_attention,
)


def qkv(shape, dtype=np.float64):
    return np.random.default_rng(8).standard_normal((3, *shape)).astype(dtype)


@pytest.mark.parametrize("tile", [1, 2, 3, 5, 11, 64])
def test_after_every_tile_the_running_numbers_are_those_of_the_keys_read_so_far(tile):
    q, k, v = qkv((2, 3, 11, 7))
    for step in tile_steps(q, k, v, causal=True, tile=tile):
        seen = step.keys.stop
        rows = slice(0, step.queries.stop)
        so_far = scaled_dot_product_attention(
            q[..., rows, :], k[..., :seen, :], v[..., :seen, :], causal=True
        )
        scores = so_far.masked_scores[..., step.queries, :]
        np.testing.assert_array_equal(step.running_max.shape, scores.shape[:-1])
        np.testing.assert_allclose(step.running_max, scores.max(axis=-1), atol=1e-13)
        sums = np.exp(scores - scores.max(axis=-1, keepdims=True)).sum(axis=-1)
        np.testing.assert_allclose(step.running_sum, sums, atol=1e-12)
        np.testing.assert_allclose(step.output, so_far.output[..., step.queries, :], atol=1e-13)
        np.testing.assert_allclose(
            step.accumulated, step.output * step.running_sum[..., None], atol=1e-13
        )
        np.testing.assert_allclose(step.lse, log_sum_exp(scores), atol=1e-13)


@pytest.mark.parametrize(("t_q", "t_k"), [(11, 11), (3, 11), (11, 3), (1, 1), (0, 4), (4, 0)])
@pytest.mark.parametrize("tile", [1, 2, 4, 16])
def test_exactly_the_tiles_that_hold_no_allowed_cell_are_skipped(t_q, t_k, tile):
    grid = tile_grid(t_q, t_k, tile, causal=True)
    allowed = np.tri(t_q, t_k, dtype=bool)
    want = [
        [allowed[i : i + tile, j : j + tile].any() for j in range(0, t_k, tile)]
        for i in range(0, t_q, tile)
    ]
    np.testing.assert_array_equal(grid, np.array(want, dtype=bool).reshape(grid.shape))
    assert tile_grid(t_q, t_k, tile, causal=False).all()
    q, k = np.ones((t_q, 2)), np.ones((t_k, 2))
    read = [
        (s.queries.start // tile, s.keys.start // tile)
        for s in tile_steps(q, k, k, causal=True, tile=tile)
    ]
    assert read == list(zip(*np.nonzero(grid), strict=True))


def test_a_skipped_tile_is_never_read():
    q, k, v = qkv((1, 1, 8, 3))
    k[..., 4:, :], v[..., 4:, :] = np.nan, np.nan
    steps = [s for s in tile_steps(q, k, v, causal=True, tile=4) if s.queries.start == 0]
    assert [(s.keys.start, s.keys.stop, s.last) for s in steps] == [(0, 4, True)]
    assert np.isfinite(steps[0].output).all()


def test_a_step_that_was_kept_does_not_change_when_the_next_is_taken():
    steps = list(tile_steps(*qkv((1, 2, 9, 3)), tile=2))
    again = tile_steps(*qkv((1, 2, 9, 3)), tile=2)
    for kept, fresh in zip(steps, again, strict=True):
        np.testing.assert_array_equal(kept.accumulated, fresh.accumulated)
        np.testing.assert_array_equal(kept.running_max, fresh.running_max)


def test_no_array_of_t_by_t_numbers_is_ever_made():
    peaks = []
    for t in (512, 1024, 2048):
        q, k, v = qkv((1, 2, t, 16), np.float32)
        tiled_attention(q[..., :8, :], k[..., :8, :], v[..., :8, :], causal=True)
        tracemalloc.start()
        tiled_attention(q, k, v, causal=True)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[2] < 2048 * 2048  # not even one byte per cell
    assert peaks[2] < 2.2 * peaks[1] < 2.2**2 * peaks[0]


def test_a_mask_is_read_tile_by_tile_and_not_copied_whole():
    t = 2048
    q, k, v = qkv((1, 1, t, 4), np.float32)
    bias = np.zeros((t, t), np.float32)
    tracemalloc.start()
    tiled_attention(q, k, v, mask=bias, tile=64)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < t * t / 4


def test_huge_scores_of_either_sign_and_in_any_order_stay_exact():
    scores = np.array([[-1e300, 1e300, 5.0, 1e300, -1e308]])
    v = np.array([[1.0], [2.0], [4.0], [8.0], [16.0]])
    output, lse = tiled_attention(scores, np.eye(5), v, scale=1.0, tile=1)
    np.testing.assert_array_equal(output, [[5.0]])
    np.testing.assert_array_equal(lse, [1e300])


def test_infinity_that_loses_all_its_weight_to_a_later_tile_is_forgotten_as_in_the_dense_way():
    scores = np.array([[0.0, 2000.0]])
    v = np.array([[np.inf], [3.0]])
    output, _ = tiled_attention(scores, np.eye(2), v, scale=1.0, tile=1)
    dense = scaled_dot_product_attention(scores, np.eye(2), v, scale=1.0)
    np.testing.assert_array_equal(output, dense.output)
    np.testing.assert_array_equal(output, [[3.0]])


@pytest.mark.parametrize("tile", [0, -1, 2.5, None])
def test_a_tile_below_1_is_refused_before_the_first_step(tile):
    with pytest.raises(ValueError, match="tile must be a whole number of at least 1: got"):
        tile_steps(*qkv((1, 1, 4, 2)), tile=tile)
