# SPDX-License-Identifier: Apache-2.0
"""Modules: parts of models, with the tensors that they learn.

    net = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)).to("cuda")
    loss = nn.CrossEntropyLoss()(net(images), labels)
    loss.backward()

Names, shapes and results are PyTorch's. A module is moved in place: its parameters stay the same objects on every device.
Each kind of module in the library is a class here. A Module of your own has __init__ and forward."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import functional, init, utils
from .containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential, TransformerEncoder
from .kinds import BuiltIn
from .kinds import classes as _classes
from .module import Module
from .parameter import Parameter, UninitializedParameter
from .upsampling import Upsample, UpsamplingBilinear2d, UpsamplingNearest2d

globals().update(_classes(Module, __name__))

if TYPE_CHECKING:  # the classes that the library lists, such as Linear

    def __getattr__(name: str) -> Any: ...
