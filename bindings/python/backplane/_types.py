# SPDX-License-Identifier: Apache-2.0
"""The names that signatures have for types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _core

if TYPE_CHECKING:
    from .tensor import Tensor

Real = bool | int | float
Number = Real | complex
Device = _core.device | str
DType = _core.dtype | type
Shape = int | Sequence[int]
Axis = int | Sequence[int] | None
Operand = Union["Tensor", Number]

__all__ = ["Any", "Axis", "DType", "Device", "Number", "Operand", "Real", "Sequence", "Shape"]
