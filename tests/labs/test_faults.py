"""Every fault shows a measured symptom and turns its own line of the checklist red."""

from itertools import combinations

import numpy as np
import pytest

from attention_widget.checklist import CHECKLIST
from attention_widget.faults import Fault
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.widgets.labs.faults.lab import faults_section
from attention_widget.widgets.labs.faults.measure import HEADS, OTHER_WORDS, P, RunLook, look
from attention_widget.widgets.labs.faults.words import WORDS, symptom
from attention_widget.widgets.section.controls import Switch
from attention_widget.widgets.section.section import Slots
from tests.recorded.whole import walk

ALL_OFF: frozenset[Fault] = frozenset()
RED = {
    Fault.NO_MASK: {"mask_before_softmax", "rows_sum_over_past"},
    Fault.WRONG_TRIANGLE: {"mask_before_softmax", "rows_sum_over_past"},
    Fault.FINITE_FILL: {"mask_before_softmax", "rows_sum_over_past"},
    Fault.ZERO_AFTER_SOFTMAX: {"mask_before_softmax", "rows_sum_over_past"},
    Fault.MISSING_SCALE: {"scaled_scores"},
    Fault.MISSING_RESCALE: {"dropout_in_training"},
    Fault.RESCALE_BY_P: {"dropout_in_training"},
    Fault.DROPOUT_AT_INFERENCE: {"dropout_in_training"},
    Fault.INDIVISIBLE_HEADS: {"heads_divide_width"},
    Fault.STRAIGHT_RESHAPE: {"heads_divide_width", "one_projection"},
    Fault.NO_OUTPUT_PROJECTION: {"one_projection"},
}


def ran(*faults: Fault) -> RunLook:
    run = look(frozenset(faults)).run
    assert run is not None
    return run


def painted(*faults: Fault) -> Slots:
    section = faults_section()
    section.set({fault.value: True for fault in faults})
    return section.render()


def verdicts(slots: Slots) -> dict[str, str]:
    return {key: slots[f"faults.check.{key}"][0][1]["data-state"] for key in CHECKLIST}


def test_there_is_one_switch_for_every_fault() -> None:
    section = faults_section()
    assert [control.name for control in section.controls] == [fault.value for fault in Fault]
    assert all(isinstance(control, Switch) for control in section.controls)
    assert len({words.label for words in WORDS.values()}) == len(Fault) == 11


def test_with_every_fault_off_the_lab_is_the_lessons_layer_and_every_line_is_green() -> None:
    run = ran()
    right = lesson_layer(HEADS)(lesson_inputs(tokenize(SENTENCE)))
    np.testing.assert_array_equal(run.inference.weights, right.weights)
    np.testing.assert_array_equal(run.inference.output, right.output)
    slots = painted()
    assert set(verdicts(slots).values()) == {"pass"}
    assert slots["faults.count"] == "7 of 7 lines pass"
    assert slots["faults.kpi.sees-future"] == "no"
    assert slots["faults.kpi.masked-cells"] == "15"
    assert slots["faults.kpi.row-sums"] == "all 1"
    assert slots["faults.kpi.survivors"] == "× 1.67"
    assert slots["faults.kpi.dropped"] == "0"
    assert slots["faults.kpi.repeats"] == "same"
    assert slots["faults.kpi.projection"] == "yes"


@pytest.mark.parametrize("fault", Fault)
def test_each_fault_alone_turns_its_lines_red_and_no_other(fault: Fault) -> None:
    shown = verdicts(painted(fault))
    assert {key for key, verdict in shown.items() if verdict == "fail"} == RED[fault]
    others = set(shown.values()) - {"fail"}
    assert others == ({"unreached"} if fault is Fault.INDIVISIBLE_HEADS else {"pass"})


@pytest.mark.parametrize("fault", Fault)
def test_each_fault_changes_the_figures_or_the_map(fault: Fault) -> None:
    right, wrong = painted(), painted(fault)
    seen = [key for key in right if ".kpi." in key or "source:" in key]
    assert any(right[key] != wrong[key] for key in seen)


@pytest.mark.parametrize("fault", Fault)
def test_an_active_fault_is_told_with_its_symptom_and_why_it_hurts(fault: Fault) -> None:
    slots = painted(fault)
    title, told, why = slots[f"faults.symptom.{fault.value}"]
    assert title[2] == WORDS[fault].label
    assert told[2][2] == symptom(fault, look(frozenset({fault})))
    assert why[2] == WORDS[fault].why
    assert told[2][2] in slots[f"faults.announcement.{fault.value}"]
    assert slots["faults.no-fault"] == ""


def test_without_a_mask_weight_lies_on_the_future_and_no_cell_is_masked() -> None:
    run = ran(Fault.NO_MASK)
    assert run.sees_future
    assert run.masked_cells == 0
    assert run.future_share > 0.2
    np.testing.assert_allclose(run.weight_sums, 1)


def test_the_wrong_triangle_has_the_right_count_of_masked_cells_and_still_sees_the_future() -> None:
    run = ran(Fault.WRONG_TRIANGLE)
    assert run.masked_cells == 15
    assert run.sees_future
    assert run.inference.weights[0, 0, -1].tolist() == [0, 0, 0, 0, 0, 1]


def test_a_finite_fill_leaks_a_little_where_the_map_shows_0_00() -> None:
    run = ran(Fault.FINITE_FILL)
    assert run.masked_cells == 0
    assert run.filled_cells == 15
    assert run.sees_future
    assert 0 < run.largest_filled < 0.005
    slots = painted(Fault.FINITE_FILL)
    above = [i * 6 + j for i in range(6) for j in range(i + 1, 6)]
    assert {slots["source:faults.inference.cells.text"][n] for n in above} == {"0.00"}
    assert {slots["source:faults.inference.cells.state"][n] for n in above} == {"seen"}


def test_zeroing_after_softmax_leaves_rows_short_by_what_the_future_had() -> None:
    free = ran(Fault.NO_MASK).inference.weights[0, 0]
    taken = np.triu(free, 1).sum(axis=1)
    run = ran(Fault.ZERO_AFTER_SOFTMAX)
    np.testing.assert_allclose(run.weight_sums, 1 - taken)
    assert run.weight_sums[-1] == pytest.approx(1)
    assert run.weight_sums.min() < 0.9


def test_zeroing_after_softmax_sees_the_future_through_the_denominator() -> None:
    """Exchange word 6 alone, and look at every earlier output."""
    run = ran(Fault.ZERO_AFTER_SOFTMAX)
    assert not np.triu(run.inference.weights, 1).any()  # the map shows nothing of it
    assert run.sees_future
    layer, words = lesson_layer(HEADS), tokenize(SENTENCE)
    outputs = []
    for last in (words[-1], OTHER_WORDS[-1]):
        x = lesson_inputs((*words[:-1], last))
        free = layer(x, causal=False)
        v = (x @ layer.w_v).reshape(6, HEADS, 3).swapaxes(0, 1)
        heads = np.tril(free.weights[0]) @ v
        outputs.append(heads.swapaxes(0, 1).reshape(6, 12) @ layer.w_o)
    moved = np.abs(outputs[1] - outputs[0]).max(axis=1)[:5]
    assert moved.min() > 0.005
    np.testing.assert_allclose(run.influence[:5, 5], moved, atol=1e-12)
    told = str(painted(Fault.ZERO_AFTER_SOFTMAX)["faults.symptom.zero_after_softmax"])
    assert "Exchange word 6 alone" in told
    assert all(f"{move:.2g}" in told for move in moved)
    assert painted(Fault.ZERO_AFTER_SOFTMAX)["faults.kpi.sees-future"] == "yes"


def test_with_minus_infinity_before_softmax_no_later_word_moves_an_earlier_output() -> None:
    assert (np.triu(ran().influence, 1) == 0).all()
    assert painted()["faults.kpi.sees-future"] == "no"


@pytest.mark.parametrize("fault", [f for f in Fault if f is not Fault.INDIVISIBLE_HEADS])
def test_sees_future_is_measured_by_exchanging_later_words(fault: Fault) -> None:
    leaks = {
        Fault.NO_MASK,
        Fault.WRONG_TRIANGLE,
        Fault.FINITE_FILL,
        Fault.ZERO_AFTER_SOFTMAX,
        Fault.STRAIGHT_RESHAPE,
    }
    slots = painted(fault)
    assert slots["faults.kpi.sees-future"] == ("yes" if fault in leaks else "no")
    assert bool(np.triu(ran(fault).influence, 1).any()) is (fault in leaks)
    largest = f"{np.triu(ran(fault).influence, 1).max():.2g}"
    assert (largest in slots["faults.note.sees-future"].replace("0.0000", "")) or fault not in leaks


def test_what_is_said_to_be_the_same_in_every_map_is_so() -> None:
    said = "faults.fixed"
    assert painted()[said].startswith("Here: the causal mask, h = 4, head 1 on show")
    assert "no mask, h = 4" in painted(Fault.NO_MASK)[said]
    assert "the wrong triangle, h = 4" in painted(Fault.WRONG_TRIANGLE)[said]
    assert "h = 5" in painted(Fault.INDIVISIBLE_HEADS)[said]


def test_an_announcement_names_the_fault_and_reads_as_a_sentence() -> None:
    slots = painted(Fault.DROPOUT_AT_INFERENCE)
    told = slots["faults.announcement.dropout_at_inference"]
    assert told.startswith("Fault on: Dropout left on. Inference dropped ")
    assert slots["faults.announcement.no_mask"].startswith("Fault off: No mask. ")
    assert not any("on on" in str(v) for v in slots.values())


def test_a_missing_rescale_leaves_training_at_1_minus_p_and_inference_untouched() -> None:
    run = ran(Fault.MISSING_RESCALE)
    assert run.survivor_ratio == pytest.approx(1)
    assert run.mean_sums.mean() == pytest.approx(1 - P, abs=0.02)
    assert ran().mean_sums.mean() == pytest.approx(1, abs=0.03)
    np.testing.assert_array_equal(run.inference.output, ran().inference.output)


def test_survivors_times_p_leave_a_row_with_p_of_the_share_that_survives() -> None:
    run = ran(Fault.RESCALE_BY_P)
    assert run.survivor_ratio == pytest.approx(P)
    assert run.mean_sums.mean() == pytest.approx(P * (1 - P), abs=0.02)
    np.testing.assert_array_equal(run.inference.output, ran().inference.output)


def test_without_the_scale_the_largest_weights_grow() -> None:
    run = ran(Fault.MISSING_SCALE)
    right = lesson_layer(HEADS)(lesson_inputs(tokenize(SENTENCE)))
    assert run.score_ratio == pytest.approx(np.sqrt(3))
    assert run.peak_due == pytest.approx(right.weights[0, :, 1:].max(-1).mean())
    assert run.peak > run.peak_due + 0.1
    assert f"{run.score_ratio:.2f} times too large" in symptom(
        Fault.MISSING_SCALE, look(frozenset({Fault.MISSING_SCALE}))
    )


def test_a_straight_reshape_tells_which_word_moves_which_earlier_output() -> None:
    run = ran(Fault.STRAIGHT_RESHAPE)
    told = symptom(Fault.STRAIGHT_RESHAPE, look(frozenset({Fault.STRAIGHT_RESHAPE})))
    word, output = (int(part.split()[0]) for part in (told[14:], told.split("output ")[1]))
    assert word > output
    assert run.influence[output - 1, word - 1] == np.triu(run.influence, 1).max() > 0.1


def test_dropout_left_on_makes_two_equal_calls_differ() -> None:
    run = ran(Fault.DROPOUT_AT_INFERENCE)
    assert run.dropped_at_inference > 0
    assert run.inference_gap > 0.01
    assert ran().inference_gap == 0


def test_without_w_o_the_output_is_the_context() -> None:
    run = ran(Fault.NO_OUTPUT_PROJECTION)
    np.testing.assert_array_equal(run.inference.output, run.inference.context)
    assert run.projection_gap > 0.1
    assert ran().projection_gap < 1e-9


def test_an_undefined_reshape_is_shown_as_no_map_with_the_layers_own_message() -> None:
    slots = painted(Fault.INDIVISIBLE_HEADS)
    message = "h must divide d: d=12, h=5 leaves 2; try 1, 2, 3, 4, 6 or 12"
    assert look(frozenset({Fault.INDIVISIBLE_HEADS})).problem == message
    assert message in str(slots["faults.no-map"])
    assert message in str(slots["faults.symptom.indivisible_heads"])
    for name in ("faults", "faults.inference"):
        assert slots[f"{name}.title"] == "No map: the reshape is undefined"
        assert slots[f"{name}.figure"]["hidden"] is True
        columns = [v for k, v in slots.items() if k.startswith(f"source:{name}.cells.")]
        assert len(columns) == 10
        assert all(column == [] for column in columns)
    assert {v for k, v in slots.items() if ".kpi." in k} == {"none"}


def test_a_verdict_is_a_word_and_an_icon_and_never_a_colour_alone() -> None:
    for slots in (painted(), painted(Fault.NO_MASK), painted(Fault.INDIVISIBLE_HEADS)):
        for key in CHECKLIST:
            [item] = slots[f"faults.check.{key}"]
            icon, word = item[2][2][2], item[2][3]
            assert {"pass": ("✓", " pass"), "fail": ("✗", " fail")}.get(
                item[1]["data-state"], ("–", " not reached")
            ) == (icon, word)


@pytest.mark.parametrize("pair", list(combinations(Fault, 2)))
def test_no_fault_hides_another_from_the_checklist(pair: tuple[Fault, Fault]) -> None:
    failed = {line.key for line in look(frozenset(pair)).lines if not line.passed}
    assert RED[pair[0]] & failed
    assert RED[pair[1]] & failed


@pytest.mark.slow
def test_all_2048_combinations_render_the_same_slots_and_only_none_is_all_green() -> None:
    keys: set[str] | None = None
    green = []
    count = 0
    for _, slots in walk(faults_section()):
        keys = keys or set(slots)
        assert set(slots) == keys
        on = {f for f in Fault if slots[f"faults.control.{f.value}"]["value"]}
        if set(verdicts(slots).values()) == {"pass"}:
            green.append(on)
        for name in ("faults", "faults.inference"):
            lengths = {
                len(v)
                for k, v in slots.items()
                if k.startswith(f"source:{name}.cells.") and isinstance(v, list)
            }
            assert lengths == ({0} if Fault.INDIVISIBLE_HEADS in on else {36})
        assert {f for f in Fault if slots[f"faults.symptom.{f.value}"]} == on
        assert bool(slots["faults.no-fault"]) == (not on)
        count += 1
    assert count == 2048
    assert green == [set()]


def test_a_state_depends_on_its_faults_only() -> None:
    section = faults_section()
    section.set({"no_mask": True})
    first = section.render()
    section.set({"indivisible_heads": True})
    section.render()
    section.set({"indivisible_heads": False})
    assert section.render() == first
    section.reset()
    assert section.render() == painted()
