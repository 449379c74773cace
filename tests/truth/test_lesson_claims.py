"""The lesson's 37 claims, one by one: what is true, where it is said, and which test measures it.

A claim that is wrong or loose in print is not repeated: the truth beside it stands in its place.
"""

import json
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from attention_widget import attention_cost, scaled_dot_product_attention
from attention_widget.lesson import lesson_inputs, lesson_layer
from attention_widget.widgets.checkpoint.steps import STEPS
from attention_widget.widgets.checkpoint.transition_table import transition_table
from attention_widget.widgets.labs.prompts.cards import CARDS
from attention_widget.widgets.lesson import Lesson
from attention_widget.widgets.map.observation import observe
from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.page.markup import skeleton
from tests.truth.independent import WORDS
from tests.truth.numbers import read

TESTS = Path(__file__).parent.parent
RIGHT, LOOSE, WRONG, UNSAID = "right", "loose", "wrong", "not in the lesson"


@dataclass(frozen=True)
class Row:
    """One claim.

    Attributes:
        claim: its id.
        verdict: on the claim as it is printed in the lesson.
        truth: what holds, in words of our own.
        said: words that the product says about it.
        test: "folder/file.py::test" that measures it.
    """

    claim: str
    verdict: str
    truth: str
    said: str
    test: str


HERE = "truth/test_lesson_claims.py::"
TABLE = (
    Row(
        "top_row_never_changes",
        WRONG,
        "Row 1 changes most when the mask goes on: it had looked at all words.",
        "changes most",
        "core/test_lesson.py::test_the_first_row_changes_most_when_the_mask_goes_on",
    ),
    Row(
        "bottom_row_unchanged",
        RIGHT,
        "The last row keeps its weights to the last bit.",
        "unchanged",
        "core/test_lesson.py::test_the_last_row_keeps_its_weights_when_the_mask_goes_on",
    ),
    Row(
        "every_row_renormalizes",
        LOOSE,
        "Every row but the last: it has nothing to lose.",
        "unchanged",
        "core/test_lesson.py::test_the_last_row_keeps_its_weights_when_the_mask_goes_on",
    ),
    Row(
        "masked_15",
        RIGHT,
        "15 cells in the map of one head, h times as many in the tensor.",
        "15 cells",
        "core/test_lesson.py::test_the_mask_blanks_15_cells_per_head_and_the_future_goes_dark",
    ),
    Row(
        "rows_sum_to_1",
        RIGHT,
        "Before dropout, up to rounding.",
        "Before dropout, each row sums to 1 over itself and the past",
        "core/test_properties.py::test_rows_of_weights_sum_to_1_before_dropout",
    ),
    Row(
        "exact_zero",
        RIGHT,
        "exp(-inf) is 0 exactly; a finite fill leaves a little.",
        "exp(−∞) is 0.",
        "core/test_properties.py::test_a_masked_weight_is_exactly_0_however_the_lengths_compare",
    ),
    Row(
        "both_routes_same_numbers",
        WRONG,
        "Only on paper: zeroing and dividing again is 0/0 where the past has underflowed.",
        "the two routes agree on paper only",
        "labs/test_prompts.py::test_a_softmax_then_a_mask_loses_the_row_where_the_card_says",
    ),
    Row(
        "one_operation_instead_of_three",
        LOOSE,
        "Fill and softmax against softmax, zero and divide: one step is saved.",
        "until you divide again",
        "labs/test_faults.py::test_zeroing_after_softmax_leaves_rows_short_by_what_the_future_had",
    ),
    Row(
        "row_max_after_mask",
        UNSAID,
        "The maximum that keeps exp in range is taken over what is allowed.",
        "the past weights have rounded to 0",
        HERE + "test_a_huge_future_score_leaves_the_past_its_weights",
    ),
    Row(
        "zero_times_v",
        WRONG,
        "0 times NaN is NaN; this layer leaves masked values out altogether.",
        "0 times NaN and 0 times ∞ are NaN",
        "labs/test_prompts.py::test_a_masked_nan_stays_where_it_is_only_in_this_layer",
    ),
    Row(
        "no_leakage",
        RIGHT,
        "No later word moves an earlier output by a bit.",
        "earlier outputs keep every bit whatever the future holds",
        "core/test_causality.py::"
        "test_behind_the_mask_a_later_word_moves_no_earlier_output_by_a_bit",
    ),
    Row(
        "rows_still_sum_to_about_1_after_dropout",
        WRONG,
        "On average only: in one draw row 1 is 0 or 1/(1-p).",
        "row 1 sums to 0 or to 2 in any one draw, never to 1",
        "labs/test_prompts.py::test_row_one_sums_to_0_or_2_at_one_half",
    ),
    Row(
        "each_row_sums_to_1_checklist",
        LOOSE,
        "Before dropout; afterwards no row is made to.",
        "no row is renormalised",
        "core/test_dropout.py::test_dropout_comes_after_softmax_and_is_never_renormalised",
    ),
    Row(
        "expected_sum_approx_1",
        LOOSE,
        "The expected sum is 1, not about 1.",
        "exact mean",
        "core/test_draws.py::test_the_exact_mean_and_spread_are_those_of_all_possible_draws",
    ),
    Row(
        "keep_expected_magnitude",
        LOOSE,
        "The mean is kept; the size grows with the spread.",
        "Only the mean is kept.",
        "oracles/test_dropout.py::test_rescaling_keeps_the_mean_of_the_output_but_not_its_size",
    ),
    Row(
        "picks_a_fraction_p",
        LOOSE,
        "Every weight is drawn by itself, so the dropped share varies.",
        "of 21 visible cells, 10.5 ± 2.3",
        "labs/test_prompts.py::test_the_spread_of_dropped_cells_is_the_binomial_one",
    ),
    Row(
        "survivors_sum_to_less_than_1",
        LOOSE,
        "Not where nothing was dropped: row 1 is whole with probability 1-p.",
        "Row 1 has one cell, so its sum is 0 or",
        HERE + "test_without_a_rescale_row_1_is_whole_in_a_share_1_minus_p_of_the_draws",
    ),
    Row(
        "one_minus_p_too_small",
        LOOSE,
        "1-p times the right size, so a share p too small.",
        "near 1 − p =",
        "labs/test_dropout.py::test_without_the_rescale_training_is_1_minus_p_times_the_right_size",
    ),
    Row(
        "1_over_0.9",
        RIGHT,
        "At p = 0.1 survivors grow by 1.11.",
        "1/(1−p) = 1.11",
        "core/test_dropout.py::test_the_measured_survivor_ratio_is_1_over_1_minus_p",
    ),
    Row(
        "p_half_doubles",
        RIGHT,
        "At p = 0.5 survivors double.",
        "1/(1−p) = 2.00",
        "core/test_dropout.py::test_the_measured_survivor_ratio_is_1_over_1_minus_p",
    ),
    Row(
        "generation_is_deterministic",
        LOOSE,
        "The forward pass is; what is sampled from it follows the seed of the sampling.",
        "inference run twice",
        "models/leak/test_runs.py::test_writing_goes_from_left_to_right_and_follows_its_seed",
    ),
    Row(
        "dropout_row1",
        UNSAID,
        "Row 1 has one key to rely on, and loses it with probability p.",
        "all zero, which is normal",
        "labs/test_dropout.py::test_a_row_that_is_all_zero_is_normal_and_is_said_to_be",
    ),
    Row(
        "same_cost",
        LOOSE,
        "The matrix products cost the same; scores and softmax grow with h, and W_o is new.",
        "They are not free.",
        "core/test_cost.py::test_only_the_score_tensor_grows_with_the_number_of_heads",
    ),
    Row(
        "each_over_a_slice",
        LOOSE,
        "Every head reads all of x; what is cut is its projection.",
        "Every head reads all d numbers of x",
        "labs/test_prompts.py::"
        "test_the_card_on_heads_says_that_every_head_reads_all_of_x_and_how_operations_count",
    ),
    Row(
        "h_must_divide_d",
        LOOSE,
        "By the convention d_head = d/h; a careless reshape may even go through.",
        "It is a convention",
        HERE + "test_any_width_of_a_head_works_and_a_careless_reshape_may_go_through",
    ),
    Row(
        "without_W_o_never_mix",
        LOOSE,
        "Not in this layer; a later linear layer mixes them.",
        "In this layer the heads never mix",
        HERE + "test_a_later_layer_mixes_what_w_o_would_have_mixed",
    ),
    Row(
        "W_o_folds",
        RIGHT,
        "The output is a sum over the heads, each through its own rows of W_o.",
        "all heads together",
        "core/test_contributions.py::test_the_contributions_of_the_heads_add_up_to_the_output",
    ),
    Row(
        "d_head_64",
        RIGHT,
        "768 / 12 = 64.",
        "a head is 64 wide",
        "labs/test_prompts.py::test_a_head_of_gpt2_is_as_wide_as_the_card_says",
    ),
    Row(
        "heads_slider",
        LOOSE,
        "Heads sets h; Viewing head picks the map.",
        "Viewing head",
        "map/test_state.py::test_the_viewing_head_is_lowered_with_the_heads",
    ),
    Row(
        "quadruples",
        RIGHT,
        "Twice the context is four times the scores.",
        "Twice the context is four times the memory",
        "core/test_cost.py::"
        "test_doubling_the_context_quadruples_the_dense_scores_and_leaves_a_tile_as_it_is",
    ),
    Row(
        "dominates_memory",
        RIGHT,
        "From T = 3 d_head on the scores take more than Q, K and V, while they are held.",
        "768 GiB at 131,072",
        HERE + "test_the_scores_outgrow_q_k_and_v_from_3_d_head_on",
    ),
    Row(
        "flash_answers_quadratic_wall",
        LOOSE,
        "The memory becomes linear, the arithmetic stays quadratic.",
        "The arithmetic stays quadratic.",
        "core/test_tiled.py::test_no_array_of_t_by_t_numbers_is_ever_made",
    ),
    Row(
        "training_loss_to_zero",
        LOOSE,
        "The last position's answer is not in the input, and cannot be copied.",
        "The last position cannot cheat: its target is not in the input.",
        "models/leak/test_runs.py::test_only_the_last_position_cannot_be_copied",
    ),
    Row(
        "inference_nothing_to_read",
        LOOSE,
        "The newest word's row is the same either way; what was learned does not fit it.",
        "the newest is at a position that learned to copy",
        "labs/test_leak.py::test_writing_is_said_to_happen_where_the_leaky_model_learned_to_copy",
    ),
    Row(
        "zero_after_scaled_down",
        RIGHT,
        "Every row but the last is short by the weight the future had.",
        "the smallest row of this head sums to",
        "labs/test_faults.py::test_zeroing_after_softmax_leaves_rows_short_by_what_the_future_had",
    ),
    Row(
        "last_row_only_full",
        RIGHT,
        "Row t may look at t words.",
        "Token 6 blends 6 words, itself and the past.",
        HERE + "test_row_t_looks_at_t_words",
    ),
    Row(
        "124M",
        RIGHT,
        "124,439,808 parameters, of which a layer's attention has 2,362,368.",
        "2,362,368 with biases",
        HERE + "test_gpt2_has_124_million_parameters",
    ),
)


@lru_cache
def everything_said() -> str:
    """Return what the product says: markup, cards, checkpoint, and the sections in some states."""
    lesson = Lesson()
    said = [skeleton(lesson)]
    said += [f"{card.question} {card.answer} {card.catch}" for card in CARDS]
    said.append(
        json.dumps(transition_table([observe(snapshot(lesson.map_state.settings()))], STEPS))
    )
    states: tuple[dict[str, object], ...] = (
        {},
        {"map.causal": True, "faults.zero_after_softmax": True, "dropout.p": 0.5},
        {"faults.no_output_projection": True, "dropout.p": 0.1},
        {"dropout.rescale": False, "dropout.p": 0.9},
    )
    for state in states:
        lesson.act({"set": state})
        said += [text for value in lesson.render().values() for text in read(value)]
    run = Lesson(recorded_draws=1, parts=["leak"]).render()
    said += [text for value in run.values() for text in read(value)]
    return " ".join(said)


def test_every_claim_is_accounted_for_once() -> None:
    assert len(TABLE) == len({row.claim for row in TABLE}) == 37
    assert [row.verdict for row in TABLE].count(WRONG) == 4
    assert all(row.truth and row.said for row in TABLE)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.claim)
def test_the_truth_of_a_claim_is_said_and_measured(row: Row) -> None:
    assert row.said in everything_said(), row
    file, _, name = row.test.partition("::")
    assert re.search(rf"^def {name}\(", (TESTS / file).read_text(), re.MULTILINE), row.test


@pytest.mark.parametrize(
    "wrong",
    [
        "the top row never changes",
        "both routes reach the same numbers",
        "rows still sum to",
        "contribute nothing",
        "at essentially the same cost",
        "picks a fraction",
        "keep the expected magnitude",
    ],
)
def test_no_wrong_or_loose_sentence_of_the_lesson_is_repeated(wrong: str) -> None:
    assert wrong not in everything_said().lower()


def test_a_huge_future_score_leaves_the_past_its_weights() -> None:
    for dtype, huge in ((np.float32, 1e4), (np.float64, 1e6)):
        q = np.ones((3, 1), dtype)
        k = np.array([[0.0], [1.0], [huge]], dtype)
        weights = scaled_dot_product_attention(q, k, k, causal=True, scale=1.0).weights
        np.testing.assert_allclose(weights[1], [1 / (1 + np.e), np.e / (1 + np.e), 0], rtol=1e-6)
        late = np.exp(k[:2, 0] - k[:, 0].max())  # the maximum taken over all keys
        assert late.sum() == 0


def test_without_a_rescale_row_1_is_whole_in_a_share_1_minus_p_of_the_draws() -> None:
    layer, x = lesson_layer(1), lesson_inputs(WORDS)
    rng = np.random.default_rng(0)
    whole = [
        bool(layer(x, dropout=0.1, rng=rng, training=True).dropped[0, 0, 0, 0]) for _ in range(2000)
    ]
    assert np.mean(whole) == pytest.approx(0.9, abs=0.03)


def test_any_width_of_a_head_works_and_a_careless_reshape_may_go_through() -> None:
    rng = np.random.default_rng(0)
    d, h, d_head = 10, 3, 4
    x = rng.standard_normal((6, d))
    q, k, v = ((x @ rng.standard_normal((d, h * d_head))).reshape(6, h, d_head) for _ in range(3))
    heads = scaled_dot_product_attention(*(a.swapaxes(0, 1) for a in (q, k, v)), causal=True)
    output = heads.output.swapaxes(0, 1).reshape(6, -1) @ rng.standard_normal((h * d_head, d))
    assert output.shape == x.shape
    assert np.zeros((1, 6, 12)).reshape(1, -1, 3, 6).shape == (1, 4, 3, 6)  # T = 4: silently wrong


def test_a_later_layer_mixes_what_w_o_would_have_mixed() -> None:
    layer, x = lesson_layer(4), lesson_inputs(WORDS)
    later = np.random.default_rng(0).standard_normal((12, 12))
    context = layer(x).context
    np.testing.assert_allclose(
        (context @ layer.w_o) @ later, context @ (layer.w_o @ later), atol=1e-12
    )


def test_the_scores_outgrow_q_k_and_v_from_3_d_head_on() -> None:
    d, h, size = 768, 12, 4
    for t, more in ((191, False), (192, None), (193, True)):
        scores, rest = attention_cost(t, d, h).score_bytes, 3 * t * d * size
        assert (scores > rest if scores != rest else None) is more


def test_row_t_looks_at_t_words() -> None:
    weights = lesson_layer(1)(lesson_inputs(WORDS)).weights[0, 0]
    assert np.count_nonzero(weights, axis=1).tolist() == [1, 2, 3, 4, 5, 6]


def test_gpt2_has_124_million_parameters() -> None:
    d, layers, words, places = 768, 12, 50257, 1024
    attention = attention_cost(1024, d, 12).parameters_with_bias
    mlp, norm = 2 * 4 * d * d + 5 * d, 2 * d
    total = (words + places) * d + layers * (attention + mlp + 2 * norm) + norm
    assert attention == 2_362_368
    assert total == 124_439_808
