"""Which words can the trained model read, and what is said about others?

85 words, and a start token that stands before every sentence. The first row can then attend to
something that is not a word, and a head that finds nothing to do can rest there.
"""

import difflib
import unicodedata
from collections.abc import Sequence

import numpy as np

from attention_widget.models.words import IntArray

SINGULAR = ("dog", "cat", "bird", "boy", "girl", "horse", "teacher", "farmer")
PLURAL = tuple(f"{noun}s" for noun in SINGULAR)
VERBS_OF_MANY = ("run", "sleep", "sing", "wait", "walk", "smile")  # the dogs run
VERBS_OF_ONE = tuple(f"{verb}s" for verb in VERBS_OF_MANY)  # the dog runs
PLACES = ("near", "behind", "beside", "with")
ARTICLE = "the"
_OTHERS = """
one step at a time your journey starts day by night and again green tea rose is red blue
sea sun moon star tree river stone road hill house door window bread milk apple salt
now then here there big small old new slow fast more less yes no word map song
"""
OTHERS = tuple(_OTHERS.split())
VOCABULARY = tuple(
    sorted((ARTICLE, *SINGULAR, *PLURAL, *VERBS_OF_ONE, *VERBS_OF_MANY, *PLACES, *OTHERS))
)
START = len(VOCABULARY)  # the number of the start token
LONGEST = 16  # words of a sentence; with the start token 17 positions
_NUMBER = {word: number for number, word in enumerate(VOCABULARY)}


def numbers_of(words: Sequence[str]) -> IntArray:
    """Return the numbers of words that are known to be in the vocabulary, int (T,)."""
    return np.array([_NUMBER[word] for word in words], dtype=np.int64)


def read_words(text: str) -> tuple[str, ...]:
    """Return the words of a sentence, in small letters, if the model knows them all.

    Raises:
        ValueError: there are none or too many, or one is not in the vocabulary; the message names
            near ones.
    """
    if not isinstance(text, str):
        raise ValueError(f"the sentence must be text: got {type(text).__name__}; try 'one step'")
    words = tuple(unicodedata.normalize("NFC", text).lower().split())
    if not 1 <= len(words) <= LONGEST:
        raise ValueError(
            f"a sentence must have 1 to {LONGEST} words: got {len(words)}; "
            "try 'one step at a time one step at a'"
        )
    unknown = tuple(dict.fromkeys(word for word in words if word not in _NUMBER))
    if unknown:
        raise ValueError(
            f"the model knows {len(VOCABULARY)} words and not "
            f"{', '.join(map(_quoted, unknown[:3]))}{' and others' if len(unknown) > 3 else ''}; "
            f"try {' or '.join(map(_quoted, near(unknown[0])))}"
        )
    return words


def near(word: str, n: int = 3) -> tuple[str, ...]:
    """Return the n words of the vocabulary that are spelled most like `word`, the likest first."""
    return tuple(difflib.get_close_matches(word[:40], VOCABULARY, n=n, cutoff=0.0))


def with_start(words: IntArray) -> IntArray:
    """Put the start token before every row, int (B, T) -> (B, T + 1)."""
    return np.concatenate([np.full((len(words), 1), START), words], axis=1)


def _quoted(word: str) -> str:
    printable = "".join(c if c.isprintable() else "�" for c in word)
    return f"“{printable}”" if len(printable) <= 24 else f"“{printable[:22]}…”"
