# SPDX-License-Identifier: Apache-2.0
"""torch.compile."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .. import programs


def compile(model: Callable[..., Any] | None = None, *, fullgraph: bool = False, dynamic: bool | None = None,
            backend: str | Callable[..., Any] = "inductor", mode: str | None = None, options: dict[str, Any] | None = None,
            disable: bool = False) -> Any:  # fmt: skip
    """``backplane.compile`` with PyTorch's arguments: the calls of a function, a module or a training step are recorded once and
    run again. There is one program for each signature, so that ``dynamic``, ``backend``, ``mode`` and ``options`` decide nothing.

    >>> f = torch.compile(lambda x: torch.exp(x) + 1)
    >>> f(torch.zeros(2))
    tensor([2., 2.])
    """
    if model is None:
        return functools.partial(compile, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options,
                                 disable=disable)  # fmt: skip
    return model if disable else programs.compile(model, fullgraph=fullgraph)
