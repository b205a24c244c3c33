# SPDX-License-Identifier: Apache-2.0
"""NumPy's keywords beside PyTorch's: axis= for dim=, keepdims= for keepdim=."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from ..keywords import PYTORCHS, both_names

P = ParamSpec("P")
R = TypeVar("R")


def numpy_names(f: Callable[P, R]) -> Callable[P, R]:
    """Returns f, which then takes axis= and keepdims= too, as PyTorch's functions do."""
    return both_names(f, PYTORCHS)
