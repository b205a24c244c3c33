"""Products whose operands do not come first."""

from __future__ import annotations

from typing import Sequence, Union

from . import ops
from .tensor import Tensor


def einsum(equation: str, *operands: Union[Tensor, Sequence[Tensor]]) -> Tensor:
    """``einsum("bij,bjk->bik", x, y)``: see ops.einsum; the operands may be one list."""
    single = len(operands) == 1 and not isinstance(operands[0], Tensor)
    return ops.einsum(operands[0] if single else operands, equation=equation)
