"""How is a large count written so that a reader can take it in, and check it?"""

BINARY = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB")
DECIMAL = ("", " thousand", " million", " billion", " trillion", " quadrillion")


def human_bytes(count: int) -> str:
    """Write bytes in the largest unit that leaves at least 1: 50331648 -> "48 MiB"."""
    return _scaled(count, 1024, tuple(f" {unit}" for unit in BINARY))


def human_count(count: int) -> str:
    """Write a count in words of thousands: 8053063680 -> "8.05 billion"."""
    return _scaled(count, 1000, DECIMAL)


def exact(count: int) -> str:
    """Write every digit, in groups of three."""
    return f"{count:,}"


def _scaled(count: int, base: int, units: tuple[str, ...]) -> str:
    power = 0
    while count >= base ** (power + 1) and power + 1 < len(units):
        power += 1
    value = count / base**power
    # Three digits, and no ".00" behind a whole number.
    text = f"{value:.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"
    return text + units[power]
