"""Which faults does each PyTorch style make, and which code is right? Imports no PyTorch."""

import importlib

from attention_widget import Fault

F = Fault


def _case(style, *faults):
    return style, frozenset(faults)


WRONG = [
    _case("layers", F.NO_MASK),
    _case("layers", F.ZERO_AFTER_SOFTMAX),
    _case("layers", F.INDIVISIBLE_HEADS),
    _case("layers", F.DROPOUT_AT_INFERENCE, F.MISSING_RESCALE),
    _case("layers", F.STRAIGHT_RESHAPE, F.WRONG_TRIANGLE),
    _case("configured", F.FINITE_FILL),
    _case("configured", F.RESCALE_BY_P),
    _case("configured", F.STRAIGHT_RESHAPE),
    _case("configured", F.MISSING_SCALE, F.NO_OUTPUT_PROJECTION),
    _case("configured", F.ZERO_AFTER_SOFTMAX, F.INDIVISIBLE_HEADS),
    _case("function", F.WRONG_TRIANGLE),
    _case("function", F.MISSING_RESCALE),
    _case("function", F.ZERO_AFTER_SOFTMAX, F.NO_OUTPUT_PROJECTION),
    _case("listed", F.DROPOUT_AT_INFERENCE),
    _case("listed", F.FINITE_FILL, F.INDIVISIBLE_HEADS),
    _case("listed", F.NO_OUTPUT_PROJECTION),
    _case("flash", F.NO_MASK, F.DROPOUT_AT_INFERENCE),
    _case("flash", F.MISSING_SCALE),
    _case("flash", F.STRAIGHT_RESHAPE, F.MISSING_SCALE),
    _case("flash", F.NO_OUTPUT_PROJECTION, F.NO_MASK),
]


STYLES = ("layers", "configured", "function", "listed", "flash")
SHAPES = ("ScriptHead", "script_heads", "OwnWidth", "FourInAList")
RIGHT = (*STYLES, "multihead_class", "seeded_module", "PackedHeads", "sdpa", *SHAPES)


def make(name, faults=frozenset()):
    """Return the code of that name; PyTorch is imported here and not before."""
    folder = "torch_styles" if name in STYLES else "torch_right"
    module = importlib.import_module(f"tests.check.zoo.{folder}")
    made = getattr(module, name)
    if name in STYLES:
        return made(faults)
    return made() if name == "seeded_module" else made


def name_of(case):
    """Return a readable name of one wrong implementation."""
    style, faults = case
    return f"{style}-{'+'.join(sorted(fault.value for fault in faults))}"
