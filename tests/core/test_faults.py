"""Does every fault show where it should, and nowhere else?"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from attention_widget import (
    CHECKLIST,
    CORRECT,
    Fault,
    MultiHeadAttention,
    checklist,
    reaches_the_past,
    run_with_faults,
)
from attention_widget.faults import FINITE_FILL, influence_on_outputs, stages_for
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.measures import masked_cells, row_sums, sees_future

X = lesson_inputs(tokenize(SENTENCE))
MASK, ROWS, DROPOUT, HEADS, SCALE, PROJECTION, SHAPE = CHECKLIST
RED = {
    Fault.NO_MASK: {MASK, ROWS},
    Fault.WRONG_TRIANGLE: {MASK, ROWS},
    Fault.FINITE_FILL: {MASK, ROWS},
    Fault.ZERO_AFTER_SOFTMAX: {MASK, ROWS},
    Fault.MISSING_SCALE: {SCALE},
    Fault.MISSING_RESCALE: {DROPOUT},
    Fault.RESCALE_BY_P: {DROPOUT},
    Fault.DROPOUT_AT_INFERENCE: {DROPOUT},
    Fault.STRAIGHT_RESHAPE: {HEADS, PROJECTION},
    Fault.NO_OUTPUT_PROJECTION: {PROJECTION},
}
SUBSETS = [frozenset(some) for n in range(12) for some in combinations(Fault, n)]
FEW = [faults for faults in SUBSETS if len(faults) <= 2]


def lines(*faults, n_heads=4, **options):
    run = run_with_faults(X, lesson_layer(n_heads), faults, **options)
    return {line.key: line for line in checklist(run)}


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4, 6, 12])
@pytest.mark.parametrize("dropout", [0.0, 0.1, 0.4, 0.9, 1.0])
def test_without_faults_every_line_passes(n_heads, dropout):
    found = lines(n_heads=n_heads, dropout=dropout)
    assert list(found) == list(CHECKLIST)
    assert all(line.passed and line.reached for line in found.values())


@pytest.mark.parametrize("seed", range(20))
def test_without_faults_every_line_passes_whatever_is_drawn(seed):
    assert all(line.passed for line in lines(seed=seed).values())


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4])
@pytest.mark.parametrize("fault", RED, ids=lambda f: f.value)
def test_a_fault_turns_its_own_lines_red_and_no_other(fault, n_heads):
    found = lines(fault, n_heads=n_heads)
    uncut = n_heads == 1 and fault is Fault.STRAIGHT_RESHAPE  # one head: there is no axis to move
    wanted = set() if uncut else RED[fault]
    assert {key for key, line in found.items() if not line.passed} == wanted
    assert all(line.reached for line in found.values())


def test_an_indivisible_head_count_is_reported_and_nothing_else_is_reached():
    run = run_with_faults(X, lesson_layer(4), {Fault.INDIVISIBLE_HEADS})
    assert run.error == "h must divide d: d=12, h=5 leaves 2; try 1, 2, 3, 4, 6 or 12"
    assert run.inference is run.training is run.inference_again is None
    found = {line.key: line for line in checklist(run)}
    assert [key for key, line in found.items() if line.reached] == [HEADS]
    assert not any(line.passed for line in found.values())
    assert dict(found[HEADS].measured) == {"d": 12, "n_heads": 5, "remainder": 2}


@pytest.mark.parametrize(
    "faults", FEW, ids=lambda s: "+".join(sorted(f.value for f in s)) or "none"
)
def test_any_two_faults_run_and_are_measured(faults):
    runs_and_is_measured(faults)


@pytest.mark.slow
def test_any_subset_of_the_faults_runs_and_is_measured():
    for faults in SUBSETS:
        runs_and_is_measured(faults)


def runs_and_is_measured(faults):
    found = lines(*faults)
    wanted = set().union(*(RED.get(fault, set()) for fault in faults))
    if Fault.INDIVISIBLE_HEADS in faults:
        assert [key for key, line in found.items() if line.reached] == [HEADS]
    else:
        assert {key for key, line in found.items() if not line.passed} == wanted


def test_there_are_eleven_faults_with_stable_names():
    assert [fault.value for fault in Fault] == [
        "no_mask",
        "wrong_triangle",
        "finite_fill",
        "zero_after_softmax",
        "missing_scale",
        "missing_rescale",
        "rescale_by_p",
        "dropout_at_inference",
        "indivisible_heads",
        "straight_reshape",
        "no_output_projection",
    ]
    assert len(SUBSETS) == 2**11
    assert stages_for(()) == CORRECT


def test_the_symptoms_are_the_ones_the_lesson_describes():
    def inference(fault):
        return run_with_faults(X, lesson_layer(4), {fault}).inference

    no_mask = inference(Fault.NO_MASK)
    assert sees_future(no_mask.weights)
    assert masked_cells(no_mask.masked_scores) == 0
    wrong = inference(Fault.WRONG_TRIANGLE)
    assert masked_cells(wrong.masked_scores) == 4 * 15
    assert (wrong.weights[0, 0, -1] == [0, 0, 0, 0, 0, 1]).all()
    finite = inference(Fault.FINITE_FILL)
    future = np.triu(finite.weights[0, 0], 1)
    assert 0 < future.max() < 1e-3
    assert (finite.masked_scores[0, 0][future > 0] == FINITE_FILL).all()
    zeroed = inference(Fault.ZERO_AFTER_SOFTMAX)
    assert not sees_future(zeroed.weights)
    assert (row_sums(zeroed.weights)[..., :-1] < 1).all()
    unmixed = inference(Fault.NO_OUTPUT_PROJECTION)
    assert unmixed.output is unmixed.context


def test_a_missing_rescale_shrinks_training_to_1_minus_p():
    found = lines(Fault.MISSING_RESCALE, dropout=0.4)
    assert found[DROPOUT].measured["ratio_low"] == found[DROPOUT].measured["ratio_high"] == 1
    assert found[DROPOUT].measured["ratio_wanted"] == pytest.approx(1 / 0.6)


def test_survivors_times_p_keep_only_p_where_1_over_1_minus_p_is_due():
    found = lines(Fault.RESCALE_BY_P, dropout=0.4)[DROPOUT].measured
    assert found["ratio_low"] == pytest.approx(0.4)
    assert found["ratio_high"] == pytest.approx(0.4)
    assert found["ratio_wanted"] == pytest.approx(1 / 0.6)


@pytest.mark.parametrize("n_heads", [1, 2, 3, 4])
def test_without_the_scale_scores_are_too_large_by_the_root_of_d_head(n_heads):
    right = run_with_faults(X, lesson_layer(n_heads)).inference
    wrong = run_with_faults(X, lesson_layer(n_heads), {Fault.MISSING_SCALE})
    root = np.sqrt(12 // n_heads)
    np.testing.assert_allclose(wrong.inference.scores, right.scores * root, rtol=1e-12)
    line = {line.key: line for line in checklist(wrong)}[SCALE].measured
    assert line["factor"] == pytest.approx(1)
    assert line["factor_due"] == pytest.approx(1 / root)
    past = np.tri(6, dtype=bool)
    for row in range(1, 6):  # every row moves towards its one largest weight
        seen = past[row]
        assert (
            wrong.inference.weights[0, :, row][:, seen].max(-1)
            > right.weights[0, :, row][:, seen].max(-1)
        ).all()


def test_a_straight_reshape_mixes_the_words_though_the_mask_is_on():
    run = run_with_faults(X, lesson_layer(4), {Fault.STRAIGHT_RESHAPE})
    assert not sees_future(run.inference.weights)
    assert masked_cells(run.inference.masked_scores) == 4 * 15
    other = lesson_inputs(("one", "step", "with", "starts", "journey", "Your"))
    assert reaches_the_past(influence_on_outputs(run, other))
    layer = lesson_layer(4)
    flat = (X @ layer.w_q).reshape(4, 6, 3), (X @ layer.w_k).reshape(4, 6, 3)
    np.testing.assert_allclose(
        run.inference.scores[0], flat[0] @ flat[1].swapaxes(1, 2) / np.sqrt(3), rtol=1e-12
    )


def test_a_wrong_cut_is_not_taken_for_a_wrong_scale_nor_the_other_way_round():
    both = lines(Fault.STRAIGHT_RESHAPE, Fault.MISSING_SCALE)
    assert both[SCALE].measured["factor"] == pytest.approx(1)
    assert not both[HEADS].passed
    assert lines(Fault.STRAIGHT_RESHAPE)[SCALE].passed
    assert lines(Fault.MISSING_SCALE)[HEADS].passed


def test_dropout_at_inference_makes_two_runs_differ():
    run = run_with_faults(X, lesson_layer(4), {Fault.DROPOUT_AT_INFERENCE})
    assert (run.inference.output != run.inference_again.output).any()
    calm = run_with_faults(X, lesson_layer(4))
    assert calm.inference.output.tobytes() == calm.inference_again.output.tobytes()


def test_training_draws_the_same_cells_whatever_the_faults():
    clean = run_with_faults(X, lesson_layer(4), seed=3).training
    for fault in (
        Fault.MISSING_RESCALE,
        Fault.RESCALE_BY_P,
        Fault.DROPOUT_AT_INFERENCE,
        Fault.NO_OUTPUT_PROJECTION,
    ):
        faulty = run_with_faults(X, lesson_layer(4), {fault}, seed=3).training
        np.testing.assert_array_equal(faulty.dropped == 0, clean.dropped == 0)


def red(run, **records):
    """Return the lines that are red once parts of a run have been replaced."""
    return [line.key for line in checklist(replace(run, **records)) if not line.passed]


def test_the_checklist_notices_mistakes_that_nobody_switched_on():
    layer = lesson_layer(3)
    run = run_with_faults(X, layer)
    w = (layer.w_q, layer.w_k, layer.w_v, layer.w_o)
    assert red(run) == []
    other_output = MultiHeadAttention(*w[:3], w[3] * 1.01, 3)
    assert red(run, layer=other_output) == [PROJECTION]
    turned = w[0] @ np.linalg.qr(np.random.default_rng(0).standard_normal((12, 12)))[0]
    other_queries = MultiHeadAttention(turned, *w[1:], 3)
    assert red(run, layer=other_queries) == [HEADS, SCALE]
    larger_queries = MultiHeadAttention(w[0] * 1.01, *w[1:], 3)
    assert red(run, layer=larger_queries) == [SCALE]
    leak = run.inference.weights + np.triu(np.full((6, 6), 1e-30), 1)
    leaky = replace(run.inference, weights=leak, dropped=leak)
    assert ROWS in red(run, inference=leaky, inference_again=leaky)
    early = replace(
        run.training, weights=run.training.weights / 2, dropped=run.training.dropped / 2
    )
    assert red(run, training=early) == [DROPOUT]
    shuffled = run.inference.context[..., ::-1]
    interleaved = replace(run.inference, context=shuffled, output=shuffled @ layer.w_o)
    assert red(run, inference=interleaved) == [PROJECTION]
    filled = np.where(np.isneginf(run.inference.masked_scores), -1e4, run.inference.masked_scores)
    assert red(run, inference=replace(run.inference, masked_scores=filled)) == [MASK]


def test_without_the_right_axes_nothing_else_is_measured():
    run = run_with_faults(X, lesson_layer(3))
    flat = replace(run.inference, scores=run.inference.scores[:, :2])
    found = checklist(replace(run, inference=flat))
    assert [line.key for line in found if line.reached] == [SHAPE]
    assert not found[-1].passed
    assert dict(found[-1].measured) == {"batch": 1, "heads": 2, "queries": 6, "keys": 6}


def test_biases_are_kept_when_the_lab_rebuilds_the_layer():
    rng = np.random.default_rng(0)
    w, b = rng.standard_normal((4, 12, 12)), rng.standard_normal((4, 12))
    layer = MultiHeadAttention(*w, 3, b_q=b[0], b_k=b[1], b_v=b[2], b_o=b[3])
    run = run_with_faults(X, layer)
    np.testing.assert_array_equal(run.inference.output, layer(X).output)
    assert all(line.passed for line in checklist(run))


def test_input_that_is_wrong_for_another_reason_is_still_refused():
    with pytest.raises(ValueError, match=r"x must be \(B, T, d\) with d=12: got \(6, 12\)"):
        run_with_faults(X[0], lesson_layer(4))
    with pytest.raises(ValueError, match=r"dropout must lie in \[0, 1\]: got 2"):
        run_with_faults(X, lesson_layer(4), dropout=2)
