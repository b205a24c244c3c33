# SPDX-License-Identifier: Apache-2.0
"""``torch.optim``: backplane.optim, under PyTorch's path. Its optimisers take the parameters of both namespaces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...optim import CLASSES, Optimizer, ParamGroup, clip_grad_norm_, clip_grad_value_
from . import lr_scheduler

globals().update(CLASSES)

if TYPE_CHECKING:  # the classes that the library lists, such as SGD

    def __getattr__(name: str) -> Any: ...
