# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from collections.abc import Sequence
from ..tensor import Tensor
__all__ = ['matmul', 'tensordot', 'vecdot']

def tensordot(x1: Tensor, x2: Tensor, /, *, axes: int | Sequence[Sequence[int]]=2, dim: int | Sequence[Sequence[int]]=...) -> Tensor: ...

def vecdot(x1: Tensor, x2: Tensor, /, *, axis: int=-1, dim: int=...) -> Tensor: ...

def matmul(x1: Tensor, x2: Tensor, /) -> Tensor: ...
