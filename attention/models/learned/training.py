"""How is the model trained, step by step?

Adam with a warm-up and a cosine, on rows drawn anew for every step, in float32.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attention_widget.lesson import check_seed
from attention_widget.models.adam import Adam, Arrays
from attention_widget.models.learned.gradients import (
    Parameters,
    draw_parameters,
    losses_and_gradient,
)
from attention_widget.models.learned.sequences import LONGEST, draw_rows
from attention_widget.models.learned.vocabulary import VOCABULARY, with_start
from attention_widget.multihead import head_width
from attention_widget.validate import count

SEED = 4  # of the models that are shipped


@dataclass(frozen=True, slots=True)
class Config:
    """What to train, and for how long.

    Attributes:
        t: positions, the start token among them; more than are ever shown (17), because what
            only the last rows need is learned weakly.
        d: width of the stream.
        h: heads of every layer; h must divide d.
        n_layers: layers, at least 1.
        causal: whether position t sees positions <= t only.
        steps: updates of the parameters, at least 1.
        batch: B, rows per step.
        lr: learning rate at its highest.
        warm_up: steps in which it rises from 0.
        clip: longest gradient that is stepped along; a longer one is shortened to it.
        seed: fixes the starting values and the rows.

    Raises:
        ValueError: a value breaks its rule.
    """

    t: int = 21
    d: int = 48
    h: int = 4
    n_layers: int = 2
    causal: bool = True
    steps: int = 3000
    batch: int = 64
    lr: float = 0.01
    warm_up: int = 100
    clip: float = 1.0
    seed: int = SEED

    def __post_init__(self) -> None:
        head_width(self.d, self.h)
        for name, least in (("n_layers", 1), ("steps", 1), ("batch", 4), ("warm_up", 1)):
            count(name, getattr(self, name), least)
        count("t", self.t, 2 * LONGEST)
        check_seed(self.seed)
        for name in ("lr", "clip"):
            value = getattr(self, name)
            if not isinstance(value, (int, float)) or not 0 < value < math.inf:
                raise ValueError(f"{name} must be a number above 0: got {value!r}; try 0.01")


class Training(Iterator[float]):
    """Train one model step by step; every step gives its loss, nats per word.

    Args:
        config: what to train.
    """

    def __init__(self, config: Config) -> None:
        self.config = config
        self.done = 0
        rng = np.random.default_rng([config.seed, 0])
        start = draw_parameters(len(VOCABULARY), config.t, config.d, config.n_layers, rng)
        self.parameters = Parameters.from_arrays(
            tuple(array.astype(np.float32) for array in start.arrays())
        )
        self._rng = np.random.default_rng([config.seed, 1])
        self._adam = Adam(self.parameters.arrays())

    def __next__(self) -> float:
        config = self.config
        if self.done >= config.steps:
            raise StopIteration
        rows = draw_rows(config.batch, config.t, self._rng)  # (B, T)
        losses, gradient = losses_and_gradient(
            self.parameters, with_start(rows[:, :-1]), rows, config.h, config.causal
        )
        self.done += 1
        step = clipped(gradient.arrays(), config.clip)
        self.parameters = Parameters.from_arrays(
            self._adam.step(self.parameters.arrays(), step, learning_rate(config, self.done))
        )
        return float(losses.mean())


def learning_rate(config: Config, number: int) -> float:
    """Return the learning rate of step `number`, counted from 1.

    It rises in a straight line over `warm_up` steps and falls to 0 along half a cosine.
    """
    if number <= config.warm_up:
        return config.lr * number / config.warm_up
    share = (number - config.warm_up) / max(1, config.steps - config.warm_up)
    return config.lr * 0.5 * (1 + math.cos(math.pi * share))


def clipped(gradient: Arrays, longest: float) -> Arrays:
    """Return the gradient, shortened to length `longest` if all arrays together are longer.

    Source: Pascanu, Mikolov and Bengio 2013, algorithm 1.
    """
    length = math.sqrt(sum(float(np.vdot(g, g)) for g in gradient))
    return gradient if length <= longest else tuple(g * (longest / length) for g in gradient)
