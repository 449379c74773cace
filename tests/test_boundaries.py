"""Do dependencies point one way: attention <- widgets/state <- other widgets <- app.py?"""

import ast
import statistics
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ("attention", "widgets", "assets")
FILES = sorted([ROOT / "app.py", *(path for part in PARTS for path in (ROOT / part).rglob("*.py"))])
NAMES = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts) for path in FILES}
MODULES = {name.removesuffix(".__init__"): path for path, name in NAMES.items()}
CORE = [name for name in MODULES if name.split(".")[0] == "attention"]


def imports(module, *, run_only=False):
    """Collect the dotted names a module imports; `run_only` leaves out those inside functions."""
    path = MODULES[module]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    found = set()
    for node in tree.body if run_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, *filter(None, [node.module])]) if node.level else node.module
            names = {f"{base}.{alias.name}" for alias in node.names}
            found.update(name if name in MODULES else base for name in names)
    return found


def tops(module):
    """Collect the top-level packages a module imports."""
    return {name.split(".")[0] for name in imports(module)}


@pytest.mark.parametrize("module", CORE)
def test_the_core_imports_numpy_and_the_standard_library_only(module):
    assert tops(module) - {"attention", "numpy"} - sys.stdlib_module_names == set()


def test_importing_the_whole_core_loads_no_other_package():
    script = (
        "import sys, numpy.random; before = set(sys.modules)\n"
        f"import {', '.join(CORE)}\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - sys.stdlib_module_names - {'attention', 'numpy'}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


def test_the_state_imports_nothing_of_the_project_but_the_core():
    assert tops("widgets.state") & {"widgets", "app", "assets", "tests"} == set()
    assert "attention" in tops("widgets.state")


@pytest.mark.parametrize("module", [name for name in MODULES if name != "app"])
def test_nothing_imports_the_app_or_the_tests(module):
    assert tops(module) & {"app", "tests"} == set()


@pytest.mark.parametrize("module", [name for name in MODULES if name.split(".")[0] == "assets"])
def test_the_assets_import_nothing_of_the_project(module):
    assert tops(module) & {"attention", "widgets"} == set()


def test_no_module_imports_itself_the_long_way_round():
    graph = {name: imports(name, run_only=True) & MODULES.keys() - {name} for name in MODULES}
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


def test_modules_stay_short_enough_to_read():
    lines = {n: len(p.read_text(encoding="utf-8").splitlines()) for n, p in MODULES.items()}
    assert {name: count for name, count in lines.items() if count > 250} == {}
    assert statistics.median(lines.values()) < 130


@pytest.mark.parametrize("module", CORE)
def test_every_module_of_the_core_opens_with_the_question_it_answers(module):
    doc = ast.get_docstring(ast.parse(MODULES[module].read_text(encoding="utf-8"))) or ""
    assert "?" in doc.split("\n\n")[0] or module == "attention"


@pytest.mark.parametrize("module", CORE)
def test_everything_public_in_the_core_has_a_docstring(module):
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    nodes = [*tree.body, *(inner for node in classes for inner in node.body)]
    public = [n for n in nodes if isinstance(n, kinds) and not n.name.startswith("_")]
    assert [node.name for node in public if not ast.get_docstring(node)] == []
