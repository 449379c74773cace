"""Which numbers are written into words by hand, and what does other code say of each?

A fact is a pattern and the numbers that its match must hold. Number words from three on are read
as numbers; "one" and "two" are ordinary words, too, and are left to the tests that name them.
"""

from collections.abc import Callable
from math import log, sqrt

import numpy as np

from attention_widget.widgets.check.probes import LENGTHS as LENGTHS_CHECKED
from attention_widget.widgets.checkpoint.machine import FIRST, LATER, marks
from attention_widget.widgets.checkpoint.words import END
from attention_widget.widgets.labs.dropout.measure import BAND
from attention_widget.widgets.lesson import Lesson
from tests.truth.claims.cost import LENGTHS
from tests.truth.claims.leak import T as POSITIONS
from tests.truth.claims.learned import BLANK, figures_on_unseen_rows
from tests.truth.faulty import FILL, H, inference
from tests.truth.independent import DRAWS, FUTURE, D, T
from tests.truth.measured import (
    GPT2,
    KIB,
    Numbers,
    asked,
    bytes_of,
    carried,
    changes,
    dropped,
    first_row,
    lowest_weight,
    masked,
    operation_counts,
    painted,
    preset,
    refused,
    row_sum,
    tab_of,
    underflow,
    words_taken,
    zeroed,
)
from tests.truth.trained import HALF, HEADS, NONE, START, N, previous_head, stored
from tests.truth.trained import H as TRAINED

FACTS: dict[str, Callable[[], Numbers]] = {
    r"causal mask on, 4 heads, head 1": lambda: (H, 1),
    # the trained heads
    r"layers? of four\b": lambda: (TRAINED,),
    r"85 words": lambda: (START,),
    r"below 0\.005": lambda: (BLANK,),
    r"three likeliest": lambda: (len(tab_of("learned.next")),),
    r"[Tt]he four figures": lambda: (
        sum(key.startswith("kpi.") for key in figures_on_unseen_rows(NONE, True)),
    ),
    r"100 rows of 8 random": lambda: (N, HALF),
    r"100 phrases": lambda: (N,),
    r"layer 2 does not": lambda: (previous_head()[0] + 2,),
    r"Three trainings": lambda: (len(tab_of("training.controls")),),
    r"phrase of three words, such as “the dog runs”": lambda: (len(["the", "dog", "runs"]),),
    r"With layer 1 off .* with layer 2 off": lambda: (1, (len(stored("two-layers")) - 3) // 4),
    r"layer of eight heads": lambda: (len(HEADS),),
    r"any four of its eight heads": lambda: (TRAINED, len(HEADS)),
    r"all eight copy": lambda: (len(HEADS),),
    r"0\.69 nats": lambda: (log(2),),
    r"1 to 16 (of the )?words": words_taken,
    # the checkpoint
    r"which of the three": lambda: asked("property"),
    r"three things to try": lambda: (len(END["tries"]),),
    r"at step 1\b": lambda: (1,),
    r"counts 1 if right at the first try, 0\.5 if": lambda: (marks(FIRST) / 2, marks(LATER) / 2),
    r"what do four heads share": lambda: (H,),
    r"one of 4 heads|set heads to 4|four heads|four \[\[heads|all four maps|four maps": lambda: (
        H,
    ),
    # the mask
    r"with six words 5 \+ 4 \+ 3 \+ 2 \+ 1 = 15": lambda: (
        T,
        *FUTURE.sum(axis=1)[:-1],
        FUTURE.sum(),
    ),
    r"exp\(−∞\) is 0|e to the −∞ is 0": lambda: (float(np.exp(-np.inf)),),
    r"\b(row) 1\b(?! sums to 0)": first_row,
    r"all above 0|has weight above 0": lowest_weight,
    r"0 is none, 1 is all of its weight|0 to 1": changes,
    r"0 where it is masked|masked cells: 0|leaves weight 0|future weights are 0|its weight to 0"
    r"|makes their weights 0|softmax, then 0|adds 0|by exactly 0|where exactly 0 is due"
    r"|is exactly 0": masked,
    r"0 times NaN and 0 times ∞ are NaN": lambda: (0, 0),
    r"(giving|gives|is) 0 ?/ ?0( left)?": lambda: (0, 0),
    r"about 104 above the past ones in float32 \(746 in float64\), the past weights have rounded "
    r"to 0": lambda: (underflow(np.float32), underflow(np.float64), 0),
    r"exchange word 6 of the lesson’s sentence alone, and outputs 1 to 5 move by up to "
    r"0\.29": zeroed,
    # sums of rows
    r"(sums? to|sum to|misses|short of|exactly|at most|near|more than|less than|never to|together"
    r"|stays|leave|draws is|average is it|is) 1\b|above 1|below 1|by up to 1|1 would be one-hot"
    r"|over itself and the past misses 1": row_sum,
    # dropout
    r"1,000 draws": lambda: (DRAWS,),
    r"set(s|)( each)? weights?( are set)? to 0|are set to 0": dropped,
    r"dropout (above|is|is back at) 0": lambda: (Lesson().map_state.param["dropout"].bounds[0],),
    r"p = 0\.5, row 1 sums to 0 or to 2": lambda: (0.5, *first_row(), *dropped(), 1 / (1 - 0.5)),
    r"of 21 visible cells, 10\.5 ± 2\.3": lambda: (
        (~FUTURE).sum(),
        (~FUTURE).sum() / 2,
        sqrt((~FUTURE).sum() / 4),
    ),
    r"four standard errors": lambda: (BAND,),
    r"\bhead 1\b(?!\.)": lambda: (1,),
    # cost
    r"8Td² \+ 4T²d": operation_counts,
    r"2Td²": lambda: (operation_counts()[0] / 4,),  # one of the four projections
    r"(makes a|make a|a) square of four times|four times the (memory|cells)": lambda: (
        bytes_of(2) / bytes_of(1),
    ),
    r"batch B = 1|at B = 1\b": lambda: (1,),
    r"tiles of 64 × 64": lambda: (sqrt(painted()["source:cost.curves.tiled"][-1] / 12 / 4),) * 2,  # type: ignore[index]
    r"tiles of 2 × 2": lambda: (sqrt(float(str(painted()["tiles.kpi.held"]).split()[0]) / 4),) * 2,
    r"carries three things": carried,
    r"6, then every power of two from 16 to 131,072": lambda: (LENGTHS[0], LENGTHS[1], LENGTHS[-1]),
    r"toy: T = 6, d = 12, h = 4": lambda: preset(0),
    r"T = 1024, d = 768, h = 12": lambda: preset(1),
    r"T = 1024, 48 MiB with 12 heads against 4 MiB": lambda: (
        KIB,
        bytes_of(KIB),
        GPT2[1],
        bytes_of(KIB, 1),
    ),
    r"d = 768 and h = 12 a head is 64 wide": lambda: (*GPT2, GPT2[0] / GPT2[1]),
    r"48 MiB at T = 1024, 3 GiB at 8192 and 768 GiB at 131,072": lambda: (
        bytes_of(KIB),
        KIB,
        bytes_of(8 * KIB),
        8 * KIB,
        bytes_of(128 * KIB),
        128 * KIB,
    ),
    # the other labs
    r"5 heads of a width of 12": refused,
    r"scores are set to −10": lambda: (FILL,),
    r"looks like 0\.00": lambda: (
        float(inference(frozenset({"finite_fill"})).weights[0][FUTURE].max()),
    ),
    r"outputs 1 to ": lambda: (1,),
    r"\b0 \(rounding\)|^0$": lambda: (0,),
    r"starts at 0": lambda: (painted()["source:heads.shares.left"][-1],),  # type: ignore[index]
    r"positions 1 to 7": lambda: (1, POSITIONS - 1),
    r"one of the 12 numbers": lambda: (D,),
    r"0 is (never wrong|not at all)": lambda: (abs(log(1.0)),),
    r"T = 1, 6 and 33": lambda: LENGTHS_CHECKED,
}
