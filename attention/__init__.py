"""Causal multi-head attention in NumPy, with every intermediate in view."""

from attention.dropout import apply_dropout, keep_mask
from attention.mask import causal_mask
from attention.multihead import MultiHeadAttention, head_width, merge_heads, split_heads
from attention.sdpa import Attention, scaled_dot_product_attention
from attention.softmax import log_sum_exp, softmax
from attention.stages import CORRECT, Stages

__all__ = [
    "CORRECT",
    "Attention",
    "MultiHeadAttention",
    "Stages",
    "apply_dropout",
    "causal_mask",
    "head_width",
    "keep_mask",
    "log_sum_exp",
    "merge_heads",
    "scaled_dot_product_attention",
    "softmax",
    "split_heads",
]
