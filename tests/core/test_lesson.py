"""Are the lesson's numbers the same for everybody, and do they show what the lesson teaches?"""

import numpy as np
import pytest

from attention_widget.lesson import (
    D_MODEL,
    DEFAULT_SEED,
    MAX_CHARACTERS,
    MAX_TOKENS,
    SENTENCE,
    check_seed,
    lesson_inputs,
    lesson_layer,
    lesson_weights,
    tokenize,
)
from attention_widget.measures import (
    answer_weights,
    closest_heads,
    masked_cells,
    row_change,
    sees_future,
    weight_on_answers,
)

TOKENS = tokenize(SENTENCE)
HEADS = (1, 2, 3, 4)


def maps(n_heads, causal, seed=DEFAULT_SEED):
    """Return the maps of the lesson's sentence, (h, T, T)."""
    return lesson_layer(n_heads, seed)(lesson_inputs(TOKENS, seed), causal=causal).weights[0]


def test_the_default_arrays_are_the_ones_everybody_gets():
    x, (w_q, w_k, w_v, w_o) = lesson_inputs(TOKENS), lesson_weights()
    assert (x.shape, w_q.shape, x.dtype) == ((1, 6, 12), (12, 12), np.float64)
    golden = {
        "x": (x, GOLDEN_X),
        "w": (np.array([w[0, :3] for w in (w_q, w_k, w_v, w_o)]), GOLDEN_W),
        "map": (maps(4, True)[0], GOLDEN_MAP),
        "output": (lesson_layer(4)(x).output[0, :, 0], GOLDEN_OUTPUT),
    }
    for name, (got, want) in golden.items():
        part = got[0, :, :2] if name == "x" else got
        np.testing.assert_allclose(part, want, rtol=0, atol=5e-8, err_msg=name)


def test_a_short_script_of_numpy_alone_gives_the_same_maps():
    seed, words, h = DEFAULT_SEED, SENTENCE.split(), 4
    x = np.array([np.random.default_rng([seed, *w.encode()]).standard_normal(12) for w in words])
    x += np.random.default_rng([seed, 1]).standard_normal((16, 12))[: len(words)]
    w_q, w_k, _, _ = np.random.default_rng([seed, 0]).standard_normal((4, 12, 12)) / 4
    q, k = ((x @ w).reshape(-1, h, 12 // h).transpose(1, 0, 2) for w in (w_q, w_k))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(12 // h)
    scores[:, np.triu_indices(6, 1)[0], np.triu_indices(6, 1)[1]] = -np.inf
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(maps(h, True), weights, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("causal", [False, True])
def test_the_four_default_heads_differ_by_at_least_a_fifth_of_their_weight(causal):
    assert closest_heads(maps(4, causal)) >= 0.2


def test_one_set_of_matrices_serves_every_head_count():
    layers = [lesson_layer(h) for h in HEADS]
    for name in ("w_q", "w_k", "w_v", "w_o"):
        for other in layers[1:]:
            np.testing.assert_array_equal(getattr(layers[0], name), getattr(other, name))
    assert [one.d_head for one in layers] == [12, 6, 4, 3]


@pytest.mark.parametrize("h", HEADS)
def test_with_the_mask_off_the_future_and_the_answers_carry_weight_that_can_be_seen(h):
    off = maps(h, False)
    future = np.triu(off, 1).sum(axis=(-2, -1)) / 6
    assert (future > 0.3).all()
    assert (np.abs(answer_weights(off).mean(axis=-1) - 0.25) < 0.15).all()
    assert 0.1 < weight_on_answers(off) < 0.4


@pytest.mark.parametrize("h", HEADS)
@pytest.mark.parametrize("causal", [False, True])
def test_no_row_that_has_a_choice_puts_everything_on_one_key(h, causal):
    free = maps(h, causal)[:, 1 if causal else 0 :]
    assert free.max() < 0.95


@pytest.mark.parametrize("h", HEADS)
def test_the_mask_blanks_15_cells_per_head_and_the_future_goes_dark(h):
    x = lesson_inputs(TOKENS)
    on, off = lesson_layer(h)(x, causal=True), lesson_layer(h)(x, causal=False)
    assert [masked_cells(one) for one in on.masked_scores[0]] == [15] * h
    assert masked_cells(on.masked_scores) == 15 * h
    assert masked_cells(off.masked_scores) == 0
    assert (sees_future(off.weights), sees_future(on.weights)) == (True, False)


@pytest.mark.parametrize("h", HEADS)
def test_the_last_row_keeps_its_weights_when_the_mask_goes_on(h):
    off, on = maps(h, False), maps(h, True)
    assert off[:, -1].tobytes() == on[:, -1].tobytes()


def test_the_first_row_changes_most_when_the_mask_goes_on():
    change = row_change(maps(4, False), maps(4, True)).mean(axis=0)
    assert (np.diff(change) < 0).all()
    assert change[-1] == 0


@pytest.mark.parametrize("h", HEADS)
def test_with_the_mask_on_the_first_row_is_the_same_in_every_head(h):
    np.testing.assert_array_equal(maps(h, True)[:, 0], np.tile([1, 0, 0, 0, 0, 0], (h, 1)))


def test_the_same_word_is_the_same_vector_wherever_it_stands():
    x = lesson_inputs(("a", "b", "a", "c"))[0]
    y = lesson_inputs(("c", "a", "b", "a"))[0]
    places = lesson_inputs(("b", "b", "b", "b"))[0]
    np.testing.assert_allclose(x[0] - places[0], x[2] - places[2], atol=1e-14)
    np.testing.assert_allclose(x[0] - places[0], y[1] - places[1], atol=1e-14)
    assert not np.allclose(x[0], x[2])  # the place differs: word order matters


def test_words_places_and_matrices_are_drawn_apart():
    place = np.random.default_rng([DEFAULT_SEED, 1]).standard_normal(D_MODEL)
    draws = [lesson_inputs((w,))[0, 0] - place for w in ("a", "b", "ab", "ba", "A", "\u00e9")]
    draws += [place, *(4 * w[0] for w in lesson_weights())]
    distances = np.linalg.norm(np.array(draws)[:, None] - np.array(draws), axis=-1)
    assert distances[np.triu_indices(len(draws), 1)].min() > 1


def test_another_seed_gives_other_maps():
    assert np.abs(maps(4, True, seed=0) - maps(4, True, seed=1)).max() > 0.1


def test_the_sentence_splits_at_white_space_and_one_way_of_writing_an_accent():
    assert TOKENS == ("Your", "journey", "starts", "with", "one", "step")
    assert tokenize("  a\tb\n c ") == ("a", "b", "c")
    assert tokenize("cafe\u0301") == tokenize("caf\u00e9") == ("caf\u00e9",)


def test_the_longest_sentence_and_the_longest_word_are_taken():
    assert len(tokenize("x " * MAX_TOKENS)) == MAX_TOKENS
    assert lesson_layer(4)(lesson_inputs(("x",) * MAX_TOKENS)).weights.shape == (1, 4, 16, 16)
    assert tokenize("y" * MAX_CHARACTERS) == ("y" * MAX_CHARACTERS,)


@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        ("", r"1 to 16 words: got 0; try 'Your journey"),
        (" \n\t ", r"1 to 16 words: got 0; try"),
        ("x " * 17, r"1 to 16 words: got 17; try"),
        ("z" * 25, r"at most 24 characters: 'z{24}'\.\.\. has 25; shorten"),
        ("a\x00b", r"visible characters only: got 'a\\x00b'; type"),
        ("a\u202eb", r"visible characters only: got 'a\\u202eb'; type"),
        ("a\ud800", r"visible characters only: got 'a\\ud800'; type"),
        (7, r"must be text: got int; try 'Your journey"),
    ],
)
def test_a_sentence_that_cannot_be_shown_is_refused_with_a_way_out(sentence, message):
    with pytest.raises(ValueError, match=message):
        tokenize(sentence)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "3", True, None])
def test_a_seed_out_of_range_is_refused_with_a_way_out(seed):
    with pytest.raises(ValueError, match=rf"0 to 4294967295: got .*; try {DEFAULT_SEED}"):
        check_seed(seed)


@pytest.mark.parametrize("seed", [0, 2**32 - 1, np.int64(5)])
def test_a_seed_in_range_is_taken(seed):
    assert check_seed(seed) == seed
    assert np.isfinite(lesson_inputs(TOKENS, seed)).all()


GOLDEN_X = [
    [-1.59635094, 2.70638306],
    [0.14924934, 1.02670968],
    [0.73588517, 2.22436970],
    [0.13356097, -0.75914153],
    [-0.78210416, 0.04639687],
    [0.27763898, 0.94278885],
]
GOLDEN_W = [
    [-0.13022512, 0.35537667, -0.09420928],
    [-0.16415550, 0.34435892, 0.27243208],
    [0.08444786, 0.04179240, 0.13809553],
    [0.22498868, -0.01372858, 0.26102179],
]
GOLDEN_MAP = [
    [1.00000000, 0.00000000, 0.00000000, 0.00000000, 0.00000000, 0.00000000],
    [0.76815743, 0.23184257, 0.00000000, 0.00000000, 0.00000000, 0.00000000],
    [0.10091772, 0.76844902, 0.13063326, 0.00000000, 0.00000000, 0.00000000],
    [0.16971355, 0.58882698, 0.16728389, 0.07417558, 0.00000000, 0.00000000],
    [0.06138276, 0.00650161, 0.01571383, 0.79356486, 0.12283694, 0.00000000],
    [0.34352458, 0.27781856, 0.27560819, 0.03349316, 0.01538360, 0.05417191],
]
GOLDEN_OUTPUT = [-0.69630817, -0.10817673, -0.01649298, 0.24920079, 0.24482552, -0.12295932]
