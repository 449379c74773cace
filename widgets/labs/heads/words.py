"""Which words stand around the slots of heads and W_o?"""

CONTROLS = "Controls of heads and W_o"
RESET = "Reset"
SHARES_HELP = (
    "Each head’s bar starts where the one above it ended. The last bar, the output, starts at "
    "0 and ends where the last head’s bar ends: it is their sum. To the left is negative. "
    "Untrained: random geometry."
)
MEASURED = "Measured in heads and W_o"
D_HEAD = "d_head"
FEEDING = "heads in this channel"
OUTPUT = "output"
GAP = "shares add up?"
CONTEXT_HELP = (
    "Every head reads all d numbers of each word; only the results of the projections are cut "
    "into heads. Here are the heads side by side, then one output number: [[context]] times a "
    "column of W_o, added up within each head and then over the heads. Shown to two places; "
    "added up in full."
)
CONTEXT_NAME = "Context by head and one column of W_o"
CONTEXT_CAPTION = "Context by head, and one column of W_o"
CHANNELS = "Every output channel"
CHANNELS_HELP = (
    "What each head adds to every output channel. Each column adds up to the output, before "
    "it is rounded."
)
CHANNELS_NAME = "Share of each head in every output channel"
CHANNELS_CAPTION = "Share of each head"
