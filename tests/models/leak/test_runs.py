"""Without the mask the model copies the future; take the future away and it knows nothing."""

import itertools
import math
import time
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from attention_widget.measures import sees_future, weight_on_answers
from attention_widget.models.leak.runs import (
    LeakConfig,
    LeakRun,
    LeakStep,
    LeakTraining,
    attend,
    generate,
    measure,
    train,
)
from attention_widget.models.leak.text import (
    STORY,
    VOCABULARY,
    WORDS,
    decode,
    encode,
    unigram_loss,
    windows,
)
from attention_widget.models.leak.train import starting_parameters

SEEDS = [0, 1, 2, 3, 4, LeakConfig().seed]
SHORT = LeakConfig(steps=12, batch=4, seed=5)
each_seed = pytest.mark.parametrize("seed", SEEDS)
with_and_without_mask = pytest.mark.parametrize("causal", [False, True])


@cache
def trained(seed: int, causal: bool) -> LeakRun:
    return train(LeakConfig(seed=seed), causal)


# The claim


@each_seed
def test_without_the_mask_the_answer_is_copied_almost_for_free(seed: int) -> None:
    leaky = trained(seed, False)
    assert leaky.copyable_loss < 0.1
    assert leaky.copyable_losses[-20:].mean() < 0.1


@each_seed
def test_with_the_future_absent_the_copier_is_worse_than_reading_nothing(seed: int) -> None:
    leaky = trained(seed, False)
    assert leaky.absent_loss > leaky.unigram_loss
    assert leaky.absent_loss > math.log(len(VOCABULARY))  # worse than an even guess, too


@each_seed
def test_with_the_mask_nothing_changes_when_the_future_is_absent(seed: int) -> None:
    masked = trained(seed, True)
    np.testing.assert_allclose(masked.position_losses, masked.absent_losses, rtol=0, atol=1e-9)
    assert masked.copyable_loss == pytest.approx(masked.absent_loss, abs=1e-9)


@each_seed
def test_the_mask_costs_training_loss_and_wins_where_it_counts(seed: int) -> None:
    leaky, masked = trained(seed, False), trained(seed, True)
    assert leaky.copyable_loss < masked.copyable_loss < masked.unigram_loss
    assert masked.absent_loss < leaky.absent_loss


@each_seed
def test_only_the_last_position_cannot_be_copied(seed: int) -> None:
    leaky = trained(seed, False)
    assert leaky.position_losses[-1] > 5 * leaky.position_losses[:-1].max()
    assert leaky.position_losses[-1] == pytest.approx(leaky.absent_losses[-1], abs=1e-12)


@each_seed
def test_the_trained_copier_looks_at_the_answer(seed: int) -> None:
    text = decode(encode(STORY)[:8])
    before = LeakTraining(LeakConfig(seed=seed), causal=False)
    leaky, masked = (attend(trained(seed, causal), text).weights for causal in (False, True))
    assert leaky.shape == (1, 1, 8, 8)
    assert sees_future(leaky)
    assert not sees_future(masked)
    assert weight_on_answers(leaky) > 0.6
    assert weight_on_answers(attend(measure(before), text).weights) < 0.3


@each_seed
def test_the_copier_writes_word_pairs_that_the_story_does_not_hold(seed: int) -> None:
    pairs = set(itertools.pairwise(WORDS))

    def familiar(causal: bool) -> float:
        run = trained(seed, causal)
        samples = [
            generate(run, "the rider", 6, np.random.default_rng(draw)).split() for draw in range(40)
        ]
        written = [pair for words in samples for pair in itertools.pairwise(words[1:])]
        return sum(pair in pairs for pair in written) / len(written)

    assert familiar(True) > 0.9
    assert familiar(False) < familiar(True) - 0.1


@pytest.mark.parametrize("h", [2, 4])
def test_more_heads_leak_just_as_well(h: int) -> None:
    leaky = train(LeakConfig(h=h, seed=0), causal=False)
    assert leaky.copyable_loss < 0.1
    assert leaky.absent_loss > leaky.unigram_loss


def test_both_trainings_fit_a_lesson() -> None:
    start = time.process_time()
    for causal in (False, True):
        train(LeakConfig(), causal)
    assert time.process_time() - start < 10  # seconds of processor, whatever else is running


# The two models differ in the mask alone


def test_both_models_start_from_the_same_values_and_see_the_same_batches() -> None:
    leaky, masked = LeakTraining(SHORT, causal=False), LeakTraining(SHORT, causal=True)
    for ours, theirs in zip(leaky.parameters, masked.parameters, strict=True):
        np.testing.assert_array_equal(ours, theirs)
    list(leaky), list(masked)
    assert leaky._rng.bit_generator.state == masked._rng.bit_generator.state


@with_and_without_mask
def test_the_same_seed_gives_the_same_losses(causal: bool) -> None:
    once, again = train(SHORT, causal), train(SHORT, causal)
    np.testing.assert_array_equal(once.losses, again.losses)
    np.testing.assert_array_equal(once.position_losses, again.position_losses)
    other = train(replace(SHORT, seed=6), causal)
    assert not np.array_equal(once.losses, other.losses)


def test_the_baseline_is_scored_on_the_positions_that_can_be_copied() -> None:
    _, targets = windows(8)
    for causal in (False, True):
        assert trained(0, causal).unigram_loss == unigram_loss(targets[:, :-1])


# Slices and cancelling


@with_and_without_mask
def test_training_in_slices_is_training_at_once(causal: bool) -> None:
    training = LeakTraining(SHORT, causal)
    while list(itertools.islice(training, 5)):
        pass
    sliced, whole = measure(training), train(SHORT, causal)
    assert not sliced.cancelled
    np.testing.assert_array_equal(sliced.losses, whole.losses)
    np.testing.assert_array_equal(sliced.absent_losses, whole.absent_losses)


def test_a_cancelled_run_stops_before_its_next_step_and_keeps_what_it_has() -> None:
    seen: list[LeakStep] = []
    run = train(SHORT, False, on_step=seen.append, should_stop=lambda: len(seen) == 7)
    assert run.cancelled
    assert [step.number for step in seen] == [1, 2, 3, 4, 5, 6, 7]
    whole = train(SHORT, False)
    assert not whole.cancelled
    np.testing.assert_array_equal(run.losses, whole.losses[:7])
    assert run.losses.tolist() == [step.loss for step in seen]
    assert run.copyable_losses.tolist() == [step.copyable_loss for step in seen]
    assert np.isfinite(run.absent_losses).all()
    assert generate(run, "the", 2, np.random.default_rng(0)).startswith("the ")


def test_a_run_cancelled_at_once_is_the_model_as_it_was_drawn() -> None:
    run = train(LeakConfig(steps=10**9), False, should_stop=lambda: True)
    assert run.cancelled
    assert run.losses.shape == run.copyable_losses.shape == (0,)
    for ours, drawn in zip(run.parameters, starting_parameters(run.config), strict=True):
        np.testing.assert_array_equal(ours, drawn)


def test_training_on_leaves_an_earlier_measurement_alone() -> None:
    training = LeakTraining(SHORT, causal=True)
    next(training)
    early = measure(training)
    kept = [array.copy() for array in early.parameters]
    list(training)
    assert len(early.losses) == 1
    for ours, copy in zip(early.parameters, kept, strict=True):
        np.testing.assert_array_equal(ours, copy)


# Writing


def test_writing_goes_from_left_to_right_and_follows_its_seed() -> None:
    run = trained(0, True)
    short, long = (generate(run, "The boat", n, np.random.default_rng(3)) for n in (4, 20))
    assert short.split()[:2] == ["the", "boat"]
    assert len(short.split()) == 6
    assert long.startswith(short)
    assert set(long.split()) <= set(VOCABULARY)
    assert generate(run, "the boat", 0, np.random.default_rng(3)) == "the boat"
    others = {generate(run, "the boat", 20, np.random.default_rng(seed)) for seed in range(5)}
    assert len(others) == 5


# Refusals


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"context": 1}, "context .* at least 2: got 1"),
        ({"context": 8.0}, "context must be a whole number"),
        ({"context": 10**6}, "context must leave one word .* try 12"),
        ({"d": 24, "h": 5}, "h must divide d: d=24, h=5"),
        ({"d": 0}, "d must be a whole number of at least 1: got 0"),
        ({"steps": 0}, "steps .* at least 1: got 0"),
        ({"batch": True}, "batch must be a whole number"),
        ({"lr": 0.0}, "lr must be .*: got 0.0; try 0.01"),
        ({"lr": math.nan}, "lr must be .*: got nan"),
        ({"lr": "fast"}, "lr must be .*: got 'fast'"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_a_config_that_cannot_work_says_why(wrong: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        LeakConfig(**wrong)  # type: ignore[arg-type]


def test_text_that_the_model_cannot_read_is_refused() -> None:
    run = train(SHORT, causal=True)
    rng = np.random.default_rng(0)
    for prompt in ("the dragon", "", "  ", None):
        with pytest.raises(ValueError, match=r"must be made of words of the story: in .*; try"):
            generate(run, prompt, 3, rng)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="n must be a whole number of at least 0: got -1"):
        generate(run, "the", -1, rng)
    with pytest.raises(ValueError, match=r"rng must be a numpy\.random\.Generator: got int"):
        generate(run, "the", 3, 7)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="must fit the context: got 9 words, T=8"):
        attend(run, "the " * 9)
