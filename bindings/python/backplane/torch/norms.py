# SPDX-License-Identifier: Apache-2.0
"""Norms of vectors and matrices: torch.linalg's, and torch.norm, which is made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import _core, linalg, ops
from .._types import DType
from ..sizes import wrapped
from ..tensor import Tensor

Dim = int | Sequence[int] | None


def _as(x: Any, dtype: Any, name: str) -> Tensor:
    """Returns x in the dtype that a norm is to be computed in."""
    if dtype is None:
        return x
    title, wanted = x.dtype._title, dtype._title
    if dtype.kind not in "fc":
        raise RuntimeError(f"linalg.{name}: dtype should be floating point or complex, but got {wanted}")
    if dtype.is_complex != x.dtype.is_complex:
        kind = "complex" if x.dtype.is_complex else "real"
        raise RuntimeError(f"linalg.{name}: dtype should be {kind} for {kind} inputs, but got {wanted}")
    if x.dtype.kind in "fc" and dtype.itemsize < x.dtype.itemsize:
        raise RuntimeError(f"linalg.{name}: the dtype of the input ({title}) should be convertible without narrowing to the "
                           f"specified dtype ({wanted})")
    return x.to(dtype)


def vector_norm(x: Any, ord: int | float = 2, dim: Dim = None, keepdim: bool = False, *,
                dtype: DType | None = None) -> Tensor:
    """The norm of order ord of all elements, or along dim, in the dtype where one is given.

    >>> torch.linalg.vector_norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    if isinstance(ord, complex):
        raise RuntimeError("linalg.vector_norm: Expected a non-complex scalar as the order of norm.")
    return ops.vector_norm(_as(x, dtype, "vector_norm"), axis=dim, keepdims=keepdim, ord=ord)


def matrix_norm(A: Any, ord: int | float | str = "fro", dim: Sequence[int] = (-2, -1), keepdim: bool = False, *,
                dtype: DType | None = None) -> Tensor:
    """The norm of matrices, by ord: fro, nuc, 1, -1, 2, -2, inf or -inf. Fewer than two dimensions raise RuntimeError.

    >>> torch.linalg.matrix_norm(torch.tensor([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    A = _as(A, dtype, "matrix_norm")
    if A.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    dims = [dim] if isinstance(dim, int) else list(dim)
    if len(dims) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dims))}")
    row, column = (wrapped(d, A.ndim) for d in dims)
    if row == column:
        raise ValueError(f"linalg.matrix_norm: dims must be different. Got ({dims[0]}, {dims[1]})")
    rest = [d for d in range(A.ndim) if d not in (row, column)]
    out = linalg.matrix_norm(_core.permute(A, [*rest, row, column]), ord=ord)
    for d in sorted((row, column)) if keepdim else ():
        out = _core.unsqueeze(out, d)
    return out


def norm(input: Any, p: Any = "fro", dim: Dim = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """The norm of vectors; with p 'nuc' of matrices, and with 'fro' of either.

    >>> torch.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    dims = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if p is None or (p == "fro" and (dims is None or len(dims) <= 2)):
        return vector_norm(input, 2, dims, keepdim, dtype=dtype)
    if isinstance(p, str):
        return matrix_norm(input, p, list(range(input.ndim)) if dims is None else dims, keepdim, dtype=dtype)
    return vector_norm(input, p, dims, keepdim, dtype=dtype)
