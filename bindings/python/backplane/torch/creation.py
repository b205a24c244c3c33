# SPDX-License-Identifier: Apache-2.0
"""Functions that make tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .. import _core, ops, random, standard
from .._types import Device, DType
from ..sizes import sizes
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
    """A copy of data, without what made it."""
    data = _core.detach(data) if isinstance(data, _core.TensorBase) else data
    t = own(_core.asarray(data, dtype, device, True))
    return own(t.pin_memory()) if pin_memory else t


def as_tensor(data: Any, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    """A tensor over the memory of data where that can be, else a copy."""
    return own(_core.asarray(data, dtype, device, None))


asarray = as_tensor


def from_numpy(array: Any) -> Tensor:
    """A tensor over the array's memory."""
    return own(_core.asarray(array, None, "cpu", False))


def from_dlpack(ext_tensor: Any, *, device: Device | None = None, copy: bool | None = None) -> Tensor:
    return own(standard.from_dlpack(ext_tensor, device=device, copy=copy))


# ---- filled ----------------------------------------------------------------------------------------------------------


def _of_size(name: str) -> Callable[..., Tensor]:
    make = getattr(_core, name)

    def factory(*size: Any, dtype: DType | None = None, device: Device | None = None, pin_memory: bool = False) -> Tensor:
        t = own(make(sizes(size), dtype, device))
        return own(t.pin_memory()) if pin_memory else t

    factory.__name__ = name
    return _leaf(factory)


def _like(name: str) -> Callable[..., Tensor]:
    make = getattr(_core, name)

    def factory(input: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
        return own(make(input, dtype, device))

    factory.__name__ = name
    return _leaf(factory)


zeros, ones, empty = map(_of_size, ("zeros", "ones", "empty"))
zeros_like, ones_like, empty_like = map(_like, ("zeros_like", "ones_like", "empty_like"))


@_leaf
def full(size: Any, fill_value: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(_core.full(size, fill_value, dtype, device))


@_leaf
def full_like(input: Any, fill_value: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(_core.full_like(input, fill_value, dtype, device))


@_leaf
def eye(n: int, m: int | None = None, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(_core.eye(n, n if m is None else m, dtype, device))


@_leaf
def arange(start: Any, end: Any = None, step: Any = 1, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    if end is None:
        start, end = 0, start
    return own(ops.arange(start, end, step, dtype=dtype, device=device))


@_leaf
def linspace(start: Any, end: Any, steps: int, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(ops.linspace(start, end, steps, dtype=dtype, device=device))


# ---- random ----------------------------------------------------------------------------------------------------------


@_leaf
def rand(*size: Any, dtype: DType | None = None, device: Device | None = None, generator: Any = None) -> Tensor:
    return own(random.rand(*size, dtype=dtype, device=device, generator=generator))


@_leaf
def randn(*size: Any, dtype: DType | None = None, device: Device | None = None, generator: Any = None) -> Tensor:
    return own(random.randn(*size, dtype=dtype, device=device, generator=generator))


def randint(low: int, high: Any = None, size: Any = None, *, dtype: DType | None = None, device: Device | None = None,
            generator: Any = None) -> Tensor:
    return own(random.randint(low, high, size, dtype=dtype, device=device, generator=generator))


@_leaf
def rand_like(input: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(random.rand_like(input, dtype=dtype, device=device))


@_leaf
def randn_like(input: Any, *, dtype: DType | None = None, device: Device | None = None) -> Tensor:
    return own(random.randn_like(input, dtype=dtype, device=device))
