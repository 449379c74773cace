"""Run the tests: `python -m tests` all but the slow ones, `python -m tests -m slow` those.

Installs a Chromium where none is found. Other options are pytest's.
"""

import os
import sys

import pytest

from tests.browser.chromium import VARIABLE, find_chromium, install_chromium


def main() -> int:
    """Find or install a Chromium, then run pytest, on two processes unless told otherwise."""
    os.environ[VARIABLE] = find_chromium() or install_chromium()
    options = sys.argv[1:]
    if "-n" not in options:
        options = ["-n", "2", "--dist", "worksteal", *options]
    if "-m" not in options:
        options = ["-m", "not slow", *options]
    return int(pytest.main(options))


if __name__ == "__main__":
    sys.exit(main())
