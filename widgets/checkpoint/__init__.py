"""The checkpoint: seven steps, graded from what the widget really shows."""
