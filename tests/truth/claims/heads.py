"""What the numbers of the tab on heads and W_o stand for."""

from typing import Any

import numpy as np

from tests.truth.claims.common import Claims, constants, rounded, these
from tests.truth.independent import D, T, context, matrices


def claims(values: dict[str, Any]) -> Claims:
    """Return the claims of one state."""
    h, causal, token, c = (values[name] for name in ("heads", "causal", "token", "channel"))
    token = int(token)
    width = D // h
    mixed, w_o = context(h, causal)[token - 1], matrices()[3]
    products = mixed[:, None] * w_o  # (d, d)
    by_head = products.reshape(h, width, D).sum(axis=1)  # (h, d)
    output = mixed @ w_o
    shares, total = by_head[:, c - 1], output[c - 1]
    channel = these("output channel", c)
    summed = [*these("share of a head", *shares), *these("output", total)]
    told = [*channel, *summed]
    steps = np.cumsum(shares)
    every = these("number of a head or channel", *range(1, D + 1))
    sees = [*these("token", token), *these("words it sees", token if causal else T)]
    mix = these("numbers of a context", D)
    if h > 1:
        mix = [*channel, *channel, *these("head", (c - 1) // width + 1, h, h), *summed]
    heads_row = [value for i in range(h) for value in these("head", i + 1)]
    table = []
    for i in range(h):
        table += [*these("head", i + 1), *these("share of a head", *by_head[i])]
    figures = {
        "head-row": [*heads_row, *every],
        "channels": every,
        "context": these("context", *mixed),
        "column": [*channel, *these("entry of W_o", *w_o[:, c - 1])],
        "products": these("product", *products[:, c - 1]),
        "sums": these("share of a head", *shares),
        "total": [*channel, *these("output", total)],
        "shares": [*table, *these("output", *output)],
        "figure": told,
        "kpi.width": these("d_head", width),
        "note.width": these("d / h", D, h),
        "kpi.feeding": these("heads that reach a channel", (shares != 0).sum(), h),
        "note.feeding": constants(1),
        "kpi.output": these("output", total),
        "note.output": channel,
        "mix": mix,
        "sees": sees,
        "title": [*these("token", token), *these("heads and their width", h, width)],
        "shares-title": channel,
        "readout.heads": these("heads", h),
        "readout.channel": channel,
        "announcement.heads": [*these("heads and their width", h, width), *told],
        "announcement.causal": [*sees, *told],
        "readout.token": these("token", token),
        "limit.token": these("token", token),
        "announcement.token": [*these("token", token), *told],
        "announcement.channel": told,
        "announcement.reset": told,
    }
    columns = {
        "shares.left": rounded("start of a bar", [0, *steps[:-1], 0], 6),
        "shares.right": rounded("end of a bar", [*steps, total], 6),
        "shares.who": [*heads_row, *channel],
        "shares.share": [*these("share of a head", *shares), *these("output", total)],
        "joints.x": rounded("end of a bar", steps, 6),
    }
    return {f"heads.{key}": found for key, found in figures.items()} | {
        f"source:heads.{key}": found for key, found in columns.items()
    }
