"""Do the pixels of the map say what its columns say, and at once?"""

import io

import numpy as np
import pytest
from PIL import Image

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

# Resolves when nothing has been painted for a few frames.
STILL = """() => new Promise((done) => {
  let count = seen.length, frames = 0;
  const look = () => {
    frames = count === seen.length ? frames + 1 : 0;
    count = seen.length;
    if (frames > 3) done(); else requestAnimationFrame(look);
  };
  look();
})"""

# Where the cells of the map lie on the screen: [left, top, size of a cell].
PLACE = """() => {
  const view = attentionWidget.views.find((one) => one.model.name === 'map.figure');
  const host = attentionWidget.root.querySelector('[data-figure="map.figure"]');
  const box = host.getBoundingClientRect(), {x_scale, y_scale} = view.frame;
  return [box.left + x_scale.compute(0), box.top + y_scale.compute(0),
    x_scale.compute(1) - x_scale.compute(0)];
}"""
RATIO = 2  # screen pixels to one of the page


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
        lesson.page.evaluate(STILL)
        first, *later = lesson.page.evaluate("() => seen")
        assert first != before, move
        assert later, "Bokeh painted as well"
        assert set(later) <= {first}, f"{move} was painted in parts"
        before = first


Colour = tuple[int, int, int]


def contrast(one: Colour, other: Colour) -> float:
    return palette.contrast(*(f"#{r:02x}{g:02x}{b:02x}" for r, g, b in (one, other)))


def many(patch: np.ndarray, share: float = 0.08) -> list[Colour]:
    """Return the colours that make up a good part of a patch, the most frequent first."""
    colours, counts = np.unique(patch.reshape(-1, 3), axis=0, return_counts=True)
    order = np.argsort(-counts)
    return [tuple(colours[n]) for n in order if counts[n] >= share * counts.sum()]


def farthest(patch: np.ndarray, fill: Colour) -> float:
    """Return the contrast of the colour that stands out most from `fill`."""
    found = np.unique(patch.reshape(-1, 3), axis=0)
    return max(contrast(tuple(colour), fill) for colour in found)


@pytest.mark.parametrize("forced", ["none", "active"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_the_screen_masked_cells_answers_and_numbers_stand_out(server, visit, scheme, forced):
    lesson = visit(
        server.url,
        "server",
        "?heads=2",
        color_scheme=scheme,
        forced_colors=forced,
        reduced_motion="reduce",
        device_scale_factor=RATIO,
    )
    page, weights = lesson.page, {}
    for causal in (True, False):
        lesson.set(causal=causal)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        screen = np.asarray(picture)
        left, top, size = (n * RATIO for n in page.evaluate(PLACE))
        state = LessonState()
        state.choose(causal=causal, heads=2)
        snap = snapshot(state.settings())

        def patch(i, j, x, y, x_end, y_end, at=(left, top, size), screen=screen):
            a, b, unit = at
            rows = slice(round(b + (i + y) * unit), round(b + (i + y_end) * unit))
            return screen[rows, round(a + (j + x) * unit) : round(a + (j + x_end) * unit)]

        seen, night = {}, set()
        for i, j in np.ndindex(6, 6):
            corner = many(patch(i, j, 0.12, 0.12, 0.88, 0.25))
            middle = patch(i, j, 0.2, 0.35, 0.8, 0.65)
            if snap.cell_states[i, j] == "masked":
                night |= set(corner)
            else:
                seen[i, j] = corner[0]
                weights.setdefault(round(float(snap.shown[i, j]), 2), corner[0])
            assert farthest(middle, corner[0]) >= 4.5, ("number", causal, i, j)
            if j == i + 1:
                edge = patch(i, j, 0.02, 0.4, 0.09, 0.6)
                assert farthest(edge, corner[0]) >= 3, ("outline of the answer", causal, i, j)
        assert len(seen) == (21 if causal else 36)
        for dark in night:
            assert min(contrast(dark, colour) for colour in seen.values()) >= 3
    places = [palette.palette_index(weight, 0, 1) for weight in weights]
    assert len(set(places)) > 15
    ordered = sorted(zip(places, weights.values(), strict=True))
    lights = [palette.luminance(f"#{r:02x}{g:02x}{b:02x}") for _, (r, g, b) in ordered]
    for (one, _), (other, _), a, b in zip(ordered, ordered[1:], lights, lights[1:], strict=False):
        assert one == other or ((a > b) if scheme == "light" else (a < b)), (one, other)
