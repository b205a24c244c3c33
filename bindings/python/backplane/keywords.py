# SPDX-License-Identifier: Apache-2.0
"""NumPy's and PyTorch's keywords beside each other: axis= and dim=, keepdims= and keepdim=.

    @plainly(ops.argmax, "x axis keepdims")   # bp.argmax(x, dim=0) is ops.argmax(x, 0)
    def argmax(x, /, *, axis=None, keepdims=False): ...

What such a function costs is its own body's time, or the op's: words are looked up in C (src/function.cc)."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from . import _core

P = ParamSpec("P")
R = TypeVar("R")

NUMPYS = {"axis": "dim", "axes": "dim", "keepdims": "keepdim"}
PYTORCHS = {"dim": "axis", "keepdim": "keepdims"}


def _other_names(signature: inspect.Signature, others: dict[str, str]) -> dict[str, str]:
    """Returns {the parameter's other name: its own}."""
    return {others[name]: name for name in signature.parameters if name in others and others[name] not in signature.parameters}


def both_names(f: Callable[P, R], others: dict[str, str] = NUMPYS, target: Any = None, order: str = "",
               signed_only: bool = False) -> Callable[P, R]:
    """Returns f, which then takes its keywords by their other names too, {its own: the other}. Both names in one call are a
    TypeError. A target answers plain calls instead of f (plainly)."""
    signature = inspect.signature(f)
    strange = _other_names(signature, others)

    if not strange and target is None:
        return f
    places = {name: i for i, name in enumerate(order.split())}
    words = [(name, name, place) for name, place in places.items() if name in signature.parameters]
    words += [(other, own, places.get(own, -1)) for other, own in strange.items()]
    given = [p for p in signature.parameters.values() if p.name in places]
    positional = sum(p.kind is not p.KEYWORD_ONLY for p in given)
    required = sum(p.default is p.empty or not isinstance(target, _core.Op) for p in given)  # other functions have no defaults
    function = cast(Any, _core.function(f, words, target, positional, required, signed_only))
    functools.update_wrapper(function, f)

    more = [inspect.Parameter(other, inspect.Parameter.KEYWORD_ONLY, default=None) for other in strange]
    rest = [p for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD]
    own = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    function.__signature__ = signature.replace(parameters=[*own, *more, *rest])
    return cast(Callable[P, R], function)


def plainly(target: Any, order: str, *, signed_only: bool = False) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorates a function that the target, an op or another function of C, can answer: its plain calls, in which no argument is
    None or (), go to the target at once, with the parameters that order names in its places. A place that no parameter fills is
    "-". With signed_only tensors of unsigned integers are left to the function."""

    def decorate(f: Callable[P, R]) -> Callable[P, R]:
        return both_names(f, NUMPYS, target, order, signed_only)

    return decorate


def with_both_names(names: dict[str, Any]) -> None:
    """Gives the functions that a module lists in __all__ PyTorch's keywords beside NumPy's."""
    for name in names["__all__"]:
        if inspect.isfunction(names[name]):
            names[name] = both_names(names[name])
