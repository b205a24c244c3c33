# SPDX-License-Identifier: Apache-2.0
"""Inspection: the devices, the dtypes and the capabilities."""

from __future__ import annotations

from typing import Any

from .. import _core, dtypes
from .._types import Device

__all__ = ["__array_namespace_info__"]


class _Info:
    """The object that __array_namespace_info__ returns."""

    def capabilities(self) -> dict[str, Any]:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> _core.device:
        return _core.get_default_device()

    def default_dtypes(self, *, device: Device | None = None) -> dict[str, Any]:
        floating = _core.get_default_dtype()
        return {
            "real floating": floating,
            "complex floating": dtypes.complex128 if floating is dtypes.float64 else dtypes.complex64,
            "integral": dtypes.int64,
            "indexing": dtypes.int64,
        }

    def dtypes(self, *, device: Device | None = None, kind: Any = None) -> dict[str, Any]:
        standard = [t for t in _core.dtypes if t.kind != "f" or t.itemsize >= 4]
        return {t.name: t for t in standard if kind is None or dtypes.isdtype(t, kind)}

    def devices(self) -> tuple[Any, ...]:
        found = [_core.device("cpu")]
        for kind in _core.kinds():
            if kind != "cpu":
                found += [_core.device(kind, i) for i in range(_core.device_count(kind))]
        return tuple(found)


def __array_namespace_info__() -> _Info:
    """Returns what the array API standard asks about devices, dtypes and capabilities.

    >>> bp.__array_namespace_info__().default_dtypes()["integral"].name
    'int64'
    """
    return _Info()
