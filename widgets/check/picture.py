"""How does a check look in a notebook? The checklist beside two maps, theirs and the right one.

Plain HTML with its style inside, so that it shows without scripts and without a network.
"""

from html import escape

import numpy as np

from attention_widget.assets import read_asset
from attention_widget.widgets.check.record import FAILED, NOT_APPLICABLE, PASSED, Check, CheckLine
from attention_widget.widgets.check.words import ICONS, RULES, tell
from attention_widget.widgets.map.layout import short
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.palette import SCHEMES, palette_index

Rows = tuple[tuple[float, ...], ...]
ZERO = 1e-9  # a weight that was solved for is 0 up to rounding
CLASSES = {PASSED: "pass", FAILED: "fail", NOT_APPLICABLE: "note"}


def as_html(check: Check) -> str:
    """Return the record as HTML."""
    wrong = check.diagnosis.first_wrong if check.diagnosis else None
    mine, right = ("Your weights, head 1", check.mine), ("The right weights, head 1", check.right)
    return read_asset("check/picture.html").format(
        name=escape(check.name),
        style=read_asset("check/style.css"),
        verdict_class="pass" if check.passed else "fail",
        verdict="✓ passed" if check.passed else "✗ not right yet",
        said=_said(check),
        lines="" if check.problem else "".join(map(_line, check.lines)),
        maps="".join(
            _map(title, rows, wrong if rows is check.mine else None, check.words)
            for title, rows in (mine, right)
            if rows
        ),
        remarks="".join(f'<p class="note">Remark: {escape(one)}</p>' for one in check.remarks),
    )


def _said(check: Check) -> str:
    if check.problem:
        return f'<p class="said">{escape(check.problem)}</p>'
    if check.diagnosis is None:
        return ""
    hints = "".join(f"<p>{escape(hint)}</p>" for hint in check.diagnosis.hints)
    folded = f"<details><summary>Where to look</summary>{hints}</details>" if hints else ""
    return f'<p class="said">{escape(check.diagnosis.sentence)}</p>{folded}'


def _line(line: CheckLine) -> str:
    measured = tell(line)
    notes = [line.why, f"measured: {measured}" if measured else ""]
    note = "; ".join(escape(one) for one in notes if one)
    kind = CLASSES.get(line.status, "note")
    return (
        f'<li data-line="{line.key}" data-state="{line.status}">'
        f'<strong class="{kind}"><span aria-hidden="true">{ICONS[line.status]}</span> '
        f"{line.status}</strong>"
        f'<span>{RULES[line.key]} <span class="note">{note}</span></span></li>'
    )


def _map(title: str, weights: Rows, wrong: tuple[int, int] | None, words: tuple[str, ...]) -> str:
    names = [escape(short(word)) for word in words]
    head = "".join(f'<th scope="col">{name}</th>' for name in (*names, "sum"))
    body = ""
    for i, row in enumerate(weights):
        cells = "".join(_cell(value, (i + 1, j + 1) == wrong) for j, value in enumerate(row))
        total = float(np.sum(row))
        off = "" if abs(total - 1) < 1e-6 else " off"
        total_cell = f'<td class="sum{off}">{number(total)}</td>'
        body += f'<tr><th scope="row">{names[i]}</th>{cells}{total_cell}</tr>'
    return (
        f'<table class="map"><caption>{title}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _cell(value: float, wrong: bool) -> str:
    mark = ' title="the first wrong weight"' if wrong else ""
    outlined = " wrong" if wrong else ""
    if abs(value) < ZERO:
        return f'<td class="masked{outlined}"{mark}>0</td>'
    if not np.isfinite(value):
        return f'<td class="{outlined.strip()}"{mark}>{number(value)}</td>'
    place = palette_index(max(0.0, value), 0.0, 1.0)
    fill, ink = (SCHEMES["light"][role][place] for role in ("fills", "inks"))
    colours = f"background:{fill};color:{ink}"
    return f'<td class="{outlined.strip()}" style="{colours}"{mark}>{_small(value)}</td>'


def _small(value: float) -> str:
    """Write a weight with two decimals; one that would read 0.00 says that it is not 0."""
    return number(value) if abs(value) >= 0.005 else "&gt;0" if value > 0 else "&lt;0"
