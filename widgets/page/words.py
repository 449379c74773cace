"""Which words stand on every page of the lesson?"""

ABOUT = "Who may look at whom, and what goes wrong if a word can see the future."
PARTS = "Parts of the lesson"
LIVE = "Move a control; what it changed is said here."
FIGURE = "Figure"
