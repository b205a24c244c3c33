# SPDX-License-Identifier: Apache-2.0
"""Counts of elements by their values."""

from __future__ import annotations

import math
from typing import Any

from .. import _core, ops
from ..tensor import Tensor

__all__ = ["bincount", "histc"]


def bincount(input: Any, weights: Any = None, minlength: int = 0) -> Tensor:
    """How often each of 0, 1, .. max(input) is in input, a list of no negative integers; or the sums of their weights.

    >>> torch.bincount(torch.tensor([1, 3, 1]))
    tensor([0, 2, 0, 1])
    """
    return ops.bincount(input, weights, minlength=minlength)


def histc(input: Any, bins: int = 100, min: float = 0, max: float = 0, *, out: Any = None) -> Tensor:
    """How many elements lie in each of bins parts of [min, max], of which the last one has its end; where both are equal, from
    the least element to the largest. Elements outside, and NaN, are not counted.

    >>> torch.histc(torch.tensor([1.0, 2.0, 2.5, 3.0]), bins=2, min=1, max=3)
    tensor([1., 3.])
    """
    if input.dtype.kind != "f":
        raise NotImplementedError(f"\"histogram_cpu\" not implemented for '{input.dtype._title}'")
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    x = _core.reshape(input.detach(), (-1,))
    x = x.float() if x.dtype.itemsize < 4 else x
    low, high = float(min), float(max)
    if low == high and x._numel:
        low, high = float(ops.min(x)), float(ops.max(x))
    if low == high:
        low, high = low - 1, high + 1
    if not (math.isfinite(low) and math.isfinite(high)):
        raise RuntimeError(f"torch.histc: range of [{low:g}, {high:g}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    inside = ops.logical_and(ops.ge(x, low), ops.le(x, high))
    place = ops.minimum(ops.div(ops.mul(ops.sub(x, low), bins), high - low).long(), bins - 1)
    counts = ops.bincount(ops.where(inside, place, bins), None, minlength=bins + 1)
    counts = _core.narrow(counts, 0, 0, bins).to(input.dtype)
    return counts if out is None else out.copy_(counts)
