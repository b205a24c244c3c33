"""Products whose operands do not come first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import ops
from .tensor import Tensor


def einsum(equation: str, *operands: Tensor | Sequence[Tensor]) -> Tensor:
    """``einsum("bij,bjk->bik", x, y)``: see ops.einsum; operands may be lists of them."""
    tensors: list[Any] = []
    for operand in operands:
        tensors += [operand] if isinstance(operand, Tensor) else operand
    return ops.einsum(tensors, equation=equation)
