"""The same for functions in JAX, where it is installed: it is not needed to run the tests."""

import importlib.util

import pytest

from attention_widget import Fault
from attention_widget.widgets.check.engine import run_check
from attention_widget.widgets.check.isolation import can_fork
from tests.check.test_zoo import diagnosed
from tests.conftest import NOT_RUN

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("jax") is None, reason=f"{NOT_RUN}JAX is not installed"
)
F = Fault


def written(faults=frozenset()):
    """Return attention as a function of JAX arrays and a key."""
    import jax
    from jax import numpy as jnp

    def attend(x, w_q, w_k, w_v, w_o, num_heads, dropout=0.0, key=None, deterministic=True):
        b, t, d = x.shape

        def cut(a):
            return a.reshape(b, t, num_heads, d // num_heads).transpose(0, 2, 1, 3)

        q, k, v = cut(x @ w_q), cut(x @ w_k), cut(x @ w_v)
        s = jnp.einsum("bhid,bhjd->bhij", q, k)
        if F.MISSING_SCALE not in faults:
            s = s / jnp.sqrt(d // num_heads)
        past = jnp.tril(jnp.ones((t, t), dtype=bool))
        if F.ZERO_AFTER_SOFTMAX in faults:
            a = jnp.where(past, jax.nn.softmax(s, axis=-1), 0)
        else:
            fill = -10.0 if F.FINITE_FILL in faults else -jnp.inf
            a = jax.nn.softmax(jnp.where(past, s, fill), axis=-1)
        if not deterministic and dropout > 0:
            keep = jax.random.bernoulli(key, 1 - dropout, a.shape)
            a = jnp.where(keep, a if F.MISSING_RESCALE in faults else a / (1 - dropout), 0)
        return jnp.einsum("bhij,bhjd->bihd", a, v).reshape(b, t, d) @ w_o

    return attend


@pytest.mark.parametrize(
    "faults",
    [
        {F.MISSING_SCALE},
        {F.FINITE_FILL},
        {F.ZERO_AFTER_SOFTMAX, F.MISSING_SCALE},
        {F.MISSING_RESCALE},
    ],
    ids=lambda faults: "+".join(sorted(fault.value for fault in faults)),
)
def test_a_wrong_implementation_gets_the_name_of_its_faults(faults):
    assert diagnosed(run_check(written(frozenset(faults)))) == {fault.value for fault in faults}


def test_a_right_implementation_passes_and_is_not_forked():
    found = run_check(written())
    assert found.passed, str(found)
    assert found.learned["framework"] == "jax"
    assert not can_fork()
