"""How fast is the core: heads at once, tiles, and the table of the recorded file?"""

import tracemalloc
from collections.abc import Callable
from functools import partial
from time import perf_counter, process_time

import numpy as np

from attention_widget import MultiHeadAttention, scaled_dot_product_attention, tiled_attention
from attention_widget.lesson import SENTENCE, lesson_inputs, lesson_layer, tokenize
from tests.benchmarks.figures import Figure, median


def measure(*, quick: bool) -> list[Figure]:
    """Return the figures of the core."""
    return [*_heads(quick), *_tiles(quick), *_recording(quick)]


def in_turns(runs: int, *calls: Callable[[], object]) -> list[float]:
    """Return the middle time of each call, ms, taken in turns so that a busy moment hits all."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(runs):
        for call, mine in zip(calls, times, strict=True):
            start = perf_counter()
            call()
            mine.append(1e3 * (perf_counter() - start))
    return [median(mine) for mine in times]


def _heads(quick: bool) -> list[Figure]:
    figures = []
    small, x_small = lesson_layer(4), lesson_inputs(tokenize(SENTENCE))
    rng = np.random.default_rng(1)
    sizes = [(small, x_small, 2000, 0.5)]
    for t, runs in ((1024, 5), (4096, 1)):
        weights = (rng.standard_normal((4, 768, 768)) / 28).astype(np.float32)
        layer = MultiHeadAttention(*weights, 12)
        sizes.append((layer, rng.standard_normal((1, t, 768)).astype(np.float32), runs, None))
    for layer, x, runs, limit in sizes[: 2 if quick else 3]:
        at_once, loop = in_turns(
            max(1, runs // (4 if quick else 1)), lambda f=layer, x=x: f(x), _looped(layer, x)
        )
        t, d = x.shape[1:]
        figures.append(
            Figure(
                group="core",
                name=f"heads at once at (T, d, h) = ({t}, {d}, {layer.n_heads})",
                value=at_once,
                unit="ms",
                against="a loop over heads",
                reference=loop,
                limit=limit,
            )
        )
    return figures


def _looped(layer: MultiHeadAttention, x: np.ndarray) -> Callable[[], object]:
    def run() -> object:
        q, k, v = x @ layer.w_q, x @ layer.w_k, x @ layer.w_v
        cuts = [slice(i * layer.d_head, (i + 1) * layer.d_head) for i in range(layer.n_heads)]
        heads = [
            scaled_dot_product_attention(q[..., c], k[..., c], v[..., c], causal=True).output
            for c in cuts
        ]
        return np.concatenate(heads, axis=-1) @ layer.w_o

    return run


def _tiles(quick: bool) -> list[Figure]:
    short = 1024 if quick else 4096

    def inputs(t: int, h: int) -> list[np.ndarray]:
        rng = np.random.default_rng(2)
        return [rng.standard_normal((h, t, 64)).astype(np.float32) for _ in range(3)]

    tiled, dense = in_turns(
        1 if not quick else 3,
        partial(tiled_attention, *inputs(short, 12), causal=True),
        partial(scaled_dot_product_attention, *inputs(short, 12), causal=True),
    )
    peaks = {
        (kind, t): _peak(call, inputs(t, 2 if kind == "dense" else 12))
        for kind, call in (("tiled", tiled_attention), ("dense", scaled_dot_product_attention))
        for t in (short, 2 * short)
    }
    name = f"T = {short} to {2 * short}"
    dense_growth = peaks["dense", 2 * short] / peaks["dense", short]
    return [
        Figure(
            group="core",
            name=f"causal tiles at T = {short}, d = 768, h = 12",
            value=tiled,
            unit="ms",
            against="dense",
            reference=dense,
            limit=1.0,
        ),
        Figure(
            group="core",
            name=f"peak memory of tiles, {name}, h = 12",
            value=peaks["tiled", 2 * short] / 2**20,
            unit="MiB",
            against=f"at {short}",
            reference=peaks["tiled", short] / 2**20,
            limit=2.2,
            note=f"dense grows {dense_growth:.2f} times (h = 2)",
        ),
        Figure(
            group="core",
            name=f"peak memory of dense, {name}, h = 2",
            value=peaks["dense", 2 * short] / 2**20,
            unit="MiB",
            against=f"at {short}",
            reference=peaks["dense", short] / 2**20,
        ),
    ]


def _peak(call: Callable[..., object], qkv: list[np.ndarray]) -> int:
    tracemalloc.start()
    call(*qkv, causal=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def _recording(quick: bool) -> list[Figure]:
    from attention_widget.lesson import DEFAULT_SEED
    from attention_widget.widgets.labs.leak.lab import RECORDED_SEEDS
    from attention_widget.widgets.labs.leak.run import finished_run
    from attention_widget.widgets.recorded.commands import DRAWS, recorded_lesson
    from attention_widget.widgets.recorded.lookup_table import record_section
    from tests.recorded.whole import record_whole

    draws = 1 if quick else DRAWS
    fast, whole = (recorded_lesson(SENTENCE, DEFAULT_SEED, draws) for _ in range(2))
    for seed in RECORDED_SEEDS:
        finished_run(int(seed))  # the leak lab's training is no part of either
    start = process_time()
    tables = [record_section(section) for section in fast.sections.values()]
    took = process_time() - start
    start = process_time()
    if tables != [record_whole(section) for section in whole.sections.values()]:
        raise SystemExit("the recording differs from every state rendered whole")
    return [
        Figure(
            group="core",
            name="processor time of the file's tables",
            value=took,
            unit="s",
            against="every state rendered whole",
            reference=process_time() - start,
            limit=0.28,
        )
    ]
