# SPDX-License-Identifier: Apache-2.0
"""PyTorch's old types: FloatTensor(2, 3) makes a tensor, 'torch.cuda.FloatTensor' names a dtype and a kind of device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _core
from ..dtypes import dtype
from .class_names import CLASS_NAMES, dtype_named
from .tensor import Tensor, of_data


def _legacy_class(dtype: dtype, kind: str) -> Callable[..., Tensor]:
    def make(*data: Any) -> Tensor:
        return of_data(dtype, kind, data)

    make.__name__ = make.__qualname__ = CLASS_NAMES[dtype]
    make.__doc__ = f"""Makes a tensor of {dtype.name} on {kind}: (2, 3) of that size, not set, ([1, 2]) of these numbers.

    >>> torch.{CLASS_NAMES[dtype]}([0, 1]).dtype.name
    {dtype.name!r}
    """
    vars(make).update(dtype=dtype, kind=kind)
    return make


def legacy_classes(kind: str) -> dict[str, Callable[..., Tensor]]:
    """FloatTensor and the others of that kind of device, by name."""
    return {name: _legacy_class(dtype, kind) for dtype, name in CLASS_NAMES.items()}


def set_default_tensor_type(t: Any) -> None:
    """Sets the default dtype and device by an old type or its name, such as 'torch.cuda.FloatTensor'.

    >>> torch.set_default_tensor_type("torch.FloatTensor")
    """
    if isinstance(t, str):
        if not t.startswith("torch."):
            raise TypeError(f"invalid type object: {t}")
        kind, dtype = t.split(".")[1] if t.count(".") == 2 else "cpu", dtype_named(t)
    else:
        kind, dtype = t.kind, t.dtype
    if not dtype.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    if kind != "cpu":
        _core.require(kind)
    _core.set_default_dtype(dtype)
    _core.set_default_device(None if kind == "cpu" else kind)
