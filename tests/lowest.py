"""What are the lowest versions that pyproject allows? Prints them for pip."""

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def lowest_versions(project: Path = PROJECT) -> list[str]:
    """Return each direct dependency pinned to its lower bound, such as "numpy==2".

    Raises:
        ValueError: a dependency has no lower bound.
    """
    listed = tomllib.loads(project.read_text(encoding="utf-8"))["project"]["dependencies"]
    pins = []
    for dependency in listed:
        bound = re.fullmatch(r"([\w-]+)[^>]*>=\s*([\d.]+).*", dependency)
        if not bound:
            raise ValueError(
                f"a dependency has a lower bound: got {dependency!r}; write name>=version"
            )
        pins.append(f"{bound[1]}=={bound[2]}")
    return pins


if __name__ == "__main__":
    print(*lowest_versions())
