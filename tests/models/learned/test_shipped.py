"""The shipped heads do what the lesson says of them, on rows that are drawn here."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from attention_widget.models.learned.__main__ import SENTENCE, main
from attention_widget.models.learned.measures import (
    Scores,
    copying_scores,
    duplicate_token_scores,
    induction_scores,
    likelier_many,
    previous_token_scores,
    score,
    score_run,
)
from attention_widget.models.learned.model import Head, WordModel
from attention_widget.models.learned.paths import WAYS, Way, without_path
from attention_widget.models.learned.sequences import VERBS
from attention_widget.models.learned.store import (
    HERE,
    NAMES,
    load_model,
    load_moments,
    shipped,
    shipped_moments,
)
from attention_widget.models.learned.training import Config, Training
from attention_widget.models.learned.vocabulary import (
    VOCABULARY,
    numbers_of,
    read_words,
    with_start,
)
from attention_widget.softmax import softmax

SEED = 20_260  # not the one that the training script measures with
PREVIOUS, FIRST, SECOND, SUBJECT = (0, 1), (1, 0), (1, 2), (1, 3)


@cache
def scores(off: tuple[Head, ...] = (), causal: bool = True) -> Scores:
    return score(shipped(), np.random.default_rng(SEED), causal=causal, off=off)


@cache
def cut(way: Way) -> Scores:
    return score_run(
        lambda words: without_path(shipped(), words, PREVIOUS, [way]), np.random.default_rng(SEED)
    )


def chances(text: str, off: tuple[Head, ...] = ()) -> dict[str, float]:
    words = with_start(numbers_of(read_words(text))[None])
    return dict(zip(VOCABULARY, softmax(shipped()(words, off=off).logits[0, -1]), strict=True))


# What the model is worth


def test_a_word_said_for_the_first_time_is_a_guess_and_the_second_time_it_is_known() -> None:
    assert 4.3 < scores().first_loss < 4.7  # log 85 = 4.44
    assert scores().first_right < 0.05
    assert scores().second_loss < 0.15
    assert scores().second_right > 0.98
    assert scores().verb_right > 0.97


def test_the_second_time_works_wherever_it_comes_up() -> None:
    assert chances(SENTENCE)["time"] > 0.9
    assert chances("day by day by")["day"] > 0.9


# What the heads do


def test_one_head_of_the_first_layer_looks_one_place_back() -> None:
    assert scores().previous[PREVIOUS] > 0.95
    assert np.delete(scores().previous.ravel(), 1).max() < 0.3


def test_two_heads_of_the_second_layer_look_at_the_word_after_the_same_word() -> None:
    assert scores().induction[FIRST] > 0.9
    assert scores().induction[SECOND] > 0.85
    assert scores().induction[0].max() < 0.2  # in the first layer none does


def test_one_head_looks_at_the_subject_from_where_the_verb_comes() -> None:
    assert scores().subject[SUBJECT] > 0.85
    assert np.delete(scores().subject.ravel(), 7).max() < 0.2


def test_the_induction_heads_copy_what_they_read() -> None:
    copying = copying_scores(shipped())
    assert copying[FIRST] > 0.9
    assert copying[SECOND] > 0.9
    assert copying[PREVIOUS] < 0


# What breaks without them


def test_without_the_previous_token_head_the_second_saying_is_as_hard_as_the_first() -> None:
    off = scores((PREVIOUS,))
    assert off.second_loss - scores().second_loss > 3.5
    assert off.induction[FIRST] < 0.2  # the heads above no longer find the place
    assert off.previous[PREVIOUS] > 0.95  # though it still looks, it writes nothing


def test_two_induction_heads_share_the_work() -> None:
    one, other = (scores((head,)).second_loss for head in (FIRST, SECOND))
    both = scores((FIRST, SECOND)).second_loss
    alone = scores().second_loss
    assert min(one, other) - alone > 0.2
    assert both - alone > 1.5 * (one - alone + other - alone)


def test_no_head_without_a_part_in_the_copy_is_missed_there() -> None:
    apart = set(shipped().heads) - {PREVIOUS} - {(1, i) for i in range(3)}
    for head in apart:
        assert abs(scores((head,)).second_loss - scores().second_loss) < 0.1, head


def test_without_the_subject_head_the_verb_is_a_coin_and_the_copy_is_whole() -> None:
    off = scores((SUBJECT,))
    assert 0.3 < off.verb_right < 0.7
    assert off.second_loss < scores().second_loss + 0.1


def test_the_previous_token_head_is_heard_in_the_keys_alone() -> None:
    rise = {way: cut(way).second_loss - scores().second_loss for way in WAYS}
    assert rise["keys"] > 3.5
    assert abs(rise["queries"]) < 0.1
    assert abs(rise["values"]) < 0.1


def test_with_the_previous_token_head_off_the_word_is_lost_in_the_sentence() -> None:
    assert chances(SENTENCE, (PREVIOUS,))["time"] < 0.1


def test_the_verb_follows_the_subject_and_not_the_noun_beside_it() -> None:
    for text, many in (("the dog near the cats", False), ("the dogs near the cat", True)):
        likely = chances(text)
        assert sum(likely[VOCABULARY[v]] for v in VERBS[int(many)]) > 0.9


# The controls


def test_one_layer_does_not_learn_to_copy() -> None:
    one = score(shipped("one-layer"), np.random.default_rng(SEED))
    assert one.second_loss > 2.5
    assert one.second_right < 0.3


def test_trained_without_the_mask_it_peeks_and_with_the_mask_put_on_it_is_lost() -> None:
    model = shipped("no-mask")
    without, masked = (
        score(model, np.random.default_rng(SEED), causal=causal) for causal in (False, True)
    )
    assert without.first_loss < 0.1  # of words that nobody can know
    assert masked.first_loss > 8


def test_with_the_mask_taken_off_the_trained_model_reads_the_answer() -> None:
    off = scores(causal=False)
    assert off.first_right > 0.5
    assert off.first_loss < scores().first_loss - 1.5


# The files


def test_what_is_shipped_is_small() -> None:
    models = sum((HERE / f"{name}.npz").stat().st_size for name in NAMES)
    assert models < 200_000
    assert (HERE / "moments.npz").stat().st_size < 40_000
    assert sum(p.size for p in (shipped().token, shipped().place, shipped().readout)) < 10_000


def test_the_moments_are_those_of_the_shipped_model() -> None:
    moments, last = shipped_moments(), -1
    words = with_start(numbers_of(moments.words)[None])
    assert " ".join(moments.words) == SENTENCE
    assert moments.step[0] == 0
    assert moments.step[last] == Config().steps
    assert len(moments.step) == len(moments.maps) > 15
    np.testing.assert_allclose(moments.maps[last], shipped()(words).weights[0], atol=0.02)
    now = scores()
    for name in ("previous", "induction", "subject"):
        np.testing.assert_allclose(getattr(moments, name)[last], getattr(now, name), atol=0.05)
    assert moments.second_loss[last] == pytest.approx(now.second_loss, abs=0.05)


def test_the_second_saying_falls_at_once_and_the_heads_rise_with_it() -> None:
    moments = shipped_moments()
    before = moments.second_loss > 3.5
    after = moments.second_loss < 1.0
    assert moments.step[after].min() - moments.step[before].max() <= 200
    assert (moments.induction[before][:, *FIRST] < 0.5).all()
    assert (moments.induction[after][:, *FIRST] > 0.5).all()
    assert (moments.previous[after][:, *PREVIOUS] > 0.6).all()
    assert abs(moments.first_loss[1:] - 4.5).max() < 0.5  # the first saying stays a guess


# Measures on maps whose answer is known


def test_the_measures_of_maps_drawn_by_hand() -> None:
    words = np.array([[9, 1, 2, 1, 2]])  # the third row of the map repeats 1, the fourth 2
    back = np.eye(5, k=-1)[None, None]
    assert previous_token_scores(back)[0, 0] == 1
    same, after = np.zeros((1, 1, 5, 5)), np.zeros((1, 1, 5, 5))
    same[0, 0, 3, 1] = same[0, 0, 4, 2] = 1
    after[0, 0, 3, 2] = 1
    assert duplicate_token_scores(same, words)[0] == 1
    assert induction_scores(same, words)[0] == 0
    assert induction_scores(after, words)[0] == 0.5
    assert np.isnan(induction_scores(after, np.array([[9, 1, 2, 3, 4]]))).all()


def test_the_copying_score_is_that_of_the_whole_way_from_word_to_word() -> None:
    model = shipped()
    for layer, i in ((0, 1), (1, 0), (1, 3)):
        own = slice(12 * i, 12 * (i + 1))
        w = model.layers[layer]
        way = model.token[:85] @ w.w_v[:, own] @ w.w_o[own] @ model.readout  # (85, 85)
        values = np.linalg.eigvals(way.astype(np.float64))
        expected = values.sum().real / np.abs(values).sum()
        assert copying_scores(model)[layer, i] == pytest.approx(expected, abs=1e-3)


def test_the_number_of_the_verb_is_read_from_all_verbs() -> None:
    logits = np.full((2, 85), -9.0)
    logits[0, VERBS[1]] = 1.0
    logits[1, VERBS[0][0]] = 2.0
    assert likelier_many(logits).tolist() == [True, False]


# Training again


def test_the_script_writes_files_that_can_be_loaded(tmp_path: Path) -> None:
    told: list[str] = []
    assert main([str(tmp_path), "--seed", "3", "--steps", "2"], told.append) == 0
    assert "[##############################] 2 steps" in "".join(told)
    moments = load_moments(tmp_path)
    assert moments.step.tolist() == [0, 2]
    assert moments.maps.shape == (2, 2, 4, 10, 10)
    layers = {name: len(load_model(name, tmp_path).layers) for name in NAMES}
    assert layers == {"two-layers": 2, "one-layer": 1, "no-mask": 2}
    training = Training(Config(seed=3, steps=2))
    list(training)
    np.testing.assert_allclose(
        load_model("two-layers", tmp_path).token, training.parameters.token, atol=2e-3
    )


def test_the_script_refuses_what_it_cannot_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, says in (
        ([str(tmp_path / "none")], "the folder must exist"),
        ([str(tmp_path), "--steps", "0"], "steps must be a whole number of at least 1"),
        ([str(tmp_path), "--seed", "-1"], "a seed must be a whole number"),
    ):
        with pytest.raises(SystemExit):
            main(arguments)
        assert says in capsys.readouterr().err


@pytest.mark.slow
def test_another_seed_learns_to_copy_too() -> None:
    training = Training(Config(seed=9, steps=1000))
    list(training)
    model = WordModel(training.parameters, training.config.h)
    assert score(model, np.random.default_rng(SEED)).second_loss < 1.0
