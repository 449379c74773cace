"""Do dependencies point one way, from the core to the command line, and under one import name?"""

import ast
import statistics
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "attention": "attention_widget",
    "widgets": "attention_widget.widgets",
    "assets": "attention_widget.assets",
}
MODULES = {
    ".".join([name, *path.relative_to(ROOT / folder).with_suffix("").parts]).removesuffix(
        ".__init__"
    ): path
    for folder, name in FOLDERS.items()
    for path in sorted((ROOT / folder).rglob("*.py"))
}
COMMAND = (
    "attention_widget.__main__"  # `python -m`: the one file there that may use the command line
)
CORE = [
    name
    for name, path in MODULES.items()
    if path.is_relative_to(ROOT / "attention") and name != COMMAND
]
WIDGETS = "attention_widget.widgets"
# From the ground up; a room uses its own floor and those below it. Rooms of one floor: see below.
FLOORS = (
    ("section",),
    ("map",),
    ("checkpoint", "labs"),
    ("lesson",),
    ("page",),
    ("live", "recorded", "check"),
    ("cli", "notebook"),
)
FLOOR = {room: n for n, rooms in enumerate(FLOORS) for room in rooms}


def imports(path, *, run_only=False):
    """Collect the dotted names a file imports; `run_only` leaves out those inside functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = set()
    for node in tree.body if run_only else ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports name the whole package"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found.update(name if name in MODULES else node.module for name in names)
    return found


def room(module):
    """Return the room of a module of the widgets, for example "map" or "labs.leak"."""
    first, *rest = module.removeprefix(WIDGETS + ".").split(".")
    return f"labs.{rest[0]}" if first == "labs" and len(rest) > 1 else first


ROOMS = [name for name in MODULES if name.startswith(WIDGETS + ".")]


# The one name of the core that lives above it: resolved when it is first asked for, never before.
ON_FIRST_USE = {"attention_widget": {"attention_widget.widgets.check.api"}}


@pytest.mark.parametrize("module", CORE)
def test_the_core_imports_numpy_and_the_standard_library_only(module):
    others = {name for name in imports(MODULES[module]) if name not in CORE}
    others -= ON_FIRST_USE.get(module, set())
    assert {name.split(".")[0] for name in others} - {"numpy"} - sys.stdlib_module_names == set()


def test_running_the_package_is_the_command_line_and_nothing_else():
    assert imports(MODULES[COMMAND]) - sys.stdlib_module_names == {"attention_widget.widgets.cli"}


def test_importing_the_whole_core_loads_no_other_package():
    script = (
        "import sys, numpy.random; before = set(sys.modules)\n"
        f"import {', '.join(CORE)}\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - sys.stdlib_module_names - {'attention_widget', 'numpy'}))\n"
        "print('attention_widget.widgets' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd="/", capture_output=True, text=True, check=True
    )
    assert done.stdout == "\nFalse\n"


def test_importing_the_state_loads_no_panel_and_no_bokeh():
    script = (
        "import sys, attention_widget.widgets, attention_widget.widgets.map.state\n"
        "print(*{'panel', 'bokeh'} & {name.split('.')[0] for name in sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd="/", capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""


@pytest.mark.parametrize("module", ROOMS)
def test_a_room_uses_only_what_lies_below_it(module):
    here = room(module)
    floor = FLOOR[here.split(".")[0]]
    for other in imports(MODULES[module]) & set(ROOMS):
        there = room(other)
        below = FLOOR[there.split(".")[0]] < floor
        same = there.split(".")[0] == here.split(".")[0]
        assert below or same, f"{module} uses {other}"


def test_no_room_uses_itself_the_long_way_round():
    graph = {room(name): set() for name in ROOMS}
    for name in ROOMS:
        graph[room(name)] |= {room(other) for other in imports(MODULES[name]) & set(ROOMS)}
    graph = {here: others - {here} for here, others in graph.items()}
    assert len(list(TopologicalSorter(graph).static_order())) == len(graph)


@pytest.mark.parametrize(
    "path",
    [*MODULES.values(), ROOT / "app.py", *sorted((ROOT / "tests").rglob("*.py"))],
    ids=lambda path: path.relative_to(ROOT).as_posix(),
)
def test_every_import_uses_the_one_name(path):
    tops = {name.split(".")[0] for name in imports(path)}
    assert tops & {"attention", "widgets", "assets", "app"} == set()
    if not path.is_relative_to(ROOT / "tests"):
        assert "tests" not in tops


@pytest.mark.parametrize("module", [n for n, p in MODULES.items() if "assets" in n.split(".")])
def test_the_assets_import_nothing_of_the_project(module):
    assert {n for n in imports(MODULES[module]) if n.startswith("attention_widget")} == set()


def test_no_module_imports_itself_the_long_way_round():
    graph = {
        name: imports(path, run_only=True) & MODULES.keys() - {name}
        for name, path in MODULES.items()
    }
    assert len(list(TopologicalSorter(graph).static_order())) == len(MODULES)


def test_modules_stay_short_enough_to_read():
    lines = {n: len(p.read_text(encoding="utf-8").splitlines()) for n, p in MODULES.items()}
    words = {name for name in lines if name.endswith(".words")}  # sentences alone may be many
    assert {name: count for name, count in lines.items() if count > 250 and name not in words} == {}
    assert statistics.median(lines.values()) < 130


@pytest.mark.parametrize("folder", sorted({path.parent for path in MODULES.values()}))
def test_no_file_name_repeats_the_first_word_of_another(folder):
    names = {path.stem for path in folder.glob("*.py")}
    assert {a: b for a in names for b in names if b.startswith(f"{a}_")} == {}


@pytest.mark.parametrize("module", CORE)
def test_every_module_of_the_core_opens_with_the_question_it_answers(module):
    path = MODULES[module]
    doc = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    assert "?" in doc.split("\n\n")[0] or path.name == "__init__.py"


@pytest.mark.parametrize("module", CORE)
def test_everything_public_in_the_core_has_a_docstring(module):
    tree = ast.parse(MODULES[module].read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    nodes = [*tree.body, *(inner for node in classes for inner in node.body)]
    public = [n for n in nodes if isinstance(n, kinds) and not n.name.startswith("_")]
    assert [node.name for node in public if not ast.get_docstring(node)] == []
