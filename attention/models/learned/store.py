"""Where do the trained numbers lie, and how do they become a model again?

Three models in float16, and what one training looked like at some twenty moments:

    two-layers.npz   the model of the lesson
    one-layer.npz    trained in the same way with one layer
    no-mask.npz      trained in the same way without the causal mask
    moments.npz      the first model while it was trained; see `Moments`
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

import numpy as np

from attention_widget.models.learned.gradients import Parameters
from attention_widget.models.learned.model import WordModel
from attention_widget.validate import FloatArray

Name = Literal["two-layers", "one-layer", "no-mask"]
NAMES: tuple[Name, ...] = ("two-layers", "one-layer", "no-mask")
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """One training, seen at n moments.

    Attributes:
        step: steps done, (n,), the first 0.
        first_loss: see `Scores`, (n,); likewise second_loss, second_right and verb_right.
        previous: (n, L, h); likewise induction and subject.
        words: the sentence of the maps.
        maps: weights over the start token and its words, (n, L, h, T, T).
    """

    step: FloatArray
    first_loss: FloatArray
    second_loss: FloatArray
    second_right: FloatArray
    verb_right: FloatArray
    previous: FloatArray
    induction: FloatArray
    subject: FloatArray
    words: tuple[str, ...]
    maps: FloatArray


def save_model(folder: Path, name: Name, parameters: Parameters, n_heads: int) -> Path:
    """Write a model's values as float16 and return the file's path."""
    arrays = {f"{i:02}": a.astype(np.float16) for i, a in enumerate(parameters.arrays())}
    path = folder / f"{name}.npz"
    np.savez_compressed(path, n_heads=n_heads, **arrays)  # type: ignore[arg-type]
    return path


def load_model(name: Name, folder: Path = HERE) -> WordModel:
    """Return the model of this name, in float32.

    Raises:
        OSError: `folder` holds no such file.
    """
    with np.load(folder / f"{name}.npz") as stored:
        arrays = tuple(stored[key].astype(np.float32) for key in sorted(stored) if key != "n_heads")
        return WordModel(Parameters.from_arrays(arrays), int(stored["n_heads"]))


@cache
def shipped(name: Name = "two-layers") -> WordModel:
    """Return the shipped model of this name, loaded once; nobody may change its arrays."""
    return load_model(name)


def save_moments(folder: Path, moments: Moments) -> Path:
    """Write the moments as float16 (steps as they are) and return the file's path."""
    path = folder / "moments.npz"
    arrays = {
        name: np.asarray(getattr(moments, name)).astype(np.float16)
        for name in Moments.__slots__
        if name not in ("step", "words")
    }
    np.savez_compressed(path, step=moments.step, words=np.array(moments.words), **arrays)  # type: ignore[arg-type]
    return path


@cache
def shipped_moments() -> Moments:
    """Return the shipped moments, in float32; nobody may change their arrays."""
    return load_moments()


def load_moments(folder: Path = HERE) -> Moments:
    """Return the moments that `folder` holds, in float32.

    Raises:
        OSError: `folder` holds no such file.
    """
    with np.load(folder / "moments.npz") as stored:
        arrays = {
            name: stored[name].astype(np.float32) for name in Moments.__slots__ if name != "words"
        }
        return Moments(words=tuple(map(str, stored["words"])), **arrays)
