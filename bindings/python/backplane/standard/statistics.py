# SPDX-License-Identifier: Apache-2.0
"""Statistical functions, and any, all and diff."""

from __future__ import annotations

import builtins
from typing import Any

from .. import _core, dtypes, ops
from .._types import Axis, DType
from ..keywords import plainly, with_both_names
from ..tensor import Tensor

__all__ = ["all", "any", "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod", "std", "sum", "var"]


def _sum_dtype(x: Tensor, dtype: DType | None) -> DType | None:
    return dtypes.uint64 if dtype is None and x.dtype.kind == "u" else dtype


@plainly(ops.sum, "x axis keepdims dtype", signed_only=True)
def sum(x: Tensor, /, *, axis: Axis = None, dtype: DType | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Sums unsigned integers in uint64, and signed ones in int64.

    >>> bp.sum(bp.asarray([[1, 2], [3, 4]]), axis=0)
    tensor([4, 6])
    """
    return reduce(ops.sum, x, axis, keepdims, dtype=_sum_dtype(x, dtype))


@plainly(ops.prod, "x axis keepdims dtype", signed_only=True)
def prod(x: Tensor, /, *, axis: Axis = None, dtype: DType | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns the products over axis, or of all elements: of unsigned integers in uint64, of signed ones in int64.

    >>> bp.prod(bp.asarray([2, 3, 4]))
    tensor(24)
    """
    return reduce(ops.prod, x, axis, keepdims, dtype=_sum_dtype(x, dtype))


def cumulative_sum(x: Tensor, /, *, axis: int | None = None, dtype: DType | None = None,
                   include_initial: builtins.bool = False) -> Tensor:
    """Returns the running sums along axis, which one dimension does not need; include_initial puts a 0 before them.

    >>> bp.cumulative_sum(bp.asarray([1, 2, 3]), include_initial=True)
    tensor([0, 1, 3, 6])
    """
    return _cumulative(ops.cumsum, _core.zeros, x, axis, dtype, include_initial)


def cumulative_prod(x: Tensor, /, *, axis: int | None = None, dtype: DType | None = None,
                    include_initial: builtins.bool = False) -> Tensor:
    """Returns the running products along axis, which one dimension does not need; include_initial puts a 1 before them.

    >>> bp.cumulative_prod(bp.asarray([1, 2, 3]))
    tensor([1, 2, 6])
    """
    return _cumulative(ops.cumprod, _core.ones, x, axis, dtype, include_initial)


def _cumulative(op: Any, initial: Any, x: Tensor, axis: int | None, dtype: DType | None,
                include_initial: builtins.bool) -> Tensor:
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis is needed when there is more than one")
        axis = 0
    out = op(x, axis, _sum_dtype(x, dtype))
    if not include_initial:
        return out
    shape = list(x.shape)
    shape[axis] = 1
    return ops.concat([initial(shape, out.dtype, out.device), out], axis=axis)


def reduce(op: Any, x: Tensor, axis: Axis, keepdims: builtins.bool, **attrs: Any) -> Tensor:
    """Calls the op. With axis=() the standard reduces no axis, the op all of them."""
    if axis == () or axis == []:
        return op(_core.unsqueeze(x, 0), 0, **attrs)
    return op(x, axis, keepdims, **attrs)


@plainly(ops.max, "x axis keepdims")
def max(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns the largest element over axis, or of all; NaN where one is there. Nothing to look at raises an error.

    >>> bp.max(bp.asarray([[1, 5], [3, 4]]), axis=1)
    tensor([5, 4])
    """
    return reduce(ops.max, x, axis, keepdims)


@plainly(ops.min, "x axis keepdims")
def min(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns the least element over axis, or of all; NaN where one is there.

    >>> bp.min(bp.asarray([[1, 5], [3, 4]]), axis=1)
    tensor([1, 3])
    """
    return reduce(ops.min, x, axis, keepdims)


@plainly(ops.mean, "x axis keepdims")
def mean(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns the means over axis, or of all elements. Whole numbers raise DTypeMismatchError.

    >>> bp.mean(bp.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    tensor([2., 3.])
    """
    return reduce(ops.mean, x, axis, keepdims)


@plainly(ops.any, "x axis keepdims")
def any(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns whether an element over axis, or of all, is not zero.

    >>> bp.any(bp.asarray([False, True]))
    tensor(True)
    """
    return reduce(ops.any, x, axis, keepdims)


@plainly(ops.all, "x axis keepdims")
def all(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns whether all elements over axis, or all of them, are not zero.

    >>> bp.all(bp.asarray([False, True]))
    tensor(False)
    """
    return reduce(ops.all, x, axis, keepdims)


def var(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    """The standard's correction is 0, that of ops.var is 1 as in PyTorch.

    >>> bp.var(bp.asarray([1.0, 3.0]))
    tensor(1.)
    """
    return reduce(ops.var, x, axis, keepdims, correction=correction)


def std(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    """Returns the standard deviations over axis, or of all elements: the roots of var.

    >>> bp.std(bp.asarray([1.0, 3.0]))
    tensor(1.)
    """
    return reduce(ops.std, x, axis, keepdims, correction=correction)


@plainly(ops.diff, "x n axis")
def diff(x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None,
         append: Tensor | None = None) -> Tensor:
    """Returns the differences of neighbours, taken n times. prepend and append are joined to x before that.

    >>> bp.diff(bp.asarray([1, 4, 9]))
    tensor([3, 5])
    """
    parts = [t for t in (prepend, x, append) if t is not None]
    return ops.diff(ops.concat(parts, axis=axis) if len(parts) > 1 else x, n=n, axis=axis)


with_both_names(globals())
