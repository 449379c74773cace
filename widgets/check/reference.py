"""What would the numbers be by a second route, in plain loops and with no code of the core?"""

import math

import numpy as np

from attention_widget.validate import FloatArray
from attention_widget.widgets.check.parameters import Parameters


def looped_attention(x: FloatArray, one: Parameters, n_heads: int) -> FloatArray:
    """Return causal attention, (B, T, d_in) -> (B, T, d_out), one query and one head at a time.

    Source: Vaswani et al. 2017, equation 1 and section 3.2.2.
    """
    width = one.d // n_heads
    rows = []
    for words in x:
        q, k, v = (
            np.array([word @ w + (0 if b is None else b) for word in words])
            for w, b in ((one.w_q, one.b_q), (one.w_k, one.b_k), (one.w_v, one.b_v))
        )
        for t in range(len(words)):
            mixed: list[float] = []
            for head in range(n_heads):
                own = slice(head * width, (head + 1) * width)
                scores = [math.fsum(q[t, own] * k[s, own]) / math.sqrt(width) for s in range(t + 1)]
                largest = max(scores)
                powers = [math.exp(score - largest) for score in scores]
                total = math.fsum(powers)
                mixed += [
                    sum(power / total * v[s, column] for s, power in enumerate(powers))
                    for column in range(head * width, (head + 1) * width)
                ]
            context = np.array(mixed)
            output = context if one.w_o is None else context @ one.w_o
            rows.append(output if one.w_o is None or one.b_o is None else output + one.b_o)
    return np.array(rows).reshape(*x.shape[:2], -1)
