"""Which four matrices does the student's code hold, whatever they are called and however stored?

Where an array alone does not tell how it is used (`x @ W` or `W @ x`, thirds or heads of a fused
matrix), every reading is returned, and the outputs decide.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from attention_widget.multihead import MultiHeadAttention
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.frameworks import to_numpy
from attention_widget.widgets.check.roles import PARAMETERS, plain, role_of


@dataclass(frozen=True, eq=False)
class Parameters:
    """The matrices of one layer, float64 and for `x @ W`.

    Attributes:
        w_q: (d_in, d); likewise w_k and w_v.
        w_o: (d, d_out), or None when the code has none.
        b_q: bias (d,) or None; likewise b_k, b_v and b_o.
        note: how the arrays were read, for a remark.
        single: whether the code stores them in float32 or less.
    """

    w_q: FloatArray
    w_k: FloatArray
    w_v: FloatArray
    w_o: FloatArray | None = None
    b_q: FloatArray | None = None
    b_k: FloatArray | None = None
    b_v: FloatArray | None = None
    b_o: FloatArray | None = None
    note: str = "x @ W"
    single: bool = False

    @property
    def d(self) -> int:
        """Width of queries, all heads together."""
        return int(self.w_q.shape[1])

    def layer(self, n_heads: int) -> MultiHeadAttention:
        """Return the lesson's layer with these matrices; without W_o, with the identity."""
        w_o = np.eye(self.d) if self.w_o is None else self.w_o
        biases = {"b_q": self.b_q, "b_k": self.b_k, "b_v": self.b_v, "b_o": self.b_o}
        return MultiHeadAttention(self.w_q, self.w_k, self.w_v, w_o, n_heads, **biases)

    def transposed(self) -> "Parameters":
        """Return the reading for code that multiplies by the transposed matrices."""
        w_o = None if self.w_o is None else self.w_o.T
        return replace(self, w_q=self.w_q.T, w_k=self.w_k.T, w_v=self.w_v.T, w_o=w_o, note="W @ x")


@dataclass(frozen=True, eq=False)
class _Matrix:
    array: FloatArray  # (in, out) if certain, else as stored
    bias: FloatArray | None
    certain: bool
    single: bool


def read_parameters(obj: Any, n_heads: int, names: Mapping[str, str]) -> list[Parameters]:
    """Return every way to read the matrices of an object; empty when they are not found."""
    parts = heads_of(obj)
    if parts:
        each = [read_parameters(part, 1, names) for part in parts]
        if not all(each):
            return []
        found = _members(obj, names)
        return [_side_by_side(row, found, names) for row in zip(*each, strict=True)]
    found = _members(obj, names)
    if "w_qkv" in found or {"w_q", "w_k", "w_v"} <= found.keys():
        return _readings(found, n_heads)
    listed = _in_order(obj)
    if listed:
        return _readings(listed, n_heads)
    for name in ("attn", "attention", "mha", "self_attn", "self_attention", "layer", "inner"):
        inner = getattr(obj, name, None)
        if inner is not None and not callable(getattr(type(obj), name, None)):
            return read_parameters(inner, n_heads, names)
    return []


def _named(obj: Any) -> dict[str, Any]:
    named = dict(obj) if isinstance(obj, Mapping) else dict(getattr(obj, "__dict__", {}))
    for group in ("_parameters", "_modules", "_buffers"):
        named |= getattr(obj, group, None) or {}
    for slot in getattr(type(obj), "__slots__", ()):
        if hasattr(obj, slot):
            named[slot] = getattr(obj, slot)
    nested = [v for k, v in named.items() if plain(k) in ("weights", "params", "parameters")]
    for inner in nested:
        if isinstance(inner, Mapping):
            named |= inner
    return named


def _members(obj: Any, names: Mapping[str, str]) -> dict[str, Any]:
    """Collect what plays a parameter's role; "q", "key" and the like count as projections here."""
    found: dict[str, Any] = {}
    for name, value in _named(obj).items():
        role = role_of(name, names)
        role = {"q": "w_q", "k": "w_k", "v": "w_v"}.get(role or "", role)
        if role in PARAMETERS and role not in found and _matrix(value) is not None:
            found[role] = value
    return found


def _in_order(obj: Any) -> dict[str, Any]:
    """Find four (or three) layers in one list: q, k, v and then the output."""
    for value in _named(obj).values():
        listed = isinstance(value, (list, tuple)) or type(value).__name__ == "ModuleList"
        if listed and len(value) in (3, 4) and all(_matrix(part) is not None for part in value):
            return dict(zip(("w_q", "w_k", "w_v", "w_o"), value, strict=False))
    return {}


def names_in(obj: Any) -> list[str]:
    """Return the names of an object's own attributes, layers and arrays."""
    return sorted(n for n in _named(obj) if not n.startswith("_") and n != "training")


def heads_of(obj: Any) -> list[Any]:
    """Return the single heads of an object that keeps them in a list; empty if it does not."""
    for name, value in _named(obj).items():
        listed = isinstance(value, (list, tuple)) or type(value).__name__ == "ModuleList"
        if plain(name) in ("heads", "attentionheads", "attnheads") and listed:
            return [part for part in value if not np.isscalar(part)]
    return []


def _side_by_side(
    row: tuple[Parameters, ...], found: Mapping[str, Any], names: Mapping[str, str]
) -> Parameters:
    joined = {
        key: np.concatenate([getattr(one, key) for one in row], axis=-1)
        for key in ("w_q", "w_k", "w_v", "b_q", "b_k", "b_v")
        if getattr(row[0], key) is not None
    }
    out = _matrix(found["w_o"]) if "w_o" in found else None
    last = {} if out is None else {"w_o": out.array, "b_o": out.bias}
    return replace(row[0], **joined, **last)  # type: ignore[arg-type]


def _matrix(value: Any) -> _Matrix | None:
    """Read one projection: a layer with a weight, a pair (weight, bias), or a bare array."""
    if type(value).__name__ == "Sequential":
        return next((m for part in value if (m := _matrix(part)) is not None), None)
    weight = value.get("kernel") if isinstance(value, Mapping) else None
    for name in ("weight", "W", "w", "kernel"):
        weight = getattr(value, name, None) if weight is None else weight
    if weight is not None:
        bias = value.get("bias") if isinstance(value, Mapping) else None
        for name in ("bias", "b"):
            bias = getattr(value, name, None) if bias is None else bias
        inner = _matrix(weight)
        if inner is None:
            return None
        flip = hasattr(value, "in_features") and type(value).__name__ != "Conv1D"
        certain = flip or type(value).__name__ == "Conv1D" or isinstance(value, Mapping)
        array = inner.array.T if flip else inner.array
        return _Matrix(array, _float(bias), certain, inner.single)
    if isinstance(value, tuple) and len(value) == 2:
        inner = _matrix(value[0])
        return inner and replace(inner, bias=_float(value[1]))
    try:
        array = to_numpy(value)
    except (ValueError, TypeError, RuntimeError):
        return None
    if array.dtype.kind != "f" or array.ndim not in (1, 2, 3):
        return None
    return _Matrix(array.astype(np.float64), None, False, array.dtype.itemsize < 8)


def _float(value: Any) -> FloatArray | None:
    if value is None or isinstance(value, bool):
        return None
    array = to_numpy(value)
    return array.astype(np.float64).reshape(-1) if array.dtype.kind == "f" else None


def _readings(found: Mapping[str, Any], n_heads: int) -> list[Parameters]:
    parts = {role: part for role, value in found.items() if (part := _matrix(value)) is not None}
    single = any(part.single for part in parts.values())
    readings = []
    fused = parts.get("w_qkv")
    certain = all(p.certain for r, p in parts.items() if r.startswith("w_"))
    for flip in (False,) if certain else (False, True):
        for per_head in (False,) if fused is None or n_heads == 1 else (False, True):
            reading = _reading(parts, n_heads, flip, per_head)
            if reading is not None:
                readings.append(replace(reading, single=single))
    return readings


def _reading(
    parts: Mapping[str, _Matrix], n_heads: int, flip: bool, per_head: bool
) -> Parameters | None:
    def whole(role: str) -> FloatArray | None:
        part = parts.get(role)
        if part is None:
            return None
        array = _flat(part.array, role, n_heads)
        return array.T if flip and not part.certain and part.array.ndim == 2 else array

    def bias(role: str) -> FloatArray | None:
        part, own = parts.get(role), parts.get("b" + role[1:])
        return own.array.reshape(-1) if own is not None else part.bias if part else None

    q, k, v = whole("w_q"), whole("w_k"), whole("w_v")
    b_q, b_k, b_v = bias("w_q"), bias("w_k"), bias("w_v")
    fused, b_fused = whole("w_qkv"), bias("w_qkv")
    if fused is not None:
        cuts = 3 * n_heads if per_head else 3
        if fused.shape[-1] % cuts or fused.shape[-1] <= fused.shape[0]:
            return None
        q, k, v = _thirds(fused, n_heads if per_head else 1)
        if b_fused is not None:
            b_q, b_k, b_v = _thirds(b_fused, n_heads if per_head else 1)
    if q is None or k is None or v is None or not q.shape == k.shape == v.shape or q.ndim != 2:
        return None
    w_o = whole("w_o")
    if w_o is not None and (w_o.ndim != 2 or w_o.shape[0] != q.shape[1]):
        return None
    note = ("W @ x" if flip else "x @ W") + (", q, k and v side by side per head" * per_head)
    return Parameters(q, k, v, w_o, b_q, b_k, b_v, bias("w_o"), note)


def _thirds(fused: FloatArray, n_heads: int) -> list[FloatArray]:
    """Cut (..., 3d) into q, k and v; with heads, each head holds its own three."""
    *lead, width = fused.shape
    parts = fused.reshape(*lead, n_heads, 3, width // (3 * n_heads))
    return [parts[..., i, :].reshape(*lead, width // 3) for i in range(3)]


def _flat(array: FloatArray, role: str, n_heads: int) -> FloatArray:
    """Lay a matrix with a head axis flat: (h, d, d_head) or (d, h, d_head) -> (d, h d_head)."""
    if array.ndim != 3:
        return array
    if role == "w_o":
        return array.reshape(-1, array.shape[-1])  # (h, d_head, d)
    if array.shape[0] == n_heads:
        array = array.transpose(1, 0, 2)
    return array.reshape(array.shape[0], -1)
