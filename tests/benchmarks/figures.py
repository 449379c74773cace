"""What is a measured figure, and how is it shown? As a ratio against something of the same run."""

import json
import os
import platform
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One line of the result.

    Attributes:
        group: which part of the benchmark measured it.
        name: what was measured.
        value: in `unit`.
        unit: of `value` and `reference`.
        against: what it is compared with, measured in the same run.
        reference: the value of that.
        limit: what the ratio has to stay below, or None where no line was drawn.
        note: how it was measured.
    """

    group: str
    name: str
    value: float
    unit: str
    against: str
    reference: float
    limit: float | None = None
    note: str = ""

    @property
    def ratio(self) -> float:
        """Value over reference."""
        return self.value / self.reference if self.reference else float("inf")

    @property
    def meets(self) -> bool | None:
        """Whether the line is met; None without one."""
        return None if self.limit is None else self.ratio <= self.limit


def median(values: Iterable[float]) -> float:
    """Return the middle value."""
    return float(statistics.median(values))


def p95(values: Sequence[float]) -> float:
    """Return the value that 95 % do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def machine() -> dict[str, Any]:
    """Describe where this ran."""
    import bokeh
    import numpy as np
    import panel

    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        names = [x for x in info.read_text().splitlines() if x.startswith("model name")]
        model = names[0].split(":", 1)[1].strip() if names else model
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "processor": model,
        "cores": os.cpu_count(),
        "memory_gib": round(memory, 1),
        "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "bokeh": bokeh.__version__,
        "panel": panel.__version__,
        "load_before": round(os.getloadavg()[0], 2),
    }


def table(figures: Sequence[Figure]) -> str:
    """Return the figures as a Markdown table."""
    rows = [("figure", "value", "against", "ratio", "line", "")]
    for f in figures:
        line = "" if f.limit is None else f"≤ {f.limit:g}"
        verdict = {None: "", True: "meets", False: "MISSES"}[f.meets]
        against = f"{f.against} ({_short(f.reference)} {f.unit})"
        rows.append(
            (
                f"{f.group}: {f.name}",
                f"{_short(f.value)} {f.unit}",
                against,
                f"{f.ratio:.3g}",
                line,
                verdict,
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    lines = [" | ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
    lines.insert(1, " | ".join("-" * w for w in widths))
    return "\n".join(f"| {line} |" for line in lines)


def as_json(figures: Sequence[Figure], where: dict[str, Any]) -> str:
    """Return everything as JSON."""
    rows = [asdict(f) | {"ratio": f.ratio, "meets": f.meets} for f in figures]
    return json.dumps({"machine": where, "figures": rows}, indent=1, ensure_ascii=False)


def _short(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
