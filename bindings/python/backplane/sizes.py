# SPDX-License-Identifier: Apache-2.0
"""Sizes given one by one or together."""

from __future__ import annotations

from typing import Any


def wrapped(dim: int, rank: int) -> int:
    """Returns the dimension, counted from the first one."""
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    return dim % rank


def sizes(args: tuple[Any, ...]) -> Any:
    """Returns (2, 3) for the arguments of both f(2, 3) and f((2, 3))."""
    return args[0] if len(args) == 1 and not isinstance(args[0], int) else args
