"""Does a sentence of the map say what happened to what is on show?"""

import numpy as np
import pytest

from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.widgets.map.section import render_map
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section.section import prefixed
from tests.looked_up import looked_up


def painted(**values: object) -> dict[str, object]:
    state = LessonState()
    state.choose(**values)
    return render_map(state.settings())


def test_in_the_stage_before_the_mask_a_flip_is_said_to_leave_the_map_as_it_was() -> None:
    off, on = (painted(stage="scores", causal=causal) for causal in (False, True))
    columns = [key for key in on if key.startswith("source:cells.")]
    shown = [key for key in columns if not key.endswith(".weight")]  # of the tooltip
    assert all(on[key] == off[key] for key in shown)
    for paint in (off, on):
        assert "the map stays as it was" in str(paint["announcement.causal"])
    later = painted(stage="masked", causal=True)
    assert "stays as it was" not in str(later["announcement.causal"])


@pytest.mark.parametrize("sentence", [SENTENCE, "one two three"])
def test_the_weight_on_the_answers_stands_beside_what_an_even_spread_would_give(
    sentence: str,
) -> None:
    tokens = tokenize(sentence)
    weights = lesson_layer(1)(lesson_inputs(tokens), causal=False).weights[0, 0]
    t = len(tokens)
    paint = painted(sentence=sentence)
    assert paint["kpi.answers"] == f"{weights.diagonal(1).mean():.2f}"
    assert paint["note.answers"] == f"an even spread gives {1 / t:.2f}"
    assert f"an even spread over the {t} words would give {1 / t:.2f}" in str(
        paint["announcement.causal"]
    )


def texts(paint: dict[str, object], column: str) -> list[str]:
    slots = {prefixed("map", key): value for key, value in paint.items()}
    found = looked_up(slots, slots[f"source:map.{column}"])
    assert isinstance(found, list)
    return [str(text) for text in found]


@pytest.mark.parametrize("stage", ["scores", "masked", "weights", "dropped"])
@pytest.mark.parametrize("training", [False, True])
def test_a_sum_stands_beside_the_map_only_where_it_is_of_what_is_shown(
    stage: str, training: bool
) -> None:
    for draw in range(5):
        paint = painted(
            causal=True, heads=2, dropout=0.4, training=training, stage=stage, draw=draw
        )
        sums = [text for text in texts(paint, "sums.text") if text]
        assert bool(sums) is (stage == "dropped" and training)
        values = np.reshape([float(v) for v in texts(paint, "cells.value")], (6, 6))
        for shown, cells in zip(sums, values, strict=False):
            assert float(shown) == pytest.approx(cells.sum(), abs=0.0051)


@pytest.mark.parametrize("stage", ["weights", "dropped"])
def test_a_tooltip_names_the_weight_of_its_cell(stage: str) -> None:
    paint = painted(causal=True, dropout=0.5, training=True, stage=stage)
    shown = [text.removeprefix("× ") for text in texts(paint, "cells.text")]
    named = texts(paint, "cells.weight")
    assert [float(a) for a in shown] == pytest.approx([float(b) for b in named], abs=0.0051)
