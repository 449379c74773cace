"""Does a check's record say what was measured, in JSON, in text and as a picture?"""

import json
import re

import numpy as np
import pytest

from attention_widget import Fault, assert_attention, check_attention
from attention_widget.checklist import CHECKLIST
from attention_widget.widgets.check.engine import run_check
from attention_widget.widgets.check.record import (
    FAILED,
    KEYS,
    NOT_APPLICABLE,
    PASSED,
    UNREACHED,
    Check,
)
from attention_widget.widgets.check.told import TOLD
from attention_widget.widgets.check.words import RULES
from tests.check.zoo import numpy_styles as style

F = Fault


def check(make, *faults):
    return run_check(make(frozenset(faults)))


@pytest.fixture(scope="module")
def zeroed():
    return check(style.batched, F.ZERO_AFTER_SOFTMAX)


def test_the_record_has_every_line_of_the_lessons_checklist_first(zeroed):
    assert tuple(line.key for line in zeroed.lines) == KEYS
    assert KEYS[: len(CHECKLIST)] == CHECKLIST
    assert RULES.keys() == set(KEYS)
    assert {fault.value for fault in Fault} <= TOLD.keys()


def test_the_diagnosis_quotes_the_row_that_is_short_and_the_first_wrong_cell(zeroed):
    mine, right = np.array(zeroed.mine), np.array(zeroed.right)
    said = zeroed.diagnosis.sentence
    assert said.startswith("Softmax before the mask, not renormalised: row 2 sums to ")
    assert f"row 2 sums to {mine[1].sum():.2f}" in said
    query, key = zeroed.diagnosis.first_wrong
    before = np.argwhere(np.abs(mine - right) > 0.005)[0] + 1
    assert (query, key) == tuple(before)
    assert said.endswith(f"first wrong at query {query}, key {key}.")


def test_the_maps_are_the_codes_own_and_the_right_one():
    x_map = np.array(check(style.columns, F.MISSING_SCALE).mine)
    assert x_map.shape == (6, 6)
    found = check(style.batched)
    np.testing.assert_allclose(found.mine, found.right, atol=1e-9)
    assert np.allclose(np.array(found.right).sum(-1), 1)
    assert not np.triu(np.array(found.right), 1).any()


def test_each_fault_turns_its_own_line_red():
    lines = {
        F.NO_MASK: "mask_before_softmax",
        F.WRONG_TRIANGLE: "mask_before_softmax",
        F.FINITE_FILL: "mask_before_softmax",
        F.ZERO_AFTER_SOFTMAX: "rows_sum_over_past",
        F.MISSING_SCALE: "scaled_scores",
        F.MISSING_RESCALE: "dropout_in_training",
        F.RESCALE_BY_P: "dropout_in_training",
        F.DROPOUT_AT_INFERENCE: "dropout_in_training",
        F.INDIVISIBLE_HEADS: "heads_divide_width",
        F.STRAIGHT_RESHAPE: "heads_divide_width",
        F.NO_OUTPUT_PROJECTION: "one_projection",
    }
    assert lines.keys() == set(Fault)
    for fault, key in lines.items():
        found = check(style.batched, fault)
        assert found.line(key).status == FAILED, fault
        others = set(KEYS) - {key, "same_numbers", "future_stays_out", "rows_sum_over_past"}
        others -= {"mask_before_softmax"}
        assert all(found.line(other).status != FAILED for other in others), fault


def test_measured_numbers_are_those_of_the_code():
    found = check(style.batched, F.MISSING_SCALE)
    assert found.line("scaled_scores").measured["factor"] == pytest.approx(1)
    found = check(style.batched, F.RESCALE_BY_P)
    measured = found.line("dropout_in_training").measured
    assert measured["ratio_low"] == pytest.approx(0.4)
    assert measured["share"] == pytest.approx(0.4, abs=0.08)
    found = check(style.batched, F.DROPOUT_AT_INFERENCE)
    assert found.line("dropout_in_training").measured["inference_change"] > 0.01


def test_lines_that_do_not_apply_say_why():
    def plain(x, w_q, w_k, w_v):
        scores = x @ w_q @ (x @ w_k).swapaxes(1, 2) / w_q.shape[1] ** 0.5
        scores = np.where(np.tri(x.shape[1], dtype=bool), scores, -np.inf)
        return style.softmax(scores) @ x @ w_v

    found = run_check(plain)
    assert found.passed, str(found)
    why = {line.key: line.why for line in found.lines if line.status == NOT_APPLICABLE}
    assert why["one_projection"] == "your code has no W_o"
    assert why["heads_divide_width"] == "your code has one head"
    assert why["dropout_in_training"] == "your code has no dropout"
    assert why["score_shape"] == "your code returns no weights"

    def unswitched(x, w_q, w_k, w_v, w_o, n_heads, dropout, rng):
        return style.batched()(
            x, w_q, w_k, w_v, w_o, n_heads, dropout=dropout, rng=rng, training=True
        )

    line = run_check(unswitched).line("dropout_in_training")
    assert (line.status, line.why[:16]) == (PASSED, "no training flag")


def test_a_broken_run_leaves_every_line_unreached():
    found = run_check(lambda x, w_q, w_k, w_v: x[0])
    assert "returned the shape (6, 24)" in found.problem
    assert {line.status for line in found.lines} == {UNREACHED}


def test_the_record_comes_back_from_json(zeroed):
    text = zeroed.to_json()
    assert json.loads(text)["diagnosis"]["faults"] == ["zero_after_softmax"]
    assert Check.from_json(text) == zeroed
    broken = run_check(lambda x, w_q, w_k, w_v: x * np.nan)
    again = Check.from_json(broken.to_json())
    assert again.to_json() == broken.to_json()
    assert again.line("same_numbers").measured["core"] == float("inf")


def test_the_text_tells_verdict_diagnosis_hint_and_every_line(zeroed):
    text = str(zeroed)
    assert text.startswith("attend: not right yet\n\nSoftmax before the mask")
    assert text.count("Hint: ") == 1
    assert all(rule in text for rule in RULES.values())
    assert "1 − p" not in zeroed.diagnosis.hints[0]  # a hint leads; it is not the solution


def test_the_picture_outlines_the_first_wrong_cell_beside_the_right_map(zeroed):
    html = zeroed._repr_html_()
    assert html.count('<table class="map">') == 2
    assert len(re.findall(r'<td class="[^"]*\bwrong"', html)) == 1
    assert html.index("Your weights") < html.index("wrong weight") < html.index("The right weights")
    assert html.count("<li ") == len(KEYS)
    assert "http" not in html
    assert "<script" not in html
    right = check(style.batched)._repr_html_()
    assert "wrong weight" not in right


def test_what_the_student_wrote_cannot_become_markup():
    def shout(x, w_q, w_k, w_v):
        raise ValueError("<script>alert(1)</script>")

    html = run_check(shout)._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_an_autograder_asserts_in_one_line():
    assert_attention(style.batched())
    with pytest.raises(AssertionError, match="The scores are not scaled") as caught:
        assert_attention(style.batched(frozenset({F.MISSING_SCALE})))
    assert "Hint:" in str(caught.value)
    assert check_attention(style.batched())
    assert not check_attention(style.batched(frozenset({F.NO_MASK})))
