# SPDX-License-Identifier: Apache-2.0
"""Choosing elements, and writing to chosen places. PyTorch has the arguments of some in another order than the op table."""

from __future__ import annotations

import math
from typing import Any

from .. import _core, dtypes, ops, standard
from ..tensor import Tensor


def where(condition: Any, input: Any, other: Any) -> Tensor:
    """input where condition is true, else other; all three broadcast.

    >>> torch.where(torch.tensor([True, False]), torch.tensor([1, 2]), torch.tensor([10, 20]))
    tensor([ 1, 20])
    """
    return ops.where(condition, input, other)


def nonzero(input: Any, *, as_tuple: bool = False) -> Any:
    """With as_tuple=True one tensor of indices for each dimension; a 0-d input counts as one of a single element.

    >>> torch.nonzero(torch.tensor([0, 3])).tolist()
    [[1]]
    """
    if not as_tuple:
        return ops.nonzero(input)
    return standard.nonzero(input if input.ndim else _core.unsqueeze(input, 0))


def unique(input: Any, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False) -> Any:
    """The different values, ascending; and, where asked for, which of them each element is, and how often each occurs.

    >>> torch.unique(torch.tensor([3, 1, 3]))
    tensor([1, 3])
    """
    if not (return_inverse or return_counts):
        return ops.unique(input)
    values, _, inverse, counts = ops.unique_all(input)
    return (values,) + (inverse,) * return_inverse + (counts,) * return_counts


def take_along_dim(input: Any, indices: Any, dim: int | None = None) -> Tensor:
    """Without dim the elements and the indices are taken as one line each.

    >>> torch.take_along_dim(torch.tensor([[3, 1]]), torch.tensor([[1]]), 1).tolist()
    [[1]]
    """
    if dim is None:
        return ops.take_along(_core.reshape(input, (-1,)), _core.reshape(indices, (-1,)), 0)
    return ops.take_along(input, indices, dim)


def scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, out: Any = None) -> Tensor:
    """Writes src, a tensor or a number, or value, at index along dim.

    >>> torch.scatter(torch.zeros(3), 0, torch.tensor([2]), 5.0)
    tensor([0., 0., 5.])
    """
    src = value if src is None else src
    src = src if isinstance(src, _core.TensorBase) else _core.full(index.shape, src, input.dtype, input.device)
    return ops.scatter(input, index, src, dim, out=out)


def scatter_add(input: Any, dim: int, index: Any, src: Any, *, out: Any = None) -> Tensor:
    """input with src added at index along dim; equal indices add up. Indices outside are refused on the CPU.

    >>> torch.scatter_add(torch.zeros(3), 0, torch.tensor([2, 2]), torch.tensor([5.0, 1.0]))
    tensor([0., 0., 6.])
    """
    return ops.scatter_add(input, index, src, dim, out=out)


def index_add(input: Any, dim: int, index: Any, source: Any, *, alpha: float = 1, out: Any = None) -> Tensor:
    """input with alpha times the slices of source added to those at index along dim.

    >>> torch.index_add(torch.zeros(3), 0, torch.tensor([2]), torch.tensor([5.0]))
    tensor([0., 0., 5.])
    """
    return ops.index_add(input, index, source, dim, alpha=alpha, out=out)


def index_copy(input: Any, dim: int, index: Any, source: Any, *, out: Any = None) -> Tensor:
    """input with the slices of source in place of those at index along dim.

    >>> torch.index_copy(torch.zeros(3), 0, torch.tensor([2]), torch.tensor([5.0]))
    tensor([0., 0., 5.])
    """
    return ops.index_copy(input, index, source, dim, out=out)


def index_fill(input: Any, dim: int, index: Any, value: Any, *, out: Any = None) -> Tensor:
    """input with value in the slices at index along dim; indices count from the end where they are negative.

    >>> torch.index_fill(torch.zeros(3), 0, torch.tensor([2, 0]), 5.0)
    tensor([5., 0., 5.])
    """
    if index.dtype is not dtypes.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    if index.ndim > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    if isinstance(value, complex) and input.dtype.kind != "c":
        raise RuntimeError("index_fill_(): Converting complex Scalar to non-complex type is not supported")
    x = input if input.ndim else _core.reshape(input, (1,))
    index = _core.reshape(index, (-1,))
    size = x.shape[dim]
    index = ops.where(ops.lt(index, 0), ops.add(index, size), index)
    shape = list(x.shape)
    shape[dim] = index._numel
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} dimension(s).")
        source = _core.expand(value.to(x.dtype), shape)
    else:
        source = _core.full(shape, int(value) if x.dtype.kind in "iu" else value, x.dtype, x.device)
    if input.ndim:
        return ops.index_copy(x, index, source, dim, out=out)
    filled = _core.reshape(ops.index_copy(x, index, source, dim), ())
    return filled if out is None else out.copy_(filled)


def searchsorted(sorted_sequence: Any, input: Any, *, out_int32: bool = False, right: bool = False, side: str | None = None,
                 sorter: Any = None) -> Tensor:
    """The place at which each value of input would go into the sequence. Where sorted_sequence has several rows, values are
    looked up in the row of the same number.

    >>> torch.searchsorted(torch.tensor([1.0, 3.0, 5.0]), torch.tensor([3.0, 4.0]))
    tensor([1, 2])
    """
    if side not in (None, "left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    if right and side == "left":
        raise RuntimeError("torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True")
    number = not isinstance(input, _core.TensorBase)
    values = _core.full((1,), input, sorted_sequence.dtype, sorted_sequence.device) if number else input
    ordered = sorted_sequence if sorter is None else ops.take_along(sorted_sequence, sorter, -1)
    dtype = standard.result_type(ordered, values)
    ordered, values, right = ordered.to(dtype), values.to(dtype), right or side == "right"
    one_row = ordered.ndim == 1
    found = ops.searchsorted(ordered, values, right=right) if one_row else _searchsorted_rows(ordered, values, right)
    found = _core.reshape(found, ()) if number and one_row else found
    return found.int() if out_int32 else found


def _searchsorted_rows(ordered: Any, values: Any, right: bool) -> Tensor:
    if tuple(ordered.shape[:-1]) != tuple(values.shape[:-1]):
        raise RuntimeError(
            "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor "
            f"and input value tensor must match, but we got boundaries tensor {list(ordered.shape)} and input value tensor "
            f"{list(values.shape)}"
        )
    rows, wanted = (_core.reshape(t, (math.prod(t.shape[:-1]), t.shape[-1])) for t in (ordered, values))
    each = [ops.searchsorted(rows[i], wanted[i], right=right) for i in range(rows.shape[0])]
    return _core.reshape(ops.stack(each, axis=0), values.shape) if each else _core.zeros_like(values, dtypes.int64, None)
