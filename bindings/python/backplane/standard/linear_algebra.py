# SPDX-License-Identifier: Apache-2.0
"""Linear algebra of the main namespace."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .. import _core, ops
from ..keywords import plainly, with_both_names
from ..tensor import Tensor
from .data_types import result_type

__all__ = ["matmul", "tensordot", "vecdot"]


def tensordot(x1: Tensor, x2: Tensor, /, *, axes: int | Sequence[Sequence[int]] = 2) -> Tensor:
    """Returns the sum of products over the last axes of x1 and the first of x2, or over pairs of axes. Sizes that differ
    raise ValueError.

    >>> bp.tensordot(bp.ones((2, 3)), bp.ones((3, 4)), axes=1).shape
    (2, 4)
    """
    if isinstance(axes, int):
        if axes < 0:
            raise ValueError(f"tensordot expects dims >= 0, but got dims={axes}")
        axes = (range(x1.ndim - axes, x1.ndim), range(axes))
    inner1, inner2 = [a % x1.ndim for a in axes[0]], [a % x2.ndim for a in axes[1]]
    outer1 = [d for d in range(x1.ndim) if d not in inner1]
    outer2 = [d for d in range(x2.ndim) if d not in inner2]
    for a, b in zip(inner1, inner2, strict=False):
        if x1.shape[a] != x2.shape[b]:
            raise ValueError(f"sizes {x1.shape[a]} and {x2.shape[b]} of the contracted axes {a} and {b} differ")
    k = math.prod(x1.shape[a] for a in inner1)
    left = [x1.shape[d] for d in outer1]
    right = [x2.shape[d] for d in outer2]
    a = _core.reshape(_core.permute(x1, outer1 + inner1), (math.prod(left), k))
    b = _core.reshape(_core.permute(x2, inner2 + outer2), (k, math.prod(right)))
    t = result_type(x1, x2)
    return _core.reshape(ops.matmul(a.to(t), b.to(t)), left + right)


@plainly(ops.vecdot, "x1 x2 axis")
def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Returns the products of vectors along axis, of x1 conjugated; the other dimensions broadcast.

    >>> bp.vecdot(bp.asarray([1.0, 2.0]), bp.asarray([3.0, 4.0]))
    tensor(11.)
    """
    return ops.vecdot(x1, x2, axis)


def matmul(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Returns the matrix product: [..., M, K] times [..., K, N] is [..., M, N]; one dimension is a vector. Dtypes promote.
    Sizes that do not fit raise InvalidArgumentError, and numbers TypeError.

    >>> bp.matmul(bp.ones((2, 3)), bp.ones((3, 4))).shape
    (2, 4)
    """
    for name, x in (("x1", x1), ("x2", x2)):
        if not isinstance(x, _core.TensorBase):
            raise TypeError(f"matmul(): {name} must be a tensor, not {type(x).__name__}")
    if x1.dtype is not x2.dtype:
        t = result_type(x1, x2)
        x1, x2 = x1.to(t), x2.to(t)
    return ops.matmul(x1, x2)


with_both_names(globals())
