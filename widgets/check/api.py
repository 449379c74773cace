"""How does a student, or an autograder, ask whether an attention is right?"""

from collections.abc import Mapping
from typing import Any

from attention_widget.widgets.check.engine import name_of, run_check
from attention_widget.widgets.check.files import check_file
from attention_widget.widgets.check.isolation import can_fork, forked
from attention_widget.widgets.check.record import Check
from attention_widget.widgets.check.roles import check_names
from attention_widget.widgets.check.timed import interrupted

LIMIT = 30.0
"""Seconds that a check may take; at most 5 are needed for code in NumPy that comes back."""


def check_attention(
    mine: Any,
    *,
    names: Mapping[str, str] | None = None,
    n_heads: int | None = None,
    seed: int = 0,
    limit: float = LIMIT,
) -> Check:
    """Measure a student's own causal attention against the lesson's checklist, and name the fault.

    Args:
        mine: a function of x (B, T, d) or (T, d) and of matrices, a function of projected q, k
            and v, a class, an object that is built already, or the text "mine.py:Name". In
            NumPy, PyTorch or JAX.
        names: role -> the student's own name for it, where that is not a usual one, for
            example {"n_heads": "how_many"}; roles are listed in the README.
        n_heads: h of code that does not take it.
        seed: of every random number.
        limit: seconds, after which code that has not come back is stopped.

    Returns:
        `Check`: every line passed, failed, not reached or does not apply, with the measured
        number; the diagnosis; remarks; the maps. It displays itself in a notebook, and is text
        when printed. A file is run in a new process; a live object in a fork of this one where
        that is safe, else here with a timed interrupt.

    Raises:
        ValueError: a role in `names` that there is not, a text that is not FILE:NAME, or a limit
            that is not above 0.
    """
    check_names(names or {})
    if not limit > 0:
        raise ValueError(f"limit must be a number of seconds above 0: got {limit!r}; try {LIMIT:g}")
    options: dict[str, Any] = {"names": dict(names or {}), "n_heads": n_heads, "seed": seed}
    if isinstance(mine, str):
        return check_file(mine, limit=limit, **options)

    def job() -> Check:
        return run_check(mine, **options)

    return (forked if can_fork() else interrupted)(job, name_of(mine), limit)


def assert_attention(mine: Any, **options: Any) -> None:
    """Do nothing if the attention is right; takes what `check_attention` takes.

    Raises:
        AssertionError: it is not; the message is the whole record, diagnosis first.
        ValueError: as `check_attention`.
    """
    __tracebackhide__ = True  # pytest shows the message, not this line
    check = check_attention(mine, **options)
    if not check.passed:
        raise AssertionError(str(check))
