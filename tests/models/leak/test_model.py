"""The leak lab's hand-written gradients are slopes, and its model is the one its docstring says."""

import math

import numpy as np
import pytest

from attention_widget.models.leak.model import (
    Parameters,
    draw_parameters,
    forward,
    losses_and_gradient,
)
from attention_widget.models.leak.runs import LeakConfig, LeakTraining, train
from attention_widget.models.leak.text import windows
from attention_widget.models.leak.train import starting_parameters
from attention_widget.models.words import losses_at

SHORT = LeakConfig(steps=12, batch=4, seed=5)
with_and_without_mask = pytest.mark.parametrize("causal", [False, True])


def naive_logits(p: Parameters, words: np.ndarray, n_heads: int, causal: bool) -> np.ndarray:
    """Work out one sequence, int (T,) -> (T, V), head by head and query by query."""
    x = np.array([p.token[w] + p.place[t] for t, w in enumerate(words)])
    width = x.shape[1] // n_heads
    logits = []
    for t in range(len(x)):
        seen = x[: t + 1] if causal else x
        context = []
        for i in range(n_heads):
            own = slice(i * width, (i + 1) * width)
            query = x[t] @ p.w_q[:, own]
            powers = [math.exp(query @ (row @ p.w_k[:, own]) / math.sqrt(width)) for row in seen]
            values = [row @ p.w_v[:, own] for row in seen]
            blend = sum(a * v for a, v in zip(powers, values, strict=True)) / sum(powers)
            context.extend(blend)
        logits.append((x[t] + np.array(context) @ p.w_o) @ p.readout)
    return np.array(logits)


def naive_loss(logits: np.ndarray, target: int) -> float:
    return math.log(sum(math.exp(z) for z in logits)) - float(logits[target])


def small_case(seed: int) -> tuple[Parameters, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    p = draw_parameters(7, 5, 21, rng)  # V=7, T=5, d=21: h=3, d_head=7
    return p, rng.integers(7, size=(2, 5)), rng.integers(7, size=(2, 5))


@pytest.mark.parametrize("seed", range(5))
@with_and_without_mask
def test_the_gradient_of_every_parameter_is_the_slope_of_the_loss(seed: int, causal: bool) -> None:
    p, words, targets = small_case(seed)
    losses, gradient = losses_and_gradient(p, words, targets, 3, causal)
    assert losses.shape == words.shape
    step = 1e-5
    for name, array, slope in zip(p._fields, p, gradient, strict=True):
        measured = np.zeros_like(array)
        for cell in np.ndindex(array.shape):
            ends = []
            for shift in (step, -step):
                moved = array.copy()
                moved[cell] += shift
                logits = forward(p._replace(**{name: moved}), words, 3, causal).logits
                ends.append(losses_at(logits, targets).mean())
            measured[cell] = (ends[0] - ends[1]) / (2 * step)
        size = np.linalg.norm(measured)
        assert size > 1e-4, name
        assert np.linalg.norm(slope - measured) < 1e-6 * size, name


@with_and_without_mask
def test_the_model_agrees_with_one_written_in_loops(causal: bool) -> None:
    p, words, targets = small_case(8)
    losses, _ = losses_and_gradient(p, words, targets, 3, causal)
    for row, sequence in enumerate(words):
        logits = naive_logits(p, sequence, 3, causal)
        expected = [naive_loss(*pair) for pair in zip(logits, targets[row], strict=True)]
        np.testing.assert_allclose(losses[row], expected, rtol=1e-12)


def test_absent_means_that_the_words_after_a_position_are_not_fed_at_all() -> None:
    run = train(SHORT, causal=False)
    inputs, targets = windows(SHORT.context)
    expected = [
        np.mean(
            [
                naive_loss(naive_logits(run.parameters, x[: t + 1], 1, False)[-1], y[t])
                for x, y in zip(inputs, targets, strict=True)
            ]
        )
        for t in range(SHORT.context)
    ]
    np.testing.assert_allclose(run.absent_losses, expected, rtol=1e-10)


def test_a_step_is_a_step_of_adam() -> None:
    training = LeakTraining(SHORT, causal=True)
    inputs, targets = windows(SHORT.context)
    rng = np.random.default_rng([SHORT.seed, 1])
    w, m, s = starting_parameters(SHORT).w_v, 0.0, 0.0
    for number in range(1, 4):
        rows = rng.integers(len(inputs), size=SHORT.batch)
        _, gradient = losses_and_gradient(
            training.parameters, inputs[rows], targets[rows], SHORT.h, True
        )
        next(training)
        m = 0.9 * m + 0.1 * gradient.w_v
        s = 0.99 * s + 0.01 * gradient.w_v**2
        w = w - SHORT.lr * (m / (1 - 0.9**number)) / (np.sqrt(s / (1 - 0.99**number)) + 1e-8)
        np.testing.assert_allclose(training.parameters.w_v, w, atol=1e-12)
