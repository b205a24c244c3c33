# SPDX-License-Identifier: Apache-2.0
"""Sets: the different values of an array, ascending. Their number is read back from the device."""

from __future__ import annotations

from typing import NamedTuple

from .. import _core, dtypes, ops
from .._types import Number
from ..tensor import Tensor
from .data_types import result_type

__all__ = ["isin", "unique_all", "unique_counts", "unique_inverse", "unique_values"]


class UniqueAll(NamedTuple):
    values: Tensor
    indices: Tensor
    inverse_indices: Tensor
    counts: Tensor


class UniqueCounts(NamedTuple):
    values: Tensor
    counts: Tensor


class UniqueInverse(NamedTuple):
    values: Tensor
    inverse_indices: Tensor


def isin(x1: Tensor | Number, x2: Tensor | Number, /, *, invert: bool = False) -> Tensor:
    """Returns whether each element of x1 is in x2, or with invert=True whether it is not. NaN is in nothing.

    >>> bp.isin(bp.asarray([1, 2, 3]), bp.asarray([3, 1]))
    tensor([ True, False,  True])
    """
    t = result_type(x1, x2)
    device = (x1 if isinstance(x1, _core.TensorBase) else x2).device  # type: ignore[union-attr]
    x, among = (_core.asarray(v, t, device, None) for v in (x1, x2))
    among = _core.reshape(among, -1)
    if t.is_complex or not among.numel():  # there is no order, or nothing
        found = ops.any(ops.eq(_core.unsqueeze(x, -1), among), axis=-1)
    else:
        ordered = ops.sort(among)[0]
        place = ops.minimum(ops.searchsorted(ordered, _core.reshape(x, -1)), among.numel() - 1)
        found = ops.eq(_core.reshape(ops.index_select(ordered, place, 0), x.shape), x)
    return ops.logical_not(found) if invert else found


def unique_all(x: Tensor, /) -> UniqueAll:
    """Returns the values, where each first occurs, which value each element is, and how often each value occurs.

    >>> bp.unique_all(bp.asarray([3, 1, 3])).inverse_indices
    tensor([1, 0, 1])
    """
    return _of_complex(x) if x.dtype.is_complex else UniqueAll(*ops.unique_all(x))


def _of_complex(x: Tensor) -> UniqueAll:
    """Sorts by the real and then the imaginary parts, for the ops want numbers that have an order. Equal numbers stay in the
    order of x."""
    flat = _core.reshape(x, -1)
    order = ops.argsort(flat.imag)
    order = ops.index_select(order, ops.argsort(ops.index_select(flat.real, order, 0)), 0)
    in_order = ops.index_select(flat, order, 0)
    first = _core.ones(x.size, dtypes.bool, x.device)
    first[1:] = ops.ne(in_order[1:], in_order[:-1])
    starts = _core.reshape(ops.nonzero(first), -1)
    inverse = _core.empty(x.size, dtypes.int64, x.device)
    inverse[order] = ops.cumsum(first, 0) - 1
    ends = ops.concat([starts[1:], _core.full(1, x.size, dtypes.int64, x.device)])[:starts.size]
    indices = ops.index_select(order, starts, 0)
    return UniqueAll(ops.index_select(flat, indices, 0), indices, _core.reshape(inverse, x.shape), ops.sub(ends, starts))


def unique_counts(x: Tensor, /) -> UniqueCounts:
    """Returns the different values, ascending, and how often each occurs.

    >>> bp.unique_counts(bp.asarray([3, 1, 3])).counts
    tensor([1, 2])
    """
    found = unique_all(x)
    return UniqueCounts(found.values, found.counts)


def unique_inverse(x: Tensor, /) -> UniqueInverse:
    """Returns the different values, ascending, and which of them each element is.

    >>> bp.unique_inverse(bp.asarray([3, 1, 3])).inverse_indices
    tensor([1, 0, 1])
    """
    found = unique_all(x)
    return UniqueInverse(found.values, found.inverse_indices)


def unique_values(x: Tensor, /) -> Tensor:
    """Returns the different values, ascending, in one dimension.

    >>> bp.unique_values(bp.asarray([3, 1, 3]))
    tensor([1, 3])
    """
    return unique_all(x).values if x.dtype.is_complex else ops.unique(x)
