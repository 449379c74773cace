"""Does `panel serve app.py` find the code beside it where nothing of it is installed?"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# A checkout with the dependencies alone: whatever an installation put on the path is taken away.
BARE = f"""
import importlib.util, runpy, sys
sys.meta_path[:] = [f for f in sys.meta_path if "editable" not in repr(f).lower()]
sys.path[:] = [p for p in sys.path if p not in ("", {str(ROOT)!r}) and "editable" not in p.lower()]
assert importlib.util.find_spec("attention_widget") is None
runpy.run_path({str(ROOT / "app.py")!r})
import attention_widget
print(attention_widget.__file__)
"""


def bare(code: str) -> str:
    run = [sys.executable, "-c", BARE + code]
    return subprocess.run(run, cwd="/", capture_output=True, text=True, check=True).stdout


def test_a_checkout_that_is_not_installed_serves_the_app():
    from attention_widget import __file__ as installed

    found = bare("from attention_widget.widgets.live.page import serve_page\n").strip()
    assert Path(found) == ROOT / "attention" / "__init__.py"
    assert Path(installed).resolve() == Path(found), "the test took nothing away that was needed"


def test_neither_the_tests_nor_the_app_become_part_of_the_package():
    names = ("attention_widget.tests", "attention_widget.app", "attention_widget.attention")
    code = f"print(*map(importlib.util.find_spec, {names!r}))\n"
    assert bare(code).split()[1:] == ["None", "None", "None"]
