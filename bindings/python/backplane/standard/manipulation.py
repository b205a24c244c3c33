# SPDX-License-Identifier: Apache-2.0
"""Manipulation functions."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from .. import _core, dtypes, ops
from .._types import Axis, Shape
from ..keywords import plainly, with_both_names
from ..tensor import Tensor

__all__ = [
    "broadcast_arrays", "broadcast_shapes", "broadcast_to", "concat", "expand_dims", "flip", "matrix_transpose", "moveaxis",
    "permute_dims", "repeat", "reshape", "roll", "squeeze", "stack", "tile", "unstack",
]


def broadcast_to(x: Tensor, /, shape: Sequence[int]) -> Tensor:
    """Returns a view of x with the shape, along whose new dimensions x repeats. A shape that does not fit raises an error.

    >>> bp.broadcast_to(bp.asarray([1, 2]), (2, 2)).tolist()
    [[1, 2], [1, 2]]
    """
    return _core.expand(x, shape)


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """Returns the shape of an elementwise op of arrays of these shapes.

    >>> bp.broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    joined = [1] * builtins.max(map(len, shapes), default=0)
    for shape in shapes:
        for d, n in enumerate(shape, len(joined) - len(shape)):
            if n != joined[d] and 1 not in (n, joined[d]):
                raise ValueError(f"shapes {', '.join(map(str, map(tuple, shapes)))} cannot be broadcast: sizes {joined[d]} and {n} "
                                 f"meet at dimension {d}")
            joined[d] = n if joined[d] == 1 else joined[d]
    return tuple(joined)


def broadcast_arrays(*arrays: Tensor) -> tuple[Any, ...]:
    """Returns the arrays as views of the one shape to which they broadcast. Shapes that do not fit raise an error.

    >>> [t.shape for t in bp.broadcast_arrays(bp.ones((2, 1)), bp.ones(3))]
    [(2, 3), (2, 3)]
    """
    shape = broadcast_shapes(*(a.shape for a in arrays))
    return tuple(_core.expand(a, shape) for a in arrays)


@plainly(ops.concat, "arrays axis")
def concat(arrays: Sequence[Tensor], /, *, axis: int | None = 0) -> Tensor:
    """Returns the arrays one after the other along axis, or flattened with axis=None. Off the axis their sizes are the
    same, else InvalidArgumentError; dtypes promote.

    >>> bp.concat([bp.asarray([1, 2]), bp.asarray([3])])
    tensor([1, 2, 3])
    """
    if axis is None:
        arrays, axis = [_core.reshape(a, -1) for a in arrays], 0
    return ops.concat(arrays, axis)


def expand_dims(x: Tensor, /, axis: int | Sequence[int]) -> Tensor:
    """Inserts axes of size 1, at places that are counted in the result.

    >>> bp.expand_dims(bp.ones(3), axis=0).shape
    (1, 3)
    """
    if isinstance(axis, int):
        return _core.unsqueeze(x, axis)
    for a in sorted(_axes(x.ndim + len(axis), axis)):
        x = _core.unsqueeze(x, a)
    return x


@plainly(_core.flip, "x axis")
def flip(x: Tensor, /, *, axis: Axis = None) -> Tensor:
    """Returns a view of x in which the elements along axis, or along all axes, are in the reverse order.

    >>> bp.flip(bp.asarray([1, 2, 3]))
    tensor([3, 2, 1])
    """
    return _core.flip(x, axis)


def _axes(ndim: int, axes: int | Sequence[int]) -> list[Any]:
    """Returns the axes, counted from the first one. An axis that occurs twice is an error."""
    found = []
    for a in [axes] if isinstance(axes, int) else axes:
        if not -ndim <= a < ndim:
            raise IndexError(f"axis {a} is out of range for {ndim} dimensions")
        found.append(a % ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"axes {tuple(found)} are not different from each other")
    return found


def moveaxis(x: Tensor, source: int | Sequence[int], destination: int | Sequence[int], /) -> Tensor:
    """Returns a view in which the axes source are at the places destination; the others keep their order.

    >>> bp.moveaxis(bp.ones((2, 3, 4)), 0, -1).shape
    (3, 4, 2)
    """
    sources, destinations = _axes(x.ndim, source), _axes(x.ndim, destination)
    if len(sources) != len(destinations):
        raise ValueError(f"{len(sources)} axes cannot move to {len(destinations)} places")
    places = dict(zip(destinations, sources, strict=True))
    rest = iter([d for d in range(x.ndim) if d not in places.values()])
    return _core.permute(x, [places[d] if d in places else next(rest) for d in range(x.ndim)])


@plainly(_core.permute, "x axes")
def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    """Returns a view with the dimensions in the order of axes.

    >>> bp.permute_dims(bp.ones((2, 3, 4)), (2, 0, 1)).shape
    (4, 2, 3)
    """
    return _core.permute(x, axes)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Returns a view of x, [..., M, N], as [..., N, M]. Fewer than two dimensions raise ValueError.

    >>> bp.matrix_transpose(bp.ones((2, 3))).shape
    (3, 2)
    """
    return x.mT


def repeat(x: Tensor, repeats: int | Tensor, /, *, axis: int | None = None) -> Tensor:
    """Repeats each element, or each slice of axis, in a row. Where repeats is a tensor it is read back from its device.

    >>> bp.repeat(bp.asarray([1, 2]), 2)
    tensor([1, 1, 2, 2])
    """
    if axis is None:
        x, axis = _core.reshape(x, (-1,)), 0
    if isinstance(repeats, int):
        return ops.repeat(x, repeats, axis)
    (axis,) = _axes(x.ndim, axis)
    n = x.shape[axis]
    if repeats.shape not in ((1,), (n,), ()):
        raise ValueError(f"repeats of shape {repeats.shape} do not go with an axis of {n}")
    counts = _core.expand(repeats, (n,))
    if n and builtins.bool(ops.any(ops.lt(counts, 0))):
        raise ValueError("repeats may not be negative")
    ends = ops.cumsum(counts.to(dtypes.int64), 0)
    # The first sum that does not fit is negative, because no number that is added reaches 2^63.
    if n and builtins.bool(ops.any(ops.lt(ends, 0))):
        raise _core.OutOfHostMemoryError(f"repeat: {builtins.sum(counts.tolist())} elements are too many")
    total = ops.arange(0, int(ends[-1]) if n else 0, 1, dtype=dtypes.int64, device=x.device)
    return ops.index_select(x, ops.searchsorted(ends, total, right=True), axis)


def reshape(x: Tensor, /, shape: Shape, *, copy: builtins.bool | None = None) -> Tensor:
    """Returns x's elements in another shape of as many; one size may be -1. copy=False raises ValueError where no view is
    possible.

    >>> bp.reshape(bp.arange(6), (2, -1)).shape
    (2, 3)
    """
    if copy is False:
        return _core.view(x, shape)
    return _core.reshape(_core.clone(x) if copy else x, shape)


def roll(x: Tensor, /, shift: int | Sequence[int], *, axis: Axis = None) -> Tensor:
    """Returns x with its elements moved by shift along axis; those that leave at one end enter at the other.

    >>> bp.roll(bp.asarray([1, 2, 3]), 1)
    tensor([3, 1, 2])
    """
    if axis is None:
        return ops.roll(x, shift)
    if isinstance(axis, int) and isinstance(shift, int):
        return ops.roll(x, shift, axis)
    axes = [axis] if isinstance(axis, int) else list(axis)
    shifts = [shift] * len(axes) if isinstance(shift, int) else list(shift)
    return ops.roll(x, shifts, axes)


def squeeze(x: Tensor, /, axis: int | Sequence[int]) -> Tensor:
    """Returns a view without the axes, each of size 1. Another size raises ValueError.

    >>> bp.squeeze(bp.ones((1, 3)), axis=0).shape
    (3,)
    """
    axes = [axis] if isinstance(axis, int) else list(axis)
    for a in axes:
        if -x.ndim <= a < x.ndim and x.shape[a] != 1:
            raise ValueError(f"dimension {a} has size {x.shape[a]}, and only those of size 1 can be squeezed")
    return _core.squeeze(x, axes) if axes else x


@plainly(ops.stack, "arrays axis")
def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    """Returns the arrays, all of one shape, along a new axis; dtypes promote.

    >>> bp.stack([bp.ones(3), bp.zeros(3)]).shape
    (2, 3)
    """
    return ops.stack(arrays, axis)


def tile(x: Tensor, repetitions: Sequence[int], /) -> Tensor:
    """Returns x repeated as a whole, so many times along each of the last axes.

    >>> bp.tile(bp.asarray([1, 2]), (2,))
    tensor([1, 2, 1, 2])
    """
    return ops.tile(x, repetitions)


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple[Any, ...]:
    """Returns the slices of x along axis, which are views without it.

    >>> [t.tolist() for t in bp.unstack(bp.asarray([[1, 2], [3, 4]]))]
    [[1, 2], [3, 4]]
    """
    return x.unbind(axis)


with_both_names(globals())
