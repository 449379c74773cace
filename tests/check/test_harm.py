"""Is code that loops, exits, prints without end or answers nonsense told plainly, in time?"""

import os
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from attention_widget import check_attention
from attention_widget.widgets.check.engine import run_check
from attention_widget.widgets.check.timed import interrupted
from tests.check.zoo import numpy_styles as style

HEAD = """
import os, sys, time
import numpy as np

def mine(x, w_q, w_k, w_v, w_o, n_heads):
"""
BAD = {
    "loops": ("while True:\n    pass", "did not come back within 3 s; it was at line"),
    "loops_and_catches_all": (
        "while True:\n    try:\n        time.sleep(1)\n    except BaseException:\n        pass",
        "did not come back within 3 s",
    ),
    "exits": ("sys.exit(0)", "ended the program: SystemExit: 0 (line 6, in mine: `sys.exit(0)`)"),
    "leaves": ("os._exit(0)", "ended its process (exit status 0)"),
    "raises": ("return x @ np.ones((3, 3))", "raised ValueError"),
    "recurses": ("return mine(x, w_q, w_k, w_v, w_o, n_heads)", "raised RecursionError"),
    "nothing": ("pass", "returned None; an array of shape (2, 6, 24) is due"),
    "text": ("return 'done'", "returned str 'done'"),
    "an_object": ("return object()", "returned object"),
    "a_shape": ("return x[:, :2]", "returned the shape (2, 2, 24); (2, 6, 24) is due"),
    "a_ragged_list": ("return [[1, 2], [3]]", "an array of shape (2, 6, 24) is due"),
}


@pytest.fixture
def written(tmp_path):
    """Return a function that writes the body of `mine` into a file and gives its target."""

    def write(body):
        path = tmp_path / "mine.py"
        path.write_text(HEAD + textwrap.indent(body, "    ") + "\n")
        return f"{path}:mine"

    return write


@pytest.mark.parametrize("name", BAD)
def test_bad_code_in_a_file_gets_a_plain_answer_in_time(name, written):
    body, said = BAD[name]
    before = time.monotonic()
    check = check_attention(written(body), limit=3 if "loops" in name else 30)
    assert not check.passed
    assert said in check.problem
    assert time.monotonic() - before < 30
    assert "Traceback" not in str(check)


def test_a_million_printed_lines_do_not_hide_the_answer_or_reach_the_terminal(written, capfd):
    body = "print('line\\n' * 1_000_000)\nreturn x * np.nan"
    check = check_attention(written(body))
    assert "The output is NaN, first at word 1" in check.diagnosis.sentence
    assert capfd.readouterr().out == ""


def test_what_the_code_has_started_does_not_outlive_the_check(written, tmp_path):
    mark = tmp_path / "alive"
    body = (
        "if os.fork() == 0:\n    while True:\n"
        f"        open({str(mark)!r}, 'w').close()\n        time.sleep(0.05)\ntime.sleep(60)"
    )
    check_attention(written(body), limit=3)
    assert mark.exists()
    mark.unlink()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        assert not mark.exists()
        time.sleep(0.05)


def test_a_file_that_throws_or_lacks_the_name_is_told_so(tmp_path):
    path = tmp_path / "attention.py"
    path.write_text("x = 1\nraise KeyError('weights')\n")
    told = check_attention(f"{path}:Mine").problem
    assert "When attention.py was imported, your code raised KeyError" in told
    assert "line 2" in told
    path.write_text("def attend(:\n")
    assert "SyntaxError" in check_attention(f"{path}:Mine").problem
    path.write_text("def attend(x): pass\n")
    assert "has no 'Mine'; it has attend" in check_attention(f"{path}:Mine").problem


@pytest.mark.parametrize("target", ["mine.py", "nowhere.py:Mine", ":Mine", "mine.py:1"])
def test_a_bad_target_is_refused_with_a_way_out(target):
    with pytest.raises(ValueError, match=r"FILE:NAME|there is no file"):
        check_attention(target)


def endless(x, w_q, w_k, w_v, w_o, n_heads):
    while True:
        pass


def dozing(x, w_q, w_k, w_v, w_o, n_heads):
    while True:
        time.sleep(0.01)


def leaving(x, w_q, w_k, w_v, w_o, n_heads):
    os._exit(7)


@pytest.mark.skipif(sys.platform != "linux", reason="a fork is safe on Linux only")
def test_a_live_function_is_stopped_in_a_fork():
    assert "within 3 s; it was at line" in check_attention(dozing, limit=3).problem
    assert "exit status 7" in check_attention(leaving).problem


def test_a_live_function_is_interrupted_where_no_fork_is_safe():
    found = interrupted(lambda: run_check(endless), "endless", 0.3)
    assert "did not come back within 0.3 s; it was at line" in found.problem
    answers = []
    thread = threading.Thread(
        target=lambda: answers.append(interrupted(lambda: run_check(endless), "endless", 0.3))
    )
    thread.start()
    thread.join(20)
    assert "did not come back" in answers[0].problem


def test_an_interrupt_that_was_not_needed_leaves_nothing_behind():
    assert interrupted(lambda: run_check(style.batched()), "batched", 20).passed
    end = time.monotonic() + 0.5
    while time.monotonic() < end:  # a late interrupt would end this loop
        pass


def test_code_that_changes_its_arrays_is_told_and_harms_nothing():
    def greedy(x, w_q, w_k, w_v, w_o, n_heads):
        output = style.batched()(x, w_q, w_k, w_v, w_o, n_heads)
        x *= 0
        w_q += 1
        return output

    found = run_check(greedy)
    assert found.passed
    assert "Your code changes the arrays it is given: x." in found.remarks


def test_the_global_random_state_is_put_back():
    np.random.seed(4)
    expected = np.random.random(3)
    np.random.seed(4)
    run_check(style.fused())
    assert (np.random.random(3) == expected).all()
