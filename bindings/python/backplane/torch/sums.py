# SPDX-License-Identifier: Apache-2.0
"""Sums with a factor: add and sub with alpha=, and sums of a tensor and a product or a quotient."""

from __future__ import annotations

from typing import Any

from .. import _core, ops
from ..keywords import plainly
from ..tensor import Tensor
from . import products
from .data_types import result_type

__all__ = ["add", "addbmm", "addcdiv", "addcmul", "addmm", "addmv", "baddbmm", "sub"]


def _factor(name: str, factor: Any, dtype: Any) -> Any:
    """Returns the factor, which has to suit the dtype of the result."""
    if isinstance(factor, bool) and dtype.kind != "b":
        raise RuntimeError(f"Boolean {name} only supported for Boolean results.")
    if not isinstance(factor, int) and dtype.kind not in "fc":
        raise RuntimeError(f"For integral input tensors, argument {name} must not be a floating point number.")
    if isinstance(factor, complex) and dtype.kind != "c":
        raise RuntimeError(f"For non-complex input tensors, argument {name} must not be a complex number.")
    return factor


def _scaled_sum(op: Any, input: Any, other: Any, alpha: Any, out: Any) -> Tensor:
    dtype = result_type(input, other)
    alpha = _factor("alpha", alpha, dtype)
    if not isinstance(other, Tensor):
        return op(input, other * alpha, out=out)
    if dtype.kind == "b":
        return op(input, other if alpha else ops.mul(other, alpha), out=out)
    return ops.addcmul(input, other, -alpha if op is ops.sub else alpha, out=out)


@plainly(ops.add, "input other")
def add(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Tensor:
    """input + alpha other; both broadcast. A factor that the result's dtype cannot hold raises RuntimeError.

    >>> torch.add(torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), alpha=0.5)
    tensor([ 6., 12.])
    """
    return ops.add(input, other, out=out) if type(alpha) is int and alpha == 1 else _scaled_sum(ops.add, input, other, alpha, out)


@plainly(ops.sub, "input other")
def sub(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Tensor:
    """input - alpha other; both broadcast. A factor that the result's dtype cannot hold raises RuntimeError.

    >>> torch.sub(torch.tensor([1.0, 2.0]), torch.tensor([10.0, 20.0]), alpha=0.5)
    tensor([-4., -8.])
    """
    return ops.sub(input, other, out=out) if type(alpha) is int and alpha == 1 else _scaled_sum(ops.sub, input, other, alpha, out)


def add_(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Adds alpha times other, which broadcasts, in place; the tensor keeps its dtype.

    >>> torch.ones(2).add_(2, alpha=0.5)
    tensor([2., 2.])
    """
    return ops.add(self, other, out=self) if type(alpha) is int and alpha == 1 else _scaled_sum(ops.add, self, other, alpha, self)


def sub_(self: Any, other: Any, *, alpha: Any = 1) -> Any:
    """Takes alpha times other, which broadcasts, away in place; the tensor keeps its dtype.

    >>> torch.ones(2).sub_(2, alpha=0.5)
    tensor([0., 0.])
    """
    return ops.sub(self, other, out=self) if type(alpha) is int and alpha == 1 else _scaled_sum(ops.sub, self, other, alpha, self)


def _with_term(op: Any, input: Any, tensor1: Any, tensor2: Any, value: Any, out: Any) -> Tensor:
    if isinstance(value, complex):  # the row's factor is real
        tensor1, value = ops.mul(tensor1, value), 1
    return op(input, tensor1, tensor2, value=value, out=out)


def addcmul(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1, out: Any = None) -> Tensor:
    """input + value tensor1 tensor2; all three broadcast.

    >>> torch.addcmul(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), torch.tensor([5.0, 6.0]), value=0.5)
    tensor([ 8.5000, 14.0000])
    """
    return _with_term(ops.addcmul, input, tensor1, tensor2, value, out)


def addcdiv(input: Any, tensor1: Any, tensor2: Any, *, value: Any = 1, out: Any = None) -> Tensor:
    """input + value tensor1 / tensor2; all three broadcast. Two tensors of whole numbers raise RuntimeError.

    >>> torch.addcdiv(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]), torch.tensor([6.0, 2.0]), value=0.5)
    tensor([1.2500, 3.0000])
    """
    if tensor1.dtype.kind not in "fc" and tensor2.dtype.kind not in "fc":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of "
            "tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / "
            "tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future "
            "addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.")
    return _with_term(ops.addcdiv, input, tensor1, tensor2, value, out)


def _with_product(input: Any, product: Tensor, beta: Any, alpha: Any, out: Any) -> Tensor:
    """beta input + alpha product. With a beta of 0 input is not read, so that its NaN do not arrive."""
    if input.dtype is not product.dtype:
        raise RuntimeError(f"self and mat2 must have the same dtype, but got {input.dtype._title} and {product.dtype._title}")
    _core.expand(input, product.shape)  # refuses what is not of the product's shape
    whole = product.dtype.kind not in "fc"
    beta, alpha = (int(factor) if whole else factor for factor in (beta, alpha))
    scaled = product if alpha == 1 else ops.mul(product, alpha)
    if beta == 0:
        return scaled if out is None else out.copy_(scaled)
    return ops.add(input if beta == 1 else ops.mul(input, beta), scaled, out=out)


def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta input + alpha mat1 @ mat2: input broadcasts to the product of [M, K] and [K, N].

    >>> torch.addmm(torch.tensor([1.0, 2.0]), torch.ones(2, 3), torch.ones(3, 2))
    tensor([[4., 5.],
            [4., 5.]])
    """
    for x in (mat1, mat2):
        if x.ndim != 2:
            raise RuntimeError(f"addmm: {'self' if x is mat1 else 'mat2'} must be a matrix, got {x.ndim}-D tensor")
    if mat1.shape[1] != mat2.shape[0]:
        sizes = "x".join(map(str, mat1.shape)), "x".join(map(str, mat2.shape))
        raise RuntimeError(f"addmm: mat1 and mat2 shapes cannot be multiplied ({sizes[0]} and {sizes[1]})")
    return _with_product(input, ops.matmul(mat1, mat2), beta, alpha, out)


def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta input + alpha mat @ vec: input broadcasts to the product of [M, K] and [K].

    >>> torch.addmv(torch.tensor([1.0, 2.0]), torch.ones(2, 3), torch.ones(3))
    tensor([4., 5.])
    """
    if mat.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {input.ndim}, {mat.ndim}, {vec.ndim}")
    if mat.shape[1] != vec.shape[0]:
        got = input.shape[0] if input.ndim else 1
        raise RuntimeError(f"size mismatch, got input ({got}), mat ({mat.shape[0]}x{mat.shape[1]}), vec ({vec.shape[0]})")
    return _with_product(input, ops.matmul(mat, vec), beta, alpha, out)


def baddbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta input + alpha batch1 @ batch2: input broadcasts to the products of [B, M, K] and [B, K, N].

    >>> torch.baddbmm(torch.ones(2), torch.ones(5, 3, 4), torch.ones(5, 4, 2)).shape
    torch.Size([5, 3, 2])
    """
    return _with_product(input, products.bmm(batch1, batch2), beta, alpha, out)


def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1, out: Any = None) -> Tensor:
    """beta input + alpha times the sum over B of the products of [B, M, K] and [B, K, N].

    >>> torch.addbmm(torch.zeros(2), torch.ones(5, 2, 3), torch.ones(5, 3, 2))
    tensor([[15., 15.],
            [15., 15.]])
    """
    for name, x in (("batch1", batch1), ("batch2", batch2)):
        if x.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    (b, m, k), (c, inner, n) = batch1.shape, batch2.shape
    if b != c:
        raise RuntimeError(f"batch1 and batch2 must have same number of batches, got {b} and {c}")
    if k != inner:
        raise RuntimeError(f"Incompatible matrix sizes for bmm ({m}x{k} and {inner}x{n})")
    # one product: [M, B K] with [B K, N]
    rows = _core.reshape(_core.permute(batch1, (1, 0, 2)), (m, b * k))
    return _with_product(input, ops.matmul(rows, _core.reshape(batch2, (b * k, n))), beta, alpha, out)
