"""Where does everything of a map stand?

The unit is one cell, with the origin at the upper left corner of the first one. What surrounds the
cells (labels, arcs, scale) grows with the number of words, so that it keeps its size on the page.
"""

from functools import lru_cache

from attention_widget.widgets.section.heatmap import WITH_ARCS
from attention_widget.widgets.section.palette import STEPS, palette_index
from attention_widget.widgets.section.section import Slots

LEFT, LABELS, ARCS, SCALE = 2.75, 0.62, 1.2, 0.85  # at up to six words
ROOM = 2  # columns of sums for which the main map always has room
SUM_EVERY = 0.95  # from one column of sums to the next
WORDS_AT_FULL_SIZE = 6.0
NARROWEST = 5.0  # columns that the scale below them needs
CLOSE = 15  # letters of two neighbours that still stand side by side
PIECES = 48  # of the colour bar
WEIGHTS = {0.0: "0", 0.1: "0.1", 0.3: "0.3", 0.6: "0.6", 1.0: "1"}
SCORES = {-4.0: "≤ −4", 0.0: "0", 4.0: "≥ 4"}

PAGE_COLUMNS = tuple(
    (key, column) for key in ("veil", "fading_arcs") for column in WITH_ARCS[key].split()
)


def short(token: str, longest: int = 9) -> str:
    """Return a token, shortened for a label."""
    return token if len(token) <= longest else token[: longest - 1] + "…"


def unit(words: int) -> float:
    """Return the size of what surrounds the cells, in cells."""
    return max(1.0, words / WORDS_AT_FULL_SIZE)


def slanted(tokens: tuple[str, ...]) -> bool:
    """Return whether the words at the columns are too long to stand level side by side."""
    size = unit(len(tokens))
    names = [short(token) for token in tokens]
    return any(
        len(a) + len(b) > CLOSE / size for a, b in zip(names, names[1:] or names, strict=False)
    )


def label_height(tokens: tuple[str, ...], *, arcs: bool) -> float:
    """Return the height of the strip for the words at the columns."""
    size = unit(len(tokens))
    if slanted(tokens):
        return 1.35 * size
    return (LABELS if arcs else 1.1) * size


@lru_cache(maxsize=256)
def render_axes(
    tokens: tuple[str, ...], *, sums: tuple[str, ...] = ("sum",), room: int = 1, arcs: bool = False
) -> Slots:
    """Render what depends on the tokens alone: places, names, labels, ranges.

    Args:
        tokens: the words, T of them.
        sums: heads of the columns of row sums that are shown now.
        room: for how many such columns there are places in every state.
        arcs: whether arcs stand above the words.
    """
    t, size = len(tokens), unit(len(tokens))
    across = [j + 0.5 for _ in tokens for j in range(t)]
    down = [i + 0.5 for i in range(t) for _ in tokens]
    top = label_height(tokens, arcs=arcs) + (ARCS * size if arcs else 0)
    right = max(float(t), NARROWEST * size) + (len(sums) * SUM_EVERY + 0.3) * size
    sums_at = [t + (0.6 + n * SUM_EVERY) * size for n in range(room)]
    heads = (*sums, *("" for _ in range(room - len(sums))))  # as many labels in every state
    return (
        {
            "source:cells.x": across,
            "source:cells.y": down,
            "source:cells.query": [token for token in tokens for _ in tokens],
            "source:cells.key": [token for _ in tokens for token in tokens],
            "source:ground.x": across,
            "source:ground.y": down,
            "source:sums.x": [at for at in sums_at for _ in tokens],
            "source:sums.y": [i + 0.5 for _ in sums_at for i in range(t)],
            "model:x_range": {"start": -LEFT * size, "end": right},
            "model:y_range": {"start": t + SCALE * size, "end": -top},
        }
        | _labels(tokens, heads, sums_at)
        | (_beside(across, down) if arcs else {})
    )


def _beside(across: list[float], down: list[float]) -> Slots:
    """Render the places of the map to compare with, and nothing for what only the page fills."""
    paint: Slots = {f"source:{key}.{column}": [] for key, column in PAGE_COLUMNS}
    return paint | {"source:under.x": across, "source:under.y": down}


def _labels(tokens: tuple[str, ...], heads: tuple[str, ...], sums_at: list[float]) -> Slots:
    """Render the words at the rows and the columns, and which is the query and which the key."""
    t, size = len(tokens), unit(len(tokens))
    lean = slanted(tokens)
    after = [*tokens[1:], "?"]
    edge, above = -0.12 * size, -0.3 * size
    level = -0.12 * size if lean else above
    names = [short(token) for token in tokens]
    rows = [f"{short(token, 7)} → {short(after[i], 7)}" for i, token in enumerate(tokens)]
    return {
        "source:labels.x": [
            *(edge for _ in rows),
            *(j + 0.5 for j in range(t)),
            *sums_at,
            edge,
            edge,
        ],
        "source:labels.y": [
            *(i + 0.5 for i in range(t)),
            *(level for _ in names),
            *(above for _ in heads),
            above - 0.42 * size,
            above,
        ],
        "source:labels.text": [*rows, *names, *heads, "columns: keys →", "rows: queries ↓"],
        "source:labels.align": [
            *("right" for _ in rows),
            *("left" if lean else "center" for _ in names),
            *("center" for _ in heads),
            "right",
            "right",
        ],
        "source:labels.angle": [
            *(0.0 for _ in rows),
            *(0.6 if lean else 0.0 for _ in names),
            *(0.0 for _ in range(len(heads) + 2)),
        ],
        "source:labels.style": "normal",
    }


@lru_cache(maxsize=64)
def render_scale(words: int, *, raw: bool = False, answers: bool = True) -> Slots:
    """Render the colour bar and a sample of each mark, below the cells.

    Args:
        words: T.
        raw: whether cells hold scores and not weights.
        answers: whether the map outlines the answers.
    """
    size = unit(words)
    start, length = -LEFT * size + 0.2 * size, 2.9 * size
    ticks, low, high = (SCORES, -4.0, 4.0) if raw else (WEIGHTS, 0.0, 1.0)
    upper, middle, lower = (words + at * size for at in (0.22, 0.33, 0.44))
    places = [palette_index(value, low, high) / (STEPS - 1) for value in ticks]
    cuts = [start + length * n / PIECES for n in range(PIECES + 1)]
    samples = {"masked": 1.75, "dropped": 3.3, "answer": 4.95}
    if not answers:
        del samples["answer"]
    texts = {
        start + length + 0.15 * size: "score" if raw else "weight",
        **{(at + 0.25) * size: name for name, at in samples.items()},
    }
    paint: Slots = {
        "source:bar.left": cuts[:-1],
        "source:bar.right": [cut + length / PIECES / 3 for cut in cuts[1:]],  # no seam
        "source:bar.top": upper,
        "source:bar.bottom": lower,
        "source:bar.palette_index": [n * (STEPS - 1) // (PIECES - 1) for n in range(PIECES)],
        "source:notes.x": [*(start + length * at for at in places), *texts],
        "source:notes.y": [*(words + 0.68 * size for _ in ticks), *(middle for _ in texts)],
        "source:notes.text": [*ticks.values(), *texts.values()],
        "source:notes.align": [*("center" for _ in ticks), *("left" for _ in texts)],
    }
    for name, at in samples.items():
        paint |= {
            f"source:sample.{name}.x": [at * size],
            f"source:sample.{name}.y": [middle],
            f"source:sample.{name}.size": [0.32 * size],
        }
    return paint
