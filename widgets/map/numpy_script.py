"""How does a student take the map away, as a script that needs NumPy and nothing else?

Most lines never change. Those that carry a setting are slots of their own, so that a recorded page
can put the script together from one short text for every control.
"""

from attention_widget.widgets.map.state import LessonState, Settings
from attention_widget.widgets.section.controls import PartPicker
from attention_widget.widgets.section.section import Slots

# "{settings}" stands for a line per control, its value written as Python.
_LINES = """\
# The map on screen, made again with NumPy alone: pip install numpy
import numpy as np

{settings}

# Numbers for the words: a vector for each word plus one for its place.
tokens, d = sentence.split(), 12
T = len(tokens)
words = [np.random.default_rng([seed, *t.encode()]).standard_normal(d) for t in tokens]
places = np.random.default_rng([seed, 1]).standard_normal((16, d))
x = np.array(words) + places[:T]  # (T, d)
w_q, w_k = np.random.default_rng([seed, 0]).standard_normal((4, d, d))[:2] / 4

# Scores: every head reads its own d / heads columns.
q, k = ((x @ w).reshape(T, heads, d // heads).swapaxes(0, 1) for w in (w_q, w_k))  # (h, T, d_head)
scores = q @ k.swapaxes(1, 2) / np.sqrt(d // heads)  # (h, T, T)

# Mask before the softmax: exp(-inf) is 0, so every row sums to 1 over what it may see.
future = np.triu(np.ones((T, T), dtype=bool), 1)
masked = np.where(future & causal, -np.inf, scores)
weights = np.exp(masked - masked.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)

# Dropout, in training only: what survives grows by 1 / (1 - p) and no row is made to sum to 1.
p = dropout if training else 0.0
keep = np.random.default_rng([seed, draw]).random((heads, T, T)) >= p
dropped = np.where(keep, weights / (1 - p), 0.0)

shown = {"scores": scores, "masked": masked, "weights": weights, "dropped": dropped}
for row in shown[stage][head - 1]:
    print(*(f"{cell:9.6f}" for cell in row))
"""
SETTINGS = tuple(
    control.name for control in LessonState().controls() if not isinstance(control, PartPicker)
)


def script_pieces() -> tuple[tuple[str, str], ...]:
    """Return the script as ("text", constant) and ("slot", setting) pieces, in order.

    It begins with a line per control of the map, so that a new one is there by itself.
    """
    above, below = _LINES.split("{settings}\n")
    pieces = [("text", above)]
    for control in LessonState().controls():
        if isinstance(control, PartPicker):
            continue
        pieces += [
            ("text", f"{control.name} = "),
            ("slot", control.name),
            ("text", f"  # {control.label}\n"),
        ]
    return (*pieces, ("text", below))


def render_setting(name: str, settings: Settings) -> Slots:
    """Render a setting as a Python literal, slot "script.<name>"."""
    return {f"script.{name}": repr(getattr(settings, name))}


def numpy_script(settings: Settings) -> str:
    """Return the whole script for these settings, as the page shows it."""
    return "".join(
        text if kind == "text" else repr(getattr(settings, text)) for kind, text in script_pieces()
    )
