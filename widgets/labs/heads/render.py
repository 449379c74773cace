"""What does the heads lab say and show? Formats what `measure` measured."""

from attention_widget.lesson import D_MODEL
from attention_widget.widgets.labs.heads.figure import COLOURS, HATCHES, TOTAL
from attention_widget.widgets.labs.heads.measure import TOKENS, FloatArray, HeadsLook, look
from attention_widget.widgets.map.render import number
from attention_widget.widgets.section.section import Slots

Node = list[object]
ROUNDING = 1e-12  # float64 sums of twelve terms differ by far less


def render_heads(
    heads: int, causal: bool, token: int, channel: int, tokens: tuple[str, ...] = TOKENS
) -> Slots:
    """Render one state; see `Section.render`."""
    now = look(heads, causal, token, channel, tokens)
    name = f"{token} {tokens[token - 1]}"
    return (
        {
            "head-row": _head_row(now),
            "channels": _channel_row(channel),
            "shares": _shares(now),
        }
        | _numbers(now, channel)
        | _render_staircase(now, channel)
        | _figures(now, channel)
        | _words(now, heads, causal, token, channel, tokens)
        | {
            "readout.token": name,
            "limit.token": {"max": len(tokens), "aria-valuetext": name},
        }
    )


def _names(now: HeadsLook) -> list[str]:
    return [f"Head {i + 1}" for i in range(len(now.by_head))]


def _slot(now: HeadsLook, column: int) -> dict[str, object]:
    """Mark a context number with the head it came from."""
    head = column // now.d_head
    first = " first" if column % now.d_head == 0 else ""
    return {"class": f"from-{head + 1}{first}"}


def _head_row(now: HeadsLook) -> Node:
    names: list[object] = [
        ["th", {"scope": "colgroup", "colspan": now.d_head, "class": f"from-{i + 1} first"}, name]
        for i, name in enumerate(_names(now))
    ]
    columns: list[object] = [
        ["th", {"scope": "col", **_slot(now, c)}, str(c + 1)] for c in range(len(now.context))
    ]
    return [
        ["tr", {}, ["th", {"scope": "row"}, "head"], *names],
        ["tr", {}, ["th", {"scope": "row"}, "channel"], *columns],
    ]


def _numbers(now: HeadsLook, channel: int) -> Slots:
    """Render a row as a slot, for rows depend on different controls and are recorded apart."""

    def row(label: str, values: FloatArray) -> Node:
        cells = [
            ["td", {"class": "first"} if c % now.d_head == 0 else {}, number(float(v))]
            for c, v in enumerate(values)
        ]
        return [["th", {"scope": "row"}, label], *cells]

    sums: list[object] = [
        ["td", {"colspan": now.d_head, "class": "first"}, ["strong", {}, number(v)]]
        for v in now.by_head[:, channel - 1].tolist()
    ]
    total = number(float(now.output[channel - 1]))
    return {
        "context": row("context", now.context),
        "column": row(f"× W_o column {channel}", now.column),
        "products": row("= product", now.products),
        "sums": [["th", {"scope": "row"}, "sum of the head"], *sums],
        "total": [
            ["th", {"scope": "row"}, f"output {channel}"],
            ["td", {"colspan": len(now.context)}, ["strong", {}, total], " = all heads together"],
        ],
    }


def _channel_row(channel: int) -> Node:
    names: list[object] = [
        ["th", {"scope": "col", "class": "chosen"}, f"{c} chosen"]
        if c == channel
        else ["th", {"scope": "col"}, str(c)]
        for c in range(1, D_MODEL + 1)
    ]
    return [["tr", {}, ["th", {"scope": "row"}, "output channel"], *names]]


def _shares(now: HeadsLook) -> Node:
    rows: Node = []
    for i, (name, shares) in enumerate(zip(_names(now), now.by_head, strict=True)):
        cells = [["td", {}, number(float(v))] for v in shares]
        rows.append(["tr", {}, ["th", {"scope": "row", "class": f"from-{i + 1}"}, name], *cells])
    cells = [["td", {}, number(float(v))] for v in now.output]
    rows.append(["tr", {"class": "total"}, ["th", {"scope": "row"}, "output"], *cells])
    return rows


def _render_staircase(now: HeadsLook, channel: int) -> Slots:
    shares = [float(v) for v in now.by_head[:, channel - 1]]
    total = float(now.output[channel - 1])
    h = len(shares)
    ends = [sum(shares[: i + 1]) for i in range(h)]
    left = [round(v, 6) for v in [0.0, *ends[:-1], 0.0]]
    right = [round(v, 6) for v in [*ends, total]]
    low, high = min(*left, *right, 0.0), max(*left, *right, 0.0)
    room = 0.08 * (high - low) or 1.0
    who = [*_names(now), f"output {channel}"]
    middle = [i + 0.5 for i in range(h + 1)]
    return {
        "source:shares.y": middle,
        "source:shares.left": left,
        "source:shares.right": right,
        "source:shares.colour": [*COLOURS[:h], TOTAL],
        "source:shares.hatch": [*HATCHES[:h], " "],
        "source:shares.who": who,
        "source:shares.share": [number(v, 3) for v in [*shares, total]],
        "source:joints.x": right[:-1],
        "source:joints.y0": middle[:-1],
        "source:joints.y1": middle[1:],
        "model:x_range": {"start": round(low - room, 4), "end": round(high + room, 4)},
        "model:y_range": {"start": h + 1, "end": 0},
        "model:y_ticks": {"ticks": middle},
        "model:y_axis": {
            "major_label_overrides": [[y, name] for y, name in zip(middle, who, strict=True)]
        },
        "figure": {
            "aria-label": (
                f"Staircase of the heads' shares in output channel {channel}: "
                f"{_sum_in_words(now, channel)}."
            )
        },
    }


def _sum_in_words(now: HeadsLook, channel: int) -> str:
    shares = [number(float(v)) for v in now.by_head[:, channel - 1]]
    joined = " + ".join(f"({s})" if s.startswith("−") else s for s in shares)
    return f"{joined} = {number(float(now.output[channel - 1]))}"


def _figures(now: HeadsLook, channel: int) -> Slots:
    h = len(now.by_head)
    return {
        "kpi.width": str(now.d_head),
        "note.width": f"{len(now.context)} / {h}",
        "kpi.feeding": f"{now.feeding} of {h}",
        "note.feeding": f"without W_o: {now.feeding_alone}",
        "kpi.output": number(float(now.output[channel - 1])),
        "note.output": f"output channel {channel}",
        "kpi.gap": "yes" if now.gap < ROUNDING else "no",
        "note.gap": "but for rounding" if now.gap else "to the last bit",
    }


def _words(
    now: HeadsLook, heads: int, causal: bool, token: int, channel: int, tokens: tuple[str, ...]
) -> Slots:
    name = f"{token} {tokens[token - 1]}"
    own = (channel - 1) // now.d_head + 1
    total = _sum_in_words(now, channel)
    several = "head" if heads == 1 else "heads"
    if heads == 1:
        mix = f"With one head, all {len(now.context)} numbers come from the same map."
    else:
        mix = (
            f"Without W_o, output {channel} would be context number {channel} alone, and so hear "
            f"head {own} only. With W_o, {now.feeding} {several} of {heads} reach it: {total}."
        )
    sees = (
        f"Token {token} blends {token} {'word' if token == 1 else 'words'}, itself and the past."
        if causal
        else f"Token {token} blends all {len(tokens)} words, the future too."
    )
    return {
        "mix": mix,
        "sees": sees,
        "title": f"Token {name}: {heads} {several}, {now.d_head} wide",
        "shares-title": f"Output channel {channel}",
        "announcement.heads": (
            f"{heads} {several}, each {now.d_head} wide. Output {channel}: {total}."
        ),
        "announcement.causal": (
            f"Causal mask {'on' if causal else 'off'}. {sees} Output {channel}: {total}."
        ),
        "announcement.token": f"Token {name}. Output {channel}: {total}.",
        "announcement.channel": f"Output channel {channel}: {total}.",
        "announcement.reset": f"Back to the start. Output {channel}: {total}.",
    }
