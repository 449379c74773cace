"""What does the stepper say and show after some tiles?"""

import numpy as np

from attention_widget.widgets.labs.tiles.measure import TILE, TOKENS, Row, Walk, rows_after, walk
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.section import Slots

CLOSE = 1e-12  # the two routes round differently in float64; anything further apart is a fault
SKIPPED, UNREAD = "skip", "·"


def render_tiles(causal: bool, read: int) -> Slots:
    """Render the walk after `read` tiles; see `Section.render`."""
    done = walk(causal)
    rows = rows_after(done, read)
    total = len(done.steps)
    sentence = what_happened(done, rows, read)
    skipped = int(np.count_nonzero(~done.grid))
    return {
        "grid": _grid(done, read),
        "rows": [_row(i, row) for i, row in enumerate(rows)],
        "now": sentence,
        "kpi.read": f"{read} of {total}",
        "note.read": f"{skipped} of {done.grid.size} are never read",
        "kpi.held": f"{done.tile_bytes} bytes",
        "note.held": f"a {TILE} × {TILE} tile; the whole matrix is {done.dense_bytes} bytes",
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
    asked, keys = _words(step.queries), _words(step.keys)
    text = f"Tile {read} of {len(done.steps)}: the queries {asked} read the keys {keys}."
    before = rows_after(done, read - 1)
    grown = [
        f"“{TOKENS[i]}”"
        for i in range(step.queries.start, step.queries.stop)
        if before[i].top != -np.inf and rows[i].top > before[i].top
    ]
    if grown:
        text += (
            f" A larger score turned up for {' and '.join(grown)}, so the sum and the output so "
            "far shrink by exp(old maximum − new maximum)."
        )
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
    same = "the same as" if max(errors) <= CLOSE else "NOT the same as"
    which = "all rows are" if len(errors) == len(rows) else "those are"
    return f"{which} {same} the whole-matrix result (apart by at most {max(errors):.0e})"


def _words(part: slice) -> str:
    return " and ".join(f"“{token}”" for token in TOKENS[part])


def _grid(done: Walk, read: int) -> list[object]:
    scores = done.dense.masked_scores
    when = {(s.queries.start, s.keys.start): n for n, s in enumerate(done.steps, start=1)}
    head = ["tr", {}, ["th", {"scope": "col"}, "query"]]
    head += [["th", {"scope": "col"}, token] for token in TOKENS]
    lines: list[object] = [head]
    for i, token in enumerate(TOKENS):
        cells: list[object] = []
        for j in range(len(TOKENS)):
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


def _row(i: int, row: Row) -> list[object]:
    started = row.total > 0
    output = ", ".join(number(v) for v in row.output) if started else "0"
    state = "finished" if row.finished else "so far" if started else "not begun"
    cells = (number(row.top), number(row.total), f"({output})" if started else output, state)
    return [
        "tr",
        {"data-state": "done" if row.finished else "open"},
        ["th", {"scope": "row"}, f"{i + 1} {TOKENS[i]}"],
        *(["td", {}, cell] for cell in cells),
    ]
