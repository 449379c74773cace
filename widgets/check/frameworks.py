"""Is it NumPy, PyTorch or JAX? Arrays go in and out of whichever the student's code has loaded.

Nothing is imported here: PyTorch and JAX are looked up among the modules that are loaded already.
"""

import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
OPTIONAL = ("torch", "jax")


def loaded(name: str) -> Any:
    """Return a loaded framework, or None."""
    return sys.modules.get(name)


def is_torch(value: object) -> bool:
    """Say whether a value is a tensor of PyTorch."""
    torch = loaded("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_module(value: object) -> bool:
    """Say whether a value is a `torch.nn.Module`."""
    torch = loaded("torch")
    return torch is not None and isinstance(value, torch.nn.Module)


def framework_of(mine: Any) -> str:
    """Return "torch", "jax" or "numpy": what the code of a function, class or object works with."""
    for kind in type.mro(mine if isinstance(mine, type) else type(mine)):
        top = kind.__module__.split(".")[0]
        if top in ("torch", "jax", "flax", "equinox"):
            return "torch" if top == "torch" else "jax"
    top = (getattr(mine, "__module__", None) or "").split(".")[0]
    if top in OPTIONAL:
        return top
    if "scaled_dot_product_attention" in repr(mine) and "built-in" in repr(mine):
        return "torch"
    plain = isinstance(mine, FunctionType)
    codes = [mine] if plain else list(vars(mine if isinstance(mine, type) else type(mine)).values())
    seen: set[CodeType] = set()
    for one in codes:
        if isinstance(one, FunctionType):
            found = _named_in(one, seen)
            if found:
                return found
    return "numpy"


def _named_in(function: FunctionType, seen: set[CodeType]) -> str | None:
    """Find the framework a function names, itself or through functions of its own module."""
    codes, names = [function.__code__], set()
    while codes:
        code = codes.pop()
        if code not in seen:
            seen.add(code)
            names |= {*code.co_names}
            codes += [part for part in code.co_consts if isinstance(part, CodeType)]
    for name in OPTIONAL:
        if name in names and loaded(name):  # imported inside the function
            return name
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    reached = {name: cell.cell_contents for name, cell in cells if _filled(cell)}
    for name in names | reached.keys():
        value = reached.get(name, function.__globals__.get(name))
        home = value.__name__ if isinstance(value, ModuleType) else _home(value)
        if home.split(".")[0] in OPTIONAL:
            return home.split(".")[0]
        if isinstance(value, FunctionType) and value.__code__ not in seen:
            found = _named_in(value, seen)
            if found:
                return found
    return None


def _filled(cell: CellType) -> bool:
    """Say whether a variable of the function around has been given a value yet."""
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def _home(value: object) -> str:
    return getattr(value, "__module__", None) or ""


def native(framework: str, array: Array) -> Any:
    """Return a copy of `array` that the framework takes; the code may do to it what it likes."""
    if framework == "torch":
        return loaded("torch").from_numpy(array.copy())
    if framework == "jax":
        return loaded("jax").numpy.asarray(array)
    return array.copy()


def to_numpy(value: Any) -> Array:
    """Return a copy of any array as NumPy's; what is none becomes an object or text array."""
    if is_torch(value):
        value = value.detach().cpu()
        if str(value.dtype) == "torch.bfloat16":
            value = value.float()
        return np.array(value.numpy())
    return np.array(value)


def generator(framework: str, name: str, seed: int) -> Any:
    """Return what an argument for randomness wants: a generator, a key, or a plain seed."""
    if "seed" in name:
        return seed
    if framework == "torch":
        return loaded("torch").Generator().manual_seed(seed)
    if framework == "jax":
        return loaded("jax").random.PRNGKey(seed)
    return np.random.default_rng(seed)


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Seed every global source of randomness, and put back what was there."""
    torch = loaded("torch")
    before = random.getstate(), np.random.get_state()  # students use it
    torch_before = torch.get_rng_state() if torch else None
    random.seed(seed)
    np.random.seed(seed % 2**32)
    if torch:
        torch.manual_seed(seed)
    try:
        yield
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])
        if torch:
            torch.set_rng_state(torch_before)


@contextmanager
def steady() -> Iterator[None]:
    """Let PyTorch work with one thread, and JAX in float64 where it is asked to.

    Small arrays gain nothing from more threads, and with one a fork is safe.
    """
    torch, jax = loaded("torch"), loaded("jax")
    threads = torch.get_num_threads() if torch else 0
    wide = jax.config.jax_enable_x64 if jax else False
    if torch:
        torch.set_num_threads(1)
    if jax:
        jax.config.update("jax_enable_x64", True)
    try:
        yield
    finally:
        if torch:
            torch.set_num_threads(threads)
        if jax:
            jax.config.update("jax_enable_x64", wide)
