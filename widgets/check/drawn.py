"""Which matrices are given to a function, and in which forms may it want them?"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from attention_widget.validate import FloatArray
from attention_widget.widgets.check.model import Spec
from attention_widget.widgets.check.parameters import Parameters
from attention_widget.widgets.check.roles import role_of

BIASES = ("b_q", "b_k", "b_v", "b_o")


class Weights(tuple[Any, ...]):
    """(W_q, W_k, W_v, W_o), which also answers to names: weights["w_q"], weights.w_q."""

    def __getitem__(self, key: Any) -> Any:
        return self._named(key) if isinstance(key, str) else super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._named(name)

    def _named(self, name: str) -> Any:
        role = role_of(name, {}) or ""
        role = role if role.startswith("w_") else f"w_{role}"
        return super().__getitem__(("w_q", "w_k", "w_v", "w_o").index(role))


def draw(spec: Spec) -> Parameters:
    """Draw the matrices for a function, (d, d) each, so that scores have variance about 4."""
    rng = np.random.default_rng([spec.seed, 0])
    w_q, w_k, w_v, w_o = rng.standard_normal((4, spec.d, spec.d)) / np.sqrt(spec.d)
    return Parameters(w_q, w_k, w_v, w_o)


def stored(one: Parameters, store: str, n_heads: int) -> dict[str, FloatArray]:
    """Return the matrices as a function may want them; see `Way.store`."""
    assert one.w_o is not None
    d = one.d
    arrays = {"w_q": one.w_q, "w_k": one.w_k, "w_v": one.w_v}
    if store == "heads":
        width = d // n_heads
        heads = {r: a.reshape(d, n_heads, width).transpose(1, 0, 2) for r, a in arrays.items()}
        return heads | {"w_o": one.w_o.reshape(n_heads, width, d)}
    fused = np.concatenate(list(arrays.values()), axis=1)
    return arrays | {"w_o": one.w_o, "w_qkv": fused.T if store == "rows" else fused}


def draw_bias(spec: Spec, role: str) -> FloatArray:
    return np.random.default_rng([spec.seed, *role.encode()]).standard_normal(spec.d) / 4


def with_biases(one: Parameters, biases: Mapping[str, FloatArray]) -> Parameters:
    """Return the matrices with the biases that a function insists on."""
    return replace(
        one,
        b_q=biases.get("b_q", one.b_q),
        b_k=biases.get("b_k", one.b_k),
        b_v=biases.get("b_v", one.b_v),
        b_o=biases.get("b_o", one.b_o),
    )
