"""Attention as students write it in NumPy, in seven styles; each makes the faults it is told to."""

import math
from types import SimpleNamespace

import numpy as np

from attention_widget import Fault

F = Fault
FORBIDDEN = -10.0  # a finite fill


def softmax(scores):
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def after_dropout(weights, p, rng, faults):
    kept = rng.random(weights.shape) >= p
    if F.MISSING_RESCALE in faults:
        return weights * kept
    if F.RESCALE_BY_P in faults:
        return weights * kept * p
    return weights * kept / (1 - p)


def loops(faults=frozenset()):
    """One sequence at a time, one query at a time, one key at a time."""

    def attend(x, w_q, w_k, w_v, w_o, n_heads, dropout=0.0, training=False, rng=None):
        t, d = x.shape
        if d % n_heads and F.INDIVISIBLE_HEADS not in faults:
            raise ValueError("h must divide d")
        width = d // n_heads
        q, k, v = x @ w_q, x @ w_k, x @ w_v
        out = np.zeros((t, n_heads * width))
        for head in range(n_heads):
            mine = range(head * width, (head + 1) * width)
            for i in range(t):
                scores, seen = [], []
                for j in range(t):
                    dot = sum(q[i, c] * k[j, c] for c in mine)
                    if F.MISSING_SCALE not in faults:
                        dot /= math.sqrt(width)
                    past = j >= i if F.WRONG_TRIANGLE in faults else j <= i
                    if past or F.NO_MASK in faults or F.ZERO_AFTER_SOFTMAX in faults:
                        scores.append(dot)
                        seen.append(j)
                    elif F.FINITE_FILL in faults:
                        scores.append(FORBIDDEN)
                        seen.append(j)
                largest = max(scores)
                powers = [math.exp(s - largest) for s in scores]
                total = sum(powers)
                for j, power in zip(seen, powers, strict=True):
                    a = power / total
                    wrong_side = j < i if F.WRONG_TRIANGLE in faults else j > i
                    if F.ZERO_AFTER_SOFTMAX in faults and wrong_side:
                        a = 0.0
                    if dropout > 0 and (training or F.DROPOUT_AT_INFERENCE in faults):
                        a = float(after_dropout(np.array(a), dropout, rng, faults))
                    for c in mine:
                        out[i, c] += a * v[j, c]
        return out if F.NO_OUTPUT_PROJECTION in faults else out @ w_o[: n_heads * width]

    return attend


def batched(faults=frozenset()):
    """All heads at once by a reshape, as the lesson does it."""

    def attend(
        x, w_q, w_k, w_v, w_o, n_heads, *, causal=True, dropout=0.0, rng=None, training=False
    ):
        b, t, d = x.shape
        width = d // n_heads
        if F.INDIVISIBLE_HEADS in faults:
            w_q, w_k, w_v = (w[:, : n_heads * width] for w in (w_q, w_k, w_v))
            w_o = w_o[: n_heads * width]

        def cut(a):
            if F.STRAIGHT_RESHAPE in faults:
                return a.reshape(b, n_heads, t, width)
            return a.reshape(b, t, n_heads, width).transpose(0, 2, 1, 3)

        q, k, v = cut(x @ w_q), cut(x @ w_k), cut(x @ w_v)
        scores = q @ k.transpose(0, 1, 3, 2)
        if F.MISSING_SCALE not in faults:
            scores = scores / np.sqrt(width)
        allowed = np.tril(np.ones((t, t), dtype=bool))
        if F.WRONG_TRIANGLE in faults:
            allowed = np.triu(np.ones((t, t), dtype=bool))
        hide = causal and F.NO_MASK not in faults
        if hide and (F.ZERO_AFTER_SOFTMAX not in faults or F.FINITE_FILL in faults):
            fill = FORBIDDEN if F.FINITE_FILL in faults else -np.inf
            scores = np.where(allowed, scores, fill)
        weights = softmax(scores)
        if hide and F.ZERO_AFTER_SOFTMAX in faults:
            weights = weights * allowed
        if dropout > 0 and (training or F.DROPOUT_AT_INFERENCE in faults):
            weights = after_dropout(weights, dropout, rng, faults)
        context = (weights @ v).transpose(0, 2, 1, 3).reshape(b, t, n_heads * width)
        return context if F.NO_OUTPUT_PROJECTION in faults else context @ w_o

    return attend


def einsum(faults=frozenset()):
    """Matrices with a head axis, and the whole layer in four sums."""

    def attend(x, wq, wk, wv, wo, num_heads, is_training=False, p=0.0, seed=0):
        q = np.einsum("btd,hdk->bhtk", x, wq)
        k = np.einsum("btd,hdk->bhtk", x, wk)
        v = np.einsum("btd,hdk->bhtk", x, wv)
        if F.MISSING_SCALE not in faults:
            q = q * q.shape[-1] ** -0.5
        scores = np.einsum("bhik,bhjk->bhij", q, k)
        i, j = np.indices(scores.shape[-2:])
        hidden = j < i if F.WRONG_TRIANGLE in faults else j > i
        if F.NO_MASK in faults:
            hidden = np.zeros_like(hidden)
        if F.FINITE_FILL in faults:
            scores[..., hidden] = FORBIDDEN
        elif F.ZERO_AFTER_SOFTMAX not in faults:
            scores[..., hidden] = -np.inf
        a = softmax(scores)
        if F.ZERO_AFTER_SOFTMAX in faults:
            a[..., hidden] = 0
        if p and (is_training or F.DROPOUT_AT_INFERENCE in faults):
            a = after_dropout(a, p, np.random, faults)
        heads = np.einsum("bhij,bhjk->bihk", a, v)
        if F.NO_OUTPUT_PROJECTION in faults:
            return heads.reshape(x.shape)
        return np.einsum("bihk,hkd->bid", heads, wo)

    return attend


def fused(faults=frozenset()):
    """A class with one matrix for queries, keys and values."""

    class FusedAttention:
        def __init__(self, d_model, num_heads, dropout=0.1):
            if d_model % num_heads and F.INDIVISIBLE_HEADS not in faults:
                raise AssertionError("d_model % num_heads != 0")
            rng = np.random.default_rng(5)
            self.num_heads, self.width = num_heads, d_model // num_heads
            inner = self.num_heads * self.width
            self.W_qkv = rng.normal(size=(d_model, 3 * inner)) * 0.1
            self.W_out = rng.normal(size=(inner, d_model)) * 0.2
            self.dropout = dropout
            self.training = False

        def __call__(self, x):
            b, t, _ = x.shape
            parts = np.split(x @ self.W_qkv, 3, axis=-1)
            if F.STRAIGHT_RESHAPE in faults:
                q, k, v = (a.reshape(b, self.num_heads, t, self.width) for a in parts)
            else:
                q, k, v = (
                    np.moveaxis(a.reshape(b, t, self.num_heads, self.width), 2, 1) for a in parts
                )
            root = 1.0 if F.MISSING_SCALE in faults else np.sqrt(self.width)
            s = np.matmul(q, np.swapaxes(k, -2, -1)) / root
            later = np.triu(np.full((t, t), True), 1)
            if F.WRONG_TRIANGLE in faults:
                later = later.T
            if F.FINITE_FILL in faults:
                s = np.where(later, FORBIDDEN, s)
            elif F.NO_MASK not in faults and F.ZERO_AFTER_SOFTMAX not in faults:
                s = s + np.where(later, -np.inf, 0.0)
            a = softmax(s)
            if F.ZERO_AFTER_SOFTMAX in faults:
                a = np.where(later, 0.0, a)
            if self.training or F.DROPOUT_AT_INFERENCE in faults:
                a = after_dropout(a, self.dropout, np.random, faults)
            z = np.moveaxis(a @ v, 1, 2).reshape(b, t, -1)
            return z if F.NO_OUTPUT_PROJECTION in faults else z @ self.W_out

    return FusedAttention


def columns(faults=frozenset()):
    """A class that stores matrices for W @ x, adds its mask, and returns the weights too."""

    class ColumnAttention:
        def __init__(self, d, h, block_size, dropout, rng):
            self.h, self.p = h, dropout
            self.wq, self.wk, self.wv, self.wo = rng.normal(size=(4, d, d)) / np.sqrt(d)
            self.bo = rng.normal(size=d)
            self.train_mode = False
            hide = np.triu(np.ones((block_size, block_size)), 1)
            if F.WRONG_TRIANGLE in faults:
                hide = hide.T
            self.hide = hide
            self.rng = rng

        def train(self, mode=True):
            self.train_mode = mode

        def forward(self, x):
            b, t, d = x.shape
            q, k, v = (
                (w @ x.transpose(0, 2, 1)).transpose(0, 2, 1) for w in (self.wq, self.wk, self.wv)
            )
            if F.STRAIGHT_RESHAPE in faults:
                q, k, v = (a.reshape(b, self.h, t, d // self.h) for a in (q, k, v))
            else:
                q, k, v = (np.stack(np.split(a, self.h, axis=-1), axis=1) for a in (q, k, v))
            s = q @ np.swapaxes(k, 2, 3)
            if F.MISSING_SCALE not in faults:
                s /= (d // self.h) ** 0.5
            hide = self.hide[:t, :t].astype(bool)
            if F.FINITE_FILL in faults:
                s[:, :, hide] = FORBIDDEN
            elif F.NO_MASK not in faults and F.ZERO_AFTER_SOFTMAX not in faults:
                s[:, :, hide] = -np.inf
            a = softmax(s)
            if F.ZERO_AFTER_SOFTMAX in faults:
                a[:, :, hide] = 0.0
            if self.p and (self.train_mode or F.DROPOUT_AT_INFERENCE in faults):
                a = after_dropout(a, self.p, self.rng, faults)
            z = np.concatenate(list(np.moveaxis(a @ v, 1, 0)), axis=-1)
            if F.NO_OUTPUT_PROJECTION in faults:
                return z, a
            return (self.wo @ z.transpose(0, 2, 1)).transpose(0, 2, 1) + self.bo, a

    return ColumnAttention


def core(faults=frozenset()):
    """Only the attention between heads: q, k and v come projected and cut."""

    def scaled_dot_product(query, key, value, causal=True, dropout=0.0, training=False, rng=None):
        t = query.shape[-2]
        logits = query @ key.swapaxes(-1, -2)
        if F.MISSING_SCALE not in faults:
            logits = logits / np.sqrt(query.shape[-1])
        keep = np.tri(t, dtype=bool)
        if F.WRONG_TRIANGLE in faults:
            keep = keep.T
        if F.NO_MASK not in faults and F.ZERO_AFTER_SOFTMAX not in faults:
            logits = np.where(keep, logits, FORBIDDEN if F.FINITE_FILL in faults else -np.inf)
        a = softmax(logits)
        if F.ZERO_AFTER_SOFTMAX in faults:
            a = a * keep
        if dropout and (training or F.DROPOUT_AT_INFERENCE in faults):
            a = after_dropout(a, dropout, rng, faults)
        return SimpleNamespace(output=a @ value, weights=a)

    return scaled_dot_product


def heads_in_turn(faults=frozenset()):
    """A loop over heads, the matrices in one argument."""

    def multi_head(inputs, weights, heads, dropout_rate=0.0, train=False, generator=None):
        d = weights["w_q"].shape[1]
        if d % heads and F.INDIVISIBLE_HEADS not in faults:
            raise ValueError(f"{heads} heads do not fit {d} columns")
        width, outs = d // heads, []
        for n in range(heads):
            at = np.s_[:, n * width : (n + 1) * width]
            q, k, v = (inputs @ weights[name][at] for name in ("w_q", "w_k", "w_v"))
            s = np.einsum("bik,bjk->bij", q, k)
            s = s if F.MISSING_SCALE in faults else s / width**0.5
            rows, cols = np.ogrid[: s.shape[1], : s.shape[2]]
            ok = cols >= rows if F.WRONG_TRIANGLE in faults else cols <= rows
            if F.FINITE_FILL in faults:
                s = np.where(ok, s, FORBIDDEN)
            elif F.NO_MASK not in faults and F.ZERO_AFTER_SOFTMAX not in faults:
                s = np.where(ok, s, -np.inf)
            a = np.exp(s) / np.exp(s).sum(-1)[..., None]
            if F.ZERO_AFTER_SOFTMAX in faults:
                a = a * ok
            if dropout_rate and (train or F.DROPOUT_AT_INFERENCE in faults):
                a = after_dropout(a, dropout_rate, generator, faults)
            outs.append(a @ v)
        z = np.concatenate(outs, axis=-1)
        if F.NO_OUTPUT_PROJECTION in faults:
            return [list(map(list, row)) for row in z]
        return z @ weights["w_o"][: z.shape[-1]]

    return multi_head
