"""What does the cost lab say about one T, d and h? `attention_widget.cost` counts."""

import math

from attention_widget.cost import Cost, attention_cost, tile_score_bytes
from attention_widget.multihead import head_width
from attention_widget.widgets.labs.cost.wall import render_wall
from attention_widget.widgets.labs.units import exact, human_bytes, human_count
from attention_widget.widgets.section.section import Slots

STOPS = (6, *(2**n for n in range(4, 18)))
WIDTHS = {"12 (toy)": 12, "768 (GPT-2 124M)": 768}
HEADS = (1, 2, 3, 4, 6, 12)
TILE = 64


def render_cost(stop: int, d: int, heads: int) -> Slots:
    """Render the lab; see `Section.render`."""
    t = STOPS[stop]
    cost = attention_cost(t, d, heads)
    tiled = tile_score_bytes(t, heads, TILE)
    return (
        {
            "kpi.parameters": exact(cost.parameters),
            "note.parameters": f"{exact(cost.parameters_with_bias)} with biases",
            "kpi.flops": human_count(cost.flops),
            "note.flops": exact(cost.flops),
            "kpi.scores": human_bytes(cost.score_bytes),
            "note.scores": f"{exact(cost.score_bytes)} bytes as float32",
            "kpi.tiled": human_bytes(tiled),
            "note.tiled": f"{exact(tiled)} bytes as float32, tiles of {TILE} × {TILE}",
            "kpi.shape": " × ".join(exact(n) for n in cost.score_shape),
            "kpi.head-width": str(head_width(d, heads)),
            "note.head-width": f"{d} / {heads}",
            "readout.stop": exact(t),
            "limit.stop": {"aria-valuetext": f"{exact(t)} tokens"},
            "doubling": doubling(t, d, heads),
            "constant": constant_in_heads(t, d),
        }
        | _with_heads(t, d, heads)
        | _render_curves(stop, d, heads)
        | _said(t, d, heads, cost)
        | render_wall(t, d, heads)
    )


def doubling(t: int, d: int, heads: int) -> str:
    """Say what twice the context multiplies, measured on two counts."""
    one, two = attention_cost(t, d, heads), attention_cost(2 * t, d, heads)
    tiles = [tile_score_bytes(n, heads, TILE) for n in (t, 2 * t)]
    return (
        f"Twice the context, T = {exact(t)} to {exact(2 * t)}: the score tensor "
        f"{grows(two.score_bytes / one.score_bytes)}, the operations in the matrix products "
        f"{grow(two.flops / one.flops)}, the scores held by tiles {grow(tiles[1] / tiles[0])}."
    )


def times(ratio: float) -> str:
    """Write a factor: 4.0 -> "× 4", 2.1904 -> "× 2.19"."""
    return f"× {ratio:.3g}"


def grows(ratio: float) -> str:
    """Say by which factor one thing grows, in a word where it does not."""
    return "does not grow" if ratio == 1 else f"grows {times(ratio)}"


def grow(ratio: float) -> str:
    """Say the same of several things."""
    return "do not grow" if ratio == 1 else f"grow {times(ratio)}"


def constant_in_heads(t: int, d: int) -> str:
    """Say what stays the same for every h and what grows, from the counts for all of them."""
    costs = [attention_cost(t, d, h) for h in HEADS]
    same = len({(c.parameters, c.flops) for c in costs}) == 1
    growth = costs[-1].score_bytes / costs[0].score_bytes
    stays = "are the same for every h" if same else "change with h"
    return (
        f"Parameters and matrix products {stays}. The score tensor, and with it the exponentials "
        f"of the softmax, {grows(growth)} from h = {HEADS[0]} to h = {HEADS[-1]}."
    )


def exponentials(cost: Cost) -> int:
    """Return how many exponentials the softmax takes: one for every score."""
    return math.prod(cost.score_shape)


def _with_heads(t: int, d: int, heads: int) -> Slots:
    paint: Slots = {}
    for h in HEADS:
        cost = attention_cost(t, d, h)
        paint |= {
            f"row.{h}": {"aria-current": "true" if h == heads else None},
            f"row.{h}.d-head": str(head_width(d, h)),
            f"row.{h}.flops": human_count(cost.flops),
            f"row.{h}.scores": human_bytes(cost.score_bytes),
            f"row.{h}.exponentials": human_count(exponentials(cost)),
        }
    return paint


def _render_curves(stop: int, d: int, heads: int) -> Slots:
    dense = [attention_cost(t, d, heads).score_bytes for t in STOPS]
    tiled = [tile_score_bytes(t, heads, TILE) for t in STOPS]
    t = STOPS[stop]
    return {
        "source:curves.t": list(STOPS),
        "source:curves.dense": dense,
        "source:curves.tiled": tiled,
        "source:curves.dense_text": [human_bytes(n) for n in dense],
        "source:curves.tiled_text": [human_bytes(n) for n in tiled],
        "source:here.t": [t, t],
        "source:here.bytes": [dense[stop], tiled[stop]],
        "curves": [
            [
                "tr",
                {},
                ["th", {"scope": "row"}, exact(length)],
                ["td", {}, human_bytes(whole)],
                ["td", {}, human_bytes(parts)],
            ]
            for length, whole, parts in zip(STOPS, dense, tiled, strict=True)
        ],
        "figure": {
            "aria-label": (
                f"Score memory against context length, both axes logarithmic, {_heads(heads)}. "
                f"Held whole it rises from {human_bytes(dense[0])} at {exact(STOPS[0])} tokens to "
                f"{human_bytes(dense[-1])} at {exact(STOPS[-1])}; in tiles it levels off at "
                f"{human_bytes(tiled[-1])}. The table below holds the numbers."
            )
        },
    }


def _said(t: int, d: int, heads: int, cost: Cost) -> Slots:
    scores = (
        f"The score tensor takes {human_bytes(cost.score_bytes)} held whole, "
        f"{human_bytes(tile_score_bytes(t, heads, TILE))} in tiles."
    )
    layer = f"T = {exact(t)}, d = {d}, {_heads(heads)}."
    return {
        "announcement.stop": f"{exact(t)} tokens. {scores}",
        "announcement.d": f"{layer} {exact(cost.parameters)} parameters. {scores}",
        "announcement.heads": (
            f"{_heads(heads).capitalize()}, each {head_width(d, heads)} wide. Still "
            f"{human_count(cost.flops)} operations in the matrix products. {scores}"
        ),
    }


def _heads(count: int) -> str:
    return f"{count} {'head' if count == 1 else 'heads'}"
