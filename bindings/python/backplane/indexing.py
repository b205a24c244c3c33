# SPDX-License-Identifier: Apache-2.0
"""What x[key] takes beside numbers, slices, None, Ellipsis and tensors: lists, arrays and bools, which become tensors here.

The rules are PyTorch's, which are NumPy's with one exception: a number takes its dimension away before the arrays are
looked at. Arrays give copies."""

from __future__ import annotations

from typing import Any

from . import _core, dtypes


def as_index(key: Any) -> Any:
    """Returns the key as a tensor on the CPU, where an index may lie whatever the tensor's device is."""
    if type(key).__name__ in ("bool", "bool_"):  # of Python and of NumPy
        return _core.asarray(bool(key), None, "cpu", None)
    if isinstance(key, (str, bytes)) or not hasattr(key, "__len__"):
        raise IndexError("only integers, slices (`:`), ellipsis (`...`), None and arrays of integers or bools are valid indices "
                         f"(got {type(key).__name__})")
    if isinstance(key, (list, tuple)) and not key:
        return _core.empty(0, dtypes.int64, "cpu")
    return _core.asarray(key, None, "cpu", None)


_core.set_indexing(as_index)
