"""Is code recognised whatever its author calls things, and is what is not recognised explained?"""

import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from attention_widget import Fault, check_attention
from attention_widget.widgets.check.engine import run_check
from attention_widget.widgets.check.roles import ROLES, role_of
from tests.check.zoo import numpy_styles as style

NAMES = [
    ("W_query", "W_key", "W_value", "out_proj"),
    ("q_proj", "k_proj", "v_proj", "o_proj"),
    ("to_q", "to_k", "to_v", "to_out"),
    ("Wq", "Wk", "Wv", "Wo"),
    ("query", "key", "value", "dense"),
]


def holder(names, transposed=False, layers=False):
    """Return a class with its matrices under these names."""

    class Named:
        def __init__(self, d_model, num_heads):
            self.num_heads = num_heads
            for n, name in enumerate(names):
                w = np.random.default_rng(n).normal(size=(d_model, d_model)) / d_model**0.5
                layer = SimpleNamespace(weight=w, bias=np.ones(d_model)) if layers else w
                setattr(self, name, layer)

        def forward(self, x):
            ws = []
            for name in names:
                layer = getattr(self, name)
                w = layer.weight if layers else layer
                ws.append(w.T if transposed else w)
            if not layers:
                return style.batched()(x, *ws, self.num_heads)
            from attention_widget import MultiHeadAttention

            one = np.ones(x.shape[-1])
            layer = MultiHeadAttention(*ws, self.num_heads, b_q=one, b_k=one, b_v=one, b_o=one)
            return layer(x).output

    return Named


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("transposed", [False, True])
def test_projections_are_found_under_the_usual_names_and_either_way_round(names, transposed):
    found = run_check(holder(names, transposed))
    assert found.passed, str(found)
    assert found.learned["matrices"] == ("W @ x" if transposed else "x @ W")


def test_code_that_takes_query_key_and_value_is_given_the_words_as_all_three():
    class Three(holder(NAMES[0])):
        def forward(self, query, key, value):
            assert (query == key).all()
            assert (query == value).all()
            return super().forward(value)

    found = run_check(Three)
    assert found.passed, str(found)


def test_matrices_with_an_axis_of_heads_are_laid_flat():
    class Stacked:
        def __init__(self, d_model, num_heads):
            self.num_heads, (width, left) = num_heads, divmod(d_model, num_heads)
            if left:
                raise ValueError("num_heads must divide d_model")
            rng = np.random.default_rng(3)
            for name in ("w_q", "w_k", "w_v"):
                setattr(self, name, rng.normal(size=(num_heads, d_model, width)) / d_model**0.5)
            self.w_o = rng.normal(size=(num_heads, width, d_model)) / d_model**0.5

        def forward(self, x):
            flat = [np.hstack(list(w)) for w in (self.w_q, self.w_k, self.w_v)]
            return style.batched()(x, *flat, np.vstack(list(self.w_o)), self.num_heads)

    found = run_check(Stacked)
    assert found.passed, str(found)


def test_layers_with_weight_and_bias_are_read():
    found = run_check(holder(NAMES[0], layers=True))
    assert found.passed, str(found)


def test_names_that_are_not_usual_are_asked_for_and_taken_from_a_mapping():
    strange = holder(("alpha", "beta", "gamma", "delta"))
    told = run_check(strange).problem
    assert "the matrices were not found among alpha, beta, delta, gamma" in told
    assert 'names={"w_q": "yours"' in told
    mapping = {"w_q": "alpha", "w_k": "beta", "w_v": "gamma", "w_o": "delta"}
    assert run_check(strange, names=mapping).passed

    def odd(x, w_q, w_k, w_v, w_o, how_many):
        return style.batched()(x, w_q, w_k, w_v, w_o, how_many)

    told = run_check(odd).problem
    assert "'how_many'" in told
    assert "--name role=how_many" in told
    assert run_check(odd, names={"n_heads": "how_many"}).passed


def test_a_role_that_there_is_not_is_refused_with_the_list():
    with pytest.raises(ValueError, match="there is no role 'head_count'"):
        check_attention(style.batched(), names={"head_count": "h"})
    with pytest.raises(ValueError, match="above 0"):
        check_attention(style.batched(), limit=0)


def test_every_usual_name_plays_its_own_role():
    for role, names in ROLES.items():
        for name in names:
            found = role_of(name, {})
            assert found is not None
            assert name.replace("_", "").lower() in ROLES[found] or found == role


def test_zeros_are_told_and_tiny_weights_are_measured():
    class Zeros(holder(NAMES[3])):
        def __init__(self, d_model, num_heads):
            super().__init__(d_model, num_heads)
            self.Wq = self.Wq * 0

    assert "holds only zeros" in run_check(Zeros).problem

    class Tiny(holder(NAMES[3])):
        def __init__(self, d_model, num_heads):
            super().__init__(d_model, num_heads)
            self.Wq, self.Wk = self.Wq * 1e-3, self.Wk * 1e-3

    assert run_check(Tiny).passed


def test_a_layer_whose_mask_ends_is_asked_for_no_more_words():
    class Short:
        def __init__(self, d_model, num_heads):
            self.num_heads, self.tril = num_heads, np.tril(np.ones((8, 8)))
            self.ws = np.random.default_rng(2).normal(size=(4, d_model, d_model)) / d_model**0.5
            self.w_q, self.w_k, self.w_v, self.w_o = self.ws

        def forward(self, x):
            allowed = self.tril[: x.shape[1], : x.shape[1]] * np.ones((x.shape[1], x.shape[1]))
            assert allowed.shape == (x.shape[1], x.shape[1])
            return style.batched()(x, *self.ws, self.num_heads)

    found = run_check(Short)
    assert found.passed, str(found)
    assert list(found.line("lengths").measured) == ["T1", "T6", "T8"]


def test_an_error_of_the_check_itself_is_an_answer_and_is_owned_up_to(monkeypatch):
    from attention_widget.widgets.check import engine

    def broken(one):
        raise IndexError("no such row")

    monkeypatch.setattr(engine, "future_change", broken)
    told = run_check(style.batched()).problem
    assert told.startswith("The check itself failed on your code, which is a fault of the check")
    assert "no such row" in told


def test_what_is_no_code_is_told():
    assert "a function, a class or an object" in run_check(3).problem


def test_close_relatives_of_the_faults_are_named_too():
    def scaled_by(divisor):
        def attend(x, w_q, w_k, w_v, w_o, n_heads):
            d_head = x.shape[-1] // n_heads
            grown = w_q * d_head**0.5 / divisor(x.shape[-1], d_head)
            return style.batched()(x, grown, w_k, w_v, w_o, n_heads)

        return attend

    found = run_check(scaled_by(lambda d, d_head: d**0.5))
    assert found.diagnosis.faults == ("scale_by_d",)
    found = run_check(scaled_by(lambda d, d_head: d_head))
    assert found.diagnosis.faults == ("scale_not_root",)

    def off_by_one(query, key, value):
        t = query.shape[-2]
        s = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
        return style.softmax(np.where(np.tri(t, t, 1, dtype=bool), s, -np.inf)) @ value

    found = run_check(off_by_one)
    assert found.diagnosis.faults == ("sees_next_word",)
    assert "starts one word too late" in found.diagnosis.sentence


@pytest.mark.parametrize("fill", [0.0, -3.0, -12.5, -20.0])
def test_a_finite_fill_is_named_with_its_own_number(fill):
    def attend(query, key, value):
        s = query @ key.swapaxes(-1, -2) / query.shape[-1] ** 0.5
        return style.softmax(np.where(np.tri(s.shape[-1], dtype=bool), s, fill)) @ value

    found = run_check(attend)
    assert found.diagnosis.faults == (Fault.FINITE_FILL.value,)
    assert f"{fill:g}".replace("-", "−") in found.diagnosis.sentence


def test_a_large_fill_and_renormalising_pass_with_a_remark():
    from tests.check.zoo.numpy_cases import large_fill, renormalised

    found = run_check(large_fill)
    assert found.passed
    assert "near −10^9" in found.remarks[0]
    assert "float16" in found.remarks[0]
    found = run_check(renormalised)
    assert found.passed
    assert "renormalise" in found.remarks[0]


def test_nothing_of_pytorch_or_jax_is_imported_for_numpy_code():
    script = (
        "import sys\nfrom attention_widget import check_attention\n"
        "from attention_widget.widgets.check.engine import run_check\n"
        "from tests.check.zoo import numpy_styles\n"
        "assert run_check(numpy_styles.batched()).passed\n"
        "print({'torch', 'jax', 'panel', 'bokeh'} & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize("faults", [set(), {Fault.MISSING_SCALE}, {Fault.RESCALE_BY_P}])
def test_code_that_computes_in_float32_alone_is_measured_too(faults):
    inner = style.batched(frozenset(faults))

    def attend(x, w_q, w_k, w_v, w_o, n_heads, dropout=0.0, rng=None, training=False):
        small = (np.asarray(a, dtype=np.float32) for a in (x, w_q, w_k, w_v, w_o))
        out = inner(*small, n_heads, dropout=dropout, rng=rng, training=training)
        return out.astype(np.float32)

    for seed in range(5):
        found = run_check(attend, seed=seed)
        named = set(found.diagnosis.faults) if found.diagnosis else set()
        assert named == {fault.value for fault in faults}, str(found)
        assert found.passed == (not faults), str(found)


def test_code_that_throws_in_training_alone_keeps_its_other_lines():
    def attend(x, w_q, w_k, w_v, w_o, n_heads, dropout=0.0, training=False):
        if training:
            raise NotImplementedError("later")
        return style.batched()(x, w_q, w_k, w_v, w_o, n_heads)

    found = run_check(attend)
    assert not found.passed
    assert "In training with p = 0.4, your code raised NotImplementedError: later" in str(found)
    assert found.line("same_numbers").status == "passed"


def test_faults_that_give_the_same_outputs_are_named_together():
    d, n_heads = 16, 4  # so that sqrt(d) is d_head

    class Built:
        def __init__(self):
            self.n_heads = n_heads
            self.ws = np.random.default_rng(2).normal(size=(4, d, d)) / d**0.5
            self.w_q, self.w_k, self.w_v, self.w_o = self.ws

        def __call__(self, x):
            w_q, w_k, w_v, w_o = self.ws
            return style.batched()(x, w_q * (d / n_heads) ** 0.5 / 4, w_k, w_v, w_o, n_heads)

    found = run_check(Built())
    assert found.diagnosis.faults == ("scale_by_d",)
    assert found.diagnosis.same == (("scale_not_root",),)
    assert "The same outputs: the scores are divided by d_head." in found.diagnosis.sentence


def test_code_that_squeezes_one_word_away_fails_at_that_length():
    def attend(x, w_q, w_k, w_v, w_o, n_heads):
        return np.squeeze(style.batched()(x, w_q, w_k, w_v, w_o, n_heads), axis=None)

    found = run_check(attend)
    line = found.line("lengths")
    assert line.status == "failed"
    assert "returned the shape (2, 24); (2, 1, 24) is due" in line.why
    assert found.line("same_numbers").status == "passed"
    assert not found.passed


def test_a_mask_that_is_not_cut_to_t_fails_its_line_and_the_rest_is_measured():
    class Uncut:
        def __init__(self, d_model, num_heads, context_length):
            self.num_heads = num_heads
            self.ws = np.random.default_rng(2).normal(size=(4, d_model, d_model)) / d_model**0.5
            self.w_q, self.w_k, self.w_v, self.w_o = self.ws
            self.mask = np.tri(context_length, dtype=bool)

        def forward(self, x):
            np.where(self.mask, np.zeros((x.shape[1], x.shape[1])), -np.inf)
            return style.batched()(x, *self.ws, self.num_heads)

    found = run_check(Uncut)
    assert found.line("longer_context").status == "failed"
    assert "could not be broadcast" in found.line("longer_context").why
    assert found.line("same_numbers").status == "passed"
    assert not found.passed


def test_code_that_refuses_float32_fails_its_line():
    def attend(x, w_q, w_k, w_v, w_o, n_heads):
        assert x.dtype == np.float64
        return style.batched()(x, w_q, w_k, w_v, w_o, n_heads)

    found = run_check(attend)
    assert found.line("precision").status == "failed"
    assert "In float32, your code raised AssertionError" in found.line("precision").why
