"""Does every wrong implementation in NumPy get its fault's name, and every right one pass?"""

from pathlib import Path

import pytest

from attention_widget import Fault
from attention_widget.widgets.check.engine import run_check
from attention_widget.widgets.check.record import FAILED
from tests.check.zoo import numpy_styles, torch_cases
from tests.check.zoo.numpy_cases import RIGHT, WRONG, name_of


def diagnosed(check):
    """Return the named faults; nothing may be named for code that passed."""
    assert not check.passed, "a wrong implementation passed"
    assert check.diagnosis is not None, check.problem
    return set(check.diagnosis.faults)


@pytest.mark.parametrize("case", WRONG, ids=name_of)
def test_a_wrong_implementation_gets_the_name_of_its_faults(case):
    make, faults = case
    check = run_check(make(faults))
    assert diagnosed(check) == {fault.value for fault in faults}
    assert any(line.status == FAILED for line in check.lines)
    assert len(check.diagnosis.hints) == len(faults)


@pytest.mark.parametrize("mine", RIGHT, ids=lambda mine: getattr(mine, "__name__", "object"))
def test_a_right_implementation_passes(mine):
    check = run_check(mine)
    assert check.passed, str(check)
    assert check.diagnosis is None


def test_there_are_60_wrong_and_15_right_ones_and_every_fault_stands_alone_and_in_a_pair():
    wrong = [faults for _, faults in [*WRONG, *torch_cases.WRONG]]
    assert len(wrong) == 60
    assert len(RIGHT) + len(torch_cases.RIGHT) >= 15
    assert {fault for faults in wrong if len(faults) == 1 for fault in faults} == set(Fault)
    assert {fault for faults in wrong if len(faults) == 2 for fault in faults} == set(Fault)
    names = [*map(name_of, WRONG), *map(torch_cases.name_of, torch_cases.WRONG)]
    assert len(set(names)) == 60


def test_the_readme_counts_them_and_quotes_a_sentence_that_is_said():
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert f"{len(RIGHT) + len(torch_cases.RIGHT)} right ones in as many styles" in readme
    assert f"({len(WRONG)} in NumPy, {len(torch_cases.WRONG)} in PyTorch;" in readme
    found = run_check(numpy_styles.batched(frozenset({Fault.ZERO_AFTER_SOFTMAX})))
    assert f'"{found.diagnosis.sentence}"' in readme


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_no_verdict_depends_on_the_seed(seed):
    for make, faults in WRONG:
        found = run_check(make(faults), seed=seed)
        assert diagnosed(found) == {fault.value for fault in faults}, name_of((make, faults))
    for mine in RIGHT:
        found = run_check(mine, seed=seed)
        assert found.passed, str(found)
