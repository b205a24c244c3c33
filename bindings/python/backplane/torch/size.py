# SPDX-License-Identifier: Apache-2.0
"""torch.Size: a shape, as PyTorch prints it."""

from __future__ import annotations

import math


class Size(tuple[int, ...]):
    """The shape of a tensor; numel() is the number of its elements.

    >>> torch.Size([2, 3]).numel()
    6
    """

    __slots__ = ()

    def numel(self) -> int:
        """The number of elements: the product of the sizes.

        >>> torch.Size([2, 3]).numel()
        6
        """
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"


Size.__module__ = "backplane.torch"
