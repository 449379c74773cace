"""What did the student's code give back: the output (B, T, d), and weights if there are any?"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_widget.validate import FloatArray
from attention_widget.widgets.check.frameworks import Array, to_numpy
from attention_widget.widgets.check.trouble import CodeError

_OUTPUTS = ("output", "out", "y", "context", "context_vec", "attn_output", "last_hidden_state")
_WEIGHTS = ("dropped", "weights", "attn_weights", "attention_weights", "attn", "attention", "probs")


@dataclass(frozen=True, eq=False)
class Answer:
    """One call's answer.

    Attributes:
        output: (B, T, d), float64.
        weights: what was returned beside it as float64, last axes (T, T); None without.
        dtype: the output's own dtype.
        kind: the type that was returned, where it is not an array.
    """

    output: FloatArray
    weights: FloatArray | None
    dtype: str
    kind: str


def read_answer(value: Any, wanted: tuple[int, ...]) -> Answer:
    """Find the output of the shape `wanted` and the weights in what the code returned.

    Raises:
        CodeError: there is no such output.
    """
    parts = _parts(value)
    arrays = [array for part in parts if (array := _array(part)) is not None]
    if not arrays:
        raise CodeError(
            f"Your code returned {_told(value)}; an array of shape {wanted} is due, (B, T, d)."
        )
    output = next((array for array in arrays if array.shape == wanted), None)
    if output is None:
        raise CodeError(
            f"Your code returned the shape {arrays[0].shape}; {wanted} is due, (B, T, d)."
        )
    t = wanted[-2]
    beside = [a for a in arrays if a is not output and a.ndim >= 2 and a.shape[-2:] == (t, t)]
    weights = beside[0].astype(np.float64) if beside else None
    kind = "" if hasattr(value, "shape") or len(parts) > 1 else type(value).__name__
    return Answer(output.astype(np.float64), weights, str(output.dtype), kind)


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        found = [value[name] for name in (*_OUTPUTS, *_WEIGHTS) if name in value]
        return found or list(value.values())
    if isinstance(value, tuple) or (
        isinstance(value, list) and value and all(hasattr(part, "shape") for part in value)
    ):
        return list(value)
    if not hasattr(value, "shape"):
        found = [getattr(value, n) for n in (*_OUTPUTS, *_WEIGHTS) if hasattr(value, n)]
        return found or [value]
    return [value]


def _array(part: Any) -> Array | None:
    try:
        array = to_numpy(part)
    except Exception:  # whatever a strange object does when it is made an array
        return None
    return array if array.dtype.kind in "fiu" and array.ndim else None


def _told(value: Any) -> str:
    try:
        said = " ".join(repr(value).split())
    except Exception:
        said = "an object that cannot be printed"
    return f"{type(value).__name__} {said[:80]}" if value is not None else "None"
