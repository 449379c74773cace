"""What does `python -m attention_widget` do? The same as the command `attention-widget`."""

import sys

from attention_widget.widgets.cli import main

if __name__ == "__main__":
    sys.exit(main())
