"""How are the shipped models trained again?

    python -m attention_widget.models.learned FOLDER [--seed 1] [--steps 3000]

writes the four files that `store` names into FOLDER and says what the models are worth. Each of
the three trainings takes about half a minute of one core. The same seed gives the same bits on one
machine; another processor rounds differently, and the numbers drift apart.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from attention_widget.models.learned.measures import Scores, score
from attention_widget.models.learned.model import WordModel
from attention_widget.models.learned.store import Moments, Name, save_model, save_moments
from attention_widget.models.learned.training import SEED, Config, Training
from attention_widget.models.learned.vocabulary import numbers_of, read_words, with_start

SENTENCE = "one step at a time one step at a"
MOMENTS = (*range(0, 300, 25), 300, 350, 400, 500, 700, 1000, 1500, 2000, 3000)
OF_MODEL = ("first_loss", "second_loss", "second_right", "verb_right")
OF_HEADS = ("previous", "induction", "subject")
TEST_SEED = 2  # of the rows on which a model is measured
BAR = 30  # characters of the progress bar
Tell = Callable[[str], object]


def main(arguments: list[str] | None = None, tell: Tell = sys.stderr.write) -> int:
    """Train the three models and write them down."""
    parser = argparse.ArgumentParser(
        prog="python -m attention_widget.models.learned",
        description="Train the models of the tab “Heads that learned”.",
    )
    parser.add_argument("folder", type=Path, help="where the files go; it must exist")
    parser.add_argument("--seed", type=int, default=SEED, help="of the start and the rows")
    parser.add_argument("--steps", type=int, default=Config().steps, help="of each training")
    chosen = parser.parse_args(arguments)
    if not chosen.folder.is_dir():
        parser.error(f"the folder must exist: got {str(chosen.folder)!r}; make it first")
    try:
        configs: dict[Name, Config] = {
            "two-layers": Config(seed=chosen.seed, steps=chosen.steps),
            "one-layer": Config(seed=chosen.seed, steps=chosen.steps, n_layers=1),
            "no-mask": Config(seed=chosen.seed, steps=chosen.steps, causal=False),
        }
    except ValueError as error:
        parser.error(str(error))
    for name, config in configs.items():
        training, moments = train(config, lambda text, name=name: tell(f"\r{name:10} {text}"))  # type: ignore[misc]
        path = save_model(chosen.folder, name, training.parameters, config.h)
        tell(f"\n{path}\n{in_words(scores_of(training))}\n")
        if name == "two-layers":
            tell(f"{save_moments(chosen.folder, moments)}\n")
    return 0


def train(config: Config, tell: Tell = lambda text: None) -> tuple[Training, Moments]:
    """Train one model to the end and look at it at the moments on the way."""
    training = Training(config)
    seen = [_look(training)]
    for loss in training:
        if training.done in MOMENTS or training.done == config.steps:
            seen.append(_look(training))
        if training.done % 20 == 0 or training.done == config.steps:
            full = BAR * training.done // config.steps
            tell(f"[{'#' * full}{'.' * (BAR - full)}] {training.done} steps, loss {loss:.2f}")
    columns = zip(*seen, strict=True)
    arrays = (np.array(column) for column in columns)
    steps, maps, *scores = arrays
    fields = dict(zip(OF_MODEL + OF_HEADS, scores, strict=True))
    return training, Moments(step=steps, maps=maps, words=read_words(SENTENCE), **fields)


def scores_of(training: Training) -> Scores:
    """Measure the model as it is now, on the test rows."""
    model = WordModel(training.parameters, training.config.h)
    return score(model, np.random.default_rng(TEST_SEED), causal=training.config.causal)


def in_words(scores: Scores) -> str:
    """Say what a model is worth and what its heads score, a line for every layer."""
    lines = [
        f"first saying: {scores.first_loss:.2f} nats per word, {scores.first_right:.1%} right",
        f"second saying: {scores.second_loss:.2f} nats per word, {scores.second_right:.1%} right",
        f"number of the verb: {scores.verb_right:.1%} right",
    ]
    for name in ("previous", "duplicate", "induction", "subject"):
        lines += [f"{name:10} {np.round(layer, 2)}" for layer in getattr(scores, name)]
    return "\n".join(lines)


def _look(training: Training) -> tuple[object, ...]:
    model = WordModel(training.parameters, training.config.h)
    words = with_start(numbers_of(read_words(SENTENCE))[None])
    now = scores_of(training)
    return (
        training.done,
        model(words, causal=training.config.causal).weights[0],
        *(getattr(now, name) for name in OF_MODEL + OF_HEADS),
    )


if __name__ == "__main__":
    sys.exit(main())
