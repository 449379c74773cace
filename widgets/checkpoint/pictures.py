"""How is a case drawn that is not on the map: nodes of a small table, with its words?"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from attention_widget.widgets.checkpoint import words
from attention_widget.widgets.map.render import number

Picture = tuple[Any, ...]


def weights_picture(
    label: str,
    tokens: tuple[str, ...],
    weights: npt.NDArray[np.floating],
    masked: npt.NDArray[np.bool_],
    framed: npt.NDArray[np.bool_] | None = None,
    rows: tuple[int, ...] = (),
) -> Picture:
    """Return a small map: `weights` (T, T), which cells are masked, and which are framed.

    Args:
        label: what the picture is, said to those who do not see it; its numbers are text.
        tokens: the words, T of them.
        weights: the weights to show.
        masked: True where a cell is masked.
        framed: True where a cell has a frame.
        rows: the rows to show, from 0; all when left out.
    """
    head = ["tr", {}, ["td", {}], *(["th", {"scope": "col"}, token] for token in tokens)]
    body = []
    for i in rows or range(len(tokens)):
        cells = [
            _cell(number(weights[i, j]), bool(masked[i, j]), framed, i, j, float(weights[i, j]))
            for j in range(len(tokens))
        ]
        body.append(["tr", {}, ["th", {"scope": "row"}, tokens[i]], *cells])
    return (["table", {"class": "case-map", "aria-label": label}, head, *body],)


def squares_picture(size: int, masked: npt.NDArray[np.bool_] | None) -> Picture:
    """Return `size` x `size` blank cells, or with the masked ones dark and counted row by row."""
    rows = []
    for i in range(size):
        dark = masked[i] if masked is not None else np.zeros(size, bool)
        cells = [["td", {"data-state": "masked" if dark[j] else "blank"}] for j in range(size)]
        count = [] if masked is None else [["td", {"class": "count"}, str(int(dark.sum()))]]
        rows.append(["tr", {}, *cells, *count])
    label = words.SQUARES if masked is None else words.SQUARES_MASKED
    cells_masked = 0 if masked is None else int(masked.sum())
    text = label.format(size=size, cells=cells_masked)
    return (["table", {"class": "case-map squares", "aria-label": text}, *rows],)


def bars_picture(changes: tuple[int, ...]) -> Picture:
    """Return the change of every row, in percent, as bars."""
    rows = [
        [
            "li",
            {},
            ["span", {}, words.ROW.format(row=n)],
            ["i", {"class": "bar", "data-level": v / 100, "aria-hidden": "true"}],
            ["span", {}, words.PERCENT.format(change=v) if v else words.UNCHANGED],
        ]
        for n, v in enumerate(changes, start=1)
    ]
    return (["ul", {"class": "row-bars"}, *rows],)


def figures_picture(label: str, rows: list[tuple[str, float]]) -> Picture:
    """Return figures by name, each as a number and as a bar; the largest bar is full."""
    top = max(value for _, value in rows)
    body = [
        [
            "tr",
            {},
            ["th", {"scope": "row"}, name],
            ["td", {}, number(value)],
            ["td", {}, ["i", {"class": "bar", "data-level": round(max(value, 0.0) / top, 3)}]],
        ]
        for name, value in rows
    ]
    return (["table", {"class": "case-figures"}, ["caption", {}, label], *body],)


def sums_picture(
    one: npt.NDArray[np.floating], mean: npt.NDArray[np.floating], corner: str = words.SUM_OF
) -> Picture:
    """Return each row's sum in one draw and its mean over many, (T,) each; `corner` says of what.

    Rows stand side by side: on a phone the table is three lines, and the map stays in sight.
    """
    heads = (corner, *(str(n) for n in range(1, len(one) + 1)))
    rows = [(words.ONE_DRAW, *map(number, one)), (words.MEAN, *map(number, mean))]
    return columns_picture(words.SUMS, heads, rows)


def columns_picture(label: str, heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Picture:
    """Return written figures for each name, under their heads; `label` is what they are."""
    head = ["tr", {}, *(["th", {"scope": "col"}, text] for text in heads)]
    body = [
        ["tr", {}, ["th", {"scope": "row"}, name], *(["td", {}, value] for value in values)]
        for name, *values in rows
    ]
    return (["table", {"class": "case-sums", "aria-label": label}, head, *body],)


def parts_picture(d: int, heads: int) -> Picture:
    """Return a strip of width d cut into equal parts, one per head."""
    parts = [["i", {}] for _ in range(heads)]
    text = words.STRIP.format(d=d, heads=heads, width=d // heads)
    return (["div", {"class": "strip", "role": "img", "aria-label": text}, *parts],)


def _cell(
    text: str,
    masked: bool,
    framed: npt.NDArray[np.bool_] | None,
    i: int,
    j: int,
    weight: float,
) -> list[Any]:
    has_frame = framed is not None and bool(framed[i, j])
    kind = "framed" if has_frame else ""
    heard = (words.MASKED if masked else "") + (words.FRAMED if has_frame else "")
    level = round(float(np.sqrt(max(weight, 0.0))), 3)
    state = "masked" if masked else "seen"
    return [
        "td",
        {"class": kind, "data-state": state, "data-level": level},
        "0" if masked else text,
        *([["span", {"class": "visually-hidden"}, heard]] if heard else []),
    ]
