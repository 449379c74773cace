"""Which words stand around the interview prompts?"""

TITLE = "Interview prompts"
HOW = (
    "Answer aloud or on paper first. Then open the card, compare, and mark yourself: only you "
    "see it."
)
CLEAR = "Clear the marks"
SHOW = "Show the answer"
MISSED = "Often missed:"
SHOW_WHICH = " to prompt {number}"
