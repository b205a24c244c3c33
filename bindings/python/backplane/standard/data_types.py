# SPDX-License-Identifier: Apache-2.0
"""Data type functions. finfo, iinfo and isdtype are in dtypes.py."""

from __future__ import annotations

import builtins

from .. import _core, dtypes, ops
from .._types import Device, DType, Number
from ..tensor import Tensor

__all__ = ["astype", "can_cast", "result_type"]


def astype(x: Tensor, dtype: DType, /, *, copy: builtins.bool = True, device: Device | None = None) -> Tensor:
    """Returns x in the dtype, and on the device where one is given; with copy=False x itself where nothing changes. From
    floating to whole numbers values are cut off towards zero.

    >>> bp.astype(bp.asarray([1.9, -1.9]), bp.int64)
    tensor([ 1, -1])
    """
    return _core.to(x, device, dtype, copy, False)


def result_type(*arrays_and_dtypes: Tensor | Number | dtypes.dtype) -> dtypes.dtype:
    """Returns the dtype of an op of all these.

    >>> bp.result_type(bp.int32, bp.float32).name
    'float32'
    """
    numbers = [x for x in arrays_and_dtypes if isinstance(x, (bool, int, float, complex))]
    found = []
    for x in arrays_and_dtypes:
        if isinstance(x, dtypes.dtype):
            found.append(_core.empty(0, x, "cpu"))
        elif isinstance(x, _core.TensorBase):
            found.append(_core.empty(0, x.dtype, "cpu"))
    if not found:
        raise ValueError("at least one array or dtype is required")
    result = found[0]
    for x in found[1:] + numbers:
        result = ops.where(_core.empty(0, dtypes.bool, "cpu"), result, x)
    return result.dtype


def can_cast(from_: Tensor | dtypes.dtype, to: dtypes.dtype, /) -> bool:
    """Returns whether `to` is what the two promote to.

    >>> bp.can_cast(bp.int32, bp.int64), bp.can_cast(bp.float32, bp.int32)
    (True, False)
    """
    source = getattr(from_, "dtype", from_)
    try:
        return result_type(source, to) is to
    except _core.Error:
        return False
