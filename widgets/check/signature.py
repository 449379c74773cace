"""How is the student's function or class called? Every argument gets what its role wants."""

import inspect
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from attention_widget.widgets.check.roles import role_of
from attention_widget.widgets.check.trouble import UnclearError

CALL, CONSTRUCTOR = "call", "constructor"
SDPA = ("query", "key", "value", "attn_mask", "dropout_p", "is_causal")


class Config(SimpleNamespace):
    """A configuration under every usual name, as attributes and as items."""

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name)

    def get(self, name: str, default: Any = None) -> Any:
        """Return an item, as a dictionary does."""
        return getattr(self, name, default)


class Call:
    """The roles of a callable's arguments.

    Attributes:
        roles: argument name -> role, in order; only those that are recognised.
    """

    def __init__(self, function: Callable[..., Any], names: Mapping[str, str], what: str) -> None:
        self.roles: dict[str, str] = {}
        self._positional: list[str] = []
        self._required: list[str] = []
        self._what = what
        parameters = self._parameters(function)
        known = {role_of(name, names) for name in parameters}
        together = {"q", "k", "v"} <= known
        for index, (name, parameter) in enumerate(parameters.items()):
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                continue
            role = role_of(name, names)
            if role in ("q", "k", "v") and not together:
                role = "rng" if name == "key" else f"w_{role}"
            if role == "mask" and isinstance(parameter.default, bool):
                role = "causal"
            if what == CALL and index == 0 and role != "q" and "x" not in known:
                role = "x"
            if role is not None and role not in self.roles.values():
                self.roles[name] = role
            if parameter.default is parameter.empty:
                self._required.append(name)
            if parameter.kind is parameter.POSITIONAL_ONLY:
                self._positional.append(name)

    @staticmethod
    def _parameters(function: Callable[..., Any]) -> dict[str, inspect.Parameter]:
        try:
            return dict(inspect.signature(function).parameters)
        except (ValueError, TypeError):  # a built-in of PyTorch has no signature
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            return {
                name: inspect.Parameter(
                    name, kind, default=inspect.Parameter.empty if n < 3 else None
                )
                for n, name in enumerate(SDPA)
            }

    def has(self, role: str) -> bool:
        """Say whether an argument plays the role."""
        return role in self.roles.values()

    def needs(self, role: str) -> bool:
        """Say whether an argument without a default plays the role."""
        return any(self.roles.get(name) == role for name in self._required)

    def name_of(self, role: str) -> str:
        """Return the student's name for a role."""
        return next(name for name, own in self.roles.items() if own == role)

    def bind(self, values: Mapping[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return positional and keyword arguments.

        Raises:
            UnclearError: an argument without a default has no known role, or nothing to give.
        """
        missing = [n for n in self._required if self.roles.get(n) not in values]
        if missing:
            known = ", ".join(role for role in values if role not in ("q", "k", "v"))
            raise UnclearError(
                f"the argument {missing[0]!r} of your {self._what} is not recognised; say which "
                f'role it plays with names={{"role": "{missing[0]}"}} (on the command line '
                f"--name role={missing[0]}); roles: {known}"
            )
        given = {n: values[role] for n, role in self.roles.items() if role in values}
        positional = [given.pop(name) for name in self._positional if name in given]
        return positional, given


def every_name(values: Mapping[str, Any]) -> Config:
    """Return a configuration with each value under the usual spellings of its role."""
    spelled = {
        "d": ("d_model", "n_embd", "embed_dim", "emb_dim", "hidden_size", "dim", "d_in", "d"),
        "d_out": ("d_out",),
        "n_heads": ("n_heads", "n_head", "num_heads", "num_attention_heads", "heads", "h"),
        "context": ("block_size", "context_length", "max_len", "max_seq_len", "n_ctx"),
        "dropout": ("dropout", "drop_rate", "attn_pdrop", "resid_pdrop", "p", "dropout_rate"),
        "bias": ("bias", "qkv_bias", "use_bias"),
    }  # fmt: skip
    items = {name: values[role] for role, ns in spelled.items() if role in values for name in ns}
    return Config(**items)
