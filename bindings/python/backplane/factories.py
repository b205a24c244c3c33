# SPDX-License-Identifier: Apache-2.0
"""Tensors made in ways that the array API standard does not have; those that it has are in standard/creation.py."""

from __future__ import annotations

from typing import Any

from . import _core
from ._types import Device, DType, Shape
from .tensor import Tensor


def tensor(data: Any, *, dtype: DType | None = None, device: Device | None = None,
           pin_memory: bool = False, requires_grad: bool = False) -> Tensor:
    """Returns a copy of data, without what made it. asarray() shares memory where it can.

    >>> bp.tensor([1, 2, 3])
    tensor([1, 2, 3])
    """
    data = _core.detach(data) if isinstance(data, _core.TensorBase) else data
    t = _core.asarray(data, dtype, device, True)
    t = t.pin_memory() if pin_memory else t
    return t.requires_grad_() if requires_grad else t


def empty_pinned(shape: Shape, *, dtype: DType | None = None, device: Device) -> Tensor:
    """Returns a tensor in host memory that the device copies to and from beside the program's work (non_blocking=True).

    >>> bp.empty_pinned((2, 3), device=bp.gpu()).shape if bp.num_gpus() else (2, 3)
    (2, 3)
    """
    return _core.empty_pinned(shape, dtype, device)
