# SPDX-License-Identifier: Apache-2.0
"""Parameters as one vector and back, and the clipping of gradients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _core, ops
from ..optim import clip_grad_norm_, clip_grad_value_

__all__ = ["clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    return ops.concat([_core.reshape(p, (-1,)) for p in parameters], axis=0)


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    at = 0
    for p in parameters:
        p.data = _core.reshape(_core.slice(vec.detach(), 0, at, at + p._numel, 1), p.shape)
        at += p._numel
