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


multihead_class = nn.MultiheadAttention
sdpa = functional.scaled_dot_product_attention
