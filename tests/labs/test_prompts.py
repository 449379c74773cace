"""The cards say what the core measures, and every mark counts once."""

import re

import numpy as np
import pytest

from attention_widget import (
    apply_dropout,
    causal_mask,
    head_width,
    keep_mask,
    scaled_dot_product_attention,
)
from attention_widget.faults import Fault
from attention_widget.lesson import lesson_layer
from attention_widget.widgets.labs.faults.measure import look
from attention_widget.widgets.labs.prompts.cards import CARDS
from attention_widget.widgets.labs.prompts.lab import (
    MARKS,
    NAMES,
    PromptState,
    count_in_words,
    prompts_sections,
)
from attention_widget.widgets.recorded.lookup_table import record_section
from attention_widget.widgets.section.section import Section


@pytest.fixture
def section() -> Section:
    return prompts_sections(False)[0]


def test_there_are_seven_cards_and_each_has_a_mark() -> None:
    assert len(CARDS) == len(NAMES) == 7
    assert len({card.question for card in CARDS}) == 7
    assert all(card.question.endswith("?") and card.answer and card.catch for card in CARDS)


def test_five_of_seven_got_it(section: Section) -> None:
    section.set(dict.fromkeys(NAMES[:5], "got") | {NAMES[6]: "again"})
    paint = section.render()
    assert paint["prompts.count"] == "5 of 7 got it, 1 not yet"
    assert paint["prompts.card.7"] == {"data-state": "again"}
    assert paint["prompts.announcement.q7"] == "Prompt 7: not yet."


def test_a_mark_can_be_taken_back(section: Section) -> None:
    section.set({"q1": "got"})
    section.set({"q1": "open"})
    assert section.render()["prompts.count"] == "0 of 7 got it"
    section.set({"q2": "got"})
    section.reset()
    assert section.values() == dict.fromkeys(NAMES, "open")


def test_a_recording_counts_every_combination_and_stores_a_card_once(section: Section) -> None:
    table = record_section(section)
    assert [axis["values"] for axis in table["axes"]] == [list(MARKS)] * 7
    count = table["slots"]["prompts.count"]
    assert count["axes"] == list(range(7))
    assert len(count["index"]) == 3**7
    for n in range(7):
        assert table["slots"][f"prompts.card.{n + 1}"]["axes"] == [n]
    assert count_in_words(["got"] * 7) in count["pool"]


def test_the_marks_are_a_sessions_own() -> None:
    one, other = PromptState(), PromptState()
    one.q1 = "got"
    assert other.q1 == "open"


def test_a_softmax_then_a_mask_loses_the_row_where_the_card_says() -> None:
    text = CARDS[1].catch
    for dtype, gap in ((np.float32, 104), (np.float64, 746)):
        assert str(gap) in text
        for future, lost in ((gap, True), (gap - 4, False)):
            exps = np.exp(np.array([0, future], dtype) - dtype(future))
            assert bool(exps[0] == 0) is lost


def test_a_masked_nan_stays_where_it_is_only_in_this_layer() -> None:
    v = np.array([[1.0], [np.nan]])
    scores = np.zeros((2, 2))
    record = scaled_dot_product_attention(scores, np.eye(2), v, causal=True, scale=1.0)
    assert record.output[0, 0] == 1.0
    assert np.isnan(record.weights @ v)[0, 0]


def test_row_one_sums_to_0_or_2_at_one_half() -> None:
    weights = lesson_layer(1)(np.ones((1, 6, 12))).weights
    draws = [
        float(apply_dropout(weights, keep_mask(weights.shape, 0.5, rng), 0.5)[0, 0, 0].sum())
        for rng in map(np.random.default_rng, range(40))
    ]
    assert set(draws) == {0.0, 2.0}


def test_the_spread_of_dropped_cells_is_the_binomial_one() -> None:
    legal = int(causal_mask(6).sum())
    mean, spread = legal * 0.5, (legal * 0.25) ** 0.5
    assert f"of {legal} visible cells, {mean:g} ± {spread:.1f}" in CARDS[3].catch


def test_a_head_of_gpt2_is_as_wide_as_the_card_says() -> None:
    assert f"d = 768 and h = 12 a head is {head_width(768, 12)} wide" in CARDS[5].answer


def test_no_card_repeats_the_lessons_mistakes() -> None:
    everything = " ".join(card.answer + card.catch for card in CARDS).lower()
    for wrong in ("top row never", "rows still sum to", "same cost", "picks a fraction"):
        assert not re.search(wrong, everything)


def test_the_card_on_minus_infinity_tells_how_far_zeroing_afterwards_leaks() -> None:
    answer = CARDS[1].answer
    zeroed, masked = (
        look(frozenset(faults)).run for faults in ({Fault.ZERO_AFTER_SOFTMAX}, frozenset[Fault]())
    )
    assert zeroed is not None
    assert masked is not None
    moved = zeroed.influence[:5, 5]
    assert (moved > 0).all()
    assert f"outputs 1 to 5 move by up to {moved.max():.2f}" in answer
    assert (masked.influence[:5, 5] == 0).all()
    assert "by exactly 0" in answer


def test_the_card_on_heads_says_that_every_head_reads_all_of_x_and_how_operations_count() -> None:
    answer = CARDS[4].answer
    assert "Every head reads all d numbers of x" in answer
    assert "a multiply-add counts as two" in answer
    assert "masked half" in answer
    x = np.random.default_rng(0).standard_normal((1, 6, 12))
    layer = lesson_layer(4)
    for channel in range(12):  # whichever number of x changes, every head changes
        other = x.copy()
        other[..., channel] += 1
        assert (layer(x).scores != layer(other).scores).any(axis=(0, 2, 3)).all()
