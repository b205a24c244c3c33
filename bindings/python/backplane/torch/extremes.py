# SPDX-License-Identifier: Apache-2.0
"""The largest and the least: of all elements, along a dimension, of two tensors, and so far along a dimension."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import _core, ops
from . import return_types
from .keywords import numpy_names


def extreme(name: str, pair: type[return_types.Pair]) -> Callable[..., Any]:
    """Tensor.max or Tensor.min."""

    def method(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if isinstance(dim, _core.TensorBase):
            return getattr(ops, name + "imum")(self, dim)
        if dim is None:
            return getattr(ops, name)(self)
        at = getattr(ops, "arg" + name)(self, axis=dim, keepdims=True)
        values = ops.gather(self, at, dim) if self.ndim else self.clone()  # of equal ones the first has the gradient
        return pair(*((values, at) if keepdim or not self.ndim else (values.squeeze(dim), at.squeeze(dim))))

    method.__name__ = name
    method.__doc__ = f"""{name}(): of all; {name}(dim): a pair of values and indices; {name}(other): of each two elements.

    >>> torch.tensor([[1, 5], [3, 4]]).{name}(dim=1).indices
    {"tensor([1, 1])" if name == "max" else "tensor([0, 0])"}
    """
    return method


def _refuse_empty(name: str, input: Any, dims: Any) -> None:
    """Refuses a reduction over no elements, which have no extreme."""
    if input._numel:
        return
    if not dims:
        raise RuntimeError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
                           "with the 'dim' argument.")
    for dim in dims:
        if input.shape[dim] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")


def _shared_extreme(name: str, input: Any, dim: Any, keepdim: bool, out: Any) -> Any:
    dims = (dim,) if isinstance(dim, int) else tuple(dim)
    _refuse_empty(name, input, dims)
    return getattr(ops, name[1:])(input, axes=dims or None, keepdims=keepdim, out=out)


@numpy_names
def amax(input: Any, dim: int | Sequence[int] = (), keepdim: bool = False, *, out: Any = None) -> Any:
    """The largest of all elements, or along dims. Equal ones have its gradient in equal parts.

    >>> torch.amax(torch.tensor([[1, 5], [3, 4]]), dim=1)
    tensor([5, 4])
    """
    return _shared_extreme("amax", input, dim, keepdim, out)


@numpy_names
def amin(input: Any, dim: int | Sequence[int] = (), keepdim: bool = False, *, out: Any = None) -> Any:
    """The least of all elements, or along dims. Equal ones have its gradient in equal parts.

    >>> torch.amin(torch.tensor([[1, 5], [3, 4]]), dim=1)
    tensor([1, 3])
    """
    return _shared_extreme("amin", input, dim, keepdim, out)


@numpy_names
def aminmax(input: Any, *, dim: int | None = None, keepdim: bool = False) -> return_types.aminmax:
    """The least and the largest of all elements, or along dim.

    >>> torch.aminmax(torch.tensor([3, 1, 2])).max
    tensor(3)
    """
    if not input._numel and (dim is None or input.shape[dim] == 0):
        raise RuntimeError("aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.")
    axes = None if dim is None else (dim,)
    return return_types.aminmax(*(op(input, axes=axes, keepdims=keepdim) for op in (ops.min, ops.max)))


def cummax(input: Any, dim: int) -> return_types.cummax:
    """The largest element so far along dim, and its place.

    >>> torch.cummax(torch.tensor([1, 3, 2]), 0).values
    tensor([1, 3, 3])
    """
    return return_types.cummax(*_running(input, dim, ops.ge))


def cummin(input: Any, dim: int) -> return_types.cummin:
    """The least element so far along dim, and its place.

    >>> torch.cummin(torch.tensor([3, 1, 2]), 0).values
    tensor([3, 1, 1])
    """
    return return_types.cummin(*_running(input, dim, ops.le))


def _running(input: Any, dim: int, keeps: Callable[..., Any]) -> tuple[Any, Any]:
    """The extreme of the elements up to each place along dim, and the last place where it is. In each round every place
    looks back twice as far as in the one before, so that the rounds are as many as the logarithm of the length."""
    x = _core.unsqueeze(input, 0) if input.ndim == 0 else input
    n = x.shape[dim]
    place = [1] * x.ndim
    place[dim] = n
    at = _core.contiguous(_core.expand(_core.reshape(ops.arange(0, n, 1, device=x.device), place), x.shape))
    step = 1
    while step < n:
        (before, here), (at_before, at_here) = ((_core.narrow(t, dim, 0, n - step), _core.narrow(t, dim, step, n - step))
                                                for t in (x, at))
        stays = keeps(here, before)
        stays = ops.logical_or(stays, ops.isnan(here)) if input.dtype.is_floating_point else stays
        x, at = (ops.concat([_core.narrow(t, dim, 0, step), ops.where(stays, new, old)], axis=dim)
                 for t, new, old in ((x, here, before), (at, at_here, at_before)))
        step *= 2
    at = _core.as_class(at, type(x))  # a line of one has met no other tensor
    return (_core.reshape(x, ()), _core.reshape(at, ())) if input.ndim == 0 else (x, at)
