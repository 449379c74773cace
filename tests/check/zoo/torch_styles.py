"""Attention as students write it in PyTorch, in six styles; each makes the faults it is told to."""

import math

import torch
import torch.nn.functional as functional
from torch import nn

from attention_widget import Fault

F = Fault
FORBIDDEN = -10.0


class FaultyDropout(nn.Module):
    """nn.Dropout with the faults it is told to make."""

    def __init__(self, p, faults):
        super().__init__()
        self.p, self.faults = p, faults

    def forward(self, weights):
        if not self.training and F.DROPOUT_AT_INFERENCE not in self.faults:
            return weights
        kept = torch.rand_like(weights) >= self.p
        if F.MISSING_RESCALE in self.faults:
            return weights * kept
        if F.RESCALE_BY_P in self.faults:
            return weights * kept * self.p
        return functional.dropout(weights, self.p, training=True)


def hidden(t, faults):
    """Return True where a query may not look."""
    later = torch.triu(torch.ones(t, t, dtype=torch.bool), diagonal=1)
    return later.T if F.WRONG_TRIANGLE in faults else later


def weights_of(scores, hide, faults):
    """Return weights in the way most courses write it."""
    if F.FINITE_FILL in faults:
        scores = scores.masked_fill(hide, FORBIDDEN)
    elif F.NO_MASK not in faults and F.ZERO_AFTER_SOFTMAX not in faults:
        scores = scores.masked_fill(hide, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights.masked_fill(hide, 0.0) if F.ZERO_AFTER_SOFTMAX in faults else weights


def layers(faults=frozenset()):
    """Three linear layers, a mask in a buffer that is cut to T."""

    class LayeredAttention(nn.Module):
        def __init__(self, d_in, d_out, context_length, dropout, num_heads, qkv_bias=False):
            super().__init__()
            if F.INDIVISIBLE_HEADS not in faults:
                assert d_out % num_heads == 0, "d_out must be divisible by num_heads"
            self.num_heads, self.head_dim = num_heads, d_out // num_heads
            inner = self.head_dim * num_heads
            self.W_query = nn.Linear(d_in, inner, bias=qkv_bias)
            self.W_key = nn.Linear(d_in, inner, bias=qkv_bias)
            self.W_value = nn.Linear(d_in, inner, bias=qkv_bias)
            self.out_proj = nn.Linear(inner, d_out)
            self.dropout = FaultyDropout(dropout, faults)
            self.register_buffer("mask", hidden(context_length, faults))

        def forward(self, x):
            b, t, _ = x.shape
            q, k, v = self.W_query(x), self.W_key(x), self.W_value(x)
            if F.STRAIGHT_RESHAPE in faults:
                q, k, v = (a.view(b, self.num_heads, t, self.head_dim) for a in (q, k, v))
            else:
                q, k, v = (a.view(b, t, self.num_heads, -1).transpose(1, 2) for a in (q, k, v))
            scores = q @ k.transpose(2, 3)
            if F.MISSING_SCALE not in faults:
                scores = scores / self.head_dim**0.5
            weights = self.dropout(weights_of(scores, self.mask[:t, :t], faults))
            context = (weights @ v).transpose(1, 2).contiguous().view(b, t, -1)
            return context if F.NO_OUTPUT_PROJECTION in faults else self.out_proj(context)

    return LayeredAttention


def configured(faults=frozenset()):
    """One fused layer, a configuration, and a second dropout after W_o."""

    class ConfiguredAttention(nn.Module):
        def __init__(self, config):
            super().__init__()
            if F.INDIVISIBLE_HEADS not in faults:
                assert config.n_embd % config.n_head == 0
            self.n_head, self.width = config.n_head, config.n_embd // config.n_head
            inner = self.n_head * self.width
            self.c_attn = nn.Linear(config.n_embd, 3 * inner, bias=config.bias)
            self.c_proj = nn.Linear(inner, config.n_embd, bias=config.bias)
            for part in (self.c_attn, self.c_proj):
                nn.init.normal_(part.weight, std=0.02)
            self.attn_dropout = FaultyDropout(config.dropout, faults)
            self.resid_dropout = nn.Dropout(config.dropout)
            longest = config.block_size
            self.register_buffer("bias", ~hidden(longest, faults).view(1, 1, longest, longest))

        def forward(self, x):
            b, t, _ = x.size()
            q, k, v = self.c_attn(x).chunk(3, dim=2)
            shape = (b, t, self.n_head, self.width)
            if F.STRAIGHT_RESHAPE in faults:
                shape = (b, self.n_head, t, self.width)
                q, k, v = (a.reshape(shape) for a in (q, k, v))
            else:
                q, k, v = (a.view(shape).transpose(1, 2) for a in (q, k, v))
            scale = 1.0 if F.MISSING_SCALE in faults else 1.0 / math.sqrt(self.width)
            att = (q @ k.transpose(-2, -1)) * scale
            att = self.attn_dropout(weights_of(att, ~self.bias[:, :, :t, :t], faults))
            y = (att @ v).transpose(1, 2).reshape(b, t, -1)
            if F.NO_OUTPUT_PROJECTION not in faults:
                y = self.c_proj(y)
            return self.resid_dropout(y)

    return ConfiguredAttention


def function(faults=frozenset()):
    """A function of tensors, in sums over named axes."""

    def attend(x, w_q, w_k, w_v, w_o, n_heads, dropout=0.0, training=False):
        b, t, d = x.shape
        q, k, v = (
            torch.einsum("btd,dnk->bntk", x, w.view(d, n_heads, d // n_heads))
            for w in (w_q, w_k, w_v)
        )
        scores = torch.einsum("bnik,bnjk->bnij", q, k)
        if F.MISSING_SCALE not in faults:
            scores = scores / q.shape[-1] ** 0.5
        a = weights_of(scores, hidden(t, faults), faults)
        if training or F.DROPOUT_AT_INFERENCE in faults:
            kept = (torch.rand(a.shape) >= dropout).to(a.dtype)
            grown = 1.0 if F.MISSING_RESCALE in faults else 1 / (1 - dropout)
            a = a * kept * (dropout if F.RESCALE_BY_P in faults else grown)
        z = torch.einsum("bnij,bnjk->bink", a, v).reshape(b, t, d)
        return z if F.NO_OUTPUT_PROJECTION in faults else z @ w_o

    return attend


def listed(faults=frozenset()):
    """A list of single heads, each with its own three layers."""

    class SingleHead(nn.Module):
        def __init__(self, width, d_head, p):
            super().__init__()
            self.query = nn.Linear(width, d_head, bias=False)
            self.key = nn.Linear(width, d_head, bias=False)
            self.value = nn.Linear(width, d_head, bias=False)
            self.dropout = FaultyDropout(p, faults)

        def forward(self, x):
            q, k, v = self.query(x), self.key(x), self.value(x)
            scores = q @ k.mT
            if F.MISSING_SCALE not in faults:
                scores = scores * k.shape[-1] ** -0.5
            return self.dropout(weights_of(scores, hidden(x.shape[1], faults), faults)) @ v

    class ListedHeads(nn.Module):
        def __init__(self, n_embd, n_heads, dropout):
            super().__init__()
            if n_embd % n_heads and F.INDIVISIBLE_HEADS not in faults:
                raise ValueError("n_heads must divide n_embd")
            width = n_embd // n_heads
            self.heads = nn.ModuleList(SingleHead(n_embd, width, dropout) for _ in range(n_heads))
            self.proj = nn.Linear(width * n_heads, n_embd)

        def forward(self, x):
            z = torch.cat([head(x) for head in self.heads], dim=-1)
            return z if F.NO_OUTPUT_PROJECTION in faults else self.proj(z)

    return ListedHeads


def flash(faults=frozenset()):
    """PyTorch's own function in the middle, with the wrong switches."""

    class FlashAttention(nn.Module):
        def __init__(self, hidden_size, num_attention_heads, attention_dropout=0.0):
            super().__init__()
            if hidden_size % num_attention_heads:
                raise ValueError("no even split")
            self.num_heads, self.p = num_attention_heads, attention_dropout
            self.q_proj = nn.Linear(hidden_size, hidden_size)
            self.k_proj = nn.Linear(hidden_size, hidden_size)
            self.v_proj = nn.Linear(hidden_size, hidden_size)
            self.o_proj = nn.Linear(hidden_size, hidden_size)

        def forward(self, hidden_states):
            b, t, _ = hidden_states.shape
            parts = (p(hidden_states) for p in (self.q_proj, self.k_proj, self.v_proj))
            if F.STRAIGHT_RESHAPE in faults:
                q, k, v = (a.view(b, self.num_heads, t, -1) for a in parts)
            else:
                q, k, v = (a.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for a in parts)
            act = self.training or F.DROPOUT_AT_INFERENCE in faults
            z = functional.scaled_dot_product_attention(
                q,
                k,
                v,
                is_causal=F.NO_MASK not in faults,
                dropout_p=self.p if act else 0.0,
                scale=1.0 if F.MISSING_SCALE in faults else None,
            )
            z = z.transpose(1, 2).flatten(2)
            return z if F.NO_OUTPUT_PROJECTION in faults else self.o_proj(z)

    return FlashAttention
