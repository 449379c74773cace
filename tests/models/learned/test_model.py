"""The container computes what its equations say; heads and paths are taken out one at a time."""

import math

import numpy as np
import pytest

from attention_widget.models.learned.gradients import Parameters, draw_parameters, forward
from attention_widget.models.learned.model import WordModel
from attention_widget.models.learned.paths import WAYS, without_path

RNG = np.random.default_rng


def small(seed: int = 0, n_layers: int = 2) -> tuple[Parameters, np.ndarray]:
    rng = RNG(seed)
    p = draw_parameters(11, 5, 21, n_layers, rng)  # V=11, T=5, d=21: h=3, d_head=7
    return p, rng.integers(12, size=(2, 5))


def by_the_equations(
    p: Parameters,
    words: np.ndarray,
    h: int,
    causal: bool = True,
    off: tuple[tuple[int, int], ...] = (),
    cut: tuple[tuple[int, int], tuple[str, ...]] | None = None,
) -> np.ndarray:
    """Work out the logits with einsum, one head after another; nothing of the core is used.

    `cut` is ((layer, head), ways): what that head wrote is left out of the next layer's "queries",
    "keys" or "values".
    """
    b_size, t_size = words.shape
    x = np.stack([[p.token[w] + p.place[t] for t, w in enumerate(row)] for row in words])
    width = x.shape[-1] // h
    heard: dict[str, np.ndarray] = {}
    for number, layer in enumerate(p.layers):
        inputs = {way: x - heard.get(way, 0) for way in ("queries", "keys", "values")}
        heard = {}
        written = np.zeros_like(x)
        for i in range(h):
            own = slice(i * width, (i + 1) * width)
            q = np.einsum("btd,de->bte", inputs["queries"], layer.w_q[:, own])
            k = np.einsum("btd,de->bte", inputs["keys"], layer.w_k[:, own])
            v = np.einsum("btd,de->bte", inputs["values"], layer.w_v[:, own])
            context = np.zeros_like(v)
            for b in range(b_size):
                for t in range(t_size):
                    last = t + 1 if causal else t_size
                    powers = np.exp(k[b, :last] @ q[b, t] / math.sqrt(width))
                    context[b, t] = powers @ v[b, :last] / powers.sum()
            share = np.einsum("bte,ed->btd", context, layer.w_o[own])
            if (number, i) not in off:
                written += share
            if cut is not None and cut[0] == (number, i):
                heard = dict.fromkeys(cut[1], share)
        x = x + written
    return np.einsum("btd,dv->btv", x, p.readout)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("n_layers", [1, 2, 3])
def test_the_container_agrees_with_its_equations(n_layers: int, causal: bool) -> None:
    p, words = small(n_layers, n_layers)
    reading = WordModel(p, 3)(words, causal=causal)
    expected = by_the_equations(p, words, 3, causal)
    np.testing.assert_allclose(reading.logits, expected, rtol=0, atol=1e-12)
    assert reading.weights.shape == (2, n_layers, 3, 5, 5)
    assert len(reading.stream) == n_layers + 1


@pytest.mark.parametrize("causal", [False, True])
def test_the_container_agrees_with_the_pass_that_is_trained(causal: bool) -> None:
    p, words = small(4)
    _, logits = forward(p, words, 3, causal)
    np.testing.assert_allclose(WordModel(p, 3)(words, causal=causal).logits, logits, atol=1e-12)


@pytest.mark.parametrize("off", [((0, 1),), ((1, 2),), ((0, 0), (1, 1)), ((0, 0), (0, 1), (0, 2))])
def test_a_head_that_is_off_writes_nothing(off: tuple[tuple[int, int], ...]) -> None:
    p, words = small(5)
    model = WordModel(p, 3)
    reading = model(words, off=off)
    expected = by_the_equations(p, words, 3, off=off)
    np.testing.assert_allclose(reading.logits, expected, rtol=0, atol=1e-12)
    assert np.abs(reading.logits - model(words).logits).max() > 1e-3


@pytest.mark.parametrize("ways", [(), ("queries",), ("keys",), ("values",), WAYS])
@pytest.mark.parametrize("n_layers", [2, 3])
def test_a_path_is_cut_in_one_place_and_nowhere_else(ways: tuple[str, ...], n_layers: int) -> None:
    p, words = small(6, n_layers)
    model = WordModel(p, 3)
    reading = without_path(model, words, (0, 1), ways)  # type: ignore[arg-type]
    expected = by_the_equations(p, words, 3, cut=((0, 1), ways))
    np.testing.assert_allclose(reading.logits, expected, rtol=0, atol=1e-12)
    same = np.allclose(reading.logits, model(words).logits, atol=1e-12)
    assert same == (not ways)


def test_an_earlier_row_keeps_its_logits_whatever_comes_later() -> None:
    p, words = small(7)
    other = words.copy()
    other[:, 3:] = (other[:, 3:] + 1) % 12
    model = WordModel(p, 3)
    a, b = model(words).logits, model(other).logits
    np.testing.assert_array_equal(a[:, :3], b[:, :3])
    assert not np.array_equal(a[:, 3:], b[:, 3:])


def test_what_cannot_be_read_is_refused() -> None:
    p, words = small(8)
    model = WordModel(p, 3)
    with pytest.raises(ValueError, match=r"words must be \(B, T\) with T <= 5: got \(2, 6\)"):
        model(np.zeros((2, 6), dtype=np.int64))
    with pytest.raises(ValueError, match=r"words must be \(B, T\) .*: got \(5,\)"):
        model(words[0])
    with pytest.raises(ValueError, match=r"a head is \(layer, head\).* got \(2, 0\)"):
        model(words, off=[(2, 0)])
    with pytest.raises(ValueError, match=r"a path needs a layer above the head: got \(1, 0\)"):
        without_path(model, words, (1, 0), ["keys"])
    with pytest.raises(ValueError, match="the ways are queries, keys, values: got 'sideways'"):
        without_path(model, words, (0, 0), ["sideways"])  # type: ignore[list-item]
    with pytest.raises(ValueError, match="all arrays must share the width d"):
        WordModel(p._replace(readout=p.readout[:-1]), 3)
    with pytest.raises(ValueError, match="h must divide d"):
        WordModel(p, 4)
