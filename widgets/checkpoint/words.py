"""Which words does a student read in the checkpoint? Whole sentences, with numbers by name."""

from attention_widget.widgets.checkpoint.machine import FIRST, KEPT, LATER, SPARED

# What all steps share.
TITLE = "Checkpoint"
STEPS_LABEL = "Steps of the checkpoint"
LOCK_IN = "Lock in"
NEXT_STEP = "Next step"
START_OVER = "Start over"
SHORT = "One word has no future to mask. Enter a sentence of two words or more to go on."
NOT_YET = "Not yet. Here is why."
NEW_CASE = "Try a new case"
LOOK_IN = "Open “{tab}”"
ENDS = {FIRST: "Right at the first try.", LATER: "Right in a new case.", KEPT: "", SPARED: ""}
EARNED = {
    FIRST: "You predicted it, then saw it.",
    LATER: "You worked it out in a case that nobody had told you.",
    KEPT: "You earned this step in an earlier version of the lesson.",
    SPARED: "This question came after you had finished the lesson. It does not count for you.",
}
HELD = "Locked in: {guess}."
RESTARTED = "The checkpoint starts over at step 1."
STEP_DONE = "Step {step} of {steps} done. {text}"
STEP_OPENED = "Step {step} of {steps}."
ALL_DONE = "All {steps} steps are done. Below the map: what you know now, and what to try."
STEPS_DONE = "{done} of {steps} steps done"
FIRSTS = "{count} of {questions} questions right at the first try"
STATUS = {
    "done": " (done)",
    "locked": " (locked: finish the steps before it)",
    "to do": " (to do)",
}
LOOK_AGAIN = "{title}: {where}"

# Which figure a course gets as the score, said before the first question.
SCORES = {
    "mastery": "Score: a question counts 1 if right at the first try, ½ if right in a new case.",
    "completion": "Score: the share of the steps that you have done, in however many tries.",
}

# Pictures. What a cell is says a word that is heard and not seen.
FRAMED = " framed"
MASKED = " masked"
ROW = "row {row}"
PERCENT = "{change} %"
UNCHANGED = "unchanged"
SQUARES = "{size} rows of {size} cells; none is masked yet."
SQUARES_MASKED = "{size} rows of {size} cells; the {cells} cells right of the diagonal are masked."
SUM_OF = "sum of row"
ONE_DRAW = "one draw"
MEAN = "mean of 1,000 draws"
SUMS = "Sum of each row after dropout"
STRIP = "A strip of {d} numbers cut into {heads} heads of {width}."
MAP_ALL = "All weights of another sentence, nothing masked."
MAP_MASKED = "The weights of another sentence under this mask; 0 where it is masked."

# Can this model cheat?
READ = {
    "title": "Can this model cheat?",
    "field": "Can it read the answers?",
    "yes": "Yes, it can",
    "no": "No, it cannot",
    "wait": "Turn the [[causal mask|mask]] off: this step is about the map without it.",
    "ask": "Each word must say which word comes next. The frame in its row marks that answer. Look "
    "at the [[weights|weight]] in the frames.",
    "why": "The outlined cells hold the answers, and each of them has weight above 0: every word "
    "but the last looks at the very word it must say. So it can copy.",
    "idea": "Without the mask each word looks at the word it must say next, so the model can copy "
    "the answer. When it has to write, that word is not there yet. Masked cells: 0.",
    "again": "turn the mask off and look at the frames in the map.",
    "mask": "Another sentence, under the causal mask. Look at the frames.",
    "mask-why": "No: the frames lie right of the diagonal, where the causal mask leaves weight 0.",
    "past": "This mask darkens what comes before a word, not what comes after.",
    "past-why": "Yes: the frames keep their weight. A mask on the wrong side protects nothing.",
    "last": "Nothing is masked here, but look at the last word alone. What it must say comes after "
    "the sentence.",
    "last-why": "No: its answer is not among the columns, so there is no cell to copy it from.",
    "ahead": "This mask lets each word look one word ahead and no further.",
    "ahead-why": "Yes: the next word is the answer, and one word ahead is enough to copy it.",
}

# How many cells does the mask darken?
HIDDEN = {
    "title": "How many cells go dark?",
    "field": "masked cells",
    "wait": "Turn the causal mask off first: a prediction is made before looking.",
    "ask": "The map has {size} rows and {size} columns. Under the [[causal mask|mask]] a word may "
    "look at itself and back, never ahead. How many cells will be masked?",
    "held": "Now turn the causal mask on and watch “masked cells”.",
    "stay": "You said {guess}, which is how many cells stay in the light. ",
    "half": "You said {guess}, half of the square. But a word may look at itself, so the diagonal "
    "stays. ",
    "guess": "You said {guess}. ",
    "why": "The outlined cells are masked: {counts}. Together {cells}.",
    "row": "{cells} in row {row}",
    "idea": "All cells right of the diagonal are masked: with six words 5 + 4 + 3 + 2 + 1 = 15. "
    "Row 1 loses most, the last row nothing.",
    "again": "count the dark cells of the map row by row.",
    "case": "A map of {size} words: how many cells will the causal mask darken?",
    "case-why": "{terms} = {cells}: the number at the right of each row counts its masked cells.",
}

# Which rows change?
ROWS = {
    "title": "Which rows change?",
    "most": "Which row changes most?",
    "same": "Which does not change at all?",
    "first": "row 1",
    "middle": "in between",
    "last": "last row",
    "none": "none",
    "ask": "Turning the mask on takes the weight on later words away, and the [[softmax]] shares "
    "it out again. Think of what each row could see.",
    "off-on": "Now turn the causal mask off, then on, and watch each row.",
    "on": "Now turn the causal mask on and watch each row.",
    "held": "most {most}; not at all {same}",
    "why": "Row {row} had {change} % of its weight on masked cells, more than any other. The last "
    "row, outlined, may see every word and keeps its weights.",
    "idea": "A row changes by the weight it had on later words. Row 1 keeps a single cell; the "
    "last row could already see every word, so it keeps its weights.",
    "again": "flip the mask and compare the first row with the last.",
    "past": "A wrong mask darkens what comes before each word (all cells left of the diagonal). "
    "Which row will change most, which not at all?",
    "causal": "Another sentence. The causal mask will darken the framed cells. Add up the weight "
    "in the frames of each row: which row will change most, which not at all?",
    "case-why": "Most: {most} (row {row}), which loses {change} % of its weight. Not at all: "
    "{same}, which has no cell in a frame.",
}

# How wide is a head?
WIDTH = {
    "title": "How wide is one of 4 heads?",
    "field": "d_head",
    "wait": "Set Heads below {heads} first: a prediction is made before looking.",
    "ask": "Every word is d = {d} numbers. h [[heads|head]] share them out evenly; the width of "
    "one head is [[d_head]]. What is it with {heads} heads?",
    "held": "Now set Heads to {heads} and watch “d_head”.",
    "wide": "You said {guess}: but more heads do not widen the layer, they share d. ",
    "guess": "You said {guess}. ",
    "why": "d_head = d / h = {d} / {heads} = {width}.",
    "idea": "d_head = d / h: more heads, each narrower, for about the same arithmetic. h must "
    "divide d.",
    "again": "move Heads and watch d_head.",
    "case": "d = {d} numbers for each word, h = {heads} heads. How wide is one head?",
    "gpt": "The smallest GPT-2 has d = {d} and h = {heads}. How wide is one head?",
}

# Four heads, four maps.
HEADS = {
    "title": "What do four heads share?",
    "field": "Which row will be the same in all of them?",
    "first": "row 1",
    "last": "last row",
    "none": "none",
    "all": "all rows",
    "ask": "Four [[heads|head]] look at the same sentence, each with numbers of its own, under the "
    "causal mask. Some row is alike in all four maps, or none.",
    "set": "Now turn the causal mask on, set Heads to {heads} and look at each of the small maps.",
    "left": "Look at each of the small maps under the mask: head {left} to go.",
    "why": "Row 1, outlined, has one cell left under the mask, and a row sums to 1: so it is 1 in "
    "every head. All other rows differ.",
    "idea": "Four heads, four maps of one sentence. Only row 1 is alike under the mask: it has one "
    "cell left. These heads are untrained, so they differ by chance; none has learned a job.",
    "again": "set Heads to 4 and click through the small maps.",
    "off": "The same four heads with the mask off.",
    "off-why": "No row: each head gives every row other weights, also the first.",
    "past": "Four heads under a mask that darkens what comes before each word.",
    "past-why": "The last row: it may look at itself and ahead, and nothing is ahead. One cell "
    "left, so it is 1 in every head.",
    "copies": "Four heads that were given the same W_q and W_k by mistake, under the causal mask.",
    "copies-why": "Every row: the same numbers give the same scores, so the heads add no new view.",
    "near": "Four heads that may look at the word itself and the one before it.",
    "near-why": "Row 1: it has no word before it, so one cell is left. The others share out two "
    "cells, each head in its own way.",
}

# What does dropout do to the row sums?
DROPOUT = {
    "title": "What does dropout do to a row?",
    "field": "In one draw, what do the rows sum to?",
    "one": "exactly 1",
    "less": "at most 1",
    "around": "some above, some below 1",
    "ask": "In training, [[dropout]] sets each weight to 0 with probability p and multiplies the "
    "others by 1/(1−p). Think of one [[draw]].",
    "plain": "Now raise Dropout above 0 and switch Training on. Read the sums beside the map.",
    "idle-p": "Training is still off. Switch it on.",
    "idle-t": "This is training, but Dropout is 0. Raise it.",
    "lucky": "This draw changed no row sum. Press New draw.",
    "unsettled": "The means are not near 1 after this many draws. Try a lower Dropout.",
    "left": "Seen: the sums leave 1, their mean over many draws is 1. Now switch Training off and "
    "leave Dropout where it is.",
    "left-none": "Dropout is back at 0. Raise it, so that inference has something to leave out.",
    "why": "What is left of a row grows by 1/(1−p): in one draw it sums to more than 1 or to less; "
    "only on average is it 1.",
    "of": "sum of row, p = {p}",
    "idea": "Dropout zeroes weights after the softmax, in training only. The survivors grow by "
    "1/(1−p), so the mean over many draws stays 1; a single draw need not.",
    "again": "switch Training on with Dropout above 0 and press New draw.",
    "inference": "Dropout is {p} but Training is off.",
    "inference-why": "Each exactly 1: dropout acts in training only.",
    "bare": "Training with dropout {p}, but somebody forgot the 1/(1−p).",
    "bare-why": "Never more than 1: weights are lost and nothing grows in return, so the mean is "
    "too small, too.",
    "small": "Training with dropout {p} and the 1/(1−p).",
    "small-why": "Some more, some less: a row that loses little grows by more than it lost.",
}

# What does the mask protect?
PROPERTY = {
    "title": "What does the mask protect?",
    "field": "Which of the three?",
    "accurate": "accurate",
    "trainable": "trainable",
    "steerable": "steerable",
    "ask": "A language model should be accurate (its predictions fit), trainable (its loss goes "
    "down) and steerable (it does what it is asked).",
    "why-trainable": "It trains all too well: its loss falls because it copies. But it is wrong "
    "when the next word is not there: not accurate.",
    "why-steerable": "Following a request is another matter. Without the mask it is wrong when the "
    "next word is not there: not accurate.",
    "losses": "Loss of the two models of the first card, in nats per word",
    "loss": "loss if the next word is",
    "there": "there",
    "absent": "not there",
    "leaky": "without the mask",
    "masked": "with the mask",
    "idea": "Accurate: a model that peeks learns to copy, and is wrong as soon as the next word is "
    "not there yet.",
    "again": "the Leak lab trains a model with and one without the mask.",
    "request": "A model predicts the next word well, but when it is asked for a list it writes a "
    "story.",
    "request-why": "Steerable: its predictions fit the text, but it does not do what it is asked.",
    "deep": "A stack of many layers whose loss stays where it began, whatever the data.",
    "deep-why": "Trainable: the loss does not go down. The next lesson mends that.",
    "left-on": "A model trained well, but dropout was left on when it writes, so it is often "
    "wrong.",
    "left-on-why": "Accurate: it could be trained, but its predictions no longer fit.",
    "rate": "Every step of the training is so large that the loss jumps and never falls.",
    "rate-why": "Trainable: the loss does not go down.",
}

# Which trained head does the copy need?
CIRCUIT = {
    "title": "Which head does the copy need?",
    "field": "Which one?",
    "head": "head {head}",
    "all": "every head",
    "off": "without {head}",
    "ask": "A trained model can say again what it read once. Turn its heads off, one at a time, "
    "under “Heads that learned”. Without which one is the copy lost?",
    "copy": "Loss of the second saying, in nats per word",
    "missed": "Share of phrases whose verb has the wrong number",
    "both": "The copy and the verb, without each head",
    "copy-short": "copy: nats per word",
    "missed-short": "verb: share wrong",
    "places": "Weight on the place after the same word",
    "backs": "Weight on the word just before",
    "why": "The second saying costs {whole} nats with every head, and most without head "
    "{previous}. It alone writes down which word came before; head {induction} looks that up and "
    "shares its work with others.",
    "idea": "An induction head looks for the place after the same word. It finds it only because a "
    "previous-token head has written there which word came before.",
    "again": "turn the heads off one by one in “Heads that learned”.",
    "verb": "“The dogs near the cat”: next comes “run”, not “runs”. Without which head does the "
    "model pick the wrong number most often?",
    "verb-why": "Head {subject} fetches the subject. Without it the verb's number is a guess.",
    "look": "Which of these heads looks for the place after the same word?",
    "look-why": "Head {induction}: an induction head. On words said twice, nearly all of its "
    "weight lies on that place.",
    "idle": "Which of these heads can be off, and neither the copy nor the verb suffers?",
    "idle-why": "Head {idle}: both figures stay almost as they were.",
    "back": "Which of these heads looks at the word just before, nearly everywhere?",
    "back-why": "Head {previous}: a previous-token head.",
}

# Why two layers?
LAYERS = {
    "title": "Why must there be two layers?",
    "field": "What does the second layer bring?",
    "more": "more heads",
    "order": "it looks up what the first wrote",
    "jobs": "a task of its own",
    "ask": "With two layers of four heads the model copies; trained alike with one layer of four "
    "it hardly does. Why?",
    "why": "Not the number of heads: {few} heads in two layers cost {two} nats per word, {half} in "
    "one layer {one}. Head {previous} writes what came before, and only a later layer can look "
    "that up.",
    "label": "Loss of the second saying, in nats per word",
    "few-row": "{few} heads in two layers",
    "one-row": "{half} heads in one layer",
    "cut-row": "two layers, but layer 2 does not see in its keys what head {previous} wrote",
    "idea": "All heads of a layer read the same numbers at once. What one head writes, only a "
    "later layer can read; so this copy takes two steps, and two layers.",
    "again": "read “The two heads of the copy” in “Heads that learned”.",
    "apart": "Imagine another model. With layer 1 off it still copies, but its verbs go wrong; "
    "with layer 2 off it is the other way round.",
    "apart-why": "A task of its own: each layer works without the other.",
    "wide": "Imagine another model. One layer of eight heads would copy as well as its two layers "
    "of four.",
    "wide-why": "More heads: their number counts here, not which comes first.",
    "swapped": "Imagine another model. All heads are there, but with its two layers swapped it "
    "cannot copy.",
    "swapped-why": "It looks up what the first wrote: in the wrong order nothing is written yet.",
    "any": "Imagine another model. Any four of its eight heads, from either layer, copy a little; "
    "all eight copy well.",
    "any-why": "More heads: it does not matter which layer they stand in.",
}

# The card before the first step.
HOOK = {
    "title": "Which of these would you ship?",
    "field": "Your choice",
    "low": "loss {leaky}",
    "high": "loss {masked}",
    "ask": "Two models read the same story and learned to say the next word. [[Loss|loss]] says "
    "how wrong they are, in [[nats|nat]] (0 is never wrong), over the places whose next word is in "
    "what they were given: {leaky} and {masked}.",
    "told": "Now they write on from “{prompt}”, with no next word there to see.",
    "leaky": "Loss {leaky}: “{leaky_text}”",
    "masked": "Loss {masked}: “{masked_text}”",
    "why": "The better loss was copied: that model could see the word it had to say. Find out how, "
    "and how the causal mask stops it.",
    "skip": "Go to the first question",
}

# The end.
END = {
    "know": "What you know now",
    "known": (
        "The causal mask sets future scores to −∞ before the [[softmax]], so future weights are 0.",
        "h heads share d: each is d / h wide, and [[W_o]] mixes them again.",
        "Dropout acts in training only; survivors grow by 1/(1−p) to keep the mean.",
    ),
    "again": "Where to look again",
    "next": "Three things to try",
    "tries": (
        ("Put a fault into the layer and find it by its figures", "faults"),
        ("Train the model that peeks, and see what it writes", "leak"),
        ("Let the sentence grow and see what it costs", "cost"),
    ),
    "own": "Written your own attention? This measures it and names the fault:",
    "command": "attention-widget check mine.py:CausalAttention",
}


def listed(items: list[str]) -> str:
    """Join with commas and "and"."""
    return " and ".join(items) if len(items) < 3 else f"{', '.join(items[:-1])} and {items[-1]}"
