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
    """Fills the tensor with numbers that are uniform in [a, b), and returns it.

    >>> bp.nn.init.uniform_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_uniform(tensor, a, b)
    return tensor


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> Tensor:
    """Fills the tensor with normal numbers of that mean and standard deviation, and returns it.

    >>> bp.nn.init.normal_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_normal(tensor, mean, std)
    return tensor


def trunc_normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0) -> Tensor:
    """Fills the tensor with normal numbers that lie in [a, b], and returns it.

    >>> bp.nn.init.trunc_normal_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_trunc_normal(tensor, mean, std, a, b)
    return tensor


def constant_(tensor: Any, val: float) -> Tensor:
    """Fills the tensor with the number, and returns it.

    >>> bp.nn.init.constant_(bp.empty(2), 3)
    tensor([3., 3.])
    """
    _core.init_constant(tensor, float(val))
    return tensor


def ones_(tensor: Any) -> Tensor:
    """Fills the tensor with ones, and returns it.

    >>> bp.nn.init.ones_(bp.empty(2))
    tensor([1., 1.])
    """
    return constant_(tensor, 1.0)


def zeros_(tensor: Any) -> Tensor:
    """Fills the tensor with zeros, and returns it.

    >>> bp.nn.init.zeros_(bp.empty(2))
    tensor([0., 0.])
    """
    return constant_(tensor, 0.0)


def eye_(tensor: Any) -> Tensor:
    """Makes the matrix the identity, and returns it. Another number of dimensions raises an error.

    >>> bp.nn.init.eye_(bp.empty((2, 2))).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    _core.init_eye(tensor)
    return tensor


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Tensor:
    """Fills the weight, of two dimensions or more, with numbers uniform in +- gain sqrt(6 / (fan in + fan out)) (Glorot and
    Bengio 2010).

    >>> bp.nn.init.xavier_uniform_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_xavier_uniform(tensor, gain)
    return tensor


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Tensor:
    """Fills the weight, of two dimensions or more, with normal numbers of deviation gain sqrt(2 / (fan in + fan out))
    (Glorot and Bengio 2010).

    >>> bp.nn.init.xavier_normal_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_xavier_normal(tensor, gain)
    return tensor


def kaiming_uniform_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    """Fills the weight, of two dimensions or more, with numbers uniform in +- gain sqrt(3 / fan); mode says which fan (He
    et al. 2015).

    >>> bp.nn.init.kaiming_uniform_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_kaiming_uniform(tensor, a, mode, nonlinearity)
    return tensor


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Tensor:
    """Fills the weight, of two dimensions or more, with normal numbers of deviation gain / sqrt(fan); mode says which fan
    (He et al. 2015).

    >>> bp.nn.init.kaiming_normal_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_kaiming_normal(tensor, a, mode, nonlinearity)
    return tensor


def orthogonal_(tensor: Any, gain: float = 1.0) -> Tensor:
    """Makes the weight's rows or columns orthogonal and of length gain (Saxe et al. 2013), and returns it.

    >>> bp.nn.init.orthogonal_(bp.empty((2, 3))).shape
    (2, 3)
    """
    _core.init_orthogonal(tensor, gain)
    return tensor


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """Returns the gain that is recommended for a nonlinearity, whose parameter is a leaky ReLU's slope. Another name raises
    ValueError.

    >>> bp.nn.init.calculate_gain("tanh")
    1.6666666666666667
    """
    return _core.init_gain(nonlinearity, 0.01 if param is None else float(param))
