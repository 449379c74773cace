"""Right attention around PyTorch's own layers."""

import torch
import torch.nn.functional as functional
from torch import nn

from tests.check.zoo import torch_styles as style


class PackedHeads(nn.Module):
    """A layer around `nn.MultiheadAttention` that makes its own mask."""

    def __init__(self, d_model, n_heads, dropout=0.0):
        super().__init__()
        self.attn = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)

    def forward(self, x):
        hide = style.hidden(x.shape[1], frozenset())
        return self.attn(x, x, x, attn_mask=hide, need_weights=True, average_attn_weights=False)


def seeded_module():
    """Return `nn.MultiheadAttention` as it comes, built, words first."""
    with torch.random.fork_rng():
        torch.manual_seed(3)
        return nn.MultiheadAttention(16, 2, dropout=0.1)


WIDTH, LONGEST = 32, 8  # constants of a module, as in many a short script


class ScriptHead(nn.Module):
    """One head of a script that keeps its sizes in constants."""

    def __init__(self, head_size):
        super().__init__()
        self.query, self.key, self.value = (
            nn.Linear(WIDTH, head_size, bias=False) for _ in range(3)
        )
        self.register_buffer("tril", torch.ones(LONGEST, LONGEST).tril())
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        t = x.shape[1]
        scores = self.query(x) @ self.key(x).mT * self.value.out_features**-0.5
        weights = scores.masked_fill(self.tril[:t, :t] == 0, -torch.inf).softmax(-1)
        return self.dropout(weights) @ self.value(x)


class ScriptHeads(nn.Module):
    """Several of them, with a dropout of their own behind W_o."""

    def __init__(self, num_heads, head_size):
        super().__init__()
        self.heads = nn.ModuleList(ScriptHead(head_size) for _ in range(num_heads))
        self.proj = nn.Linear(num_heads * head_size, WIDTH)
        self.dropout = nn.Dropout(0.2)

    def forward(self, x):
        return self.dropout(self.proj(torch.cat([head(x) for head in self.heads], dim=-1)))


class OwnWidth(nn.Module):
    """Heads with a width of their own, and W_o in a sequence with dropout."""

    def __init__(self, dim, heads=8, dim_head=64, dropout=0.0):
        super().__init__()
        self.h, inner = heads, heads * dim_head
        self.to_qkv = nn.Linear(dim, 3 * inner, bias=False)
        self.to_out = nn.Sequential(nn.Linear(inner, dim), nn.Dropout(dropout))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (
            a.unflatten(-1, (self.h, -1)).transpose(1, 2) for a in self.to_qkv(x).chunk(3, dim=-1)
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        hide = style.hidden(x.shape[1], frozenset())
        weights = self.dropout(scores.masked_fill(hide, -torch.inf).softmax(-1))
        return self.to_out((weights @ v).transpose(1, 2).flatten(2))


class FourInAList(nn.Module):
    """Four layers in one list, and a mask as an argument: 0 where it is forbidden to look."""

    def __init__(self, h, d_model, dropout=0.1):
        super().__init__()
        assert d_model % h == 0
        self.h = h
        self.linears = nn.ModuleList(nn.Linear(d_model, d_model) for _ in range(4))
        self.dropout = nn.Dropout(p=dropout)

    def forward(self, query, key, value, mask=None):
        b = query.size(0)
        q, k, v = (
            layer(a).view(b, -1, self.h, a.size(-1) // self.h).transpose(1, 2)
            for layer, a in zip(self.linears, (query, key, value), strict=False)
        )
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, -1e9)
        z = (self.dropout(scores.softmax(-1)) @ v).transpose(1, 2).reshape(b, -1, query.size(-1))
        return self.linears[-1](z)


script_heads = ScriptHeads(4, 8)

multihead_class = nn.MultiheadAttention
sdpa = functional.scaled_dot_product_attention
