"""What did the student hand in: a function, a class, or an object that is built already?"""

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from attention_widget.widgets.check.drawn import (
    BIASES,
    Weights,
    draw,
    draw_bias,
    stored,
    with_biases,
)
from attention_widget.widgets.check.dropouts import set_dropout, silence_late_dropout
from attention_widget.widgets.check.frameworks import (
    framework_of,
    generator,
    is_module,
    native,
    seeded,
)
from attention_widget.widgets.check.limits import longest_of
from attention_widget.widgets.check.model import Model, Spec, Way
from attention_widget.widgets.check.parameters import names_in, read_parameters
from attention_widget.widgets.check.roles import plain, role_of
from attention_widget.widgets.check.signature import CALL, CONSTRUCTOR, Call, every_name
from attention_widget.widgets.check.trouble import UnclearError, student_code

_METHODS = ("forward", "__call__", "call", "attend", "attention", "apply")


class Subject:
    """The student's code, from which layers are made.

    Attributes:
        kind: "function", "heads" (a function of projected q, k and v), "class" or "object".
        n_heads: the h of an object that is built already; None when h can be chosen.
        has_dropout: whether a p was found; known once a layer was made.
        quiet: dropouts after W_o that were switched off.
    """

    def __init__(self, mine: Any, names: Mapping[str, str], n_heads: int | None = None) -> None:
        if not (callable(mine) or any(hasattr(mine, m) for m in _METHODS)):
            raise UnclearError(
                f"a function, a class or an object that can be called is due: got "
                f"{type(mine).__name__}"
            )
        self.mine, self.names = mine, names
        self.framework = framework_of(mine)
        self.has_dropout = False
        self.quiet: tuple[str, ...] = ()
        self._asked = n_heads
        self.n_heads: int | None = n_heads
        if isinstance(mine, type):
            self.kind = "class"
            self.make = Call(mine, names, CONSTRUCTOR)
            self.choose_heads = self.make.has("n_heads") or self.make.has("config")
        elif inspect.isroutine(mine) or isinstance(mine, functools.partial):
            self.call = Call(mine, names, CALL)
            self.kind = "heads" if self.call.has("q") else "function"
            self.choose_heads = self.call.has("n_heads")
            self.has_dropout = self.call.has("dropout")
        else:
            self.kind, self.choose_heads = "object", False
            self.n_heads = n_heads or _heads_of(mine, names) or 1

    def ways(self) -> list[Way]:
        """Return the ways to call it that are worth trying, the likeliest first."""
        call = self.call if self.kind in ("function", "heads") else None
        if call is None:
            call = self.build(Spec(n_heads=self.n_heads or Spec().n_heads)).call
        mask = ("may", "forbid", "add") if call.has("mask") else ()
        first = () if call.needs("mask") else ("flag",)
        stores: tuple[str, ...] = ("flat",)
        if self.kind == "function":
            fused = call.has("w_qkv")
            stores = ("flat", "rows") if fused else ("flat", "heads")
        axes: tuple[str, ...] = ("batch", "single", "first")
        if self.kind == "heads":
            axes = ("batch", "single") if self.choose_heads else ("heads", "batch", "single")
        elif getattr(self.mine, "batch_first", True) is False:
            axes = ("first", "batch", "single")
        return [Way(a, m, s) for s in stores for a in axes for m in (*first, *mask)]

    def build(self, spec: Spec) -> Model:
        """Make a layer.

        Raises:
            CodeError: the constructor threw.
            UnclearError: an argument or the matrices are not recognised.
        """
        if self.kind in ("function", "heads"):
            return self._of_function(spec)
        if self.kind == "class":
            with seeded(spec.seed):
                obj = self._construct(spec)
        else:
            try:
                obj = copy.deepcopy(self.mine)
            except Exception:  # an object that cannot be copied is used itself
                obj = self.mine
        return self._of_object(obj, spec)

    def _construct(self, spec: Spec) -> Any:
        sizes: dict[str, Any] = {
            "d": spec.d,
            "d_out": spec.d,
            "n_heads": spec.n_heads,
            "d_head": spec.d // spec.n_heads,
            "context": spec.context,
            "dropout": spec.dropout,
            "causal": True,
            "batch_first": True,
        }
        if self.make.needs("bias"):
            sizes["bias"] = False
        if self.make.has("rng"):
            name = self.make.name_of("rng")
            sizes["rng"] = generator(self.framework, name, spec.seed)
        matrices = draw(spec)
        drawn = {role: native(self.framework, a) for role, a in stored(matrices, "flat", 1).items()}
        known = sizes | drawn | {"config": every_name(sizes | {"bias": False})}
        positional, named = self.make.bind(known)
        with student_code(f"When it was made with d = {spec.d} and h = {spec.n_heads}"):
            return self.mine(*positional, **named)

    def _of_object(self, obj: Any, spec: Spec) -> Model:
        if is_module(obj):
            obj = obj.double() if spec.dtype == "float64" else obj.float()
        made = self.kind == "class" and (self.make.has("dropout") or self.make.has("config"))
        if not made:
            self.has_dropout = set_dropout(obj, spec.dropout, self.names)
        self.has_dropout |= made
        self.quiet = silence_late_dropout(obj, self.names)
        n_heads = spec.n_heads
        if not self.choose_heads:
            n_heads = self._asked or _heads_of(obj, self.names) or 1
            self.n_heads = n_heads
        readings = read_parameters(obj, n_heads, self.names)
        if not readings:
            raise UnclearError(
                "the matrices were not found among "
                + (", ".join(names_in(obj)[:20]) or "none")
                + '; say what they are called with names={"w_q": "yours", "w_k": ..., "w_v": ..., '
                '"w_o": ...} (a fused one: "w_qkv")'
            )
        d = readings[0].w_q.shape[0]
        function: Callable[..., Any] = next(getattr(obj, m) for m in _METHODS if hasattr(obj, m))
        call = Call(function, self.names, CALL)
        self.has_dropout |= call.has("dropout")
        entry = obj if callable(obj) and is_module(obj) else function
        return Model(
            entry, call, self.framework, replace(spec, d=d, n_heads=n_heads), readings, {}, False,
            obj, set(), longest_of(obj, self.names),
        )  # fmt: skip

    def _of_function(self, spec: Spec) -> Model:
        n_heads = spec.n_heads if self.choose_heads or self.kind == "heads" else self._asked or 1
        spec = replace(spec, n_heads=n_heads)
        own = draw(spec)
        takes_heads = self.kind == "heads"
        uses_o = self.call.has("w_o") or self.call.has("weights")
        fused = self.call.has("w_qkv")
        readings = [replace(own, w_o=own.w_o if uses_o else None)]
        if not takes_heads:
            readings.append(readings[0].transposed())
        if fused:
            joined = np.concatenate([own.w_q, own.w_k, own.w_v], axis=1)
            members = {"w_qkv": joined} | ({"w_o": own.w_o} if uses_o else {})
            readings = read_parameters(members, n_heads, {})
        wanted = {r: draw_bias(spec, r) for r in BIASES if self.call.needs(r)}
        readings = [with_biases(reading, wanted) for reading in readings]

        def matrices(store: str) -> dict[str, Any]:
            arrays = stored(own, store, n_heads)
            arrays |= {r: draw_bias(spec, r) for r in BIASES}
            given = {
                role: native(self.framework, array.astype(spec.dtype))
                for role, array in arrays.items()
                if self.call.has(role) and (role[0] == "w" or self.call.needs(role))
            }
            if self.call.has("weights"):
                four = (arrays[role] for role in ("w_q", "w_k", "w_v", "w_o"))
                given["weights"] = Weights(
                    native(self.framework, array.astype(spec.dtype)) for array in four
                )
            return given

        function = self.mine
        return Model(
            function, self.call, self.framework, spec, readings, {"matrices": matrices},
            takes_heads, None, set(),
        )  # fmt: skip


def _heads_of(obj: Any, names: Mapping[str, str]) -> int | None:
    """Find the h of an object that is built already."""
    for holder in (obj, getattr(obj, "config", None), getattr(obj, "cfg", None)):
        for name, value in vars(holder).items() if hasattr(holder, "__dict__") else ():
            if role_of(name, names) == "n_heads" and type(value) is int:
                return value
    for name in ("heads", "attn_heads", "attention_heads"):
        listed = getattr(obj, name, None)
        if listed is not None and hasattr(listed, "__len__") and len(listed):
            return len(listed)
    slots = getattr(type(obj), "__slots__", ())
    return next((getattr(obj, s) for s in slots if plain(s) == "nheads"), None)
