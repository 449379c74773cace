"""Which words stand in the cost lab? Marked terms are explained where they stand."""

CONTROLS = "Controls of the cost lab"
FIXED = (
    "One layer, batch B = 1, float32. Beside the scores of a tile, tiling keeps two numbers for "
    "each query and head."
)
SQUARES = "The wall, to scale"
SQUARES_HELP = (
    "One [[score]] for each pair of words: twice as many words make a square of four times the "
    "size."
)
SQUARE = "{tokens}: {memory}"
SQUARES_ALOUD = "Squares of T by T scores, from one corner, each side half of the next: {squares}."
WALL = "The same as a curve, linear axes"
WALL_ALOUD = (
    "Score memory against context length, both axes linear, a curve that bends upwards: {quarter} "
    "at {half} tokens, {memory} at {tokens}. Held by tiles it stays low."
)
WORDS_AXIS = "T (tokens)"
CURVES = "All lengths at once, logarithmic axes"
FIGURE = "Figure"
WHOLE = "scores held whole"
TILED = "scores held by tiles of 64 × 64"
MARKS = {"whole": "(● every length)", "tiled": "(■)", "here": "chosen T"}
MEASURED = "Counted in the cost lab"
KPIS = {
    "parameters": "parameters",
    "flops": "operations (matrix products)",
    "scores": "score tensor, whole",
    "tiled": "scores, in tiles",
    "shape": "[[scores|score]] (B, h, T, T)",
    "head-width": "[[d_head]]",
}
FREE = "Are more heads free?"
FREE_TABLE = "Cost for every number of heads"
FREE_CAPTION = "The same T and d, cut into h heads"
FREE_HEAD = ("h", "d_head", "operations", "score tensor", "exponentials")
FREE_HELP = (
    "Operations are those of the matrix products, 8Td² + 4T²d: a multiply-add counts as two, and "
    "the half of the scores that the causal mask makes useless is counted too. Of these, W_o takes "
    "2Td²: a single head could do without it."
)
TABLE = "The curve as a table"
TABLE_NAME = "Score memory at every length"
TABLE_CAPTION = "Score memory of one layer at every length T"
TABLE_HEAD = ("T", "whole", "in tiles")
TILES = {
    "title": "Tile by tile",
    "start": "One head, tiles of 2 × 2. Each query carries three things along: the largest "
    "[[score]] so far, the sum of the exponentials, and an accumulated output. The scores of a "
    "tile are then thrown away.",
    "reset": "Reset",
    "updates": "What this tile did",
    "updates-caption": "What this tile did: before × factor + this tile = now. The factor is "
    "exp(old maximum − new maximum).",
    "updates-head": ("query", "maximum m", "before", "factor", "this tile", "now"),
    "grid": "Tiles of the score matrix",
    "grid-caption": "Scores as they are read. Filled: this tile. Dot: not read yet. “skip”: above "
    "the diagonal, never read.",
    "rows": "What each query carries",
    "rows-head": (
        "query",
        "maximum m",
        "sum l",
        "accumulated output",
        "output = accumulated / l",
        "state",
    ),
    "measured": "Measured on the tiles",
    "read": "tiles read",
    "held": "scores held at once",
    "finished": "rows finished",
    "end": "The memory goes; the arithmetic stays quadratic: without a mask every score is still "
    "computed once.",
}
