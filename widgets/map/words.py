"""Which words stand around the map? Marked terms are explained where they stand."""

# The first screen.
CONTROLS = "Controls"
MEASURED = "Measured"
SEES_FUTURE = "sees future?"
MASKED_CELLS = "masked cells"
D_HEAD = "d_head = d / h"
HEAD = "Head"
WORD = "Word that looks"
FIGURE = "Figure"
COMPARE = "Compare with no mask"
COMPARING = "Inside each cell: the map without the mask. Around it: the map as it is."
PRESENT = "Present"
FIRST_TERMS = "What is a [[mask]], a [[head]], [[d_head]], [[dropout]]?"
IDLE = "Nothing is dropped until Training is on."
DROPPING = "Each [[draw]] drops other weights."
READING = {
    "scores": "Rows are [[queries|query]], columns are [[keys|key]]; in each cell stands a "
    "[[score]].",
    "weights": "Rows are [[queries|query]], columns are [[keys|key]]; in each cell stands a "
    "[[weight]].",
}

# Below it.
MORE_CONTROLS = "More controls"
RESET = "Reset"
RECORDED = (
    "This recording: sentence “{sentence}”, seed {seed}, draws {draws}. A live page also takes "
    "your own sentence and seed."
)
MORE_FIGURES = "More measured figures"
ROW_SUMS = "row sums"
DROPPED_CELLS = "dropped cells"
SURVIVORS = "survivors"
SCORE_SHAPE = "[[scores|score]] (B, h, T, T)"
ANSWERS = "weight on answers"
DIFFERENCE = {
    "title": "What the mask changes, row by row",
    "try": "Which row of this head changes most when the mask goes on, and which not at all? "
    "Decide first, then look.",
    "table": "Change of each row",
    "caption": "Change of each row of this head when the mask goes on: 0 is none, 1 is all of its "
    "weight. Dropout is left out.",
    "head": ("row", "change", "0 to 1", "verdict"),
}
TABLE = "The map as a table"
TABLE_CAPTION = "The same map in numbers: queries are rows, keys are columns"
TAKE = {
    "title": "Take it away",
    "png": "Picture (PNG)",
    "csv": "Numbers (CSV)",
    "script": "Copy as NumPy",
    "script-name": "NumPy script",
}
STORY = {
    "title": "How it works, and what the words mean",
    "formula": "The formula",
    "formula-aloud": "softmax of mask of Q K transposed over the square root of d head, times V",
    "routes": "Mask before softmax, or after?",
    "routes-name": "Two ways to mask the row {word}",
    "routes-caption": "The row “{word}” both ways. After a cut its weights sum to {left}, so they "
    "must be divided by that: one more step, for the same numbers. (Where the cut weights had "
    "nearly everything, dividing fails: there is 0 / 0 left.)",
    "before": "−∞ before softmax",
    "cut": "softmax, then 0",
    "after": "… divided by {left}",
    "reshape": "Heads are a reshape",
    "terms": "The words",
}
# The formula, part by part.
PARTS = (
    "QKᵀ holds a [[score]] for each [[query]] (row) with each [[key]] (column).",
    "Dividing by √[[d_head]] keeps scores of wide heads as small as those of narrow ones; without "
    "it the largest score would take nearly all the weight.",
    "[[mask]] sets every score of a later word to −∞.",
    "[[softmax]] makes weights: e to the −∞ is 0, and what is left of a row sums to 1.",
    "Times V: each word takes the [[values|value]] of the words it looks at, as much as it looks "
    "at them. That is its [[context]].",
)
MORE = (
    (
        "What is learned",
        "A language model gives p(next | so far): how likely each word is to come next, after the "
        "words so far. Nobody labels the text: the word at place t + 1 is the answer at place t, "
        "so one sentence shifted by one word asks a question at each place, all in one pass.",
    ),
    (
        "What dropout is for",
        "A large model learns a small text by heart. When some weights are missing at random, it "
        "has to find its answer in more than one place, and does better on text it has not seen.",
    ),
    (
        "Why several heads",
        "One head has one idea of what fits. Several look at the same word for different things. "
        "Each head reads all d numbers of a word; W_q, W_k and W_v make d numbers of them, and "
        "those are cut into h parts of d_head. Cost stays about the same, but the h maps need h "
        "times the memory.",
    ),
    (
        "Take away",
        "Mask before softmax, so that no word reads what it must say. Dropout after softmax, in "
        "training only. h heads of d / h, joined again by [[W_o]]. A map has T × T cells: twice "
        "the words, four times the cells.",
    ),
    (
        "What comes next",
        "Attention only mixes words. The next lesson adds what works on each word by itself, and "
        "what lets many layers be stacked.",
    ),
)
SHAPES = (
    ("(B, T, d)", "B texts of T words, each word d numbers"),
    ("(B, T, h, d_head)", "each word's d numbers cut into h parts; nothing moves"),
    ("(B, h, T, d_head)", "heads moved before words: h small matrices, one per head"),
)
