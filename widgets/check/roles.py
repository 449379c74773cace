"""What does the student call it? Names of arguments and attributes, by the part they play."""

from collections.abc import Mapping

_Q, _K, _V = ("q", "query", "queries"), ("k", "key", "keys"), ("v", "value", "values", "val")
_PROJECTION = (
    "w{}", "{}proj", "to{}", "{}linear", "linear{}", "{}projection", "proj{}", "{}w", "{}weight",
    "{}weights", "weight{}", "fc{}", "{}layer", "{}matrix", "w{}s", "{}lin",
)  # fmt: skip
_BIAS = ("b{}", "bias{}", "{}bias")


def _spell(patterns: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(pattern.format(word) for pattern in patterns for word in words)


ROLES: Mapping[str, tuple[str, ...]] = {
    "x": (
        "x", "xs", "input", "inputs", "inp", "hidden", "hiddenstates", "embeddings", "embedding",
        "emb", "tokens", "sequence", "seq", "src", "inputsq", "xin", "data",
    ),
    "q": _Q,
    "k": _K,
    "v": _V,
    "w_q": _spell(_PROJECTION, _Q),
    "w_k": _spell(_PROJECTION, _K),
    "w_v": _spell(_PROJECTION, _V),
    "w_o": (
        "wo", "wout", "oproj", "outproj", "cproj", "proj", "toout", "dense", "fcout", "out", "fc",
        "outputprojection", "projection", "outlinear", "linearout", "wproj", "outputproj",
        "wconcat", "w0", "outprojection", "oweight", "lineartoout", "woutput", "outputweight",
    ),
    "w_qkv": (
        "cattn", "qkv", "qkvproj", "inproj", "inprojweight", "wqkv", "toqkv", "querykeyvalue",
        "qkvweight", "wattn", "qkvlinear", "wfused", "fused", "win", "weightqkv", "kqv", "wkqv",
    ),
    "b_q": _spell(_BIAS, _Q),
    "b_k": _spell(_BIAS, _K),
    "b_v": _spell(_BIAS, _V),
    "b_o": ("bo", "bout", "obias", "outbias", "bproj", "biaso", "biasout"),
    "b_qkv": ("bqkv", "inprojbias", "qkvbias", "biasqkv"),
    "weights": ("weights", "params", "parameters", "w", "ws", "matrices", "theta", "variables"),
    "n_heads": (
        "nheads", "numheads", "nhead", "heads", "h", "numattentionheads", "numberofheads", "nh",
        "numhead", "headcount", "attentionheads",
    ),
    "d": (
        "d", "din", "dmodel", "embeddim", "dim", "nembd", "embdim", "hiddensize", "width",
        "embeddingdim", "modeldim", "indim", "dimin", "dembed", "inputdim", "infeatures",
        "hiddendim", "embedsize", "nembed", "embdsize", "embedding_size", "c",
    ),
    "d_out": ("dout", "outdim", "outfeatures", "dimout", "outputdim", "qkvfeatures"),
    "d_head": ("dhead", "headdim", "dk", "headsize", "dimhead", "dh", "dv", "headwidth"),
    "context": (
        "contextlength", "blocksize", "maxlen", "maxseqlen", "seqlen", "nctx", "ctx", "t",
        "maxlength", "contextsize", "context", "maxt", "nctxs", "sequencelength", "contextlen",
        "maxpositionembeddings", "maxseqlength", "npositions", "seqlength",
    ),
    "dropout": (
        "dropout", "dropoutp", "p", "dropoutrate", "attndropout", "pdrop", "dropoutprob",
        "droprate", "attndrop", "drop", "attnpdrop", "attentiondropout", "dropoutprobability",
        "pdropout", "rate",
    ),
    "late_dropout": (
        "residdropout", "residdrop", "projdrop", "outdropout", "projdropout", "residualdropout",
        "residpdrop", "outputdropout",
    ),
    "training": ("training", "train", "istraining", "trainmode", "intraining"),
    "inference": ("deterministic", "inference", "eval", "evaluation", "isinference"),
    "causal": ("causal", "iscausal", "masked", "usemask", "causalmasking", "usecausalmask"),
    "mask": ("mask", "attnmask", "attentionmask", "causalmask", "masks"),
    "rng": (
        "rng", "generator", "seed", "randomstate", "dropoutrng", "gen", "rngs", "dropoutkey",
        "prngkey", "randomkey",
    ),
    "return_weights": (
        "returnweights", "needweights", "returnattention", "returnattn", "outputattentions",
        "returnattentionweights", "withweights",
    ),
    "average_weights": ("averageattnweights",),
    "bias": ("bias", "qkvbias", "usebias", "addbias"),
    "batch_first": ("batchfirst",),
    "config": ("config", "cfg", "conf", "args", "hparams"),
}  # fmt: skip
"""Role -> the names it goes by, in lower case and without underscores."""


def plain(name: str) -> str:
    """Return a name in lower case without underscores, as `ROLES` spells it."""
    return name.lower().replace("_", "")


_ROLE_OF = {name: role for role in reversed(tuple(ROLES)) for name in map(plain, ROLES[role])}
PARAMETERS = ("w_q", "w_k", "w_v", "w_o", "w_qkv", "b_q", "b_k", "b_v", "b_o", "b_qkv")


def role_of(name: str, names: Mapping[str, str]) -> str | None:
    """Return the role a name plays: what the student's mapping says, then what it is usually."""
    for role, own in names.items():
        if own == name:
            return role
    return _ROLE_OF.get(plain(name))


def check_names(names: Mapping[str, str]) -> Mapping[str, str]:
    """Return the mapping, or raise ValueError for a role that there is not."""
    for role in names:
        if role not in ROLES:
            raise ValueError(
                f"names maps a role to your name for it: there is no role {role!r}; the roles are "
                + ", ".join(ROLES)
            )
    return names
