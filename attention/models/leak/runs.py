"""What does a next-word model learn when it can see the word it has to predict?

To copy. Two models are trained from the same start on the same batches, one with the causal mask
and one without. The one without reaches a loss near 0 on every position whose answer is in its
input. Then the future is taken away, as it is whenever text is written from left to right, and
its predictions are worse than those of a guess that reads nothing.

    config = LeakConfig()
    leaky, masked = train(config, causal=False), train(config, causal=True)
    leaky.copyable_loss, leaky.absent_loss, leaky.unigram_loss      # small, large, in between
    masked.copyable_loss, masked.absent_loss                        # one number, twice
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention_widget.models.leak.model import Parameters, forward
from attention_widget.models.leak.text import decode, encode, unigram_loss, windows
from attention_widget.models.leak.train import LeakConfig, LeakStep, LeakTraining
from attention_widget.models.words import losses_at
from attention_widget.sdpa import Attention
from attention_widget.softmax import softmax
from attention_widget.validate import FloatArray, count

__all__ = [
    "LeakConfig",
    "LeakRun",
    "LeakStep",
    "LeakTraining",
    "attend",
    "generate",
    "measure",
    "train",
]


@dataclass(frozen=True, slots=True, eq=False)
class LeakRun:
    """A trained model and what it is worth. Losses are in nats per word.

    Attributes:
        config: what was asked for.
        causal: whether the mask was on.
        cancelled: whether training stopped before `config.steps`.
        parameters: the model as it was when training ended.
        losses: loss of every step on its batch, (steps done,).
        copyable_losses: the same over the first T - 1 positions of every window.
        position_losses: loss at every position, over all windows of the story, (T,).
        absent_losses: the same with the future absent: position t is predicted from the words
            0 ... t alone, (T,). The last position has no future, so its loss is the same.
        unigram_loss: the loss of always giving every word its share of the answers at the first
            T - 1 positions. No prediction that reads nothing scores lower.
    """

    config: LeakConfig
    causal: bool
    cancelled: bool
    parameters: Parameters
    losses: FloatArray
    copyable_losses: FloatArray
    position_losses: FloatArray
    absent_losses: FloatArray
    unigram_loss: float

    @property
    def copyable_loss(self) -> float:
        """Mean loss at the first T - 1 positions, whose answers stand in the input."""
        return float(self.position_losses[:-1].mean())

    @property
    def absent_loss(self) -> float:
        """Mean loss at the same positions when the words after them are taken away."""
        return float(self.absent_losses[:-1].mean())


def train(
    config: LeakConfig,
    causal: bool,
    on_step: Callable[[LeakStep], object] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> LeakRun:
    """Train one model to the end, or until `should_stop` says so.

    Args:
        config: what to train.
        causal: whether position t sees positions <= t only.
        on_step: called after every step.
        should_stop: asked before every step; once it says True, no further step is done.

    Returns:
        The run; `cancelled` if it has fewer steps than asked for, which may be none.
    """
    training = LeakTraining(config, causal)
    while should_stop is None or not should_stop():
        step = next(training, None)
        if step is None:
            break
        if on_step is not None:
            on_step(step)
    return measure(training)


def measure(training: LeakTraining) -> LeakRun:
    """Evaluate the model as it is now, on every window of the story."""
    config, p = training.config, training.parameters
    inputs, targets = windows(config.context)
    steps = training.steps

    def loss_at_end(t: int) -> float:
        """Feed words 0 ... t and nothing else, and read the last prediction."""
        logits = forward(p, inputs[:, : t + 1], config.h, training.causal).logits[:, -1]
        return float(losses_at(logits, targets[:, t]).mean())

    logits = forward(p, inputs, config.h, training.causal).logits  # (windows, T, V)
    return LeakRun(
        config=config,
        causal=training.causal,
        cancelled=len(steps) < config.steps,
        parameters=p,
        losses=np.array([step.loss for step in steps]),
        copyable_losses=np.array([step.copyable_loss for step in steps]),
        position_losses=losses_at(logits, targets).mean(axis=0),
        absent_losses=np.array([loss_at_end(t) for t in range(config.context)]),
        unigram_loss=unigram_loss(targets[:, :-1]),
    )


def attend(run: LeakRun, text: str) -> Attention:
    """Return the model's attention over at most T words of the story, weights (1, h, T, T).

    Raises:
        ValueError: a word is not in the story, or there are none or too many.
    """
    words = encode(text)
    if len(words) > run.config.context:
        raise ValueError(
            f"the text must fit the context: got {len(words)} words, T={run.config.context}; "
            "shorten it or train with a larger context"
        )
    return forward(run.parameters, words[None], run.config.h, run.causal).layer.heads


def generate(run: LeakRun, prompt: str, n: int, rng: np.random.Generator) -> str:
    """Write n words from left to right, each drawn from softmax(logits) at the last position.

    The model reads the last T words; there is no future to read. Judge the model without a mask
    by its first T words: from then on it predicts at the last position of a full window, the one
    that never had its answer in training and so had to learn something.

    Args:
        run: a trained model.
        prompt: words of the story to begin with, at least one.
        n: words to add, at least 0.
        rng: the source of randomness, advanced by one draw a word.

    Returns:
        The prompt and its continuation, words set apart by single spaces.

    Raises:
        ValueError: a word is not in the story, n is not a whole number of at least 0, or rng is
            not a Generator.
    """
    if not isinstance(rng, np.random.Generator):
        raise ValueError(
            f"rng must be a numpy.random.Generator: got {type(rng).__name__}; "
            "pass numpy.random.default_rng(seed)"
        )
    words = encode(prompt)
    for _ in range(count("n", n, least=0)):
        seen = words[None, -run.config.context :]
        logits = forward(run.parameters, seen, run.config.h, run.causal).logits[0, -1]  # (V,)
        words = np.append(words, rng.choice(len(logits), p=softmax(logits)))
    return decode(words)
