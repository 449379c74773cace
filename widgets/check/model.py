"""How is one layer of the student's called with x, so that an output (B, T, d) comes back?"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from attention_widget.mask import causal_mask
from attention_widget.multihead import merge_heads, split_heads
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.answers import Answer, read_answer
from attention_widget.widgets.check.frameworks import (
    Array,
    generator,
    is_module,
    native,
    seeded,
    to_numpy,
)
from attention_widget.widgets.check.parameters import Parameters
from attention_widget.widgets.check.signature import Call
from attention_widget.widgets.check.trouble import CodeError, student_code


@dataclass(frozen=True, slots=True)
class Spec:
    """What layer is wanted: h heads over a width d, a longest T, p, a dtype, and a seed."""

    n_heads: int = 3
    d: int = 24
    context: int = 40
    dropout: float = 0.0
    dtype: str = "float64"
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Way:
    """One way to call the code; which of them fits is learned by trying.

    Attributes:
        axes: "batch" (B, T, d), "single" (T, d), "first" (T, B, d); for a function of q, k and v
            "heads" (B, h, T, d_head).
        mask: "flag" (a switch or nothing), "may" (True = may attend), "forbid" (True = may not),
            "add" (floats that are added).
        store: "flat" (d, d), "heads" (h, d, d_head), or "rows" (3d, d) for a fused matrix.
    """

    axes: str = "batch"
    mask: str = "flag"
    store: str = "flat"


@dataclass(eq=False)
class Model:
    """A layer of the student's, ready to be called.

    Attributes:
        function: what is called.
        call: the roles of its arguments.
        framework: "numpy", "torch" or "jax".
        spec: what it was made for.
        readings: every way to read its matrices.
        extra: values of further roles: the matrices of a function, h, p.
        takes_heads: whether it wants q, k and v that are projected, not x.
        owner: the object whose training switch is set; None for a function.
        changed: names of arrays that the code has changed.
        longest: the most words it takes, read off its mask; None if there is no such limit.
    """

    function: Callable[..., Any]
    call: Call
    framework: str
    spec: Spec
    readings: list[Parameters]
    extra: Mapping[str, Any]
    takes_heads: bool
    owner: Any
    changed: set[str]
    longest: int | None = None

    def answer(
        self,
        x: FloatArray,
        way: Way,
        *,
        training: bool = False,
        causal: bool = True,
        seed: int = 0,
        doing: str = "",
    ) -> Answer:
        """Call the code with x (B, T, d), and read its answer.

        Raises:
            CodeError: it threw, or gave no output of the shape of x.
            UnclearError: an argument is not recognised.
        """
        b, t, _ = x.shape
        if way.axes == "single":
            rows = [
                self._one(x[i : i + 1], way, training, causal, seed + 1000 * i, doing)
                for i in range(b)
            ]
            weights = [w for row in rows if (w := row.weights) is not None]
            together = None
            if len(weights) == b and len({w.shape for w in weights}) == 1:
                together = np.stack([w.reshape(-1, t, t) for w in weights])
            joined = np.concatenate([row.output for row in rows])
            return Answer(joined, together, rows[0].dtype, rows[0].kind)
        return self._one(x, way, training, causal, seed, doing)

    def _one(
        self, x: FloatArray, way: Way, training: bool, causal: bool, seed: int, doing: str
    ) -> Answer:
        b, t, _ = x.shape
        values: dict[str, Any] = {
            "causal": causal,
            "training": training,
            "inference": not training,
            "dropout": self.spec.dropout,
            "n_heads": self.spec.n_heads,
            "d": self.spec.d,
            "d_out": self.spec.d,
            "d_head": self.spec.d // self.spec.n_heads,
            "context": self.spec.context,
            "return_weights": True,
            "average_weights": False,
        }
        if way.mask != "flag":
            values["mask"] = self._mask(way.mask, t, causal)
            if not self.call.needs("causal"):
                del values["causal"]
        if self.call.has("rng"):
            values["rng"] = generator(self.framework, self.call.name_of("rng"), seed)
        given = {
            role: native(self.framework, array.astype(self.spec.dtype))
            for role, array in self._tensors(x, way).items()
        }
        before = {role: to_numpy(array) for role, array in given.items()}
        wanted: tuple[int, ...] = self._laid(x, way.axes).shape
        if self.takes_heads:
            wanted = next(iter(before.values())).shape
        else:
            one = self.readings[0]  # heads side by side may be wider than x
            wanted = (*wanted[:-1], one.d if one.w_o is None else one.w_o.shape[1])
        stored = dict(self.extra)
        if "matrices" in stored:
            stored |= stored.pop("matrices")(way.store)
        positional, named = self.call.bind(values | stored | given)
        with seeded(seed), np.errstate(all="ignore"), student_code(doing):
            self._set_training(training)
            returned = self.function(*positional, **named)
        for role, array in given.items():
            if not np.array_equal(to_numpy(array), before[role], equal_nan=True):
                self.changed.add(role)
        return self._read(returned, wanted, way, (b, t))

    def _read(
        self, returned: Any, wanted: tuple[int, ...], way: Way, size: tuple[int, int]
    ) -> Answer:
        try:
            found = read_answer(returned, wanted)
        except CodeError:
            if self.takes_heads or way.axes != "single":
                raise
            found = read_answer(returned, (1, *wanted))
        output = found.output
        if way.axes == "heads":
            output = merge_heads(output)
        elif way.axes == "first":
            output = output.swapaxes(0, 1)
        output = output.reshape(*size, output.shape[-1])
        return Answer(output, found.weights, found.dtype, found.kind)

    def _tensors(self, x: FloatArray, way: Way) -> dict[str, Array]:
        if not self.takes_heads:
            laid = self._laid(x, way.axes)
            roles = ("q", "k", "v") if self.call.has("q") else ("x",)
            return dict.fromkeys(roles, laid)
        one = self.readings[0]
        tensors = {}
        for role, w, b in (
            ("q", one.w_q, one.b_q),
            ("k", one.w_k, one.b_k),
            ("v", one.w_v, one.b_v),
        ):
            projected = x @ w if b is None else x @ w + b
            heads = split_heads(projected, self.spec.n_heads) if way.axes == "heads" else projected
            tensors[role] = self._laid(heads, way.axes)
        return tensors

    @staticmethod
    def _laid(x: FloatArray, axes: str) -> FloatArray:
        return x[0] if axes == "single" else x.swapaxes(0, 1) if axes == "first" else x

    def _mask(self, kind: str, t: int, causal: bool) -> Any:
        allowed = causal_mask(t) if causal else np.ones((t, t), dtype=bool)
        if kind == "add":
            array: Array = np.where(allowed, 0.0, -np.inf).astype(self.spec.dtype)
        else:
            array = allowed if kind == "may" else ~allowed
        return native(self.framework, array)

    def _set_training(self, training: bool) -> None:
        owner = self.owner
        if owner is None:
            return
        if is_module(owner) or callable(getattr(owner, "train", None)):
            switch = owner.train if training else getattr(owner, "eval", None)
            if callable(switch):
                switch()
            elif callable(owner.train):
                owner.train(training)
        elif isinstance(getattr(owner, "training", None), bool):
            owner.training = training

    @property
    def has_training_switch(self) -> bool:
        """Whether the code can be told that it is training."""
        owner = self.owner
        flagged = self.call.has("training") or self.call.has("inference")
        return flagged or (
            owner is not None
            and (
                callable(getattr(owner, "train", None))
                or isinstance(getattr(owner, "training", None), bool)
            )
        )
