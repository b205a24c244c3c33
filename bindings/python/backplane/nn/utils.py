# SPDX-License-Identifier: Apache-2.0
"""Parameters as one vector and back, and the clipping of gradients."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _core, ops
from ..optim import clip_grad_norm_, clip_grad_value_

__all__ = ["clip_grad_norm_", "clip_grad_value_", "parameters_to_vector", "vector_to_parameters"]


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    """Returns all elements of the parameters, one after the other, in one dimension.

    >>> bp.nn.utils.parameters_to_vector(bp.nn.Linear(2, 3).parameters()).shape
    (9,)
    """
    return ops.concat([_core.reshape(p, (-1,)) for p in parameters], axis=0)


def vector_to_parameters(vec: Any, parameters: Iterable[Any]) -> None:
    """Gives the parameters the vector's elements, as parameters_to_vector made it.

    >>> layer = bp.nn.Linear(1, 1)
    >>> bp.nn.utils.vector_to_parameters(bp.asarray([2.0, 3.0]), layer.parameters())
    >>> layer.bias.item()
    3.0
    """
    at = 0
    for p in parameters:
        p.data = _core.reshape(_core.narrow(vec.detach(), 0, at, p._numel), p.shape)
        at += p._numel
