# SPDX-License-Identifier: Apache-2.0
"""Module, whose parameters are torch.Tensor's kind, and the classes derived from it."""

from __future__ import annotations

from typing import Any, ClassVar

from ... import nn
from ...nn.containers import CONTAINERS
from ...nn.kinds import classes
from ...nn.upsampling import UPSAMPLINGS
from .parameter import Parameter, UninitializedParameter


class Module(nn.Module):
    __doc__ = nn.Module.__doc__
    _parameter_class: Any = Parameter
    _lazy_class: Any = UninitializedParameter
    _is_torch = True
    _classes: ClassVar[dict[str, type]] = {}


Module.__module__ = "backplane.torch.nn"


def _beside(cls: Any) -> Any:
    return type(cls.__name__, (Module, cls), {"__module__": Module.__module__, "__doc__": cls.__doc__, "__init__": cls.__init__})


def torch_classes() -> dict[str, Any]:
    """Every class of backplane.nn, by name, with this Module as a base beside it."""
    made = {cls.__name__: _beside(cls) for cls in CONTAINERS + UPSAMPLINGS}
    made["TransformerEncoder"]._list_class = made["ModuleList"]
    return made | classes(Module, Module.__module__, {name: c for name, c in vars(nn).items() if isinstance(c, type)})
