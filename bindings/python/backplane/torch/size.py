# SPDX-License-Identifier: Apache-2.0
"""torch.Size: a shape, as PyTorch prints it."""

from __future__ import annotations

import math


class Size(tuple[int, ...]):
    """The shape of a tensor; numel() is the number of its elements."""

    __slots__ = ()

    def numel(self) -> int:
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"


Size.__module__ = "backplane.torch"
