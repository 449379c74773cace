"""Does `attention-widget check` print, count and refuse as a command should?"""

import json

import pytest

from attention_widget.widgets.cli import main

RIGHT = """
import numpy as np

def attend(q, k, v):
    s = q @ k.swapaxes(-1, -2) / {scale}
    a = np.exp(np.where(np.tri(s.shape[-1], dtype=bool), s, -np.inf))
    return a / a.sum(-1, keepdims=True) @ v
"""


@pytest.fixture
def target(tmp_path):
    """Return a function that writes the code with a scale and gives its target."""

    def write(scale):
        path = tmp_path / "attention.py"
        path.write_text(RIGHT.format(scale=scale))
        return f"{path}:attend"

    return write


def test_right_code_has_exit_status_0(target, capsys):
    assert main(["check", target("q.shape[-1] ** 0.5")]) == 0
    assert capsys.readouterr().out.startswith("attend: passed")


def test_wrong_code_has_exit_status_1_and_json_on_request(target, capsys):
    assert main(["check", target("1"), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["diagnosis"]["faults"] == ["missing_scale"]
    assert found["passed"] is False


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        (["--name", "nonsense=x"], "there is no role 'nonsense'"),
        (["--name", "n_heads"], "--name must be ROLE=YOURS"),
        (["--limit", "0"], "above 0"),
    ],
)
def test_bad_options_have_exit_status_2(extra, said, target, capsys):
    assert main(["check", target("1"), *extra]) == 2
    assert said in capsys.readouterr().err


def test_a_target_that_is_none_has_exit_status_2(capsys):
    assert main(["check", "nowhere.py:Mine"]) == 2
    assert "there is no file" in capsys.readouterr().err
