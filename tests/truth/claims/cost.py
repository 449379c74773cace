"""What the numbers of the cost lab stand for: formulas, counted in whole numbers."""

from typing import Any

from tests.truth.claims.common import Claims, constants, these
from tests.truth.numbers import Claim

LENGTHS = (6, *(2**n for n in range(4, 18)))
HEADS = (1, 2, 3, 4, 6, 12)
TILE, BYTES = 64, 4


def human(kind: str, value: float) -> Claim:
    """Claim a count that is shown with three digits and a unit."""
    return Claim(kind, float(value), 3)


def operations(t: int, d: int) -> int:
    """Count a multiply-add as two: four projections of T d^2, and Q K^T and A V of T^2 d each."""
    return 2 * (4 * t * d * d + 2 * t * t * d)


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    t, d, h = LENGTHS[values["stop"]], int(values["d"]), int(values["heads"])

    def whole(length: int, heads: int = h) -> int:
        return heads * length * length * BYTES

    def tiled(length: int) -> int:
        return h * min(length, TILE) ** 2 * BYTES

    length = these("T", t)
    parameters = these("parameters", 4 * d * d)
    scores = [human("bytes of the scores", whole(t)), human("bytes of tiles", tiled(t))]
    twice = (
        whole(2 * t) / whole(t),
        operations(2 * t, d) / operations(t, d),
        tiled(2 * t) / tiled(t),
    )
    grown = [Claim("growth", ratio, 3) for ratio in twice if ratio != 1]
    ends = [LENGTHS[0], LENGTHS[-1]]
    figures = {
        "kpi.parameters": parameters,
        "note.parameters": these("parameters with biases", 4 * d * d + 4 * d),
        "kpi.flops": [human("operations", operations(t, d))],
        "note.flops": these("operations", operations(t, d)),
        "kpi.scores": [human("bytes of the scores", whole(t))],
        "note.scores": these("bytes of the scores", whole(t)),
        "kpi.tiled": [human("bytes of tiles", tiled(t))],
        "note.tiled": [*these("bytes of tiles", tiled(t)), *constants(TILE, TILE)],
        "kpi.shape": these("shape of the scores", 1, h, t, t),
        "kpi.head-width": these("d_head", d // h),
        "note.head-width": these("d / h", d, h),
        "readout.stop": length,
        "limit.stop": length,
        "doubling": [*these("T", t, 2 * t), *grown],
        "constant": these("growth with h, from and to", HEADS[-1], HEADS[0], HEADS[-1]),
        "curves": [
            claim
            for n in LENGTHS
            for claim in (*these("T", n), human("bytes", whole(n)), human("bytes", tiled(n)))
        ],
        "figure": [
            *these("heads", h),
            human("bytes", whole(ends[0])),
            *these("T", ends[0]),
            human("bytes", whole(ends[1])),
            *these("T", ends[1]),
            human("bytes", tiled(ends[1])),
        ],
        "announcement.stop": [*length, *scores],
        "announcement.d": [*length, *these("d and h", d, h), *parameters, *scores],
        "announcement.heads": [
            *these("heads and their width", h, d // h),
            human("operations", operations(t, d)),
            *scores,
        ],
    }
    for heads in HEADS:
        figures |= {
            f"row.{heads}.d-head": these("d_head", d // heads),
            f"row.{heads}.flops": [human("operations", operations(t, d))],
            f"row.{heads}.scores": [human("bytes of the scores", whole(t, heads))],
            f"row.{heads}.exponentials": [human("exponentials", heads * t * t)],
        }
    halves = [t, t // 2, t // 4]
    lengths = sorted({max(1, t * n // 16) for n in range(1, 17)})
    figures |= {
        "squares.figure": [
            claim for n in halves for claim in (*these("T", n), human("bytes", whole(n)))
        ],
        "wall.figure": [
            human("bytes", whole(t // 2)),
            *these("T", t // 2),
            human("bytes", whole(t)),
            *these("T", t),
        ],
    }
    columns = {
        "curves.t": these("T", *LENGTHS),
        "curves.dense": these("bytes", *(whole(n) for n in LENGTHS)),
        "curves.tiled": these("bytes", *(tiled(n) for n in LENGTHS)),
        "curves.dense_text": [human("bytes in a tooltip", whole(n)) for n in LENGTHS],
        "curves.tiled_text": [human("bytes in a tooltip", tiled(n)) for n in LENGTHS],
        "squares.sides.side": these("side of a square", *halves),
        "squares.sides.text": [
            claim for n in halves for claim in (*these("T", n), human("bytes", whole(n)))
        ],
        "wall.points.t": these("T", *lengths),
        "wall.points.whole": these("bytes", *(whole(n) for n in lengths)),
        "wall.points.tiled": these("bytes", *(tiled(n) for n in lengths)),
        "here.t": these("T", t, t),
        "here.bytes": these("bytes", whole(t), tiled(t)),
    }
    return {f"cost.{key}": found for key, found in figures.items()} | {
        f"source:cost.{key}": found for key, found in columns.items()
    }
