# SPDX-License-Identifier: Apache-2.0
"""Parameters that are torch.Tensor's kind."""

from __future__ import annotations

from ... import _core
from ...nn.parameter import ParameterMethods
from ..tensor import Tensor


class Parameter(ParameterMethods, Tensor):
    """A tensor that requires a gradient and is a parameter of the module it is assigned to.

    >>> torch.nn.Parameter(torch.ones(2)).requires_grad
    True
    """

    __slots__ = ()
    __hash__ = Tensor.__hash__


class UninitializedParameter(Parameter):
    """The parameter of a lazy module, until the module's first input.

    >>> isinstance(torch.nn.LazyLinear(2).weight, torch.nn.UninitializedParameter)
    True
    """

    __slots__ = ()


Parameter.__module__ = UninitializedParameter.__module__ = "backplane.torch.nn"
_core.add_parameter_class(Parameter)
