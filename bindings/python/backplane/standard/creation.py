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
    is shared where it can be. copy=True always copies, copy=False never does, and None copies where it must.

    >>> bp.asarray([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    return _core.asarray(obj, dtype, device, copy)


def _capsule_of(x: Any, where: tuple[int, int] | None, copy: builtins.bool | None) -> Any:
    """Returns x's capsule. A tensor on a device of DLPack's type for extensions refuses whoever does not say that it knows the
    device; a simulated one is known here."""
    if where is not None:
        return x.__dlpack__(max_version=(1, 0), copy=copy, dl_device=where)
    try:
        return x.__dlpack__(max_version=(1, 0), copy=copy)
    except BufferError:
        where = tuple(x.__dlpack_device__())
        if where[0] != 12:
            raise
        return x.__dlpack__(max_version=(1, 0), copy=copy, dl_device=where)


def from_dlpack(x: Any, /, *, device: Device | None = None, copy: builtins.bool | None = None) -> Tensor:
    """Returns a tensor over the memory of another library's array, or of its capsule. copy=True copies it, and so does another
    device.

    >>> import numpy
    >>> bp.from_dlpack(numpy.arange(3.0)).dtype.name
    'float64'
    """
    if isinstance(x, _core.TensorBase):
        return _core.as_class(x if not copy else _core.clone(x), Tensor).to(device=device)
    copied_here = copy
    if not hasattr(x, "__dlpack__"):
        capsule = x
    else:
        where = (1, 0) if device is not None and _core.device(device).type == "cpu" else None
        try:
            capsule, copied_here = _capsule_of(x, where, copy), None
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
    """Returns start, start + step and so on below stop, in one dimension; arange(n) begins at 0. Without a dtype whole
    numbers give int64, others the default dtype. A step of 0 raises InvalidArgumentError.

    >>> bp.arange(2, 8, 2)
    tensor([2, 4, 6])
    """
    if stop is None:
        start, stop = 0, start
    if step and (stop - start) / step < 0:
        zero = 0 if builtins.all(isinstance(n, Integral) for n in (start, stop, step)) else 0.0
        return leaf(_core.empty(0, dtype or ops.arange(zero, zero, 1).dtype, device), requires_grad)
    t = ops.arange(start, stop, step, dtype, device=device)
    return t.requires_grad_() if requires_grad else t


def empty(shape: Shape, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns a tensor of the shape whose elements are not set, by default of the default dtype. A negative size raises
    InvalidArgumentError.

    >>> bp.empty((2, 3)).shape
    (2, 3)
    """
    t = _core.empty(shape, dtype, device)
    return t.requires_grad_() if requires_grad else t


def zeros(shape: Shape, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns zeros of the shape, by default of the default dtype. A negative size raises InvalidArgumentError.

    >>> bp.zeros(3)
    tensor([0., 0., 0.])
    """
    t = _core.zeros(shape, dtype, device)
    return t.requires_grad_() if requires_grad else t


def ones(shape: Shape, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns ones of the shape, by default of the default dtype. A negative size raises InvalidArgumentError.

    >>> bp.ones(3, dtype=bp.int64)
    tensor([1, 1, 1])
    """
    t = _core.ones(shape, dtype, device)
    return t.requires_grad_() if requires_grad else t


def _beyond_int64(value: Number, dtype: Any) -> builtins.bool:
    return dtype is dtypes.uint64 and isinstance(value, (int, Tensor)) and int(value) >> 63 > 0


def full(shape: Shape, fill_value: Number, *, dtype: DType | None = None,
         device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns a tensor of the shape whose elements are fill_value; its dtype is int64, bool or the default one, as the
    value is.

    >>> bp.full((2,), 7)
    tensor([7, 7])
    """
    if _beyond_int64(fill_value, dtype):
        shape = [shape] if isinstance(shape, int) else shape
        return leaf(_core.contiguous(_core.expand(_core.asarray(fill_value, dtype, device, True), shape)), requires_grad)
    t = _core.full(shape, fill_value, dtype, device)
    return t.requires_grad_() if requires_grad else t


def empty_like(x: Tensor, /, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns a tensor of x's shape, and by default of its dtype and on its device, whose elements are not set.

    >>> bp.empty_like(bp.ones((2, 3))).shape
    (2, 3)
    """
    t = _core.empty_like(x, dtype, device)
    return t.requires_grad_() if requires_grad else t


def zeros_like(x: Tensor, /, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns zeros of x's shape, and by default of its dtype and on its device.

    >>> bp.zeros_like(bp.ones(2))
    tensor([0., 0.])
    """
    t = _core.zeros_like(x, dtype, device)
    return t.requires_grad_() if requires_grad else t


def ones_like(x: Tensor, /, *, dtype: DType | None = None, device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns ones of x's shape, and by default of its dtype and on its device.

    >>> bp.ones_like(bp.asarray([3, 4]))
    tensor([1, 1])
    """
    t = _core.ones_like(x, dtype, device)
    return t.requires_grad_() if requires_grad else t


def full_like(x: Tensor, /, fill_value: Number, *, dtype: DType | None = None,
              device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns a tensor of x's shape, and by default of its dtype and on its device, whose elements are fill_value.

    >>> bp.full_like(bp.ones(2), 0.5)
    tensor([0.5000, 0.5000])
    """
    if _beyond_int64(fill_value, x.dtype if dtype is None else dtype):
        return leaf(full(x.shape, fill_value, dtype=dtypes.uint64, device=x.device if device is None else device), requires_grad)
    t = _core.full_like(x, fill_value, dtype, device)
    return t.requires_grad_() if requires_grad else t


def eye(n_rows: int, n_cols: int | None = None, /, *, k: int = 0, dtype: DType | None = None,
        device: Device | None = None, requires_grad: builtins.bool = False) -> Tensor:
    """Returns zeros with ones on the k-th diagonal.

    >>> bp.eye(2, 3, k=1).tolist()
    [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    n_cols = n_rows if n_cols is None else n_cols
    if k == 0:
        t = _core.eye(n_rows, n_cols, dtype, device)
        return t.requires_grad_() if requires_grad else t
    out = _core.zeros((n_rows, n_cols), dtype, device)
    start = k if k > 0 else -k * n_cols
    length = builtins.max(0, builtins.min(n_rows, n_cols - k, n_rows + k, n_cols))
    if length:
        _core.fill_(_core.as_strided(out, (length,), (n_cols + 1,), start), 1)
    return leaf(out, requires_grad)


def linspace(start: float, stop: float, /, num: int, *, dtype: DType | None = None,
             device: Device | None = None, endpoint: builtins.bool = True, requires_grad: builtins.bool = False) -> Tensor:
    """Returns num numbers from start to stop, evenly spaced; with endpoint=False stop is left out.

    >>> bp.linspace(0, 1, 5)
    tensor([0.0000, 0.2500, 0.5000, 0.7500, 1.0000])
    """
    if endpoint:
        t = ops.linspace(start, stop, num, dtype, device=device)
        return t.requires_grad_() if requires_grad else t
    return leaf(ops.linspace(start, stop, num + 1, dtype=dtype, device=device)[:num], requires_grad)


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> tuple[Any, ...]:
    """Returns the coordinate matrices, which are views.

    >>> [m.tolist() for m in bp.meshgrid(bp.asarray([1, 2]), bp.asarray([3, 4]))]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
    """
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
    """Returns x, [..., M, N], with zeros above the k-th diagonal.

    >>> bp.tril(bp.ones((2, 2))).tolist()
    [[1.0, 0.0], [1.0, 1.0]]
    """
    return ops.tril(x, diagonal=k)


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Returns x, [..., M, N], with zeros below the k-th diagonal.

    >>> bp.triu(bp.ones((2, 2))).tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return ops.triu(x, diagonal=k)
