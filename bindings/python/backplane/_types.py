"""Names of types in signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Sequence, Union

from . import _core

if TYPE_CHECKING:
    from .tensor import Tensor

Number = Union[bool, int, float]
Device = Union[_core.device, str]
DType = Union[_core.dtype, type]
Shape = Union[int, Sequence[int]]
Axis = Union[int, Sequence[int], None]
Operand = Union["Tensor", Number]

__all__ = ["Any", "Axis", "DType", "Device", "Number", "Operand", "Sequence", "Shape"]
