"""What does the dropout lab say and show? Formats what `measure` measured."""

import numpy as np

from attention_widget.measures import cell_states
from attention_widget.widgets.labs.dropout.measure import (
    DRAWS,
    HEAD,
    HEADS,
    TOKENS,
    DropoutLook,
    look,
)
from attention_widget.widgets.map.layout import render_axes, render_scale, short
from attention_widget.widgets.map.render import (
    number,
    render_cells,
    render_sums,
)
from attention_widget.widgets.section.heatmap import COLUMNS
from attention_widget.widgets.section.section import Slots

EXACT = 1e-9
MANY = f"{DRAWS:,}"


def render_dropout(rescale: bool, p: float, draw: int, tokens: tuple[str, ...] = TOKENS) -> Slots:
    """Render one state; see `Section.render`."""
    now = look(rescale, p, draw, tokens)
    target = number(float(now.mean[0]))
    return (
        render_axes(tokens)
        | render_scale(len(tokens), answers=False)
        | _render_map(now)
        | {f"source:answers.{column}": [] for column in ("x", "y", "ring")}
        | {f"source:sample.answer.{column}": [] for column in COLUMNS["sample.answer"].split()}
        | _render_plot(now, p)
        | {"rows": _rows(now)}
        | _figures(now, target)
        | _words(now, rescale, p, draw, target)
    )


def _render_map(now: DropoutLook) -> Slots:
    i = HEAD - 1
    weights, dropped = now.layer.weights[0, i], now.layer.dropped[0, i]
    states = cell_states(now.layer.masked_scores[0, i], weights, dropped)
    return render_cells(
        dropped, states, now.layer.scores[0, i], dropped, f"{HEAD} of {HEADS}"
    ) | render_sums(now.sums, tolerance=(EXACT,))


def _render_plot(now: DropoutLook, p: float) -> Slots:
    t = len(now.tokens)
    middle = [i + 0.5 for i in range(t)]
    low, high = now.many.mean - now.many.spread, now.many.mean + now.many.spread
    start = min(-0.1, float(low.min()) - 0.1)
    end = max(1.2, float(high.max()), float(now.sums.max())) * 1.05
    return {
        "source:plot.rows.y": middle,
        "source:plot.rows.row": _names(now),
        "source:plot.rows.draw": _plain(now.sums),
        "source:plot.rows.mean": _plain(now.many.mean),
        "source:plot.rows.low": _plain(low),
        "source:plot.rows.high": _plain(high),
        "source:plot.rows.tip": [
            f"this draw {number(float(s))}, mean {number(float(m), 3)}, spread {number(float(d))}"
            for s, m, d in zip(now.sums, now.many.mean, now.many.spread, strict=True)
        ],
        "source:plot.exact.x": _plain(now.mean),
        "source:plot.exact.y0": [y - 0.5 for y in middle],
        "source:plot.exact.y1": [y + 0.5 for y in middle],
        "model:plot.x_range": {"start": round(start, 4), "end": round(end, 4)},
        "model:plot.y_range": {"start": t, "end": 0},
        "model:plot.y_ticks": {"ticks": middle},
        "model:plot.y_axis": {
            "major_label_overrides": [
                [y, f"{i} {short(token)}"]
                for i, (y, token) in enumerate(zip(middle, now.tokens, strict=True), start=1)
            ]
        },
        "plot.figure": {
            "aria-label": (
                f"Row sums at p = {p:.1f}: this draw beside the mean and spread of {MANY} draws. "
                "The table below holds its numbers."
            )
        },
    }


def _names(now: DropoutLook) -> list[str]:
    return [f"{i} {token}" for i, token in enumerate(now.tokens, start=1)]


def _rows(now: DropoutLook) -> list[object]:
    many = now.many
    top = max(1.0, float(now.sums.max()))
    rows: list[object] = []
    for i, name in enumerate(_names(now)):
        this, mean = float(now.sums[i]), float(many.mean[i])
        empty = this == 0
        rows.append(
            [
                "tr",
                {},
                ["th", {"scope": "row"}, name],
                ["td", {}, number(this) + (" all zero" if empty else "")],
                ["td", {}, _bar(this / top)],
                ["td", {}, f"{number(mean, 3)} ± {number(float(many.standard_error[i]), 3)}"],
                ["td", {}, _bar(mean / top)],
                ["td", {}, number(float(now.mean[i]))],
                ["td", {}, "agrees" if now.agrees[i] else "differs"],
                ["td", {}, number(float(many.spread[i]))],
                ["td", {}, number(float(now.spread[i]))],
                ["td", {}, f"{float(many.empty[i]):.1%}"],
            ]
        )
    return rows


def _figures(now: DropoutLook, target: str) -> Slots:
    many = now.many
    ratio = now.survivor_ratio
    return {
        "kpi.dropped": f"{now.dropped} of {now.legal}",
        "kpi.this-draw": f"{number(float(now.sums.min()))} to {number(float(now.sums.max()))}",
        "kpi.mean": f"{number(float(many.mean.min()))} to {number(float(many.mean.max()))}",
        "kpi.exact": target,
        "kpi.survivors": "none left" if np.isnan(ratio) else f"× {number(ratio)}",
        "kpi.against-inference": f"× {number(now.against_inference)}",
        "note.dropped": "legal weights, this draw",
        "note.this-draw": f"{now.empty_rows} of {len(now.tokens)} rows all zero",
        "note.mean": f"{int(now.agrees.sum())} of {len(now.tokens)} rows agree with {target}",
        "note.exact": "what every mean aims at",
        "note.survivors": "measured in this draw",
        "note.against-inference": "mean training sum / inference sum",
    }


def _words(now: DropoutLook, rescale: bool, p: float, draw: int, target: str) -> Slots:
    many = now.many
    means = f"{number(float(many.mean.min()))} to {number(float(many.mean.max()))}"
    if rescale:
        verdict = (
            f"Rescaled by 1/(1−p) = {number(1 / (1 - p))}: over {MANY} draws the rows average "
            f"{means}, as at inference. One draw alone is not bound to 1."
        )
    else:
        verdict = (
            f"No rescale: over {MANY} draws the rows average {means}, near 1 − p = {target}. "
            "Inference drops nothing and sums to 1, so training and inference do not match."
        )
    this = (
        f"Draw {draw + 1}: {now.dropped} weights dropped, row sums "
        f"{number(float(now.sums.min()))} to {number(float(now.sums.max()))}"
    )
    empty = now.empty_rows
    if empty:
        this += f"; {empty} {'row is' if empty == 1 else 'rows are'} all zero, which is normal"
    first = (
        f"Row 1 has one cell, so its sum is 0 or {number(1 / (1 - p) if rescale else 1.0)} in any "
        f"draw, never {target}; it was 0 in {float(many.empty[0]):.1%} of {MANY} draws. "
        f"One draw's sum strays from its mean by {number(float(many.spread[0]))} in row 1 and "
        f"{number(float(many.spread[-1]))} in row {len(now.tokens)}: raise p and watch."
    )
    return {
        "verdict": verdict,
        "first-row": first,
        "title": f"Draw {draw + 1} of head {HEAD}, p = {p:.1f}",
        "many-title": f"{MANY} draws, p = {p:.1f}",
        "readout.draw": f"draw {draw + 1}",
        "figure": {
            "aria-label": (
                f"Heat map of one draw, head {HEAD} of {HEADS}, causal mask on, p = {p:.1f}. "
                "The tables below hold its numbers."
            )
        },
        "announcement.rescale": verdict,
        "announcement.p": f"p = {p:.1f}. {verdict}",
        "announcement.draw": f"{this}. The mean over {MANY} draws stays at {means}.",
        "announcement.reset": f"Back to the start. {verdict}",
    }


def _bar(level: float) -> list[object]:
    return ["i", {"class": "bar", "data-level": round(level, 3)}]


def _plain(values: np.ndarray) -> list[float]:
    return [round(float(v), 6) for v in values]
