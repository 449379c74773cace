"""The same for PyTorch, where it is installed: it is not needed to run the tests."""

import importlib.util

import pytest

from attention_widget.widgets.check.engine import run_check
from attention_widget.widgets.check.isolation import forked
from tests.check.test_zoo import diagnosed
from tests.check.zoo.torch_cases import RIGHT, WRONG, make, name_of
from tests.conftest import NOT_RUN

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason=f"{NOT_RUN}PyTorch is not installed"
)


@pytest.mark.parametrize("case", WRONG, ids=name_of)
def test_a_wrong_implementation_gets_the_name_of_its_faults(case):
    check = run_check(make(*case))
    assert diagnosed(check) == {fault.value for fault in case[1]}


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_implementation_passes(name):
    check = run_check(make(name))
    assert check.passed, str(check)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_no_verdict_depends_on_the_seed(seed):
    for case in WRONG:
        found = run_check(make(*case), seed=seed)
        assert diagnosed(found) == {fault.value for fault in case[1]}, name_of(case)
    for name in RIGHT:
        found = run_check(make(name), seed=seed)
        assert found.passed, str(found)


def test_a_module_is_left_as_it_was():
    module = make("seeded_module")
    before = {name: value.clone() for name, value in module.state_dict().items()}
    run_check(module)
    assert module.training
    assert module.dropout == 0.1
    assert next(module.parameters()).dtype.itemsize == 4
    assert all((value == before[name]).all() for name, value in module.state_dict().items())


def test_a_fork_comes_back_when_this_process_has_used_all_its_threads():
    import torch

    assert (torch.ones(600, 600) @ torch.ones(600, 600)).sum() > 0
    module = make("seeded_module")
    assert forked(lambda: run_check(module), "module", 60).passed
