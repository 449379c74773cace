"""What do several steps say or count alike?"""

SHORT = "One word has no future to hide. Enter a sentence of two words or more to go on."


def numbers(low: int, high: int) -> tuple[str, ...]:
    """Return the whole numbers from `low` to `high` as answers."""
    return tuple(map(str, range(low, high + 1)))


def listed(items: list[str]) -> str:
    """Join with commas and "and"."""
    return " and ".join(items) if len(items) < 3 else f"{', '.join(items[:-1])} and {items[-1]}"
