# SPDX-License-Identifier: Apache-2.0
"""Creation functions."""

from __future__ import annotations

import builtins
from numbers import Integral
from typing import Any

from .. import _core, dtypes, ops
from .._types import Device, DType, Number, Real, Shape
from ..tensor import Tensor

__all__ = [
    "arange", "asarray", "empty", "empty_like", "eye", "from_dlpack", "full", "full_like", "linspace", "meshgrid", "ones",
    "ones_like", "tril", "triu", "zeros", "zeros_like",
]


def leaf(t: Tensor, requires_grad: builtins.bool) -> Tensor:
    """Returns t, which is new, as a leaf that requires a gradient or none."""
    return t.requires_grad_() if requires_grad else t


def asarray(obj: Any, /, *, dtype: DType | None = None, device: Device | None = None,
            copy: builtins.bool | None = None) -> Tensor:
    """Returns a tensor of numbers, nested lists, a tensor, or anything with a buffer, such as a NumPy array, whose memory
    is shared where it can be. copy=True always copies, copy=False never does, and None copies where it must."""
    return _core.asarray(obj, dtype, device, copy)


def _known_extension(x: Any) -> dict[str, Any]:
    """Returns what tells a tensor on a device of DLPack's type for extensions that it is understood: a simulated one is."""
    place = x.__dlpack_device__() if hasattr(x, "__dlpack_device__") else (0, 0)
    return {"dl_device": tuple(place)} if place[0] == 12 else {}


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: builtins.bool | None = None) -> Tensor:
    """Returns a tensor over the memory of another library's array, or of its capsule. copy=True copies it, and so does another
    device."""
    if isinstance(x, _core.TensorBase):
        return _core.as_class(x if not copy else _core.clone(x), Tensor).to(device=device)
    host: Any = {"dl_device": (1, 0)} if device is not None and _core.device(device).type == "cpu" else _known_extension(x)
    copied_here = copy
    if not hasattr(x, "__dlpack__"):
        capsule = x
    else:
        try:
            capsule, copied_here = x.__dlpack__(max_version=(1, 0), copy=copy, **host), None
        except TypeError:  # the library is older than DLPack 1.0
            capsule = x.__dlpack__()
    t = _core.from_dlpack(capsule)
    if copied_here:
        t = _core.clone(t)
    if device is None:
        return t
    moved = _core.to(t, device, None, False, False)
    if moved is not t and copy is False:
        raise ValueError("another device needs a copy, and copy=False was asked for")
    return moved


def arange(start: Real, /, stop: Real | None = None, step: Real = 1, *, dtype: DType | None = None,
           device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    if stop is None:
        start, stop = 0, start
    if step and (stop - start) / step < 0:
        zero = 0 if builtins.all(isinstance(n, Integral) for n in (start, stop, step)) else 0.0
        return leaf(_core.empty(0, dtype or ops.arange(zero, zero, 1).dtype, device), requires_grad)
    return leaf(ops.arange(start, stop, step, dtype=dtype, device=device), requires_grad)


def empty(shape: Shape, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    return leaf(_core.empty(shape, dtype, device), requires_grad)


def zeros(shape: Shape, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    return leaf(_core.zeros(shape, dtype, device), requires_grad)


def ones(shape: Shape, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    return leaf(_core.ones(shape, dtype, device), requires_grad)


def _beyond_int64(value: Number, dtype: Any) -> builtins.bool:
    return dtype is dtypes.uint64 and isinstance(value, (int, Tensor)) and int(value) >> 63 > 0


def full(shape: Shape, fill_value: Number, *, dtype: DType | None = None,
         device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    if _beyond_int64(fill_value, dtype):
        shape = [shape] if isinstance(shape, int) else shape
        return leaf(_core.contiguous(_core.expand(_core.asarray(fill_value, dtype, device, True), shape)), requires_grad)
    return leaf(_core.full(shape, fill_value, dtype, device), requires_grad)


def empty_like(x: Tensor, /, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    return leaf(_core.empty_like(x, dtype, device), requires_grad)


def zeros_like(x: Tensor, /, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    return leaf(_core.zeros_like(x, dtype, device), requires_grad)


def ones_like(x: Tensor, /, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    return leaf(_core.ones_like(x, dtype, device), requires_grad)


def full_like(x: Tensor, /, fill_value: Number, *, dtype: DType | None = None,
              device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    if _beyond_int64(fill_value, x.dtype if dtype is None else dtype):
        return leaf(full(x.shape, fill_value, dtype=dtypes.uint64, device=x.device if device is None else device), requires_grad)
    return leaf(_core.full_like(x, fill_value, dtype, device), requires_grad)


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DType | None = None,
        device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns zeros with ones on the k-th diagonal."""
    n_cols = n_rows if n_cols is None else n_cols
    if k == 0:
        return leaf(_core.eye(n_rows, n_cols, dtype, device), requires_grad)
    out = _core.zeros((n_rows, n_cols), dtype, device)
    start = k if k > 0 else -k * n_cols
    length = builtins.max(0, builtins.min(n_rows, n_cols - k, n_rows + k, n_cols))
    if length:
        _core.fill_(_core.as_strided(out, (length,), (n_cols + 1,), start), 1)
    return leaf(out, requires_grad)


def linspace(start: float, stop: float, /, num: int, *, dtype: DType | None = None,
             device: Device | None = None, endpoint: builtins.bool = True, requires_grad: builtins.bool = False) -> Tensor:
    if endpoint:
        return leaf(ops.linspace(start, stop, num, dtype=dtype, device=device), requires_grad)
    return leaf(ops.linspace(start, stop, num + 1, dtype=dtype, device=device)[:num], requires_grad)


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> tuple[Any, ...]:
    """Returns the coordinate matrices, which are views."""
    if indexing not in ("xy", "ij"):
        raise ValueError(f"indexing must be 'xy' or 'ij', not {indexing!r}")
    n = len(arrays)
    order = list(range(n))
    if indexing == "xy" and n > 1:
        order[:2] = [1, 0]
    shape = tuple(arrays[i].numel() for i in order)
    return tuple(_core.expand(_core.reshape(a, [a.numel() if order[d] == i else 1 for d in range(n)]), shape)
                 for i, a in enumerate(arrays))


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    return ops.tril(x, diagonal=k)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    return ops.triu(x, diagonal=k)
