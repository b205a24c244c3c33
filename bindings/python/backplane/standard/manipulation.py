"""Manipulation functions."""

from __future__ import annotations

import builtins
from typing import Optional, Sequence, Union

from .. import _core, ops
from .._types import Axis, Shape
from ..tensor import Tensor

__all__ = [
    "broadcast_to", "broadcast_arrays", "concat", "expand_dims", "flip", "moveaxis", "permute_dims",
    "matrix_transpose", "reshape", "roll", "squeeze", "stack", "tile", "unstack",
]


def broadcast_to(x: Tensor, /, shape: Sequence[int]) -> Tensor:
    return _core.expand(x, shape)


def broadcast_arrays(*arrays: Tensor) -> list:
    rank = builtins.max((a.ndim for a in arrays), default=0)
    shape = [1] * rank
    for a in arrays:
        for d, n in enumerate(a.shape, rank - a.ndim):
            shape[d] = n if shape[d] == 1 else shape[d]
    return [_core.expand(a, shape) for a in arrays]


def concat(arrays: Sequence[Tensor], /, *, axis: Optional[int] = 0) -> Tensor:
    if axis is None:
        arrays, axis = [_core.reshape(a, -1) for a in arrays], 0
    return ops.concat(arrays, axis=axis)


def expand_dims(x: Tensor, /, *, axis: int = 0) -> Tensor:
    return _core.unsqueeze(x, axis)


def flip(x: Tensor, /, *, axis: Axis = None) -> Tensor:
    return _core.flip(x, range(x.ndim) if axis is None else axis)


def _axes(x: Tensor, axes: Union[int, Sequence[int]]) -> list:
    """Counted from the first, each once."""
    found = []
    for a in [axes] if isinstance(axes, int) else axes:
        if not -x.ndim <= a < x.ndim:
            raise IndexError(f"axis {a} is out of range for {x.ndim} dimensions")
        found.append(a % x.ndim)
    if len(set(found)) != len(found):
        raise ValueError(f"axes {tuple(found)} are not different from each other")
    return found


def moveaxis(x: Tensor, source: Union[int, Sequence[int]], destination: Union[int, Sequence[int]], /) -> Tensor:
    sources, destinations = _axes(x, source), _axes(x, destination)
    if len(sources) != len(destinations):
        raise ValueError(f"{len(sources)} axes cannot move to {len(destinations)} places")
    places = dict(zip(destinations, sources))
    rest = iter([d for d in range(x.ndim) if d not in places.values()])
    return _core.permute(x, [places[d] if d in places else next(rest) for d in range(x.ndim)])


def permute_dims(x: Tensor, /, axes: Sequence[int]) -> Tensor:
    return _core.permute(x, axes)


def matrix_transpose(x: Tensor, /) -> Tensor:
    return x.mT


def reshape(x: Tensor, /, shape: Shape, *, copy: Optional[builtins.bool] = None) -> Tensor:
    if copy is False:
        return _core.view(x, shape)
    return _core.reshape(_core.clone(x) if copy else x, shape)


def roll(x: Tensor, /, shift: Union[int, Sequence[int]], *, axis: Axis = None) -> Tensor:
    if axis is None:
        return _core.reshape(roll(_core.reshape(x, -1), shift, axis=0), x.shape)
    shifts = [shift] if isinstance(shift, int) else shift
    axes = [axis] if isinstance(axis, int) else axis
    shifts = list(shifts) * len(axes) if len(shifts) == 1 else shifts
    for s, a in zip(shifts, axes):
        n = x.shape[a]
        s = s % n if n else 0
        if s:
            x = ops.concat([_core.narrow(x, a, n - s, s), _core.narrow(x, a, 0, n - s)], axis=a)
    return x


def squeeze(x: Tensor, /, axis: Union[int, Sequence[int]]) -> Tensor:
    axes = [axis] if isinstance(axis, int) else list(axis)
    for a in axes:
        if -x.ndim <= a < x.ndim and x.shape[a] != 1:
            raise ValueError(f"dimension {a} has size {x.shape[a]}, and only those of size 1 can be squeezed")
    return _core.squeeze(x, axes) if axes else x


def stack(arrays: Sequence[Tensor], /, *, axis: int = 0) -> Tensor:
    return ops.stack(arrays, axis=axis)


def tile(x: Tensor, repetitions: Sequence[int], /) -> Tensor:
    rank = builtins.max(x.ndim, len(repetitions))
    times = [1] * (rank - len(repetitions)) + list(repetitions)
    shape = [1] * (rank - x.ndim) + list(x.shape)
    pairs = _core.reshape(x, [n for size in shape for n in (1, size)])
    wide = _core.expand(pairs, [n for t, size in zip(times, shape) for n in (t, size)])
    return _core.reshape(wide, [t * n for t, n in zip(times, shape)])


def unstack(x: Tensor, /, *, axis: int = 0) -> tuple:
    return x.unbind(axis)
