# SPDX-License-Identifier: Apache-2.0
"""Products of vectors and matrices, and the trace."""

from __future__ import annotations

from typing import Any

from .. import ops, standard
from ..products import einsum

__all__ = ["cross", "einsum", "tensordot", "trace"]


def tensordot(a: Any, b: Any, dims: Any = 2) -> Any:
    return standard.tensordot(a, b, axes=dims)


def cross(input: Any, other: Any, dim: int | None = None) -> Any:
    """The vector product along dim; without dim, along the first dimension of size 3."""
    if dim is None:
        dim = next((d for d, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return ops.cross(input, other, dim)


def trace(input: Any) -> Any:
    if input.ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return ops.trace(input)
