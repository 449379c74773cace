"""What is asked on the prompt cards, and what is a full answer?

The figures in the answers are checked against the core by this module's tests.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Card:
    """One prompt.

    Attributes:
        question: what is asked.
        answer: what a full answer says.
        catch: the part that is often got wrong, or left out.
        part: the tab where it can be tried.
        try_it: what to do there.
    """

    question: str
    answer: str
    catch: str
    part: str
    try_it: str


CARDS = (
    Card(
        "Why may a next-token predictor not attend to later positions?",
        "In training, the token that position t must predict is itself in the input, one place to "
        "the right. A row that can see it reads the answer instead of predicting it, and the "
        "training loss falls for the wrong reason. When the model writes text, that place is "
        "still empty, so what it learned to read is gone.",
        "The last position cannot cheat: its target is not in the input. And without position "
        "information even a leaky layer cannot tell which of the visible tokens is the next.",
        "leak",
        "Train with and without the mask",
    ),
    Card(
        "Why set a forbidden score to −∞ before the softmax, not its weight to 0 afterwards?",
        "exp(−∞) is 0. A forbidden cell then adds nothing to its row’s denominator, and the row "
        "sums to 1 over what it may see, in one step. Zeroing afterwards removes weight that was "
        "already counted: the row sums to less than 1 until you divide again. And it leaks: the "
        "future score stays in the denominator. Exchange word 6 of the lesson’s sentence alone, "
        "and outputs 1 to 5 move by up to 0.29; with −∞ before the softmax, by exactly 0.",
        "Dividing again mends both, but the two routes agree on paper only. If a future score lies "
        "about 104 above the past ones in float32 (746 in float64), the past weights have rounded "
        "to 0 and dividing gives 0/0.",
        "faults",
        "Zero after softmax, and look",
    ),
    Card(
        "The later tokens’ values are still in V. Why does nothing leak?",
        "The output of a row is its weights times V. A masked weight is exactly 0, not just "
        "small, so a finite value behind it adds 0. The mask acts on the weights; V stays whole.",
        "0 times NaN and 0 times ∞ are NaN, so in a plain matrix product a broken future value "
        "does spread to earlier rows. This page’s layer leaves masked values out altogether: "
        "earlier outputs keep every bit whatever the future holds.",
        "map",
        "Read the masked cells",
    ),
    Card(
        "Why does dropout multiply the surviving weights by 1/(1−p)?",
        "Each weight survives with probability 1−p, so on average a row would carry 1−p of what "
        "it should. The factor puts the mean back, and inference, where nothing is dropped, needs "
        "no correction.",
        "Only the mean is kept. With the mask on and p = 0.5, row 1 sums to 0 or to 2 in any one "
        "draw, never to 1, and no row is renormalised. The number of dropped cells varies too: "
        "of 21 visible cells, 10.5 ± 2.3.",
        "map",
        "Draw again in training",
    ),
    Card(
        "What do several heads buy, and what do they cost?",
        "h ways to compare tokens instead of one. Every head reads all d numbers of x; only the "
        "results of the projections are cut, d/h columns a head. The matrix products take "
        "8Td² + 4T²d floating-point operations whatever h is (a multiply-add counts as two, and "
        "the masked half of the scores is counted too).",
        "They are not free. The score tensor and the softmax work grow h-fold: for GPT-2 124M at "
        "T = 1024, 48 MiB with 12 heads against 4 MiB with one. W_o, which a single head can do "
        "without, is 2Td² of the operations.",
        "cost",
        "Change h in the cost lab",
    ),
    Card(
        "Why must h divide d, and how wide is a head of GPT-2 124M?",
        "Heads are a reshape: d columns are cut into h equal slices of d/h, which has to be a "
        "whole number. For d = 768 and h = 12 a head is 64 wide.",
        "It is a convention, if a very common one. A model may choose d_head freely, as long as "
        "W_o maps the h · d_head columns back to d.",
        "map",
        "Change the number of heads",
    ),
    Card(
        "What shape is the score tensor, and why does that matter for long texts?",
        "(B, h, T, T). Twice the context is four times the memory. One GPT-2 124M layer in "
        "float32 at B = 1 holds 48 MiB at T = 1024, 3 GiB at 8192 and 768 GiB at 131,072.",
        "Tiled attention (FlashAttention) never stores the T × T scores, so their memory goes. "
        "The arithmetic stays quadratic.",
        "cost",
        "Stretch T in the cost lab",
    ),
)
