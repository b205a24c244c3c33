"""Modules: parts of models, with the tensors they learn.

    net = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10)).to("cuda")
    loss = nn.CrossEntropyLoss()(net(images), labels)
    loss.backward()

Names, shapes and results are PyTorch's. A module is moved in place: its parameters stay the same objects, on every device.
Each kind that the library has is a class here; a Module of your own has __init__ and forward."""

from __future__ import annotations

from . import functional, init, utils  # noqa: F401
from .containers import ModuleDict, ModuleList, ParameterDict, ParameterList, Sequential, TransformerEncoder  # noqa: F401
from .kinds import BuiltIn, classes
from .module import Module
from .parameter import Parameter, UninitializedParameter  # noqa: F401

globals().update(classes(Module, __name__))
BuiltIn._own_forward = Module.forward  # type: ignore[attr-defined]
