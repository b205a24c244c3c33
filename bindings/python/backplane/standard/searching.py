# SPDX-License-Identifier: Apache-2.0
"""Searching, sorting and indexing functions."""

from __future__ import annotations

import builtins
from typing import Any

from .. import _core, ops
from .._types import Axis, Real
from ..keywords import plainly, with_both_names
from ..tensor import Tensor
from .data_types import result_type
from .statistics import reduce

__all__ = ["argmax", "argmin", "argsort", "count_nonzero", "nonzero", "searchsorted", "sort", "take", "take_along_axis"]


@plainly(ops.argmax, "x axis keepdims")
def argmax(x: Tensor, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns where along axis, or in flattened x, the largest element first is, in int64. Nothing to look at raises an
    error.

    >>> bp.argmax(bp.asarray([1, 5, 3]))
    tensor(1)
    """
    return ops.argmax(x, axis, keepdims)


@plainly(ops.argmin, "x axis keepdims")
def argmin(x: Tensor, /, *, axis: int | None = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns where along axis, or in flattened x, the least element first is, in int64.

    >>> bp.argmin(bp.asarray([4, 1, 3]))
    tensor(1)
    """
    return ops.argmin(x, axis, keepdims)


@plainly(ops.count_nonzero, "x axis keepdims")
def count_nonzero(x: Tensor, /, *, axis: Axis = None, keepdims: builtins.bool = False) -> Tensor:
    """Returns how many elements along axis, or of all, are not zero, in int64.

    >>> bp.count_nonzero(bp.asarray([0, 1, 2]))
    tensor(2)
    """
    return reduce(ops.count_nonzero, x, axis, keepdims)


def nonzero(x: Tensor, /) -> tuple[Any, ...]:
    """Returns the indices of the elements that are not zero, in one array for each dimension.

    >>> [t.tolist() for t in bp.nonzero(bp.asarray([[0, 1], [2, 0]]))]
    [[0, 1], [1, 0]]
    """
    if x.ndim == 0:
        raise ValueError("nonzero() is of arrays with dimensions, and this has none")
    at = ops.nonzero(x)
    return tuple(_core.select(at, 1, d) for d in range(x.ndim))


def searchsorted(x1: Tensor, x2: Tensor | Real, /, *, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """Returns the place of each element of x2, or of the number x2, in the sorted x1. sorter holds the indices that sort x1 if
    it is not sorted.

    >>> bp.searchsorted(bp.asarray([1.0, 3.0, 5.0]), bp.asarray([3.0, 4.0]))
    tensor([1, 2])
    """
    if side not in ("left", "right"):
        raise ValueError(f"side must be 'left' or 'right', not {side!r}")
    t = result_type(x1, x2)
    x1 = x1 if sorter is None else ops.index_select(x1, sorter, 0)
    x2 = x2.to(t) if isinstance(x2, _core.TensorBase) else _core.full((), x2, t, x1.device)
    return ops.searchsorted(x1.to(t), x2, right=side == "right")


def take(x: Tensor, indices: Tensor, /, *, axis: int | None = None) -> Tensor:
    """Returns the slices of x along axis at the indices, a tensor of one dimension; negative ones count from the end. An
    index outside raises IndexOutOfRangeError.

    >>> bp.take(bp.asarray([10, 20, 30]), bp.asarray([2, -3]), axis=0)
    tensor([30, 10])
    """
    if axis is None:
        if x.ndim != 1:
            raise ValueError("axis is needed when there is more than one")
        axis = 0
    at = ops.where(ops.lt(indices, 0), ops.add(indices, x.shape[axis]), indices)
    return ops.index_select(x, at, axis)


def sort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False, stable: builtins.bool = True) -> Tensor:
    """Returns x sorted along axis. Equal elements keep their order, and NaN is the largest. Complex numbers are refused.

    >>> bp.sort(bp.asarray([3, 1, 2]))
    tensor([1, 2, 3])
    """
    return ops.sort(x, axis, descending)[0]


@plainly(ops.argsort, "x axis descending")
def argsort(x: Tensor, /, *, axis: int = -1, descending: builtins.bool = False,
            stable: builtins.bool = True) -> Tensor:
    """Returns the indices, in int64, that sort x along axis.

    >>> bp.argsort(bp.asarray([3, 1, 2]))
    tensor([1, 2, 0])
    """
    return ops.argsort(x, axis, descending)


def take_along_axis(x: Tensor, indices: Tensor, /, *, axis: int = -1) -> Tensor:
    """Returns the elements of x at the indices along axis; off it x and indices broadcast.

    >>> bp.take_along_axis(bp.asarray([[3, 1], [2, 4]]), bp.asarray([[1], [0]])).tolist()
    [[1], [2]]
    """
    return ops.take_along(x, indices, axis)


with_both_names(globals())
