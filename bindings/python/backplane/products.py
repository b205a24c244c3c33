# SPDX-License-Identifier: Apache-2.0
"""The product whose operands are not its first arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import ops
from .tensor import Tensor


def einsum(equation: str, *operands: Tensor | Sequence[Tensor]) -> Tensor:
    """Computes ops.einsum of operands, or of lists of them: ``einsum("bij,bjk->bik", x, y)``.

    >>> bp.einsum("ij,jk->ik", bp.ones((2, 3)), bp.ones((3, 4))).shape
    (2, 4)
    """
    tensors: list[Any] = []
    for operand in operands:
        tensors += [operand] if isinstance(operand, Tensor) else operand
    return ops.einsum(tensors, equation=equation)
