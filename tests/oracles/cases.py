"""How are the stored vectors read and compared?"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

FOLDER = Path(__file__).parent


@cache
def load(name):
    """Read one oracle file; the result is shared, so do not change it."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def cases(name, *ops):
    """Return the cases of a file with one of these operations, as pytest parameters."""
    chosen = [case for case in load(name)["cases"] if case["op"] in ops]
    return [pytest.param(case, id=case["id"]) for case in chosen]


def case_of(name, case_id):
    """Return one case by its id."""
    return next(case for case in load(name)["cases"] if case["id"] == case_id)


def array(spec: Any, file: str = "") -> np.ndarray:
    """Read a stored array, a reference into `shared`, or a formula."""
    if "ref" in spec:
        return array(load(file)["shared"][spec["ref"]])
    if "formula" in spec:
        rule = spec["formula"]
        n = np.arange(np.prod(rule["shape"]), dtype=np.int64)
        row = n // rule["shape"][-1]
        whole = (n * rule["a"] + row * rule["b"] + rule["c"]) % rule["mod"]
        return ((whole / rule["mod"] - 0.5) * rule["div"]).reshape(rule["shape"])
    kept = np.array(spec["data"], dtype=object).reshape(-1)
    numbers = [float(n) if isinstance(n, str) else n for n in kept]
    return np.array(numbers, dtype=spec["dtype"]).reshape(spec["shape"])


def inputs(case, file, *names):
    """Read inputs by name; one that the case does not have is None."""
    return [array(case["inputs"][n], file) if n in case["inputs"] else None for n in names]


def assert_close(got, want, tolerance):
    """Hold |got - want| <= atol + rtol |want|, with NaN and infinities in the same places."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.shape == want.shape
    np.testing.assert_allclose(
        got.astype(np.float64), want.astype(np.float64), equal_nan=True, **tolerance
    )
