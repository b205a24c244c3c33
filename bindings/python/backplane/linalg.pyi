# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from collections.abc import Sequence
from typing import NamedTuple
from . import standard
from ._core import InvalidArgumentError as LinAlgError
from ._types import DType
from .standard import matmul, tensordot, vecdot
from .tensor import Tensor
__all__ = ['LinAlgError', 'cholesky', 'cond', 'cross', 'det', 'diagonal', 'eig', 'eigh', 'eigvals', 'eigvalsh', 'inv', 'lstsq', 'lu_factor', 'matmul', 'matrix_norm', 'matrix_power', 'matrix_rank', 'matrix_transpose', 'multi_dot', 'outer', 'pinv', 'qr', 'slogdet', 'solve', 'solve_triangular', 'svd', 'svdvals', 'tensordot', 'trace', 'vecdot', 'vector_norm']
Order = int | float | str

class EigResult(NamedTuple):
    """What eig returns.

    >>> bp.linalg.eig(bp.eye(2)).eigenvalues.shape
    (2,)
    """
    eigenvalues: Tensor
    eigenvectors: Tensor

class EighResult(NamedTuple):
    """What eigh returns.

    >>> bp.linalg.eigh(bp.eye(2)).eigenvalues
    tensor([1., 1.])
    """
    eigenvalues: Tensor
    eigenvectors: Tensor

class QRResult(NamedTuple):
    """What qr returns.

    >>> bp.linalg.qr(bp.ones((3, 2))).R.shape
    (2, 2)
    """
    Q: Tensor
    R: Tensor

class SlogdetResult(NamedTuple):
    """What slogdet returns.

    >>> bp.linalg.slogdet(bp.eye(2)).logabsdet
    tensor(0.)
    """
    sign: Tensor
    logabsdet: Tensor

class SVDResult(NamedTuple):
    """What svd returns.

    >>> bp.linalg.svd(bp.eye(2)).S
    tensor([1., 1.])
    """
    U: Tensor
    S: Tensor
    Vh: Tensor

class LstsqResult(NamedTuple):
    """What lstsq returns.

    >>> bp.linalg.lstsq(bp.eye(2), bp.ones((2, 1))).solution.tolist()
    [[1.0], [1.0]]
    """
    solution: Tensor
    residuals: Tensor
    rank: Tensor
    singular_values: Tensor

class LUResult(NamedTuple):
    """What lu_factor returns.

    >>> bp.linalg.lu_factor(bp.eye(2)).pivots.tolist()
    [1, 2]
    """
    LU: Tensor
    pivots: Tensor

def cholesky(x: Tensor, /, *, upper: bool=False) -> Tensor: ...

def lu_factor(x: Tensor, /) -> LUResult: ...

def qr(x: Tensor, /, *, mode: str='reduced') -> QRResult: ...

def svd(x: Tensor, /, *, full_matrices: bool=True) -> SVDResult: ...

def svdvals(x: Tensor, /) -> Tensor: ...

def eig(x: Tensor, /) -> EigResult: ...

def eigvals(x: Tensor, /) -> Tensor: ...

def eigh(x: Tensor, /) -> EighResult: ...

def eigvalsh(x: Tensor, /) -> Tensor: ...

def solve(x1: Tensor, x2: Tensor, /) -> Tensor: ...

def solve_triangular(x1: Tensor, x2: Tensor, /, *, upper: bool, left: bool=True, unitriangular: bool=False) -> Tensor: ...

def inv(x: Tensor, /) -> Tensor: ...

def lstsq(x1: Tensor, x2: Tensor, /, *, rcond: float | None=None) -> LstsqResult: ...

def pinv(x: Tensor, /, *, rtol: float | Tensor | None=None) -> Tensor: ...

def det(x: Tensor, /) -> Tensor: ...

def slogdet(x: Tensor, /) -> SlogdetResult: ...

def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None=None) -> Tensor: ...

def cond(x: Tensor, /, p: Order | None=None) -> Tensor: ...

def vector_norm(x: Tensor, /, *, axis: int | Sequence[int] | None=None, keepdims: bool=False, ord: int | float=2, dim: int | Sequence[int] | None=..., keepdim: bool=...) -> Tensor: ...

def matrix_norm(x: Tensor, /, *, keepdims: bool=False, ord: Order | None='fro', keepdim: bool=...) -> Tensor: ...

def cross(x1: Tensor, x2: Tensor, /, *, axis: int=-1, dim: int=...) -> Tensor: ...

def outer(x1: Tensor, x2: Tensor, /) -> Tensor: ...

def diagonal(x: Tensor, /, *, offset: int=0) -> Tensor: ...

def trace(x: Tensor, /, *, offset: int=0, dtype: DType | None=None) -> Tensor: ...

def matrix_power(x: Tensor, n: int, /) -> Tensor: ...

def matrix_transpose(x: Tensor, /) -> Tensor: ...

def multi_dot(tensors: Sequence[Tensor], /) -> Tensor: ...
