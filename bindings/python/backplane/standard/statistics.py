# SPDX-License-Identifier: Apache-2.0
"""Statistical functions, and any, all and diff."""

from __future__ import annotations

import builtins
from typing import Any

from .. import _core, dtypes, ops
from .._types import Axis, DType
from ..tensor import Tensor

__all__ = ["all", "any", "cumulative_prod", "cumulative_sum", "diff", "max", "mean", "min", "prod", "std", "sum", "var"]


def _sum_dtype(x: Tensor, dtype: DType | None) -> DType | None:
    return dtypes.uint64 if dtype is None and x.dtype.kind == "u" else dtype


def sum(x: Tensor, /, *, axis: Axis = None, dtype: DType | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Sums unsigned integers in uint64, and signed ones in int64."""
    return reduce(ops.sum, x, axis, keepdims, dtype=_sum_dtype(x, dtype))


def prod(x: Tensor, /, *, axis: Axis = None, dtype: DType | None = None, keepdims: builtins.bool = False) -> Tensor:
    return reduce(ops.prod, x, axis, keepdims, dtype=_sum_dtype(x, dtype))


def cumulative_sum(x: Tensor, /, *, axis: int | None = None, dtype: DType | None = None,
                   include_initial: builtins.bool = False) -> Tensor:
    return _cumulative(ops.cumsum, _core.zeros, x, axis, dtype, include_initial)


def cumulative_prod(x: Tensor, /, *, axis: int | None = None, dtype: DType | None = None,
                    include_initial: builtins.bool = False) -> Tensor:
    return _cumulative(ops.cumprod, _core.ones, x, axis, dtype, include_initial)


def _cumulative(op: Any, initial: Any, x: Tensor, axis: int | None, dtype: DType | None,
                include_initial: builtins.bool) -> Tensor:
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis is needed when there is more than one")
        axis = 0
    out = op(x, axis, dtype=_sum_dtype(x, dtype))
    if not include_initial:
        return out
    shape = list(x.shape)
    shape[axis] = 1
    return ops.concat([initial(shape, out.dtype, out.device), out], axis=axis)


def reduce(op: Any, x: Tensor, axis: Axis, keepdims: builtins.bool, **attrs: Any) -> Tensor:
    """Calls the op. With axis=() the standard reduces no axis, the op all of them."""
    if axis == ():
        return op(_core.unsqueeze(x, 0), axis=0, **attrs)
    return op(x, axis=axis, keepdims=keepdims, **attrs)


def max(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return reduce(ops.max, x, axis, keepdims)


def min(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return reduce(ops.min, x, axis, keepdims)


def mean(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return reduce(ops.mean, x, axis, keepdims)


def any(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return reduce(ops.any, x, axis, keepdims)


def all(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    return reduce(ops.all, x, axis, keepdims)


def var(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    """The standard's correction is 0, that of ops.var is 1 as in PyTorch."""
    return reduce(ops.var, x, axis, keepdims, correction=correction)


def std(x: Tensor, /, *, axis: Axis = None, correction: float = 0.0, keepdims: builtins.bool = False) -> Tensor:
    return reduce(ops.std, x, axis, keepdims, correction=correction)


def diff(x: Tensor, /, *, axis: int = -1, n: int = 1, prepend: Tensor | None = None,
         append: Tensor | None = None) -> Tensor:
    """Returns the differences of neighbours, taken n times. prepend and append are joined to x before that."""
    parts = [t for t in (prepend, x, append) if t is not None]
    return ops.diff(ops.concat(parts, axis=axis) if len(parts) > 1 else x, n=n, axis=axis)
