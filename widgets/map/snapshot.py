"""What does the core say about one state of the widget?

A `Snapshot` holds arrays and measured figures; views turn them into words and colours.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from attention_widget import Attention, head_width
from attention_widget.draws import draw_row_sums, draw_statistics
from attention_widget.lesson import lesson_inputs, lesson_layer, tokenize
from attention_widget.measures import (
    cell_states,
    dropped_cells,
    masked_cells,
    row_change,
    row_sums,
    sees_future,
    survivor_ratios,
    weight_on_answers,
)
from attention_widget.widgets.map.state import Settings

FloatArray = npt.NDArray[np.floating]
MEAN_DRAWS = 1000
FLOAT32_BYTES = 4
KEPT = 1024  # results, of up to 40 kB: visitors choose sentences, so all may be new ones


@dataclass(frozen=True, eq=False)
class Snapshot:
    """One state; each figure is computed when it is first asked for, from the settings it needs.

    Attributes:
        settings: what was asked for.
    """

    settings: Settings

    @cached_property
    def tokens(self) -> tuple[str, ...]:
        """The words, T of them."""
        return tokenize(self.settings.sentence)

    @property
    def head_index(self) -> int:
        """The viewing head, counted from 0."""
        return self.settings.head - 1

    @cached_property
    def layer(self) -> Attention:
        """The layer's record, arrays (1, h, T, T), output (1, T, d)."""
        s = self.settings
        p, draw = (s.dropout, s.draw) if s.drops else (0.0, 0)
        return _run(s.sentence, s.seed, s.causal, s.heads, p, draw)

    @cached_property
    def rest(self) -> Attention:
        """The same record without dropout."""
        s = self.settings
        return _run(s.sentence, s.seed, s.causal, s.heads, 0.0, 0)

    @property
    def scores(self) -> FloatArray:
        """Scaled scores of the viewing head before the mask, (T, T)."""
        s = self.settings
        whole = _run(s.sentence, s.seed, False, s.heads, 0.0, 0)
        return _map(whole.scores, self.head_index)

    @property
    def masked_scores(self) -> FloatArray:
        """Scores of the viewing head after the mask, (T, T)."""
        return _map(self.rest.masked_scores, self.head_index)

    @property
    def weights(self) -> FloatArray:
        """Weights of the viewing head after the softmax, (T, T)."""
        return _map(self.rest.weights, self.head_index)

    @property
    def without_mask(self) -> FloatArray:
        """Weights of the viewing head after the softmax, had there been no mask, (T, T)."""
        s = self.settings
        unmasked = _run(s.sentence, s.seed, False, s.heads, 0.0, 0)
        return _map(unmasked.weights, self.head_index)

    @property
    def dropped(self) -> FloatArray:
        """Weights of the viewing head after dropout, (T, T)."""
        return _map(self.layer.dropped, self.head_index)

    @property
    def all_heads(self) -> FloatArray:
        """Weights of all heads after dropout, (h, T, T)."""
        heads: FloatArray = self.layer.dropped[0]
        return heads

    @cached_property
    def shown(self) -> FloatArray:
        """The map on screen, (T, T): the stage of the viewing head."""
        match self.settings.stage:
            case "scores":
                return self.scores
            case "masked":
                return self.masked_scores
            case "weights":
                return self.weights
        return self.dropped

    @cached_property
    def cell_states(self) -> npt.NDArray[np.str_]:
        """(T, T) of "seen", "masked" or "dropped", read off the record."""
        stage = self.settings.stage  # it knows of no masking or of no dropping yet
        return cell_states(
            self.scores if stage == "scores" else self.masked_scores,
            self.weights,
            self.dropped if stage == "dropped" else self.weights,
        )

    @property
    def all_cell_states(self) -> npt.NDArray[np.str_]:
        """The same for all heads after dropout, (h, T, T)."""
        return cell_states(self.rest.masked_scores[0], self.rest.weights[0], self.all_heads)

    @property
    def weights_shown(self) -> FloatArray:
        """(T, T) what is called weight in this stage: after dropout only where that is shown."""
        return self.dropped if self.settings.stage == "dropped" else self.weights

    @property
    def sums_shown(self) -> bool:
        """Whether row sums stand beside the map: only of the weights on show, while some drop."""
        return self.settings.drops and self.settings.stage == "dropped"

    @cached_property
    def sees_future(self) -> bool:
        """Whether any weight above the diagonal is non-zero, over all heads."""
        return sees_future(self.rest.weights)

    @cached_property
    def masked_cells(self) -> int:
        """Scores at -inf in the viewing head's map."""
        return masked_cells(self.masked_scores)

    @cached_property
    def masked_cells_all_heads(self) -> int:
        """The same in the whole (1, h, T, T) tensor."""
        return masked_cells(self.rest.masked_scores)

    @cached_property
    def d_head(self) -> int:
        """Width of one head."""
        return head_width(self.rest.output.shape[-1], self.rest.scores.shape[1])

    @cached_property
    def row_sums(self) -> FloatArray:
        """(T,) sums of the viewing head's rows after dropout."""
        return row_sums(self.dropped)

    @cached_property
    def mean_row_sums(self) -> FloatArray:
        """(T,) their mean over `MEAN_DRAWS` draws; `row_sums` when nothing drops."""
        s = self.settings
        if not s.drops:
            return self.row_sums
        return mean_row_sums(s.sentence, s.seed, s.causal, s.heads, s.head, s.dropout)

    @cached_property
    def dropped_cells(self) -> int:
        """Weights that dropout set to 0 in the viewing head."""
        return dropped_cells(self.weights, self.dropped)

    @cached_property
    def survivor_ratio(self) -> float:
        """Measured dropped / weights of the survivors; nan when none survived."""
        return survivor_ratios(self.weights, self.dropped)[0]

    @property
    def score_shape(self) -> tuple[int, ...]:
        """(B, h, T, T)."""
        return self.rest.scores.shape

    @property
    def score_bytes(self) -> int:
        """Bytes of that tensor in float32."""
        return self.rest.scores.size * FLOAT32_BYTES

    @cached_property
    def weight_on_answers(self) -> float:
        """Mean weight of a row on the token it must predict, after softmax."""
        return weight_on_answers(self.weights)

    @cached_property
    def change(self) -> FloatArray:
        """(T,) total variation between the row with the mask off and on, viewing head."""
        s, i = self.settings, self.head_index
        off, on = (
            _run(s.sentence, s.seed, causal, s.heads, 0.0, 0).weights[0, i]
            for causal in (False, True)
        )
        return row_change(off, on)


def _map(maps: FloatArray, head: int) -> FloatArray:
    one: FloatArray = maps[0, head]  # (T, T)
    return one


@lru_cache(maxsize=KEPT)
def snapshot(settings: Settings) -> Snapshot:
    """Return one state, shared between sessions."""
    return Snapshot(settings)


@lru_cache(maxsize=KEPT)
def _run(sentence: str, seed: int, causal: bool, heads: int, p: float, draw: int) -> Attention:
    x = lesson_inputs(tokenize(sentence), seed)  # (1, T, d)
    rng = np.random.default_rng([seed, draw])
    record = lesson_layer(heads, seed)(x, causal=causal, dropout=p, rng=rng, training=p > 0)
    for array in (record.scores, record.masked_scores, record.weights, record.dropped):
        array.setflags(write=False)  # shared between sessions
    return record


@lru_cache(maxsize=4096)
def mean_row_sums(
    sentence: str, seed: int, causal: bool, heads: int, head: int, p: float
) -> FloatArray:
    """Average the row sums of one head over `MEAN_DRAWS` draws, (T,)."""
    weights = _run(sentence, seed, causal, heads, 0.0, 0).weights[0, head - 1]
    rng = np.random.default_rng([seed, 2**20])
    return draw_statistics(draw_row_sums(weights, p, rng, MEAN_DRAWS)).mean
