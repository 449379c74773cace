"""What the numbers of the leak lab stand for; the core trains both models once more."""

from functools import lru_cache
from typing import Any

import numpy as np

from attention_widget.models.leak.runs import LeakConfig, LeakRun, train
from tests.truth.claims.common import Claims, constants, these
from tests.truth.numbers import Claim

AVERAGED, STEPS, T, NEW_WORDS = 4, 300, 8, 12


@lru_cache
def models(seed: int) -> tuple[LeakRun, LeakRun]:
    """Train without and with the mask."""
    leaky, masked = (train(LeakConfig(seed=seed), causal) for causal in (False, True))
    return leaky, masked


def loss(*values: float) -> list[Claim]:
    """Claim losses in nats per word."""
    return these("loss", *values)


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    seed = int(values["seed"])
    runs = models(seed)
    leaky = runs[0]
    seen = [float(run.position_losses[:-1].mean()) for run in runs]
    absent = [float(run.absent_losses[:-1].mean()) for run in runs]
    end = [float(run.position_losses[-1]) for run in runs]
    guess = leaky.unigram_loss
    curves = [run.copyable_losses.reshape(-1, AVERAGED).mean(axis=1) for run in runs]
    steps = these("steps", STEPS)
    status = [*steps, *these("seed", seed)]
    past = constants(1, T - 1)
    at = np.arange(AVERAGED, STEPS + 1, AVERAGED)
    marks = [STEPS, STEPS * (1 + 1.12) / 2]
    figures = {
        "announcement.seed": status,
        "status": status,
        "title": these("seed", seed),
        "prompt": constants(NEW_WORDS),
        "figure": [
            *steps,
            *loss(*(end for curve in curves for end in (curve[0], curve[-1])), *seen, *absent),
        ],
        "rows": [
            *past,
            *loss(*seen, *absent, guess, guess),
            *constants(T),
            *loss(*end),
        ],
        "writing": [
            *constants(T, *past_of(T)),
            *loss(*leaky.absent_losses[:-1]),
            *constants(T, T),
            *loss(leaky.absent_losses[-1]),
        ],
        "conclusion": [
            *loss(seen[0]),
            Claim("times smaller", round(seen[1] / seen[0])),
            *loss(seen[1], absent[0], guess, absent[1]),
        ],
    }
    columns = {
        "curves.at": these("step", *at),
        "curves.leaky": [Claim("loss", value, 4) for value in curves[0]],
        "curves.masked": [Claim("loss", value, 4) for value in curves[1]],
        "guess.at": these("step", 0, STEPS * 1.12),
        "guess.loss": [Claim("loss", guess, 4)] * 2,
        "leaky.at": these("step", *marks),
        "masked.at": these("step", *marks),
        "leaky.loss": [Claim("loss", value, 4) for value in (seen[0], absent[0])],
        "masked.loss": [Claim("loss", value, 4) for value in (seen[1], absent[1])],
    }
    return {f"leak.{key}": found for key, found in figures.items()} | {
        f"source:leak.{key}": found for key, found in columns.items()
    }


def past_of(t: int) -> tuple[int, int]:
    """Return the first and the last position whose answer is in the input."""
    return 1, t - 1
