"""Does the README tell the truth about its commands and its Python?"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_two_commands_that_run_the_tests_are_those_that_ci_runs():
    commands = re.findall(
        r"pip install -e '\.\[test\]' && python -m tests|^python -m tests.+", README, re.M
    )
    assert len(commands) == 2
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    assert ci[-2:] == [commands[1], commands[0]]


def test_the_python_in_the_readme_runs():
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    check = "\nassert (result.weights[..., ~causal_mask(6)] == 0).all() and result.weights.any()"
    subprocess.run([sys.executable, "-c", code.group(1) + check], check=True, cwd=ROOT)


def test_every_picture_and_page_it_names_is_there():
    names = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert names
    for name in names:
        assert (ROOT / name).is_file(), name
