# SPDX-License-Identifier: Apache-2.0
"""The tensors that modules learn."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from .. import _core
from ..tensor import Tensor

if TYPE_CHECKING:
    from typing_extensions import Self


class ParameterMethods:
    """What a Parameter has beside a Tensor's methods."""

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: builtins.bool = True) -> Self:
        if data is None:
            data = _core.empty((0,), None, None)
        t = _core.as_class(_core.detach(data), cls)
        return t.requires_grad_() if requires_grad else t

    @property
    def data(self) -> Tensor:
        """The same data, without what made it. Assigning gives the parameter other data; it stays the same object.

        >>> bp.nn.Parameter(bp.ones(2)).data.requires_grad
        False
        """
        return _core.detach(self)

    @data.setter
    def data(self, value: Any) -> None:
        _core.set_data(self, value)

    def __repr__(self) -> str:
        if _core.is_uninitialized(self):
            return "<UninitializedParameter>"
        return "Parameter containing:\n" + super().__repr__()


class Parameter(ParameterMethods, Tensor):
    """A tensor that requires a gradient and is a parameter of the module it is assigned to.

    >>> bp.nn.Parameter(bp.ones(2)).requires_grad
    True
    """

    __slots__ = ()
    __hash__ = Tensor.__hash__


class UninitializedParameter(Parameter):
    """The parameter of a lazy module, until the module's first input.

    >>> isinstance(bp.nn.LazyLinear(2).weight, bp.nn.UninitializedParameter)
    True
    """

    __slots__ = ()


_core.add_parameter_class(Parameter)
