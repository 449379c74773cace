"""What does one run of the leak lab measure, and how far has it come?

Two models, with and without the mask, are trained in turn, one step each, so that their curves
grow side by side and any host can stop between two steps.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from attention_widget.models.leak.runs import LeakConfig, LeakRun, LeakTraining, generate, measure

PROMPT, NEW_WORDS = "the rider", 12
AVERAGED = 4  # steps in one point of a curve: the batches are small and their losses jump


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """Both models, trained.

    Attributes:
        leaky: without the mask.
        masked: with it.
        leaky_text: what the leaky model writes, word by word.
        masked_text: what the masked model writes from the same prompt and draws.
    """

    leaky: LeakRun
    masked: LeakRun
    leaky_text: str
    masked_text: str


@dataclass(frozen=True, slots=True, eq=False)
class LeakProgress:
    """How far a run has come.

    Attributes:
        config: what is trained.
        done: steps done by each model.
        at: the step at which each point of the curves stands.
        leaky: loss without the mask on the batches, at the positions whose answer is in the
            input; nats per word, each the mean of `AVERAGED` steps.
        masked: loss with it.
        outcome: once both are trained.
    """

    config: LeakConfig
    done: int
    at: tuple[int, ...]
    leaky: tuple[float, ...]
    masked: tuple[float, ...]
    outcome: Outcome | None = None


def leak_steps(config: LeakConfig) -> Iterator[LeakProgress]:
    """Train both models; yield after every step, and once more with the outcome."""
    leaky, masked = LeakTraining(config, causal=False), LeakTraining(config, causal=True)
    for _ in zip(leaky, masked, strict=True):
        yield _progress(config, leaky, masked)
    runs = measure(leaky), measure(masked)
    texts = (generate(r, PROMPT, NEW_WORDS, np.random.default_rng(config.seed)) for r in runs)
    yield _progress(config, leaky, masked, Outcome(*runs, *texts))


@lru_cache(maxsize=8)
def finished_run(seed: int) -> LeakProgress:
    """Return the last progress of a whole run, for a recording; it takes a few seconds."""
    last = None
    for progress in leak_steps(LeakConfig(seed=seed)):
        last = progress
    assert last is not None  # a config has at least one step
    return last


def _progress(
    config: LeakConfig,
    leaky: LeakTraining,
    masked: LeakTraining,
    outcome: Outcome | None = None,
) -> LeakProgress:
    done = len(masked.steps)
    points = done // AVERAGED
    return LeakProgress(
        config=config,
        done=done,
        at=tuple(AVERAGED * (n + 1) for n in range(points)),
        leaky=_averaged(leaky, points),
        masked=_averaged(masked, points),
        outcome=outcome,
    )


def _averaged(training: LeakTraining, points: int) -> tuple[float, ...]:
    losses = np.array([step.copyable_loss for step in training.steps[: points * AVERAGED]])
    return tuple(losses.reshape(points, AVERAGED).mean(axis=1).tolist())
