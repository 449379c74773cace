"""Input that nobody sends by accident: odd types, odd sizes, odd characters, and markup."""

import random
from typing import Any

MARKUP = (
    "<script>window.hit=1</script>",
    "<img src=x onerror=window.hit=1>",
    "</script><svg onload=window.hit=1>",
    '"><iframe srcdoc="<script>parent.hit=1</script>">',
    "{{7*7}} ${window.hit=1} {% raw %}",
    "javascript:window.hit=1",
)
CHARACTERS = (
    *"aZ09 .,:;=+-_&?#%$'\"`<>/\\|(){}[]\t\n\r\0\x1b\x7f",
    *"\u00e9\u0663\u0967\u200b\u202e\u2028\ufeff\ufffd\ud800\udfff\U0001f642\u05d0\u4e00\u0301",
)
WORDS = (
    *MARKUP,
    "",
    "0",
    "1",
    "-1",
    "1e999",
    "nan",
    "Infinity",
    "0x10",
    "9" * 5000,
    "true",
    "null",
    "__proto__",
    "constructor",
    "__class__",
    "map.causal",
    "map.heads",
    "dropout",
    "None",
    "1;0;" + ";" * 6,
    "a" * 600,
    "word " * 40,
    "../../etc/passwd",
    "%s%n",
    "\r\nINFO forged line",
)
NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    5,
    0.1,
    0.30000000000000004,
    -0.0,
    2**31,
    2**53 + 1,
    2**64,
    -(2**64),
    10**400,
    10**5000,
    1e308,
    5e-324,
    float("inf"),
    float("-inf"),
    float("nan"),
    True,
    False,
    None,
)


def text(rng: random.Random) -> str:
    """Return some text."""
    if rng.random() < 0.6:
        return rng.choice(WORDS)
    return "".join(rng.choices(CHARACTERS, k=rng.randrange(60)))


def nested(depth: int, leaf: Any = 0) -> Any:
    """Return lists in mappings in lists, `depth` deep."""
    for level in range(depth):
        leaf = [leaf] if level % 2 else {"set": leaf}
    return leaf


def value(rng: random.Random, depth: int = 3) -> Any:
    """Return anything that JSON can hold, and numbers that it should not."""
    kind = rng.randrange(8 if depth else 5)
    if kind < 2:
        return rng.choice(NUMBERS)
    if kind < 5:
        return text(rng)
    if kind == 5:
        return [value(rng, depth - 1) for _ in range(rng.randrange(5))]
    if kind == 6:
        return {text(rng): value(rng, depth - 1) for _ in range(rng.randrange(5))}
    return nested(rng.choice((1, 10, 300, 5000))) if rng.random() < 0.05 else []


def mangled(rng: random.Random, good: str) -> str:
    """Return a text that was fine before a few of its characters were changed."""
    letters = list(good)
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(letters) + 1)
        letters[place : place + rng.randrange(3)] = rng.choices(
            (*CHARACTERS, *good), k=rng.randrange(3)
        )
    return "".join(letters)
