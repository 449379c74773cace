"""Does a sentence of the map say what happened to what is on show?"""

import pytest

from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from attention_widget.widgets.map.section import render_map
from attention_widget.widgets.map.state import LessonState


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
