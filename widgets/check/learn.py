"""What can the student's code do, and which way of calling it and of reading its matrices fits?"""

import contextlib
from dataclasses import dataclass, replace

import numpy as np

from attention_widget.faults import Fault, stages_for
from attention_widget.lesson import SENTENCE, tokenize
from attention_widget.sdpa import Attention
from attention_widget.validate import FloatArray
from attention_widget.widgets.check.answers import Answer
from attention_widget.widgets.check.hypotheses import RIGHT, Hypothesis, explain
from attention_widget.widgets.check.maps import Recovered, recover_any
from attention_widget.widgets.check.model import Model, Spec, Way
from attention_widget.widgets.check.parameters import Parameters
from attention_widget.widgets.check.subject import Subject
from attention_widget.widgets.check.trouble import CodeError, UnclearError

WORDS = tokenize(SENTENCE)
FINE, COARSE = 1e-8, 3e-5
SPREAD = 1.5  # standard deviation of the scaled scores: maps far from uniform, none saturated


@dataclass(eq=False)
class Learned:
    """The code, and how it is called and read.

    Attributes:
        subject: what was handed in.
        spec: the layer that the other probes vary.
        way: how it is called.
        reading: which of the ways to read its matrices fits.
        model: the layer with p = 0 in the widest dtype.
        x: the lesson's words and their reverse, (2, T, d).
        answer: what the code made of x at inference.
        tolerance: relative, by the precision that the code keeps.
        causes: sets of faults that give this answer; the empty set if it is right; none if
            nothing fits.
        recovered: the weights that explain the outputs, if they can be solved for.
    """

    subject: Subject
    spec: Spec
    way: Way
    reading: int
    model: Model
    x: FloatArray
    answer: Answer
    tolerance: float
    causes: list[Hypothesis]
    recovered: Recovered | None

    @property
    def parameters(self) -> Parameters:
        """The matrices of `model`."""
        return self.model.readings[self.reading]

    @property
    def n_heads(self) -> int:
        """The h of `model`."""
        return self.model.spec.n_heads

    @property
    def d_head(self) -> int:
        """The width of a head."""
        return self.parameters.d // self.n_heads

    @property
    def fine(self) -> bool:
        """Whether the code computes in float64."""
        return self.tolerance <= FINE

    @property
    def right(self) -> bool:
        """Whether the answer is the right one."""
        return bool(self.causes) and not self.causes[0].names

    def due(self, x: FloatArray, model: Model | None = None) -> Attention:
        """Return what is expected of the code for x, its known faults included."""
        hypothesis = self.causes[0] if self.causes else None
        model = model or self.model
        one = model.readings[self.reading]
        return (hypothesis or RIGHT).run(x, one, model.spec.n_heads)

    def correct(self, x: FloatArray) -> Attention:
        """Return what the lesson's layer makes of x with the code's own matrices."""
        return RIGHT.run(x, self.parameters, self.n_heads)


def inputs(seed: int, t: int, one: Parameters, n_heads: int) -> FloatArray:
    """Draw x (2, t, d_in) as the lesson does, as large as the matrices need.

    Row 0 holds the lesson's words, then further ones; row 1 other places. The size is chosen so
    that the right scores have a standard deviation of `SPREAD`: a layer that starts with tiny
    weights gets larger words, or every map would be uniform and no fault would show.
    """
    d = one.w_q.shape[0]
    tokens = [*WORDS, *(f"word{i}" for i in range(t))][:t]
    words = np.array(
        [np.random.default_rng([seed, *w.encode()]).standard_normal(d) for w in tokens]
    )
    places = np.random.default_rng([seed, 1]).standard_normal((2, t, d))
    x: FloatArray = np.stack([words, words[::-1]]) + places
    return x * factor(seed, one, n_heads)


def factor(seed: int, one: Parameters, n_heads: int) -> float:
    """Return the size of x at which the scores spread by `SPREAD`.

    Raises:
        UnclearError: W_q or W_k is all 0, so that there is nothing to measure.
    """
    x = np.random.default_rng([seed, 2]).standard_normal((64, one.w_q.shape[0])) * 2**0.5
    heads = [
        (x @ w).reshape(64, n_heads, -1).swapaxes(0, 1) for w in (one.w_q, one.w_k)
    ]  # biases shift the scores and do not spread them
    spread = float((heads[0] @ heads[1].swapaxes(-1, -2)).std()) / (one.d // n_heads) ** 0.5
    if not spread > 0 or not np.any(one.w_v):
        raise UnclearError(
            "W_q, W_k or W_v of your code holds only zeros, so every map is uniform and nothing "
            "can be measured; draw them at random"
        )
    return float((SPREAD / spread) ** 0.5)


def learn(subject: Subject, seed: int) -> Learned:
    """Learn a layer made for more words than it is given; one that cannot be, for just as many.

    Raises:
        CodeError: no way led to an output (B, T, d).
        UnclearError: an argument or the matrices are not recognised.
    """
    try:
        return _learn(subject, Spec(seed=seed))
    except CodeError:
        if subject.kind != "class":
            raise
        with contextlib.suppress(CodeError):
            return _learn(subject, Spec(seed=seed, context=len(WORDS)))
        raise


def _learn(subject: Subject, spec: Spec) -> Learned:
    """Try the ways to call the code until one gives the right answer, or the best explained one.

    Raises:
        CodeError: no way led to an output (B, T, d).
        UnclearError: an argument or the matrices are not recognised.
    """
    mine = subject.mine
    if subject.n_heads:
        spec = replace(spec, n_heads=subject.n_heads)
        if subject.kind == "class" and spec.d % subject.n_heads:
            spec = replace(spec, d=8 * subject.n_heads)
    best: tuple[int, Learned] | None = None
    first: CodeError | None = None
    for way in subject.ways():
        if best is not None and best[1].way.axes != way.axes:
            break
        try:
            found = _try(subject, spec, way)
        except CodeError as error:
            first = first or error
            continue
        if way.axes == "first" and not found.causes and getattr(mine, "batch_first", True):
            continue  # with the axes swapped almost anything has the right shape
        size = len(found.causes[0].names) if found.causes else 99
        if best is None or size < best[0]:
            best = size, found
        if size == 0:
            break
    if best is None:
        raise first or UnclearError("no way to call your code was found")
    return best[1]


def _try(subject: Subject, spec: Spec, way: Way) -> Learned:
    model = subject.build(spec)
    t = len(WORDS)
    doing = f"With x of the shape (2, {t}, {spec.d})"
    best: Learned | None = None
    first = model.readings[0]
    x = inputs(spec.seed, t, first, model.spec.n_heads)
    answer = model.answer(x, way, doing=doing, seed=spec.seed)
    single = answer.dtype not in ("float64", "int64") or first.single
    # An object may keep float32 arrays and still compute in float64: both grains are tried.
    for tolerance in (FINE, COARSE) if single else (FINE,):
        for reading, one in enumerate(model.readings):
            causes = explain(
                answer.output, x, one, model.spec.n_heads, tolerance, most=2
            )  # more faults and further fills only where nothing simpler fits
            found = recover_any(answer.output, x, one, model.spec.n_heads, 30 * tolerance)
            now = Learned(subject, spec, way, reading, model, x, answer, tolerance, causes, found)
            if best is None or _rank(now) < _rank(best):
                best = now
        if best is not None and best.causes:
            break
    assert best is not None
    if not best.causes:
        best.causes = explain(
            answer.output, x, best.parameters, best.n_heads, best.tolerance, fills(best)
        )
    return best


def _rank(one: Learned) -> tuple[int, int]:
    return (len(one.causes[0].names) if one.causes else 99), one.recovered is None


def fills(one: Learned) -> list[float]:
    """Read a finite fill off the recovered weights: log(a_ij / a_ii) + s_ii, the same everywhere.

    Both the scaled and the raw scores are tried, and fills that were put and that were added.
    """
    if one.recovered is None or one.x.shape[1] < 2:
        return []
    weights = one.recovered.weights
    t = weights.shape[-1]
    later = ~np.tri(t, dtype=bool)
    straight = () if one.recovered.layout.split else (Fault.STRAIGHT_RESHAPE,)
    cut = Hypothesis((), stages_for(straight))
    scores = cut.run(one.x, one.parameters, one.n_heads).scores
    found = []
    with np.errstate(all="ignore"):
        own = np.diagonal(weights, axis1=-2, axis2=-1)[..., None]
        logs = np.log(weights) - np.log(own)
        for s in (scores, scores * np.sqrt(one.d_head)):
            put = logs + np.diagonal(s, axis1=-2, axis2=-1)[..., None]
            for guess in (put, put - s):
                cells = guess[..., later]
                cells = cells[np.isfinite(cells)]
                if cells.size and cells.std() < 1e-3 * (1 + abs(cells.mean())):
                    found.append(float(np.round(np.median(cells), 6)))
    return found
