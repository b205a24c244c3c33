# SPDX-License-Identifier: Apache-2.0
"""What NumPy's elementwise functions do with tensors: np.exp(t), np.add(a, t), and so a + t of an array a, are the ops of that name, on the
tensor's device, and give tensors."""

from __future__ import annotations

from typing import Any

from . import _core, ops, standard
from .tensor import Tensor

# NumPy's names where the standard has others.
_RENAMED = {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2",
    "arctanh": "atanh", "conjugate": "conj", "invert": "bitwise_invert", "left_shift": "bitwise_left_shift", "power": "pow",
    "right_shift": "bitwise_right_shift", "rint": "round", "true_divide": "divide",
}  # fmt: skip
_OTHERWISE = {"matmul": ops.matmul}  # the standard's takes no arrays


_found: dict[Any, Any] = {}  # by NumPy's function


def _function(name: str) -> Any:
    if name in _OTHERWISE:
        return _OTHERWISE[name]
    name = _RENAMED.get(name, name)
    return vars(standard).get(name) or vars(ops).get(name)


def array_ufunc(self: Any, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """What Tensor.__array_ufunc__, which NumPy calls, does. Elementwise functions that the standard has are computed where the tensor is.
    Others, reductions such as np.add.reduce, and calls with where= or out= are NumPy's own, over the tensor's memory: they give
    arrays, and TypeError for a tensor that is not on the CPU.

        np.exp(bp.ones(2))   # a tensor"""
    out: Any = kwargs.get("out") or ()
    if method == "__call__" and (not kwargs or (not out and kwargs.keys() == {"out"})):
        f = _found.get(ufunc) or _found.setdefault(ufunc, _function(ufunc.__name__))
        if f is not None:
            for x in inputs:
                if isinstance(x, (list, tuple)):
                    inputs = tuple(_core.asarray(x, None, self.device, None) if isinstance(x, (list, tuple)) else x for x in inputs)
            return f(*inputs)
    arrays = [x.numpy() if isinstance(x, Tensor) else x for x in inputs]
    if out:
        kwargs["out"] = tuple(x.numpy() if isinstance(x, Tensor) else x for x in out)
    result = getattr(ufunc, method)(*arrays, **kwargs)
    return out[0] if len(out) == 1 else result


_core.set_ufuncs(_found, array_ufunc)
