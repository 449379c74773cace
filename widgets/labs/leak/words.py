"""Which words stand around the leak lab's slots?"""

CONTROLS = "Controls of the leak lab"
START_HERE = (
    "Two small models read the same short story. They start alike and see the same batches. "
    "One has the causal mask, the other can look at the word it must predict."
)
START = "Start"
CANCEL = "Cancel"
PROGRESS = "Progress"
CURVES = "Training loss"
FIGURE = "Figure"
NO_MASK = "no mask"
MASK = "causal mask"
GUESS = "best guess without reading"
CURVES_HELP = (
    "Curves: loss on the batches, positions 1 to 7. Marks: loss on the whole story at the "
    "same positions, first as trained, then with the future absent."
)
LOSSES = "Losses of both models"
LOSSES_CAPTION = "[[Loss|loss]] in [[nats|nat]] per word over the whole story, after training"
WHERE = "where"
LAST_HELP = (
    "The last position cannot be copied: its answer is not in the input. So the curves above "
    "leave it out."
)
WRITING = "What they write"
NO_MASK_TEXT = "No mask"
MASK_TEXT = "Causal mask"
