# SPDX-License-Identifier: Apache-2.0
"""Products of vectors and matrices, and the trace."""

from __future__ import annotations

from typing import Any

from .. import ops, standard
from ..products import einsum
from ..tensor import Tensor

__all__ = ["bmm", "cross", "dot", "einsum", "mm", "mv", "tensordot", "trace"]


def dot(input: Any, tensor: Any) -> Tensor:
    """The product of two vectors of one size; other dimensions raise RuntimeError.

    >>> torch.dot(torch.tensor([1, 2]), torch.tensor([3, 4]))
    tensor(11)
    """
    if input.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors")
    return ops.matmul(input, tensor)


def mv(input: Any, vec: Any) -> Tensor:
    """The product of a matrix, [M, K], and a vector, [K]; other dimensions raise RuntimeError.

    >>> torch.mv(torch.ones(2, 3), torch.ones(3))
    tensor([3., 3.])
    """
    if input.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {input.ndim}, {vec.ndim}")
    return ops.matmul(input, vec)


def mm(input: Any, mat2: Any) -> Tensor:
    """The product of two matrices, [M, K] and [K, N]; other dimensions raise RuntimeError.

    >>> torch.mm(torch.ones(2, 3), torch.ones(3, 4)).shape
    torch.Size([2, 4])
    """
    for name, x in (("self", input), ("mat2", mat2)):
        if x.ndim != 2:
            raise RuntimeError(f"mm: {name} must be a matrix, got {x.ndim}-D tensor")
    return ops.matmul(input, mat2)


def bmm(input: Any, mat2: Any) -> Tensor:
    """The products of batches of matrices, [B, M, K] and [B, K, N]; other dimensions raise RuntimeError.

    >>> torch.bmm(torch.ones(5, 2, 3), torch.ones(5, 3, 4)).shape
    torch.Size([5, 2, 4])
    """
    for name, x in (("batch1", input), ("batch2", mat2)):
        if x.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    wanted, got = [input.shape[0], input.shape[2]], list(mat2.shape[:2])
    if wanted != got:
        raise RuntimeError(f"Expected size for first two dimensions of batch2 tensor to be: {wanted} but got: {got}.")
    return ops.matmul(input, mat2)


def tensordot(a: Any, b: Any, dims: Any = 2) -> Tensor:
    """The sums of products over the last dims of a and the first of b, or over pairs of dims.

    >>> torch.tensordot(torch.ones(2, 3), torch.ones(3, 4), 1).shape
    torch.Size([2, 4])
    """
    return standard.tensordot(a, b, axes=dims)


def cross(input: Any, other: Any, dim: int | None = None) -> Tensor:
    """The vector product along dim; without dim, along the first dimension of size 3.

    >>> torch.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    if dim is None:
        dim = next((d for d, n in enumerate(input.shape) if n == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return ops.cross(input, other, dim)


def trace(input: Any) -> Tensor:
    """The sum of a matrix's diagonal; another number of dimensions raises RuntimeError.

    >>> torch.trace(torch.tensor([[1, 2], [3, 4]]))
    tensor(5)
    """
    if input.ndim != 2:
        raise RuntimeError("trace: expected a matrix")
    return ops.trace(input)
