"""Is what the checkpoint grades measured, and coarse enough to be written down?"""

from dataclasses import replace

import numpy as np
import pytest

from attention_widget.widgets.map.observation import Observation, observe
from attention_widget.widgets.map.snapshot import Snapshot, snapshot
from tests.checkpoint.student import Bench


def with_arrays(settings, **arrays):
    """Return a snapshot of these settings that holds other arrays than they lead to."""
    snap = Snapshot(settings)
    vars(snap).update(arrays)  # what stands there is not computed
    return snap


def test_an_observation_follows_the_arrays_and_not_the_switch():
    bench = Bench().do(causal=True)
    snap = snapshot(bench.state.settings())
    assert observe(snap).masked
    leaky = snapshot(replace(snap.settings, causal=False))
    lying = with_arrays(snap.settings, layer=leaky.layer, rest=leaky.rest)
    assert not observe(lying).masked
    assert observe(lying).sees_future


@pytest.mark.parametrize("causal", [False, True])
@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_mean_row_sums_count_as_1_within_the_chance_that_is_left(causal, p):
    bench = Bench().do(causal=causal, dropout=p, training=True)
    snap = snapshot(bench.state.settings())
    assert observe(snap).means_settled
    unscaled = with_arrays(snap.settings, mean_row_sums=snap.mean_row_sums * (1 - p))
    assert not observe(unscaled).means_settled


def test_only_an_untouched_row_has_a_change_of_0():
    bench = Bench().do(heads=3, head=2)
    snap = snapshot(bench.state.settings())
    change = np.array([0.9, 0.5, 1e-9, 0.2, 0.1, 0.0])
    seen = observe(with_arrays(snap.settings, change=change))
    assert seen.changes == (90, 50, 1, 20, 10, 0)


def test_observations_are_written_and_read_back():
    for controls in ({}, {"causal": True, "heads": 4, "head": 3}, {"sentence": "one"}):
        seen = Bench().do(**controls).seen()
        assert Observation.from_text(seen.to_text()) == seen


@pytest.mark.parametrize("text", ["", "1.2.3", "a.b:c", "1:1"])
def test_a_text_that_is_no_observation_is_refused(text):
    with pytest.raises(ValueError, match=r".+"):
        Observation.from_text(text)
