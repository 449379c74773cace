"""Step: how wide is one of four heads?"""

from functools import lru_cache

from attention_widget import head_width
from attention_widget.widgets.checkpoint.machine import Field, View
from attention_widget.widgets.checkpoint.pictures import parts_picture
from attention_widget.widgets.checkpoint.steps.asking import Case, told
from attention_widget.widgets.checkpoint.steps.number import PredictNumber
from attention_widget.widgets.checkpoint.words import WIDTH
from attention_widget.widgets.map.observation import Observation
from attention_widget.widgets.map.state import MAX_HEADS

LAYERS = ((768, 12), (96, 8), (64, 2), (120, 3), (12, 2), (512, 4), (36, 12))  # (d, h)


class PredictWidth(PredictNumber):
    """d_head at four heads; SIZE is d."""

    key = "width"
    title = WIDTH["title"]
    fields = (Field("width", WIDTH["field"], {}, low=1),)
    low = 1
    idea = WIDTH["idea"]
    look_again = WIDTH["again"]

    def shown(self, o: Observation) -> bool:
        return o.heads == MAX_HEADS

    def measured(self, o: Observation) -> int:
        return o.d_head

    def size(self, o: Observation) -> int:
        return o.width

    def top(self, size: int) -> int:
        return size * MAX_HEADS

    def text(self, name: str, size: int) -> str:
        return WIDTH[name].format(d=size, heads=MAX_HEADS)

    def why(self, guess: int, size: int, measured: int) -> View:
        start = WIDTH["wide" if guess >= size else "guess"].format(guess=guess)
        text = start + WIDTH["why"].format(d=size, heads=MAX_HEADS, width=measured)
        return told(text, picture=parts_picture(size, MAX_HEADS))

    def all_cases(self) -> tuple[Case, ...]:
        return _cases()

    def top_of(self, case: Case) -> int:
        return max(d for d, _ in LAYERS)


@lru_cache(maxsize=1)
def _cases() -> tuple[Case, ...]:
    cases = []
    for d, heads in LAYERS:
        width = head_width(d, heads)
        words = {"d": d, "heads": heads, "width": width}
        question = WIDTH["gpt" if (d, heads) == LAYERS[0] else "case"].format(**words)
        why = WIDTH["why"].format(**words)
        cases.append(Case(question, str(width), why, (), parts_picture(d, heads)))
    return tuple(cases)
