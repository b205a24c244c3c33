# SPDX-License-Identifier: Apache-2.0
"""Elements by their rank in sorted order: medians, quantiles, the k-th of a line; and the most frequent one."""

from __future__ import annotations

from typing import Any

from .. import _core, ops, standard
from ..sizes import wrapped
from ..tensor import Tensor
from . import return_types
from .keywords import numpy_names

__all__ = ["kthvalue", "median", "mode", "nanmedian", "nanquantile", "quantile"]


def _line(name: str, input: Any, dim: int) -> tuple[Any, int]:
    """Returns the input, which has a dimension at least, and dim from the front. An empty line has no elements to choose."""
    x, dim = (input, wrapped(dim, input.ndim)) if input.ndim else (_core.reshape(input, (1,)), wrapped(dim, 1))
    if x.shape[dim] == 0:
        raise IndexError(f"{name}(): Expected reduction dim {dim} to have non-zero size.")
    return x, dim


def _chosen(input: Any, values: Any, at: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    """The element that was chosen of each line along dim, and its place, as results of the input."""
    if not input.ndim:
        return _core.reshape(values, ()), _core.reshape(at, ())
    return (values, at) if keepdim else (values.squeeze(dim), at.squeeze(dim))


@numpy_names
def kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> return_types.kthvalue:
    """The k-th least element along dim, counted from 1, and its place. Equal elements are in the order of their places.

    >>> torch.kthvalue(torch.tensor([30, 10, 20]), 2).values
    tensor(20)
    """
    x, dim = _line("kthvalue", input, dim)
    if not 1 <= k <= x.shape[dim]:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {dim}")
    return return_types.kthvalue(*_chosen(input, *ops.kthvalue(x, k, axis=dim), dim, keepdim))


def _medians(name: str, input: Any, dim: int, keepdim: bool) -> tuple[Any, Any]:
    if input.dtype.kind == "b":
        raise NotImplementedError("\"median_cpu\" not implemented for 'Bool'")
    x, dim = _line(name, input, dim)
    line, n = x.detach(), x.shape[dim]
    if name == "median" or x.dtype.kind != "f":
        at = ops.kthvalue(line, (n + 1) // 2, axis=dim)[1]
        if x.dtype.kind == "f":
            top = ops.argmax(line, axis=dim, keepdims=True)  # the first NaN where there is one
            at = ops.where(ops.isnan(ops.gather(line, top, dim)), top, at)
    else:
        known = ops.sub(n, ops.sum(ops.isnan(line), axes=(dim,), keepdims=True))
        order = ops.argsort(line, axis=dim)  # NaN come last
        at = ops.gather(order, ops.maximum(ops.floor_divide(ops.sub(known, 1), 2), 0), dim)
    return _chosen(input, ops.gather(x, at, dim), at, dim, keepdim)


def _median_of_all(name: str, input: Any) -> Tensor:
    """The median of all elements. Those that equal it have its gradient in equal parts."""
    if not input._numel:
        return _core.full((), float("nan"), input.dtype, input.device)
    flat = _core.reshape(input, (-1,))
    value, _ = _medians(name, flat.detach(), 0, False)
    if not input.requires_grad:
        return value
    known = flat.detach()
    same = ops.logical_or(ops.eq(known, value), ops.logical_and(ops.isnan(known), ops.isnan(value)))
    mean = ops.sum(ops.where(same, ops.div(flat, ops.sum(same)), 0))  # it has the gradient, and may be a rounding off the value
    return ops.where(ops.eq(mean.detach(), value), mean, ops.add(mean, ops.sub(value, mean.detach())))


@numpy_names
def median(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """The middle element, of an even number the lower one of the two: of all, or with dim along it, with its place. It is NaN
    where one is there.

    >>> torch.median(torch.tensor([3.0, 1.0, 4.0, 2.0]))
    tensor(2.)
    """
    return _median_of_all("median", input) if dim is None else return_types.median(*_medians("median", input, dim, keepdim))


@numpy_names
def nanmedian(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
    """median of the elements that are not NaN.

    >>> torch.nanmedian(torch.tensor([3.0, float("nan"), 1.0, 2.0]))
    tensor(2.)
    """
    return _median_of_all("nanmedian", input) if dim is None else return_types.nanmedian(*_medians("nanmedian", input, dim, keepdim))


@numpy_names
def mode(input: Any, dim: int = -1, keepdim: bool = False) -> return_types.mode:
    """The most frequent element along dim, the least of several, and the last place where it is.

    >>> torch.mode(torch.tensor([2, 3, 2, 3, 1])).values
    tensor(2)
    """
    x, dim = _line("mode", input, dim)
    order, n = ops.argsort(x.detach(), axis=dim), x.shape[dim]
    sorted = ops.gather(x.detach(), order, dim)
    place = _core.reshape(ops.arange(0, n, 1, device=x.device), [n if d == dim else 1 for d in range(x.ndim)])
    first = ops.ne(_core.narrow(sorted, dim, 1, n - 1), _core.narrow(sorted, dim, 0, n - 1))
    begin = ops.where(first, _core.narrow(place, dim, 1, n - 1), 0)
    begin = ops.concat([_core.zeros_like(_core.narrow(order, dim, 0, 1), None, None), begin], axis=dim)
    step = 1
    while step < n:  # each place takes the latest beginning up to it, and looks back twice as far each time
        later = ops.maximum(_core.narrow(begin, dim, step, n - step), _core.narrow(begin, dim, 0, n - step))
        begin = ops.concat([_core.narrow(begin, dim, 0, step), later], axis=dim)
        step *= 2
    most = ops.argmax(ops.sub(place, begin), axis=dim, keepdims=True)
    at = ops.gather(order, most, dim)
    return return_types.mode(*_chosen(input, ops.gather(x, at, dim), at, dim, keepdim))


_INTERPOLATIONS = ("linear", "lower", "higher", "midpoint", "nearest")


def _quantiles(name: str, input: Any, q: Any, dim: int | None, keepdim: bool, interpolation: str, out: Any) -> Tensor:
    x = input
    if x.dtype.name not in ("float32", "float64"):
        raise RuntimeError(f"{name}() input tensor must be either float or double dtype")
    if not isinstance(q, _core.TensorBase):
        if not 0 <= q <= 1:
            raise RuntimeError(f"{name}() q must be in the range [0, 1] but got {q}")
        q = _core.full((), q, x.dtype, x.device)
    if q.ndim > 1:
        raise RuntimeError(f"{name}() q must be a scalar or 1D tensor")
    if q.dtype is not x.dtype:
        raise RuntimeError(f"{name}() q tensor must be same dtype as the input tensor")
    if q.device.type == "cpu" and not bool(ops.all(ops.logical_and(ops.ge(q, 0), ops.le(q, 1)))):
        raise RuntimeError(f"{name}() q values must be in the range [0, 1]")
    if interpolation not in _INTERPOLATIONS:
        raise RuntimeError(f"{name}() interpolation must be one of linear, lower, higher, midpoint or nearest, but got {interpolation}")
    if not x._numel:
        raise RuntimeError(f"{name}() input tensor must be non-empty")
    kept = [1] * x.ndim if dim is None else [1 if d == wrapped(dim, max(x.ndim, 1)) else n for d, n in enumerate(x.shape)]
    lines = _core.reshape(x, (-1,)) if dim is None or not x.ndim else standard.moveaxis(x, dim, -1)
    n = lines.shape[-1]
    lines = ops.sort(lines, axis=-1)[0]
    unknown = ops.isnan(lines)
    if name == "nanquantile":
        rank = ops.mul(ops.maximum(ops.sub(ops.sum(ops.logical_not(unknown), axes=(-1,), keepdims=True), 1), 0).to(x.dtype), q)
    else:  # NaN is last, and the result of its line
        rank = ops.where(ops.any(unknown, axes=(-1,), keepdims=True), n - 1, ops.mul(q, n - 1)).to(x.dtype)
    rank = rank if rank.ndim == lines.ndim else _core.reshape(rank, (*lines.shape[:-1], -1))
    if interpolation in ("lower", "higher", "nearest"):
        rank = {"lower": ops.floor, "higher": ops.ceil, "nearest": ops.round}[interpolation](rank)
    below = rank.long()
    values = ops.gather(lines, below, -1)
    if interpolation in ("linear", "midpoint"):
        weight = 0.5 if interpolation == "midpoint" else ops.sub(rank, below.to(x.dtype))
        above = ops.ceil(rank).long()
        values = ops.lerp(values, ops.gather(lines, above, -1), weight)
    values = standard.moveaxis(values, -1, 0)  # the quantiles come first
    if keepdim:
        values = _core.reshape(values, (values.shape[0], *kept))
    if q.ndim == 0:
        values = values.squeeze(0)
    return values if out is None else out.copy_(values)


@numpy_names
def quantile(input: Any, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear",
             out: Any = None) -> Tensor:
    """The elements below which the shares q lie, of all elements or along dim; between two of them by interpolation: linear,
    lower, higher, midpoint or nearest. It is NaN where one is there. A list of q is the result's first dimension.

    >>> torch.quantile(torch.tensor([1.0, 2.0, 4.0]), 0.75)
    tensor(3.)
    """
    return _quantiles("quantile", input, q, dim, keepdim, interpolation, out)


@numpy_names
def nanquantile(input: Any, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear",
                out: Any = None) -> Tensor:
    """quantile of the elements that are not NaN.

    >>> torch.nanquantile(torch.tensor([1.0, float("nan"), 2.0, 4.0]), 0.75)
    tensor(3.)
    """
    return _quantiles("nanquantile", input, q, dim, keepdim, interpolation, out)
