# SPDX-License-Identifier: Apache-2.0
"""Ops and methods as functions: torch.exp(x), torch.reshape(x, shape), torch.max(x, dim)."""

from __future__ import annotations

import sys
from typing import Any

from .. import ops, standard
from . import fft, sums
from .tensor import Tensor

# Ops that PyTorch knows under other names, with other arguments, or in another namespace.
_OTHER_THINGS = {"arange", "linspace", "cast", "copy", "fill", "uniform", "normal", "randint", "bernoulli", "one_hot", "take_along",
                 "im2col", "col2im", "interpolate", "interpolate_v2", "svd", "qr", "lstsq", "solve", "eigh", *fft.__all__}  # fmt: skip
_METHODS = """all any max min sort topk var std norm gather index_select clamp softmax log_softmax flip equal isclose allclose mm dot
mv bmm reshape permute transpose swapaxes t squeeze unsqueeze flatten ravel narrow select unbind split chunk diagonal numel clone
is_floating_point is_complex view_as_real view_as_complex"""
_RENAMED = {"true_divide": "div", "multiply": "mul", "divide": "div", "negative": "neg", "absolute": "abs",
            "greater": "gt", "less": "lt", "fix": "trunc", "sgn": "sign"}  # fmt: skip
_STANDARD = ("isfinite", "broadcast_to", "tile", "moveaxis")


def functions() -> dict[str, Any]:
    """Functions by name. A method of torch.Tensor goes before the op of the same name."""
    methods = vars(Tensor)
    found = {name: getattr(ops, name) for name in ops.__all__ if name not in _OTHER_THINGS and name not in methods}
    for name in map(sys.intern, _METHODS.split()):  # as names in code are: a lookup then compares pointers
        found.setdefault(name, getattr(Tensor, name))
    for name, op in _RENAMED.items():
        found.setdefault(name, getattr(ops, op))
    for name in ("real", "imag"):  # views, as Tensor's properties are; the ops copy
        found[name] = getattr(Tensor, name).fget
    found["subtract"] = sums.sub
    for name in _STANDARD:
        found.setdefault(name, getattr(standard, name))
    return found
