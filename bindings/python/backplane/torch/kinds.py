# SPDX-License-Identifier: Apache-2.0
"""A module for each kind of device, such as torch.cuda: backplane's module of the kind, and the old types on it."""

from __future__ import annotations

from .._core import OutOfMemoryError
from ..kinds import KindModule, module_of
from .legacy import legacy_classes


def torch_module_of(kind: str) -> KindModule:
    module = module_of(kind, "backplane.torch")
    vars(module).update(legacy_classes(kind), OutOfMemoryError=OutOfMemoryError)
    return module
