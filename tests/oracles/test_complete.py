"""Is every stored case used by some test?"""

import ast
from pathlib import Path

import pytest

from tests.oracles.cases import FOLDER, load
from tests.oracles.test_layer import ROUTES

HERE = Path(__file__).parent
BY_OPERATION = {
    "torch_sdpa": {"sdpa"},
    "torch_mha": {"mha"},
    "onnx_attention": {"sdpa", "softmax", "dropout_onnx"},
    "torch_dropout": {"dropout_apply"},
    "arithmetic": {"arithmetic"},
}


def words_in_tests():
    """Collect every string constant of the test modules."""
    modules = HERE.glob("test_*.py")
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in modules)
    nodes = (node for tree in trees for node in ast.walk(tree))
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def test_every_oracle_file_is_one_that_the_tests_read():
    files = {path.stem for path in FOLDER.glob("*.json")}
    assert files == {*BY_OPERATION, "torch_precision", "torch_behaviour", "raschka_ch03"}


@pytest.mark.parametrize("name", ["torch_precision", "torch_behaviour", "torch_dropout"])
def test_every_case_that_is_not_run_by_operation_is_named_in_a_test(name):
    run = BY_OPERATION.get(name, set()) | ({"dropout_stats"} if name == "torch_dropout" else set())
    named = words_in_tests()
    assert {c["id"] for c in load(name)["cases"] if c["op"] not in run} - named == set()


@pytest.mark.parametrize("name", [n for n in BY_OPERATION if n != "torch_dropout"])
def test_every_operation_of_a_file_is_run(name):
    assert {case["op"] for case in load(name)["cases"]} == BY_OPERATION[name]


def test_every_result_of_the_notebook_is_computed_or_named():
    keys = {result["key"] for result in load("raschka_ch03")["results"]}
    assert keys - set(ROUTES) - words_in_tests() == set()


def test_the_files_hold_as_many_cases_as_their_readme_says():
    counts = {
        "torch_sdpa": 32,
        "torch_mha": 9,
        "torch_precision": 2,
        "torch_behaviour": 10,
        "torch_dropout": 7,
        "onnx_attention": 31,
        "arithmetic": 6,
    }
    assert {name: len(load(name)["cases"]) for name in counts} == counts
    assert len(load("raschka_ch03")["results"]) == 15
