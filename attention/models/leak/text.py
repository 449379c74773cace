"""What do the two models of the leak lab read, and how well can one guess without reading?

The story is short and its words are few, so that a small model learns it in seconds. It is also
ambiguous on purpose: "the" has many successors, and "the rider" alone does not say what comes
next. A model has to look further back than one word, unless it can look ahead.
"""

import re

import numpy as np
import numpy.typing as npt

from attention_widget.models.words import IntArray
from attention_widget.validate import count

STORY = """
the rider left the village at dawn and took the long road to the river .
the river was wide and the boat was on the other side .
the rider called and the boat came .
the boat took the rider over the river and the rider took the road to the hill .
the hill was steep and the road was long .
at the top of the hill the rider saw the sea , and at the side of the sea the rider saw the town .
the town was small and the wind was cold .
the rider took the letter to the house on the hill , and the door of the house was open .
the woman in the house read the letter , and the rider saw the boat on the sea .
the letter was long and the night was cold .
the woman left the house at dawn and took the road to the boat .
the boat was small and the sea was wide .
the rider called and the woman came .
the wind took the boat over the sea , and the rider took the long road to the village .
"""
WORDS = tuple(STORY.split())
VOCABULARY = tuple(sorted(set(WORDS)))
_NUMBER = {word: number for number, word in enumerate(VOCABULARY)}


def encode(text: str) -> IntArray:
    """Return the number of every word of `text`, int (T,); full stops and commas are words.

    Raises:
        ValueError: a word is not in the story, or there is none.
    """
    spaced = re.sub(r"([.,])", r" \1 ", text.lower()) if isinstance(text, str) else ""
    words = spaced.split()
    unknown = [word for word in words if word not in _NUMBER]
    if unknown or not words:
        fault = f"{unknown[0]!r} is not one" if unknown else "there is none"
        raise ValueError(
            f"the text must be made of words of the story: in {text!r} {fault}; try 'the rider'"
        )
    return np.array([_NUMBER[word] for word in words], dtype=np.int64)


def decode(numbers: npt.ArrayLike) -> str:
    """Put the words of these numbers, (T,), side by side again; undoes `encode`."""
    return " ".join(VOCABULARY[int(number)] for number in np.asarray(numbers))


def windows(t: int) -> tuple[IntArray, IntArray]:
    """Cut every window of T words out of the story, each with the words one place on.

    Args:
        t: words in a window, T, from 2 to the story's length less 1.

    Returns:
        inputs and targets, int (windows, T) each: targets[i, t] = inputs[i, t + 1], and the last
        target of a window is the one word that its input does not hold.

    Raises:
        ValueError: T lies outside that range.
    """
    longest = len(WORDS) - 1
    if count("context", t, least=2) > longest:
        raise ValueError(
            f"context must leave one word of the story to predict: got {t}, the story has "
            f"{longest + 1} words; try 12"
        )
    cut = np.lib.stride_tricks.sliding_window_view(encode(STORY), t + 1)  # (windows, T + 1)
    return cut[:, :-1], cut[:, 1:]


def unigram_loss(targets: IntArray) -> float:
    """Measure the best guess that reads nothing: H = -sum_w f_w log f_w, in nats per word.

    f_w is the share of word w among these very targets, so no fixed distribution scores lower.
    """
    counts = np.bincount(targets.ravel())
    shares = counts[counts > 0] / targets.size
    return float(-(shares * np.log(shares)).sum())
