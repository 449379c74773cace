"""How does a check read in a terminal?"""

from attention_widget.widgets.check.record import NOT_APPLICABLE, UNREACHED, Check, CheckLine
from attention_widget.widgets.check.words import ICONS, RULES, tell


def as_text(check: Check) -> str:
    """Return the record as plain text."""
    verdict = "passed" if check.passed else "not right yet"
    parts = [f"{check.name}: {verdict}"]
    if check.problem:
        return "\n".join([*parts, "", check.problem])
    if check.diagnosis:
        parts += ["", check.diagnosis.sentence]
        parts += [f"Hint: {hint}" for hint in check.diagnosis.hints]
    parts += ["", *(_line(line) for line in check.lines)]
    parts += [f"Remark: {remark}" for remark in check.remarks]
    return "\n".join(parts)


def _line(line: CheckLine) -> str:
    told = tell(line)
    why = f" ({line.why})" if line.why else ""
    if line.status in (UNREACHED, NOT_APPLICABLE):
        return f"{ICONS[line.status]} {line.status:<14} {RULES[line.key]}{why}"
    return f"{ICONS[line.status]} {line.status:<14} {RULES[line.key]}{why}" + (
        f"; measured: {told}" if told else ""
    )
