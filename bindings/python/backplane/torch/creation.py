# SPDX-License-Identifier: Apache-2.0
"""Functions that make tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .. import _core, dtypes, ops, random, standard
from .._types import Device, DType
from ..sizes import sizes
from .random import WHOLE_FLOATS
from .tensor import Tensor, own


def _leaf(make: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Returns make, which then takes requires_grad= too."""

    @functools.wraps(make)
    def factory(*args: Any, requires_grad: bool = False, **kwargs: Any) -> Tensor:
        t = make(*args, **kwargs)
        return own(t.requires_grad_()) if requires_grad else t

    return factory


@_leaf
def tensor(data: Any, *, dtype: DType | None = None, device: Device | None = None, pin_memory: bool = False) -> Tensor:
    """A copy of data, without what made it.

    >>> torch.tensor([1.5, 2.0])
    tensor([1.5000, 2.0000])
    """
    data = _core.detach(data) if isinstance(data, _core.TensorBase) else data
    t = own(_core.asarray(data, dtype, device, True))
    return own(t.pin_memory()) if pin_memory else t


def as_tensor(data: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """A tensor over the memory of data where that can be, else a copy.

    >>> torch.as_tensor([1, 2])
    tensor([1, 2])
    """
    return own(_core.asarray(data, dtype, device, None))


asarray = as_tensor


def from_numpy(array: Any) -> Tensor:
    """A tensor over the array's memory.

    >>> import numpy
    >>> torch.from_numpy(numpy.arange(3.0)).shape
    torch.Size([3])
    """
    return own(_core.asarray(array, None, "cpu", False))


def from_dlpack(ext_tensor: Any, *, device: Device | None = None, copy: bool | None = None) -> Tensor:
    """A tensor over the memory of another library's array; copy=True copies it, and so does another device.

    >>> torch.from_dlpack(torch.ones(2))
    tensor([1., 1.])
    """
    return own(standard.from_dlpack(ext_tensor, device=device, copy=copy))


# ---- filled ----------------------------------------------------------------------------------------------------------


_FILLED = {"zeros": "Zeros", "ones": "Ones", "empty": "A tensor whose elements are not set,"}


def _of_size(name: str) -> Callable[..., Tensor]:
    make = getattr(_core, name)

    def factory(*size: Any, dtype: DType | None = None, device: Device | None = None, pin_memory: bool = False) -> Tensor:
        t = own(make(sizes(size), dtype, device))
        return own(t.pin_memory()) if pin_memory else t

    factory.__name__ = name
    factory.__doc__ = f"""{_FILLED[name]} of the size: {name}(2, 3), {name}((2, 3)). A negative size raises an error.

    >>> torch.{name}(2, 3).shape
    torch.Size([2, 3])
    """
    return _leaf(factory)


def _like(name: str) -> Callable[..., Tensor]:
    make = getattr(_core, name)

    def factory(input: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        return own(make(input, dtype, device))

    factory.__name__ = name
    factory.__doc__ = f"""{_FILLED[name.removesuffix("_like")]} of input's shape, and by default of its dtype and on its device.

    >>> torch.{name}(torch.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    return _leaf(factory)


zeros, ones, empty = map(_of_size, ("zeros", "ones", "empty"))
zeros_like, ones_like, empty_like = map(_like, ("zeros_like", "ones_like", "empty_like"))


@_leaf
def full(size: Any, fill_value: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """A tensor of the size whose elements are fill_value.

    >>> torch.full((2,), 7)
    tensor([7, 7])
    """
    return own(_core.full(size, fill_value, dtype, device))


@_leaf
def full_like(input: Any, fill_value: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """A tensor of input's shape, and by default of its dtype and on its device, whose elements are fill_value.

    >>> torch.full_like(torch.ones(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    return own(_core.full_like(input, fill_value, dtype, device))


@_leaf
def eye(n: int, m: int | None = None, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """The identity of n rows and, where m is given, m columns.

    >>> torch.eye(2).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return own(_core.eye(n, n if m is None else m, dtype, device))


@_leaf
def arange(start: Any, end: Any = None, step: Any = 1, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """start, start + step and so on below end, in int64 if all three are integers; arange(end) begins at 0.

    >>> torch.arange(2, 8, 2)
    tensor([2, 4, 6])
    """
    if end is None:
        start, end = 0, start
    return own(ops.arange(start, end, step, dtype, device=device))


@_leaf
def linspace(start: Any, end: Any, steps: int, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """steps numbers from start to end, both included.

    >>> torch.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    return own(ops.linspace(start, end, steps, dtype=dtype, device=device))


# ---- random ----------------------------------------------------------------------------------------------------------


@_leaf
def rand(*size: Any, dtype: DType | None = None, device: Device | None = None, generator: Any = None) -> Tensor:
    """Numbers that are uniform in [0, 1), of that size.

    >>> torch.rand(2, 3).shape
    torch.Size([2, 3])
    """
    return own(random._draw(ops.uniform, sizes(size), generator, device, dtype=dtype))


@_leaf
def randn(*size: Any, dtype: DType | None = None, device: Device | None = None, generator: Any = None) -> Tensor:
    """Normal numbers of mean 0 and standard deviation 1, of that size.

    >>> torch.randn(2, 3).shape
    torch.Size([2, 3])
    """
    return own(random._draw(ops.normal, sizes(size), generator, device, dtype=dtype))


def randint(low: int, high: Any = None, size: Any = None, *, dtype: DType | None = None, device: Device | None = None,
            generator: Any = None) -> Tensor:
    """Integers from low, or 0, to high - 1, in int64: randint(high, size), randint(low, high, size).

    >>> torch.randint(0, 10, (2, 3)).shape
    torch.Size([2, 3])
    """
    return own(random.randint(low, high, size, dtype=dtype, device=device, generator=generator))


@_leaf
def rand_like(input: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """Numbers that are uniform in [0, 1), of input's shape.

    >>> torch.rand_like(torch.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    return own(random.rand_like(input, dtype=dtype, device=device))


@_leaf
def randn_like(input: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """Normal numbers of mean 0 and standard deviation 1, of input's shape.

    >>> torch.randn_like(torch.ones(2, 3)).shape
    torch.Size([2, 3])
    """
    return own(random.randn_like(input, dtype=dtype, device=device))


@_leaf
def randperm(n: int, *, generator: Any = None, out: Any = None, dtype: DType | None = None, device: Device | None = None,
             pin_memory: bool = False) -> Tensor:
    """The numbers 0 to n - 1 in random order, in int64.

    >>> sorted(torch.randperm(4).tolist())
    [0, 1, 2, 3]
    """
    kept = _core.empty((0,), dtype or dtypes.int64, "cpu").dtype
    if kept.kind in "bc":
        raise NotImplementedError(f"\"randperm\" not implemented for '{kept._title}'")
    most = WHOLE_FLOATS.get(kept.name) or dtypes.iinfo(kept).max
    if n > most:
        raise RuntimeError(f"n is too large for result tensor type: {kept._title}")
    keys = random.randint(0, 2**63 - 1, (n,), device=device, generator=generator)
    order = own(ops.argsort(keys, axis=0).to(kept))
    if out is not None:
        return out.copy_(order)
    return own(order.pin_memory()) if pin_memory else order


def normal(mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None, dtype: DType | None = None,
           device: Device | None = None, out: Any = None) -> Tensor:
    """Normal numbers of that mean and standard deviation: of a size, or as many as the tensors of these have elements.

    >>> torch.normal(torch.zeros(2, 3), 1.0).shape
    torch.Size([2, 3])
    """
    if not any(isinstance(t, _core.TensorBase) for t in (mean, std)):
        drawn = own(random._draw(ops.normal, size, generator, dtype=dtype, device=device, mean=mean, std=std))
        return drawn if out is None else out.copy_(drawn)
    if isinstance(std, Tensor) and std.is_cpu and not bool(ops.all(ops.ge(std, 0))):
        raise RuntimeError("normal expects all elements of std >= 0.0")
    shape = ops.add(mean, std)
    drawn = own(random._draw(ops.normal, shape.shape, generator, dtype=shape.dtype, device=shape.device))
    return own(ops.add(ops.mul(drawn, std), mean, out=out))
