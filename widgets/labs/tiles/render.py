"""What does the stepper say and show after some tiles?"""

import numpy as np

from attention_widget.validate import FloatArray
from attention_widget.widgets.labs.tiles.measure import (
    TILE,
    TOKENS,
    Row,
    Update,
    Walk,
    rows_after,
    updates,
    walk,
)
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.section import Slots

CLOSE = 1e-12  # the two routes round differently in float64; anything further apart is a fault
PLACES = 3  # so that a reader who does the sums comes out at the next number, but for the last
SKIPPED, UNREAD = "skip", "·"


def render_tiles(causal: bool, read: int, tokens: tuple[str, ...] = TOKENS) -> Slots:
    """Render the walk after `read` tiles; see `Section.render`."""
    done = walk(causal, tokens)
    rows = rows_after(done, read)
    total = len(done.steps)
    sentence = what_happened(done, rows, read)
    skipped = int(np.count_nonzero(~done.grid))
    return {
        "grid": _grid(done, read),
        "updates": [line for update in updates(done, read) for line in _update(done, update)],
        "rows": [_row(done, i, row) for i, row in enumerate(rows)],
        "now": sentence,
        "kpi.read": f"{read} of {total}",
        "note.read": f"{skipped} of {done.grid.size} are never read",
        "kpi.held": f"{done.tile_bytes} bytes as float32",
        "note.held": (
            f"a {TILE} × {TILE} tile; the whole matrix is {done.dense_bytes} bytes as float32"
        ),
        "kpi.finished": f"{sum(row.finished for row in rows)} of {len(rows)}",
        "note.finished": agreement(rows),
        "readout.read": f"{read} of {total}",
        "limit.read": {"max": total, "aria-valuetext": f"{read} of {total} tiles"},
        "announcement.read": sentence,
        "announcement.causal": (
            f"Causal mask {'on' if causal else 'off'}: {total} of {done.grid.size} tiles are "
            f"read, {skipped} skipped. {sentence}"
        ),
        "announcement.reset": "Back to the first tile.",
    }


def what_happened(done: Walk, rows: tuple[Row, ...], read: int) -> str:
    """Say what the last tile did."""
    if read == 0:
        return "Nothing is read yet: every maximum is −∞, every sum and every output is 0."
    step = done.steps[read - 1]
    asked, keys = _words(done, step.queries), _words(done, step.keys)
    text = f"Tile {read} of {len(done.steps)}: the queries {asked} read the keys {keys}."
    grown = [
        f"by {number(update.factor, PLACES)} for “{done.tokens[update.query]}”"
        for update in updates(done, read)
        if 0 < update.factor < 1
    ]
    if grown:
        text += (
            " A larger score turned up, so the sum and the accumulated output from before are "
            f"multiplied by exp(old maximum − new maximum): {' and '.join(grown)}."
        )
    text += " Then the tile is added."
    if step.last:
        text += f" {asked} {'are' if TILE > 1 else 'is'} finished: output = accumulated / sum."
    if read == len(done.steps):
        text += f" {agreement(rows)[0].upper()}{agreement(rows)[1:]}."
    return text


def agreement(rows: tuple[Row, ...]) -> str:
    """Compare the finished rows with the whole-matrix result."""
    errors = [row.error for row in rows if row.finished]
    if not errors:
        return "none to compare yet"
    if max(errors) > CLOSE:
        return f"they are NOT the whole-matrix result (apart by up to {number(max(errors), 6)})"
    which = "all rows are" if len(errors) == len(rows) else "those are"
    return f"{which} the same as the whole-matrix result, but for rounding"


def _words(done: Walk, part: slice) -> str:
    return " and ".join(f"“{token}”" for token in done.tokens[part])


def _grid(done: Walk, read: int) -> list[object]:
    scores = done.dense.masked_scores
    when = {(s.queries.start, s.keys.start): n for n, s in enumerate(done.steps, start=1)}
    head = ["tr", {}, ["th", {"scope": "col"}, "query"]]
    head += [["th", {"scope": "col"}, token] for token in done.tokens]
    lines: list[object] = [head]
    for i, token in enumerate(done.tokens):
        cells: list[object] = []
        for j in range(len(done.tokens)):
            turn = when.get((i - i % TILE, j - j % TILE))
            if turn is None:
                state, text = "skip", SKIPPED
            elif turn > read:
                state, text = "wait", UNREAD
            else:
                state, text = ("now" if turn == read else "read"), number(scores[i, j], 1)
            cells.append(["td", {"data-state": state}, text])
        lines.append(["tr", {}, ["th", {"scope": "row"}, token], *cells])
    return lines


def _vector(values: FloatArray) -> str:
    return f"({', '.join(number(v, PLACES) for v in values)})" if values.any() else "0"


def _update(done: Walk, update: Update) -> list[object]:
    before, after = update.before, update.after
    tops = f"{number(before.top, PLACES)} to {number(after.top, PLACES)}"
    sums = (before.total, update.added_total, after.total)
    vectors = (before.accumulated, update.added, after.accumulated)
    lines = (
        ("sum l", *(number(value, PLACES) for value in sums)),
        ("accumulated", *(_vector(vector) for vector in vectors)),
    )
    factor = number(update.factor, PLACES)
    return [
        [
            "tr",
            {},
            ["th", {"scope": "row"}, f"{update.query + 1} {done.tokens[update.query]}: {what}"],
            *(["td", {}, cell] for cell in (tops, old, f"× {factor}", f"+ {added}", f"= {new}")),
        ]
        for what, old, added, new in lines
    ]


def _row(done: Walk, i: int, row: Row) -> list[object]:
    started = row.total > 0
    state = "finished" if row.finished else "so far" if started else "not begun"
    cells = (
        number(row.top, PLACES),
        number(row.total, PLACES),
        _vector(row.accumulated),
        _vector(row.output) if row.finished else "not yet",
        state,
    )
    return [
        "tr",
        {"data-state": "done" if row.finished else "open"},
        ["th", {"scope": "row"}, f"{i + 1} {done.tokens[i]}"],
        *(["td", {}, cell] for cell in cells),
    ]
