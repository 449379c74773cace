"""Which words stand around the dropout lab's slots?"""

CONTROLS = "Controls of the dropout lab"
RESET = "Reset"
FIXED = (
    "Fixed here: causal mask on, 4 heads, head 1, a training step. At inference nothing is dropped."
)
THIS_DRAW = "this draw"
MEAN = "mean of the draws"
SPREAD = "mean ± spread"
EXACT = "exact mean"
MEASURED = "Measured in the dropout lab"
DROPPED = "dropped cells"
SURVIVORS = "survivors"
SUMS_DRAW = "row sums, this draw"
SUMS_MEAN = "row sums, mean"
AGAINST = "training / inference"
TAKE = "What to take from it"
ROWS = "Row by row"
ROWS_HELP = (
    "A mean agrees when it lies within four standard errors (s.e.) of the exact value. Spread "
    "is the standard deviation of one draw."
)
ROWS_NAME = "Row sums, one draw beside many"
ROWS_CAPTION = "Row sums after dropout"
TABLE = "The draw as a table"
TABLE_CAPTION = "The map of this draw in numbers: queries are rows, keys are columns"
ROWS_HEAD = (
    "row",
    THIS_DRAW,
    "bar",
    "mean ± s.e.",
    "bar",
    EXACT,
    "verdict",
    "spread",
    "exact spread",
    "draws all zero",
)
