"""Causal multi-head attention in NumPy, with every intermediate in view."""

from typing import TYPE_CHECKING, Any

from attention_widget.causality import reaches_the_past, word_influence
from attention_widget.checklist import CHECKLIST, ChecklistLine, checklist
from attention_widget.cost import Cost, attention_cost, tile_score_bytes
from attention_widget.dropout import apply_dropout, keep_mask
from attention_widget.faults import Fault, FaultRun, run_with_faults, stages_for
from attention_widget.mask import causal_mask
from attention_widget.multihead import MultiHeadAttention, head_width, merge_heads, split_heads
from attention_widget.sdpa import Attention, scaled_dot_product_attention
from attention_widget.softmax import log_sum_exp, softmax
from attention_widget.stages import CORRECT, Stages
from attention_widget.tiled import TileStep, tile_grid, tile_steps, tiled_attention

if TYPE_CHECKING:
    from attention_widget.widgets.check.api import assert_attention, check_attention

__all__ = [
    "CHECKLIST",
    "CORRECT",
    "Attention",
    "ChecklistLine",
    "Cost",
    "Fault",
    "FaultRun",
    "MultiHeadAttention",
    "Stages",
    "TileStep",
    "apply_dropout",
    "assert_attention",
    "attention_cost",
    "causal_mask",
    "check_attention",
    "checklist",
    "head_width",
    "keep_mask",
    "log_sum_exp",
    "merge_heads",
    "reaches_the_past",
    "run_with_faults",
    "scaled_dot_product_attention",
    "softmax",
    "split_heads",
    "stages_for",
    "tile_grid",
    "tile_score_bytes",
    "tile_steps",
    "tiled_attention",
    "word_influence",
]


def __getattr__(name: str) -> Any:
    """Load the check of a student's own code when it is first asked for; see `widgets/check`."""
    if name in ("assert_attention", "check_attention"):
        from attention_widget.widgets.check import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
