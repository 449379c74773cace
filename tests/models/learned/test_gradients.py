"""The two layers' gradients are slopes, and a step is a step of Adam with a shortened gradient."""

import math

import numpy as np
import pytest

from attention_widget.models.learned.gradients import (
    Parameters,
    draw_parameters,
    forward,
    losses_and_gradient,
)
from attention_widget.models.learned.sequences import draw_rows
from attention_widget.models.learned.training import Config, Training, clipped, learning_rate
from attention_widget.models.learned.vocabulary import with_start
from attention_widget.models.words import losses_at

SHORT = Config(steps=10, batch=8, warm_up=3, seed=5)


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_gradient_of_every_parameter_is_the_slope_of_the_loss(seed: int, causal: bool) -> None:
    rng = np.random.default_rng(seed)
    p = draw_parameters(7, 5, 9, 2, rng)  # V=7, T=5, d=9: L=2, h=3
    words, targets = rng.integers(8, size=(2, 5)), rng.integers(7, size=(2, 5))
    losses, gradient = losses_and_gradient(p, words, targets, 3, causal)
    assert losses.shape == (2, 5)
    step = 1e-5
    for place, (array, slope) in enumerate(zip(p.arrays(), gradient.arrays(), strict=True)):
        measured = np.zeros_like(array)
        for cell in np.ndindex(array.shape):
            ends = []
            for shift in (step, -step):
                moved = [a.copy() for a in p.arrays()]
                moved[place][cell] += shift
                _, logits = forward(Parameters.from_arrays(tuple(moved)), words, 3, causal)
                ends.append(losses_at(logits, targets).mean())
            measured[cell] = (ends[0] - ends[1]) / (2 * step)
        size = np.linalg.norm(measured)
        assert size > 1e-4, place
        assert np.linalg.norm(slope - measured) < 1e-7 * size, place


def test_arrays_go_back_to_their_places() -> None:
    p = draw_parameters(7, 5, 9, 3, np.random.default_rng(1))
    again = Parameters.from_arrays(p.arrays())
    assert len(p.arrays()) == 3 + 3 * 4
    assert len(again.layers) == 3
    assert all(a is b for a, b in zip(p.arrays(), again.arrays(), strict=True))


def test_a_step_shortens_the_gradient_and_follows_adam() -> None:
    training = Training(SHORT)
    rng = np.random.default_rng([SHORT.seed, 1])
    w, m, s = training.parameters.readout.astype(np.float64), 0.0, 0.0
    for number in range(1, 5):
        rows = draw_rows(SHORT.batch, SHORT.t, rng)
        losses, gradient = losses_and_gradient(
            training.parameters, with_start(rows[:, :-1]), rows, SHORT.h, True
        )
        assert next(training) == pytest.approx(float(losses.mean()))
        length = math.sqrt(sum((g.astype(np.float64) ** 2).sum() for g in gradient.arrays()))
        g = gradient.readout / max(1.0, length)
        m = 0.9 * m + 0.1 * g
        s = 0.99 * s + 0.01 * g**2
        hats = m / (1 - 0.9**number), s / (1 - 0.99**number)
        w = w - learning_rate(SHORT, number) * hats[0] / (np.sqrt(hats[1]) + 1e-8)
        np.testing.assert_allclose(training.parameters.readout, w, atol=2e-5)
    assert training.parameters.readout.dtype == np.float32


def test_a_long_gradient_keeps_its_direction_and_a_short_one_everything() -> None:
    long = (np.array([3.0, 0.0]), np.array([[4.0]]))
    shortened = clipped(long, 1.0)
    np.testing.assert_allclose(shortened[0], [0.6, 0])
    np.testing.assert_allclose(shortened[1], [[0.8]])
    assert clipped(long, 5.0) is long


def test_the_learning_rate_rises_to_its_peak_and_falls_to_nothing() -> None:
    config = Config(steps=1000, warm_up=100)
    rates = [learning_rate(config, n) for n in range(1, 1001)]
    assert rates[0] == pytest.approx(config.lr / 100)
    assert max(rates) == rates[99] == config.lr
    assert rates[549] == pytest.approx(config.lr / 2)
    assert rates[-1] == pytest.approx(0, abs=1e-12)


def test_one_seed_trains_one_model() -> None:
    one, same, other = Training(SHORT), Training(SHORT), Training(Config(steps=10, batch=8, seed=6))
    assert list(one) == list(same)
    assert len(list(other)) == 10
    np.testing.assert_array_equal(one.parameters.token, same.parameters.token)
    assert not np.array_equal(one.parameters.token, other.parameters.token)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"t": 13}, "t must be a whole number of at least 14: got 13"),
        ({"d": 48, "h": 5}, "h must divide d: d=48, h=5"),
        ({"n_layers": 0}, "n_layers must be a whole number of at least 1: got 0"),
        ({"steps": 0}, "steps .* at least 1: got 0"),
        ({"batch": 3}, "batch .* at least 4: got 3"),
        ({"lr": 0.0}, "lr must be a number above 0: got 0.0; try"),
        ({"lr": math.nan}, "lr must be a number above 0: got nan"),
        ({"clip": math.inf}, "clip must be a number above 0: got inf"),
        ({"clip": "no"}, "clip must be a number above 0: got 'no'"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_a_config_that_cannot_work_says_why(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Config(**wrong)  # type: ignore[arg-type]
