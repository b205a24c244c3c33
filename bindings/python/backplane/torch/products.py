# SPDX-License-Identifier: Apache-2.0
"""Products of vectors and matrices, and the trace."""

from __future__ import annotations

from typing import Any

from .. import ops, standard
from ..products import einsum
from ..tensor import Tensor

__all__ = ["bmm", "cross", "dot", "einsum", "mm", "mv", "tensordot", "trace"]


def dot(input: Any, tensor: Any) -> Tensor:
    if input.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors")
    return ops.matmul(input, tensor)


def mv(input: Any, vec: Any) -> Tensor:
    if input.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}")
    return ops.matmul(input, vec)


def mm(input: Any, mat2: Any) -> Tensor:
    for name, x in (("self", input), ("mat2", mat2)):
        if x.ndim != 2:
            raise RuntimeError(f"mm: {name} must be a matrix, got {x.ndim}-D tensor")
    return ops.matmul(input, mat2)


def bmm(input: Any, mat2: Any) -> Tensor:
    for name, x in (("batch1", input), ("batch2", mat2)):
        if x.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    wanted, got = [input.shape[0], input.shape[2]], list(mat2.shape[:2])
    if wanted != got:
        raise RuntimeError(f"Expected size for first two dimensions of batch2 tensor to be: {wanted} but got: {got}.")
    return ops.matmul(input, mat2)


def tensordot(a: Any, b: Any, dims: Any = 2) -> Tensor:
    return standard.tensordot(a, b, axes=dims)


def cross(input: Any, other: Any, dim: int | None = None) -> Tensor:
    """The vector product along dim; without dim, along the first dimension of size 3."""
    if dim is None:
        dim = next((d for d, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return ops.cross(input, other, dim)


def trace(input: Any) -> Tensor:
    if input.ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return ops.trace(input)
