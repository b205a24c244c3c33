# SPDX-License-Identifier: Apache-2.0
"""NumPy's keywords beside PyTorch's: axis= for dim=, keepdims= for keepdim=."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any


def numpy_names(f: Callable[..., Any]) -> Callable[..., Any]:
    """Returns f, which then takes axis= and keepdims= too, as PyTorch's functions do."""

    @functools.wraps(f)
    def function(*args: Any, **kwargs: Any) -> Any:
        for numpys, own in (("axis", "dim"), ("keepdims", "keepdim")):
            if numpys in kwargs:
                kwargs[own] = kwargs.pop(numpys)
        return f(*args, **kwargs)

    return function
