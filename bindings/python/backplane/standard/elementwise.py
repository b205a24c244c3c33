# SPDX-License-Identifier: Apache-2.0
"""Elementwise functions. Most are ops of the table under the standard's names, whose operands have the standard's names."""

from __future__ import annotations

import sys

from .. import _core, ops
from .._types import Operand
from ..tensor import Tensor

__all__ = ["clip", "positive", "round", "sign"]

UNARY = """abs acos acosh asin asinh atan atanh bitwise_invert=bitwise_not ceil conj cos cosh exp expm1 floor imag isfinite
isinf isnan log log1p log2 log10 logical_not negative=neg real signbit sin sinh square sqrt reciprocal tan tanh trunc"""
BINARY = """add atan2 bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor copysign divide=div equal=eq
floor_divide greater=gt greater_equal=ge hypot less=lt less_equal=le logaddexp logical_and logical_or logical_xor maximum
minimum multiply=mul nextafter not_equal=ne pow remainder subtract=sub"""


def _take(names: str, *inputs: str) -> None:
    for entry in names.split():
        name, _, op = entry.partition("=")
        if hasattr(ops, op or name):
            name = sys.intern(name)  # as names in code are: a lookup then compares pointers
            globals()[name] = _core.renamed(getattr(ops, op or name), name, list(inputs))
            __all__.append(name)


_take(UNARY, "x")
_take(BINARY, "x1", "x2")
_take("where", "condition", "x1", "x2")


def positive(x: Tensor, /) -> Tensor:
    """Returns a copy of x.

    >>> bp.positive(bp.asarray([-1.0, 2.0]))
    tensor([-1.,  2.])
    """
    return _core.clone(x)


def round(x: Tensor, /) -> Tensor:
    """Rounds to the nearest whole number, halves to the even one. Of a complex number it rounds each part.

    >>> bp.round(bp.asarray([0.5, 1.5, -1.2]))
    tensor([ 0.,  2., -1.])
    """
    if not x.dtype.is_complex:
        return ops.round(x)
    return _core.view_as_complex(ops.round(_core.view_as_real(_core.contiguous(x))))


def sign(x: Tensor, /) -> Tensor:
    """Returns NaN for NaN, where ops.sign returns 0 as PyTorch does.

    >>> bp.sign(bp.asarray([-2.0, 0.0, 3.0]))
    tensor([-1.,  0.,  1.])
    """
    return ops.where(ops.isnan(x), x, ops.sign(x)) if x.dtype.is_floating_point else ops.sign(x)


def clip(x: Tensor, /, min: Operand | None = None, max: Operand | None = None) -> Tensor:
    """Returns x, limited to [min, max], in x's dtype.

    >>> bp.clip(bp.asarray([-2.0, 0.5, 2.0]), 0.0, 1.0)
    tensor([0.0000, 0.5000, 1.0000])
    """
    out = x if min is None else ops.maximum(x, min)
    out = out if max is None else ops.minimum(out, max)
    return _core.clone(x) if out is x else _core.to(out, None, x.dtype, False, False)
