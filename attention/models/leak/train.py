"""What do the two models of the leak lab share in training? Everything but the mask."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from attention_widget.lesson import DEFAULT_SEED, check_seed
from attention_widget.models.adam import Adam
from attention_widget.models.leak.model import Parameters, draw_parameters, losses_and_gradient
from attention_widget.models.leak.text import VOCABULARY, windows
from attention_widget.multihead import head_width
from attention_widget.validate import count


@dataclass(frozen=True, slots=True)
class LeakConfig:
    """What to train, and for how long.

    Attributes:
        context: T, words in a window, at least 2.
        d: width of the model.
        h: heads; h must divide d.
        steps: updates of the parameters, at least 1.
        batch: B, windows per step, drawn with replacement.
        lr: learning rate of Adam, in (0, 1].
        seed: fixes the starting values and the batches, 0 ... 2**32 - 1.

    Raises:
        ValueError: a value breaks its rule.
    """

    context: int = 8
    d: int = 24
    h: int = 1
    steps: int = 300
    batch: int = 32
    lr: float = 0.01
    seed: int = DEFAULT_SEED

    def __post_init__(self) -> None:
        windows(self.context)
        head_width(self.d, self.h)
        count("steps", self.steps)
        count("batch", self.batch)
        check_seed(self.seed)
        number = isinstance(self.lr, (int, float, np.number)) and not isinstance(self.lr, bool)
        if not number or not 0 < self.lr <= 1:
            raise ValueError(
                f"lr must be a number above 0 and at most 1: got {self.lr!r}; try 0.01"
            )


@dataclass(frozen=True, slots=True)
class LeakStep:
    """What one step measured on its batch, before its update.

    Attributes:
        number: 1 ... steps.
        loss: mean over the batch and all T positions, nats per word.
        copyable_loss: the same without the last position, whose answer is not in the input.
    """

    number: int
    loss: float
    copyable_loss: float


class LeakTraining(Iterator[LeakStep]):
    """Train one model step by step, so that a host can stop for breath between any two.

    `for step in itertools.islice(training, 20)` does the next twenty. With one config, the two
    models start from the same values and see the same batches; only the mask differs.

    Args:
        config: what to train.
        causal: whether position t sees positions <= t only.
    """

    def __init__(self, config: LeakConfig, causal: bool) -> None:
        self.config, self.causal = config, bool(causal)
        self.steps: list[LeakStep] = []
        self.parameters = starting_parameters(config)
        self._inputs, self._targets = windows(config.context)
        self._rng = np.random.default_rng([config.seed, 1])
        self._adam = Adam(self.parameters)

    def __next__(self) -> LeakStep:
        config = self.config
        if len(self.steps) >= config.steps:
            raise StopIteration
        rows = self._rng.integers(len(self._inputs), size=config.batch)
        losses, gradient = losses_and_gradient(
            self.parameters, self._inputs[rows], self._targets[rows], config.h, self.causal
        )
        number = len(self.steps) + 1
        self.parameters = Parameters(*self._adam.step(self.parameters, gradient, config.lr))
        step = LeakStep(number, float(losses.mean()), float(losses[:, :-1].mean()))
        self.steps.append(step)
        return step


def starting_parameters(config: LeakConfig) -> Parameters:
    """Draw the values that both models start from: default_rng([seed, 0])."""
    rng = np.random.default_rng([config.seed, 0])
    return draw_parameters(len(VOCABULARY), config.context, config.d, rng)
