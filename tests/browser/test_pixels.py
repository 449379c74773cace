"""Do the pixels of the map say what its columns say, and at once?"""

import numpy as np
import pytest

from attention_widget.widgets.map.snapshot import snapshot
from attention_widget.widgets.map.state import LessonState
from attention_widget.widgets.section import palette

pytestmark = pytest.mark.browser
MOVES = (
    {"causal": True},
    {"heads": 4},
    {"head": 3},
    {"dropout": 0.3},
    {"draw": 1},
    {"stage": "scores"},
    {"stage": "masked"},
    {"causal": False},
)

# One point of every cell, beside its text and within its border.
CELLS = """() => {
  const view = attentionWidget.views.find((one) => one.model.name === 'map.figure');
  const layer = view.export('png', false), pen = layer.canvas.getContext('2d');
  const {x_scale, y_scale} = view.frame, {left, top} = view.frame.bbox;
  const ratio = layer.canvas.width / layer.bbox.width, out = [];
  for (let y = 0; y < 6; y++) for (let x = 0; x < 6; x++) {
    const at = [x_scale.compute(x + 0.2), y_scale.compute(y + 0.15)];
    out.push([...pen.getImageData(...at.map((n) => Math.round(n * ratio)), 1, 1).data]);
  }
  return out;
}"""

# What the canvas of the changing parts shows after each paint.
WATCH = """() => {
  const view = attentionWidget.views.find((one) => one.model.name === 'map.figure');
  const paint = view.paint.bind(view);
  window.seen = [];
  view.paint = () => { paint(); seen.push(view.canvas_view.overlays.canvas.toDataURL()); };
}"""


@pytest.mark.parametrize("stage", ["scores", "weights", "dropped"])
def test_a_cell_has_the_colour_of_its_value_or_of_its_kind(open_lesson, stage):
    lesson = open_lesson(f"?causal=1&heads=2&dropout=0.5&training=1&stage={stage}")
    state = LessonState()
    state.choose(causal=True, heads=2, dropout=0.5, training=True, stage=stage)
    snap = snapshot(state.settings())
    raw = stage == "scores"
    pixels = lesson.page.evaluate(CELLS)
    for (r, g, b, a), kind, value in zip(
        pixels, snap.cell_states.flat, snap.shown.flat, strict=True
    ):
        if kind == "masked":
            assert max(r, g, b) < 0x70, "dark, with its hatch"
            assert a == 255
        elif kind == "dropped":
            assert r > 0x90, f"light, with its crosses: {(r, g, b, a)}"
        else:
            low, high = (-4.0, 4.0) if raw else (0.0, 1.0)
            place = palette.palette_index(round(float(value), 2), low, high)
            assert f"#{r:02x}{g:02x}{b:02x}" == palette.SCHEMES["light"]["seen"][place]
    assert set(snap.cell_states.flat) == (
        {"seen"}
        if raw
        else {"seen", "masked"}
        if stage == "weights"
        else {"seen", "masked", "dropped"}
    )
    assert len(np.unique(pixels, axis=0)) > 5


def test_the_first_render_of_a_change_is_its_last(open_lesson):
    lesson = open_lesson("?training=1&dropout=0.5", reduced_motion="reduce")  # see test_motion.py
    lesson.page.evaluate(WATCH)
    before = None
    for move in MOVES:
        lesson.page.evaluate("() => { seen.length = 0; }")
        lesson.set(**move)
        lesson.page.wait_for_function("() => seen.length > 1")  # Bokeh's own paint comes later
        lesson.page.wait_for_timeout(50)
        first, *later = lesson.page.evaluate("() => seen")
        assert first != before, move
        assert later, "Bokeh painted as well"
        assert set(later) <= {first}, f"{move} was painted in parts"
        before = first
