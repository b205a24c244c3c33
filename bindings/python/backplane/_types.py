# SPDX-License-Identifier: Apache-2.0
"""The names that signatures have for types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol, Union

from . import _core

if TYPE_CHECKING:
    from .tensor import Tensor


class NamedDType(Protocol):
    """A dtype of NumPy's."""

    @property
    def name(self) -> str: ...


Real = bool | int | float
Number = Real | complex
Device = _core.device | str
DType = Union[_core.dtype, type, str, "NamedDType"]
Shape = int | Sequence[int]
Axis = int | Sequence[int] | None
Operand = Union["Tensor", Number]

__all__ = ["Any", "Axis", "DType", "Device", "Number", "Operand", "Real", "Sequence", "Shape"]
