"""The heads lab shows whose numbers stand where, and how W_o mixes them."""

import numpy as np
import pytest

from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.widgets.labs.heads.lab import heads_section
from attention_widget.widgets.labs.heads.measure import look
from attention_widget.widgets.labs.heads.render import render_heads
from attention_widget.widgets.labs.heads.words import CONTEXT_HELP, SHARES_HELP
from tests.recorded.whole import walk

X = lesson_inputs(tokenize(SENTENCE))


@pytest.mark.parametrize("heads", [1, 2, 3, 4])
@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("token", range(1, 7))
def test_what_is_shown_is_the_layers_context_and_output(
    heads: int, causal: bool, token: int
) -> None:
    layer = lesson_layer(heads)
    record = layer(X, causal=causal)
    now = look(heads, causal, token, 5)
    np.testing.assert_array_equal(now.context, record.context[0, token - 1])
    np.testing.assert_array_equal(now.output, record.output[0, token - 1])
    np.testing.assert_array_equal(now.column, layer.w_o[:, 4])
    np.testing.assert_allclose(now.by_head.sum(axis=0), now.output, rtol=0, atol=1e-12)
    np.testing.assert_allclose(now.products, now.context * now.column, rtol=0, atol=1e-15)
    assert now.gap <= 1e-12
    assert now.d_head * heads == 12


@pytest.mark.parametrize("channel", range(1, 13))
def test_w_o_brings_every_head_to_every_channel_and_without_it_only_one(channel: int) -> None:
    now = look(4, True, 6, channel)
    assert now.feeding == 4
    assert now.feeding_alone == 1


def test_the_masked_context_of_the_last_token_is_that_of_no_mask() -> None:
    np.testing.assert_array_equal(look(4, True, 6, 1).context, look(4, False, 6, 1).context)


def test_with_the_mask_on_the_first_token_hands_over_its_own_values() -> None:
    values = X[0, 0] @ lesson_layer(4).w_v
    for heads in (1, 2, 3, 4):
        np.testing.assert_allclose(look(heads, True, 1, 1).context, values, atol=1e-12)


def test_every_state_paints_the_same_slots_and_its_staircase_ends_at_the_output() -> None:
    keys: set[str] | None = None
    count = 0
    for _, slots in walk(heads_section()):
        keys = keys or set(slots)
        assert set(slots) == keys
        h, causal, token, channel = (
            slots[f"heads.control.{name}"]["value"]
            for name in ("heads", "causal", "token", "channel")
        )
        output = float(lesson_layer(h)(X, causal=causal).output[0, int(token) - 1, channel - 1])
        right = slots["source:heads.shares.right"]
        assert len(right) == h + 1
        assert right[-1] == pytest.approx(output, abs=1e-6)
        assert right[-2] == pytest.approx(output, abs=1e-6)
        assert slots["heads.kpi.gap"] == "yes"
        count += 1
    assert count == 4 * 2 * 6 * 12


def test_a_number_of_the_context_carries_the_name_of_its_head() -> None:
    section = heads_section()
    section.set({"heads": 3})
    slots = section.render()
    names = slots["heads.head-row"][0][3:]
    assert [(cell[2], cell[1]["colspan"]) for cell in names] == [
        ("Head 1", 4),
        ("Head 2", 4),
        ("Head 3", 4),
    ]
    channels = slots["heads.head-row"][1][3:]
    assert [cell[1]["class"].split()[0] for cell in channels] == (
        ["from-1"] * 4 + ["from-2"] * 4 + ["from-3"] * 4
    )
    context = slots["heads.context"][1:]
    assert [n for n, cell in enumerate(context) if cell[1].get("class") == "first"] == [0, 4, 8]
    assert len(context) == 12


def test_the_outputs_bar_starts_at_0_and_the_text_says_so() -> None:
    for channel in range(1, 13):
        paint = render_heads(4, True, 6, channel)
        left, right = paint["source:shares.left"], paint["source:shares.right"]
        assert left[0] == left[-1] == 0
        assert left[1:-1] == right[:-2]
        assert right[-1] == pytest.approx(right[-2], abs=1e-6)
    assert "The last bar, the output, starts at 0" in SHARES_HELP
    assert "Every head reads all d numbers" in CONTEXT_HELP
