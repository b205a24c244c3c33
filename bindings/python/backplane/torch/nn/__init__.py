# SPDX-License-Identifier: Apache-2.0
"""``torch.nn``: backplane.nn with PyTorch's tensors: parameters are torch.Tensor's kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import functional, init, utils
from .module import Module
from .module import torch_classes as _torch_classes
from .parameter import Parameter, UninitializedParameter
from . import parallel

globals().update(_torch_classes())

if TYPE_CHECKING:  # the classes that the library lists, such as Linear

    def __getattr__(name: str) -> Any: ...
