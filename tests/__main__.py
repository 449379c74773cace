"""Run every test: `python -m tests [pytest options]`. Installs a Chromium where none is found."""

import os
import sys

import pytest

from tests.browser.chromium import VARIABLE, find_chromium, install_chromium


def main() -> int:
    """Find or install a Chromium, then run pytest on two processes."""
    os.environ[VARIABLE] = find_chromium() or install_chromium()
    options = sys.argv[1:] or ["-n", "2", "--dist", "worksteal"]
    return int(pytest.main(options))


if __name__ == "__main__":
    sys.exit(main())
