"""backplane.torch.nn: backplane.nn with PyTorch's tensors: parameters are torch.Tensor's kind. Imported by backplane.torch."""

from __future__ import annotations

import sys
from typing import Any

from . import _core, nn
from .nn import functional, init, utils  # noqa: F401
from .nn.containers import CONTAINERS
from .nn.kinds import classes
from .nn.parameter import ParameterMethods
from .torch import Tensor

_NAME = "backplane.torch.nn"


class Parameter(ParameterMethods, Tensor):
    """A tensor that requires a gradient and is a parameter of the module it is assigned to."""

    __slots__ = ()
    __hash__ = Tensor.__hash__


class UninitializedParameter(Parameter):
    """Of a lazy module, until its first input."""

    __slots__ = ()


_core.add_parameter_class(Parameter)


class Module(nn.Module):
    __doc__ = nn.Module.__doc__
    _parameter_class: Any = Parameter
    _lazy_class: Any = UninitializedParameter
    _is_torch = True
    _classes: dict = {}


def _beside(cls: Any) -> Any:
    return type(cls.__name__, (Module, cls), {"__module__": _NAME, "__doc__": cls.__doc__, "__init__": cls.__init__})


globals().update({cls.__name__: _beside(cls) for cls in CONTAINERS})
globals().update(classes(Module, _NAME, {name: c for name, c in vars(nn).items() if isinstance(c, type)}))
globals()["TransformerEncoder"]._list_class = globals()["ModuleList"]
Parameter.__module__ = Module.__module__ = _NAME
sys.modules.update({_NAME: sys.modules[__name__], f"{_NAME}.functional": functional, f"{_NAME}.init": init, f"{_NAME}.utils": utils})
