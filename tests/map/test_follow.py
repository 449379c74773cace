"""Is a column that is looked up in others the one that Python would have written?"""

from itertools import product

from attention_widget.widgets.map.render import render_shown
from attention_widget.widgets.map.section import map_section
from attention_widget.widgets.map.snapshot import snapshot
from tests.looked_up import looked_up


def test_in_every_state_of_weights_the_looked_up_columns_are_those_of_the_array():
    section = map_section()
    texts = set()
    for stage, causal, heads, p, draw in product(
        ("weights", "dropped"), (False, True), (1, 2, 3, 4), (0.0, 0.1, 0.5, 0.9), (0, 1, 2)
    ):
        for head in range(1, heads + 1):
            section.state.choose(
                stage=stage,
                causal=causal,
                heads=heads,
                head=head,
                dropout=p,
                training=True,
                draw=draw,
            )
            slots = section.render()
            snap = snapshot(section.state.settings())
            written = render_shown(snap.shown, snap.cell_states)
            for name in ("text", "palette_index"):
                found = looked_up(slots, slots[f"source:map.cells.{name}"])
                assert found == written[f"source:cells.{name}"]
            texts |= set(written["source:cells.text"])
    assert {"0", "× 0", "0.00", "1.00"} <= texts
    assert max(float(text) for text in texts - {"× 0"}) > 3, "also beyond the end of the scale"
