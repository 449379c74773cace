"""What the numbers of the tile stepper stand for."""

from typing import Any

import numpy as np

from tests.truth.claims.common import ORDINALS, Claims, constants, these
from tests.truth.independent import FUTURE, T, columns, inputs, matrices, scores
from tests.truth.numbers import Claim

TILE, BYTES = 2, 4


def known(read: np.ndarray, masked: np.ndarray, i: int) -> tuple[float, float, np.ndarray]:
    """Return (maximum, sum, accumulated) of query i over the keys that it has read."""
    v = columns(inputs(), matrices()[2], 4)[0]
    row = np.where(read[i], masked[i], -np.inf)
    top = row.max()
    if top == -np.inf:
        return top, 0.0, np.zeros(3)
    exps = np.exp(row - top)
    return top, exps.sum(), exps @ v


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    causal, count = values["causal"], values["read"]
    masked = np.where(FUTURE & causal, -np.inf, scores(4)[0])
    order = [(i, j) for i in range(0, T, TILE) for j in range(0, T, TILE) if not causal or j <= i]
    before, read = np.zeros((2, T, T), dtype=bool)
    for n, (i, j) in enumerate(order[:count]):
        read[i : i + TILE, j : j + TILE] = True
        if n < count - 1:
            before[i : i + TILE, j : j + TILE] = True
    due = np.kron(
        np.isin(np.arange(9), [i // 2 * 3 + j // 2 for i, j in order]).reshape(3, 3),
        np.ones((TILE, TILE), dtype=bool),
    )
    grid: list[Claim] = []
    rows: list[Claim] = []
    updates: list[Claim] = []
    finished, shrunk = 0, []
    for i in range(T):
        grid += [Claim("score", masked[i, j]) for j in range(T) if read[i, j]]
        top, total, accumulated = known(read, masked, i)
        done = bool((read[i] == due[i]).all())
        finished += done
        rows += [ORDINALS[i], *these("maximum", top), *these("sum", total)]
        rows += these("accumulated", *accumulated) if read[i].any() else constants(0)
        rows += these("output", *accumulated / total) if done else []
    if count:
        first = order[count - 1][0]
        for i in range(first, first + TILE):
            was, now = known(before, masked, i), known(read, masked, i)
            factor = float(np.exp(was[0] - now[0]))
            if 0 < factor < 1:
                shrunk.append(factor)
            tops = these("maximum", now[0]) if was[0] == -np.inf else these("m", was[0], now[0])
            for part in (1, 2):
                updates += [ORDINALS[i], *tops]
                for piece in (was[part], None, now[part] - factor * was[part], now[part]):
                    if piece is None:
                        updates += these("factor", factor)
                    elif part == 2 and not np.any(piece):
                        updates += constants(0)
                    else:
                        updates += these("sum or accumulated", *np.atleast_1d(piece))
    steps = len(order)
    skipped = 9 - steps
    progress = these("tiles read, of all", count, steps)
    now = [*progress, *these("factor", *shrunk)] if count else constants(0)
    figures = {
        "grid": grid,
        "rows": rows,
        "updates": updates,
        "now": now,
        "kpi.read": progress,
        "note.read": [*these("tiles never read", skipped), *constants(9)],
        "kpi.held": these("bytes of a tile", TILE * TILE * BYTES),
        "note.held": [*constants(TILE, TILE), *these("bytes of the whole", T * T * BYTES)],
        "kpi.finished": these("rows finished", finished, T),
        "readout.read": progress,
        "limit.read": progress,
        "announcement.read": now,
        "announcement.causal": [*these("tiles", steps, 9, skipped), *now],
    }
    return {f"tiles.{key}": found for key, found in figures.items()}
