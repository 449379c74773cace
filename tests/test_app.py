"""Does `panel serve app.py` find the code beside it where nothing of it is installed?"""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

NAMES = ("attention_widget.tests", "attention_widget.app", "attention_widget.attention")

# A checkout with the dependencies alone: whatever an installation put on the path is taken away.
BARE = f"""
import importlib.util, json, runpy, sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in repr(f).lower()]
sys.path[:] = [p for p in sys.path if p not in ("", {str(ROOT)!r}) and "editable" not in p.lower()]
assert importlib.util.find_spec("attention_widget") is None
runpy.run_path({str(ROOT / "app.py")!r})
import attention_widget
from attention_widget.widgets.live.page import serve_page
found = [name for name in {NAMES!r} if importlib.util.find_spec(name)]
print(json.dumps([attention_widget.__file__, found]))
"""


@pytest.fixture(scope="module")
def bare() -> tuple[str, list[str]]:
    """Return where the package was found by the app alone, and what became part of it."""
    run = [sys.executable, "-c", BARE]
    done = subprocess.run(run, cwd="/", capture_output=True, text=True, check=True)
    place, found = json.loads(done.stdout)
    return place, found


def test_a_checkout_that_is_not_installed_serves_the_app(bare):
    from attention_widget import __file__ as installed

    place = Path(bare[0])
    assert place == ROOT / "attention" / "__init__.py"
    assert Path(installed).resolve() == place, "the test took nothing away that was needed"


def test_neither_the_tests_nor_the_app_become_part_of_the_package(bare):
    assert bare[1] == []
