# SPDX-License-Identifier: Apache-2.0
"""torch.Tensor: a tensor with PyTorch's methods."""

from __future__ import annotations

import builtins
import functools
import inspect
from collections.abc import Callable
from typing import Any, overload

from .. import _core, ops, standard
from .._types import Device, DType
from ..sizes import sizes
from ..tensor import Tensor as _Base
from . import (
    extremes,
    histograms,
    indexing,
    manipulation,
    norms,
    order_statistics,
    products,
    random,
    reductions,
    return_types,
    sums,
)
from .class_names import CLASS_NAMES, dtype_named
from .keywords import numpy_names
from .size import Size

_get_shape = _core.TensorBase.shape.__get__


def _in_place(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def method(self: Any, *args: Any, **kwargs: Any) -> _Base:
        return f(self, *args, out=self, **kwargs)

    return method


class Tensor(_Base, random.RandomFills):
    """A tensor with PyTorch's methods. Tensor(2, 3) is uninitialised, Tensor([1, 2]) holds these numbers.

    >>> torch.Tensor([1, 2])
    tensor([1., 2.])
    """

    __slots__ = ()
    __array_namespace__ = None  # its methods are PyTorch's; the array API standard's namespace is backplane
    _is_torch = True

    def __new__(cls, *data: Any, device: Device | None = None) -> Tensor:
        return of_data(_core.get_default_dtype(), device, data)

    @property
    def shape(self) -> Size:
        """The sizes of the dimensions.

        >>> torch.ones(2, 3).shape
        torch.Size([2, 3])
        """
        return Size(_get_shape(self))

    @overload
    def size(self, dim: None = None) -> Size: ...
    @overload
    def size(self, dim: builtins.int) -> builtins.int: ...
    def size(self, dim: builtins.int | None = None) -> Any:
        """The sizes of the dimensions, or of one.

        >>> torch.ones(2, 3).size(0)
        2
        """
        return Size(_get_shape(self)) if dim is None else _get_shape(self)[dim]

    def type(self, dtype: Any = None) -> Any:
        """Without dtype the name of its class, such as 'torch.cuda.FloatTensor'; else the tensor in that dtype.

        >>> torch.ones(2).type()
        'torch.FloatTensor'
        """
        if dtype is not None:
            return self.to(dtype_named(dtype) if isinstance(dtype, str) else dtype)
        kind = "" if self.is_cpu else f"{self.device.type}."
        return f"torch.{kind}{CLASS_NAMES[self.dtype]}"

    @property
    def T(self) -> _Base:
        """A view with the dimensions in the reverse order.

        >>> torch.ones(2, 3).T.shape
        torch.Size([3, 2])
        """
        return _core.permute(self, range(self.ndim - 1, -1, -1))

    @property
    def data(self) -> _Base:
        """The same data, without what made it. Assigning gives the tensor other data.

        >>> torch.ones(2, requires_grad=True).data.requires_grad
        False
        """
        return self.detach()

    @data.setter
    def data(self, value: Any) -> None:
        _core.set_data(self, value)

    # ---- reductions and order --------------------------------------------------------------------------------------

    max = extremes.extreme("max", return_types.max)
    min = extremes.extreme("min", return_types.min)
    amax, amin, aminmax = extremes.amax, extremes.amin, extremes.aminmax
    cummax, cummin = extremes.cummax, extremes.cummin
    kthvalue, median, nanmedian = order_statistics.kthvalue, order_statistics.median, order_statistics.nanmedian
    mode, quantile, nanquantile = order_statistics.mode, order_statistics.quantile, order_statistics.nanquantile
    bincount, histc = histograms.bincount, histograms.histc

    def sort(self, dim: builtins.int = -1, descending: builtins.bool = False, stable: builtins.bool = False) -> return_types.sort:
        """The values in order along dim, and the indices where each came from.

        >>> torch.tensor([3, 1, 2]).sort().indices
        tensor([1, 2, 0])
        """
        return return_types.sort(*ops.sort(self, axis=dim, descending=descending))

    def topk(self, k: builtins.int, dim: builtins.int = -1, largest: builtins.bool = True,
             sorted: builtins.bool = True) -> return_types.topk:
        """The k largest along dim, or with largest=False the least, and where they are.

        >>> torch.tensor([3, 1, 2]).topk(2).values
        tensor([3, 2])
        """
        return return_types.topk(*ops.topk(self, k, axis=dim, largest=largest))

    var, std = reductions.deviation("var"), reductions.deviation("std")
    norm = norms.norm
    all, any = reductions.test("all"), reductions.test("any")

    unique = indexing.unique

    # ---- choosing and moving ---------------------------------------------------------------------------------------

    def gather(self, dim: builtins.int, index: Any) -> _Base:
        """The elements at the indices along dim; index has the shape of the result.

        >>> torch.tensor([[1, 2]]).gather(1, torch.tensor([[1, 0]])).tolist()
        [[2, 1]]
        """
        return ops.gather(self, index, dim)

    def index_select(self, dim: builtins.int, index: Any) -> _Base:
        """The slices along dim at the indices, a tensor of one dimension.

        >>> torch.tensor([10, 20, 30]).index_select(0, torch.tensor([2, 0]))
        tensor([30, 10])
        """
        return ops.index_select(self, index, dim)

    def where(self, condition: Any, other: Any) -> _Base:
        """This tensor's elements where condition is true, else other's.

        >>> torch.ones(2).where(torch.tensor([True, False]), torch.zeros(2))
        tensor([1., 0.])
        """
        return ops.where(condition, self, other)

    def flip(self, *dims: Any) -> _Base:
        """A copy with the elements along dims in the reverse order.

        >>> torch.tensor([1, 2, 3]).flip(0)
        tensor([3, 2, 1])
        """
        return _core.contiguous(_core.flip(self, sizes(dims)))

    def repeat(self, *repeats: Any) -> _Base:
        """A copy, repeated as a whole so many times along each dimension; fewer numbers than dimensions raise RuntimeError.

        >>> torch.tensor([1, 2]).repeat(2)
        tensor([1, 2, 1, 2])
        """
        if len(sizes(repeats)) < self.ndim:
            raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
        return standard.tile(self, sizes(repeats))

    nonzero, take_along_dim = indexing.nonzero, indexing.take_along_dim
    roll, repeat_interleave = manipulation.roll, manipulation.repeat_interleave
    index_add, index_copy, index_fill = indexing.index_add, indexing.index_copy, indexing.index_fill
    scatter, scatter_add = indexing.scatter, indexing.scatter_add
    index_add_, index_copy_ = _in_place(indexing.index_add), _in_place(indexing.index_copy)
    index_fill_ = _in_place(indexing.index_fill)
    scatter_, scatter_add_ = _in_place(indexing.scatter), _in_place(indexing.scatter_add)

    # ---- elements --------------------------------------------------------------------------------------------------

    def clamp(self, min: Any = None, max: Any = None) -> _Base:
        """The elements, limited to [min, max].

        >>> torch.tensor([-2.0, 0.5]).clamp(min=0.0)
        tensor([0.0000, 0.5000])
        """
        return ops.clip(self, min, max)

    def softmax(self, dim: builtins.int, dtype: DType | None = None) -> _Base:
        """exp of the elements over its sum along dim, in the dtype where one is given.

        >>> torch.zeros(2).softmax(0)
        tensor([0.5000, 0.5000])
        """
        return ops.softmax(self if dtype is None else self.to(dtype), axis=dim)

    def log_softmax(self, dim: builtins.int, dtype: DType | None = None) -> _Base:
        """The logarithm of softmax.

        >>> torch.zeros(2).log_softmax(0)
        tensor([-0.6931, -0.6931])
        """
        return ops.log_softmax(self if dtype is None else self.to(dtype), axis=dim)

    def equal(self, other: Any) -> builtins.bool:
        """Whether the other tensor has the same shape and elements.

        >>> torch.ones(2).equal(torch.ones(2))
        True
        """
        return tuple(self.shape) == tuple(other.shape) and builtins.bool(ops.all(ops.eq(self, other)))

    def isclose(self, other: Any, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08) -> _Base:
        """Where the elements differ by at most atol plus rtol times other's modulus. Other dtypes and negative bounds raise
        RuntimeError.

        >>> torch.ones(2).isclose(torch.tensor([1.0, 1.1]))
        tensor([ True, False])
        """
        for name, bound in (("rtol", rtol), ("atol", atol)):
            if bound < 0:
                raise RuntimeError(f"{name} must be greater than or equal to zero, but got {bound}")
        if self.dtype is not other.dtype:
            raise RuntimeError(f"{self.dtype._title} did not match {other.dtype._title}")
        a, b = (self, other) if self.dtype.kind in "fc" else (self.double(), other.double())
        apart = ops.abs(ops.sub(a, b))  # of infinities inf or NaN, which no bound allows
        close = ops.logical_and(ops.isfinite(apart), ops.le(apart, ops.add(ops.mul(ops.abs(b), rtol), atol)))
        return ops.logical_or(close, ops.eq(self, other))

    def allclose(self, other: Any, rtol: builtins.float = 1e-05, atol: builtins.float = 1e-08) -> builtins.bool:
        """Whether all elements are close.

        >>> torch.ones(2).allclose(torch.ones(2))
        True
        """
        return builtins.bool(ops.all(self.isclose(other, rtol, atol)))

    dot, mv, mm, bmm = products.dot, products.mv, products.mm, products.bmm
    add, sub, subtract = sums.add, sums.sub, sums.sub
    addcmul, addcdiv, addmm, addmv = sums.addcmul, sums.addcdiv, sums.addmm, sums.addmv
    addbmm, baddbmm = sums.addbmm, sums.baddbmm
    add_, sub_, subtract_ = sums.add_, sums.sub_, sums.sub_
    addcmul_, addcdiv_ = _in_place(sums.addcmul), _in_place(sums.addcdiv)
    addmm_, addmv_ = _in_place(sums.addmm), _in_place(sums.addmv)
    addbmm_, baddbmm_ = _in_place(sums.addbmm), _in_place(sums.baddbmm)
    bernoulli, multinomial = random.bernoulli, random.multinomial


Tensor.__module__ = "backplane.torch"
for _name, _f in list(vars(Tensor).items()):
    if inspect.isfunction(_f) and _name != "size" and "dim" in inspect.signature(_f).parameters:
        setattr(Tensor, _name, numpy_names(_f))
_core.set_torch_class(Tensor)


def own(t: Any) -> Tensor:
    """Returns t as a torch.Tensor: itself, or another object over the same memory."""
    return t if type(t) is Tensor else _core.as_class(t, Tensor)


def of_data(dtype: Any, device: Device | None, data: tuple[Any, ...]) -> Tensor:
    """What the old constructors give: ([1, 2],) holds these numbers, (2, 3) is an uninitialised tensor of this shape."""
    if len(data) == 1 and not isinstance(data[0], int):
        return own(_core.asarray(data[0], dtype, device, True))
    return own(_core.empty(data or 0, dtype, device))
