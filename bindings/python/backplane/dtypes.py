# SPDX-License-Identifier: Apache-2.0
"""The dtypes, and what the array API standard says about them."""

from __future__ import annotations

import builtins
from dataclasses import dataclass
from typing import Any

from . import _core

__all__ = [
    "bfloat16",
    "bool",
    "complex64",
    "complex128",
    "dtype",
    "finfo",
    "float16",
    "float32",
    "float64",
    "iinfo",
    "int8",
    "int16",
    "int32",
    "int64",
    "isdtype",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]  # fmt: skip

dtype = _core.dtype
(bool, uint8, int8, uint16, int16, uint32, int32, uint64, int64,
 float16, bfloat16, float32, float64, complex64, complex128) = _core.dtypes  # fmt: skip

_KINDS = {
    "bool": "b",
    "signed integer": "i",
    "unsigned integer": "u",
    "integral": "iu",
    "real floating": "f",
    "complex floating": "c",
    "numeric": "iufc",
}
Kind = dtype | str | tuple[dtype | str, ...]


def isdtype(dtype: dtype, kind: Kind) -> builtins.bool:
    """True when dtype is of a kind: a dtype, a name such as 'real floating', or one of a tuple of them.

    >>> bp.isdtype(bp.float32, "real floating")
    True
    """
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if not isinstance(kind, str):
        return dtype == kind
    letters = _KINDS.get(kind)
    if letters is None:
        raise ValueError(f"unrecognized data type kind: {kind!r}; the kinds are {', '.join(_KINDS)}")
    try:
        return dtype.kind in letters
    except (AttributeError, TypeError):  # it is no dtype of ours, but names one
        return _core.as_dtype(dtype).kind in letters


@dataclass(frozen=True)
class iinfo_object:
    """Limits of an integer dtype."""

    bits: int
    max: int
    min: int
    dtype: dtype


@dataclass(frozen=True)
class finfo_object:
    """Limits of a floating dtype."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: dtype

    @property
    def tiny(self) -> float:
        return self.smallest_normal


def _dtype_of(type: Any) -> dtype:
    """Returns the dtype of an array, or that which type is or names."""
    if isinstance(type, _core.dtype):
        return type
    return _core.as_dtype(type if isinstance(type, builtins.type) else getattr(type, "dtype", type))


NAMES = frozenset(home + t.name for t in _core.dtypes for home in ("", "backplane.", "torch."))  # in strings


def iinfo(type: Any, /) -> iinfo_object:
    """Returns the limits of an integer dtype, or of a tensor's; another one raises TypeError.

    >>> bp.iinfo(bp.int8).max
    127
    """
    t = _dtype_of(type)
    if t.kind not in "iu":
        raise TypeError(f"iinfo() is of integer dtypes, got {t!r}; use finfo()")
    bits = 8 * t.itemsize
    if t.kind == "u":
        return iinfo_object(bits, 2**bits - 1, 0, t)
    return iinfo_object(bits, 2 ** (bits - 1) - 1, -(2 ** (bits - 1)), t)


def finfo(type: Any, /) -> finfo_object:
    """Returns the limits of a floating dtype, or of a tensor's; a complex one has those of its parts, and another raises
    TypeError.

    >>> bp.finfo(bp.float32).bits
    32
    """
    t = _dtype_of(type)
    if t.kind == "c":
        t = float32 if t is complex64 else float64
    if t.kind != "f":
        raise TypeError(f"finfo() is of floating dtypes, got {t!r}; use iinfo()")
    epsilon, largest, smallest_normal = _core.dtype_limits(t)
    return finfo_object(8 * t.itemsize, epsilon, largest, -largest, smallest_normal, t)
