# SPDX-License-Identifier: Apache-2.0
"""Random numbers. Each device has a generator, and after the same seed all give the same numbers (Philox4x32-10)."""

from __future__ import annotations

import copyreg
import math
from typing import Any

from . import _core, dtypes, ops
from ._types import Device, DType
from .sizes import sizes
from .standard.creation import leaf
from .tensor import Tensor

__all__ = ["Generator", "manual_seed", "rand", "rand_like", "randint", "randn", "randn_like"]

Generator = _core.Generator


def _with_state(state: tuple[int, int]) -> _core.Generator:
    generator = Generator()
    generator.set_state(state)
    return generator


copyreg.pickle(Generator, lambda generator: (_with_state, (generator.get_state(),)))


def manual_seed(seed: int) -> _core.Generator:
    """Seeds every device's generator and returns the CPU's.

    >>> generator = bp.manual_seed(0)
    """
    _core.manual_seed(int(seed) & (2**64 - 1))
    return _core.default_generator("cpu")


def _draw(op: Any, size: Any, generator: _core.Generator | None, device: Device | None = None, **attrs: Any) -> Tensor:
    if device is not None:  # to look for a device costs as much as a small draw
        attrs["device"] = device
    if generator is not None:
        sizes = [size] if isinstance(size, int) else size
        attrs["seed"], attrs["offset"] = _signed(generator.reserve(math.prod(sizes)))
    return op(shape=size, **attrs)


def _signed(pair: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(v - 2**64 if v >= 2**63 else v for v in pair)


def rand(*size: Any, dtype: DType | None = None, device: Device | None = None,
         generator: _core.Generator | None = None, requires_grad: bool = False) -> Tensor:
    """Returns numbers that are uniform in [0, 1).

    >>> bp.rand(2, 3).shape
    (2, 3)
    """
    return leaf(_draw(ops.uniform, sizes(size), generator, dtype=dtype, device=device), requires_grad)


def randn(*size: Any, dtype: DType | None = None, device: Device | None = None,
          generator: _core.Generator | None = None, requires_grad: bool = False) -> Tensor:
    """Returns normal numbers of mean 0 and standard deviation 1.

    >>> bp.randn(2, 3).shape
    (2, 3)
    """
    return leaf(_draw(ops.normal, sizes(size), generator, dtype=dtype, device=device), requires_grad)


def randint(low: int, high: Any = None, size: Any = None, *, dtype: DType | None = None,
            device: Device | None = None, generator: _core.Generator | None = None) -> Tensor:
    """Returns integers from low, or 0, to high - 1, by default of int64: randint(high, size), randint(low, high, size).

    >>> bp.randint(0, 10, (2, 3)).dtype.name
    'int64'
    """
    if size is None or high is None:
        low, high, size = 0, low, high if size is None else size
    return _draw(ops.randint, size, generator, low=low, high=high, dtype=dtype or dtypes.int64, device=device)


def rand_like(x: Tensor, *, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False) -> Tensor:
    """Returns numbers that are uniform in [0, 1), of x's shape and by default of its dtype, a floating one, and on its
    device.

    >>> bp.rand_like(bp.ones((2, 3))).shape
    (2, 3)
    """
    return leaf(rand(x.shape, dtype=dtype or x.dtype, device=device or x.device), requires_grad)


def randn_like(x: Tensor, *, dtype: DType | None = None, device: Device | None = None, requires_grad: bool = False) -> Tensor:
    """Returns normal numbers of mean 0 and standard deviation 1, of x's shape and by default of its dtype, a floating one,
    and on its device.

    >>> bp.randn_like(bp.ones((2, 3))).shape
    (2, 3)
    """
    return leaf(randn(x.shape, dtype=dtype or x.dtype, device=device or x.device), requires_grad)
