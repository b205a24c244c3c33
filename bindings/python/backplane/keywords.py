# SPDX-License-Identifier: Apache-2.0
"""NumPy's and PyTorch's keywords beside each other: axis= and dim=, keepdims= and keepdim=."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

NUMPYS = {"axis": "dim", "axes": "dim", "keepdims": "keepdim"}
PYTORCHS = {"dim": "axis", "keepdim": "keepdims"}


def both_names(f: Callable[P, R], others: dict[str, str] = NUMPYS) -> Callable[P, R]:
    """Returns f, which then takes its keywords by their other names too, {its own: the other}. Both names in one call are a
    TypeError."""
    signature = inspect.signature(f)
    own = {others[name]: name for name in signature.parameters if name in others and others[name] not in signature.parameters}

    if not own:
        return f
    strange = frozenset(own)

    @functools.wraps(f)
    def function(*args: P.args, **kwargs: P.kwargs) -> R:
        if kwargs and not strange.isdisjoint(kwargs):
            for other, name in own.items():
                if other in kwargs:
                    if name in kwargs:
                        raise TypeError(f"{f.__name__}() got both {name}= and {other}=, which mean the same")
                    kwargs[name] = kwargs.pop(other)
        return f(*args, **kwargs)

    more = [inspect.Parameter(other, inspect.Parameter.KEYWORD_ONLY, default=None) for other in own]
    rest = [p for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD]
    given = [p for p in signature.parameters.values() if p.kind is not p.VAR_KEYWORD]
    function.__signature__ = signature.replace(parameters=[*given, *more, *rest])  # type: ignore[attr-defined]
    return function


def with_both_names(names: dict[str, Any]) -> None:
    """Gives the functions among a module's names, those of the table apart, PyTorch's keywords for NumPy's."""
    for name, f in list(names.items()):
        if inspect.isfunction(f) and not name.startswith("_") and NUMPYS.keys() & inspect.signature(f).parameters.keys():
            names[name] = both_names(f)
