# SPDX-License-Identifier: Apache-2.0
"""Reductions whose arguments are not those of the op table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import ops
from ..tensor import Tensor


def deviation(name: str) -> Callable[..., Any]:
    """Tensor.var or Tensor.std: (unbiased), (dim, unbiased, keepdim) or (dim, correction=, keepdim=)."""
    op = getattr(ops, name)

    def method(self: Any, dim: Any = None, unbiased: bool | None = None, keepdim: bool = False, *,
               correction: float | None = None) -> Tensor:
        if isinstance(dim, bool) and unbiased is None:
            dim, unbiased = None, dim
        if isinstance(dim, bool) or not (unbiased is None or isinstance(unbiased, bool)) or None not in (unbiased, correction):
            raise TypeError(f"{name}() received an invalid combination of arguments: dim={dim!r}, unbiased={unbiased!r}, "
                            f"correction={correction!r}")
        correction = 1 if correction is None else correction
        return op(self, axis=dim, keepdims=keepdim, correction=correction if unbiased is None else int(unbiased))

    method.__name__ = name
    method.__doc__ = f"""{op.table_doc} Without a correction, or with unbiased=True, it is 1.

    >>> torch.tensor([1.0, 3.0]).{name}(unbiased=False)
    tensor(1.)
    """
    return method


def test(name: str) -> Callable[..., Any]:
    """Tensor.all or Tensor.any. No dimensions, dim=(), are reduced to a bool for each element; sums take them for all."""
    op = getattr(ops, name)

    def method(self: Any, dim: Any = None, keepdim: bool = False, *, out: Any = None) -> Tensor:
        if isinstance(dim, (tuple, list)) and not dim:
            return ops.ne(self, 0, out=out)
        return op(self, axis=dim, keepdims=keepdim, out=out)

    method.__name__ = name
    method.__doc__ = f"""{op.table_doc}

    >>> torch.tensor([[True, False]]).{name}(dim=1)
    tensor([{name == "any"}])
    """
    return method
