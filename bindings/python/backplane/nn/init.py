# SPDX-License-Identifier: Apache-2.0
"""Initialisers, which set the values of parameters in place: PyTorch's torch.nn.init. The same seed gives the same values on
every device."""

from __future__ import annotations

from typing import Any

from .. import _core
from ..tensor import Tensor

__all__ = [
    "calculate_gain", "constant_", "eye_", "kaiming_normal_", "kaiming_uniform_", "normal_", "ones_", "orthogonal_",
    "trunc_normal_", "uniform_", "xavier_normal_", "xavier_uniform_", "zeros_",
]


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> Tensor:
    _core.init_uniform(tensor, a, b)
    return tensor


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> Tensor:
    _core.init_normal(tensor, mean, std)
    return tensor


def trunc_normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0) -> Tensor:
    _core.init_trunc_normal(tensor, mean, std, a, b)
    return tensor


def constant_(tensor: Any, val: float) -> Tensor:
    _core.init_constant(tensor, float(val))
    return tensor


def ones_(tensor: Any) -> Tensor:
    return constant_(tensor, 1.0)


def zeros_(tensor: Any) -> Tensor:
    return constant_(tensor, 0.0)


def eye_(tensor: Any) -> Tensor:
    _core.init_eye(tensor)
    return tensor


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Tensor:
    _core.init_xavier_uniform(tensor, gain)
    return tensor


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Tensor:
    _core.init_xavier_normal(tensor, gain)
    return tensor


def kaiming_uniform_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    _core.init_kaiming_uniform(tensor, a, mode, nonlinearity)
    return tensor


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    _core.init_kaiming_normal(tensor, a, mode, nonlinearity)
    return tensor


def orthogonal_(tensor: Any, gain: float = 1.0) -> Tensor:
    _core.init_orthogonal(tensor, gain)
    return tensor


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    return _core.init_gain(nonlinearity, 0.01 if param is None else float(param))
