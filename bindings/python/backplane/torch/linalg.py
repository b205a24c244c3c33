# SPDX-License-Identifier: Apache-2.0
"""``torch.linalg``: backplane.linalg with PyTorch's names, arguments and defaults."""

from __future__ import annotations

from collections.abc import Sequence

from .. import _core, linalg, ops
from .._types import DType
from ..linalg import (
    EighResult,
    EigResult,
    LinAlgError,
    LstsqResult,
    LUResult,
    QRResult,
    SlogdetResult,
    SVDResult,
    cond,
    det,
    eig,
    eigvals,
    inv,
    lu_factor,
    matmul,
    matrix_power,
    multi_dot,
    slogdet,
    solve_triangular,
    svdvals,
)  # fmt: skip
from ..tensor import Tensor

__all__ = [
    "EigResult", "EighResult", "LUResult", "LinAlgError", "LstsqResult", "QRResult", "SVDResult", "SlogdetResult", "cholesky",
    "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "lu", "lu_factor", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve", "solve_triangular", "svd",
    "svdvals", "vander", "vecdot", "vector_norm",
]

Order = int | float | str | None
Dim = int | Sequence[int] | None


def _as(x: Tensor, dtype: DType | None) -> Tensor:
    return x if dtype is None else x.to(dtype)


# ---- norms -----------------------------------------------------------------------------------------------------------


def vector_norm(x: Tensor, ord: int | float = 2, dim: Dim = None, keepdim: bool = False, *,
                dtype: DType | None = None) -> Tensor:
    return linalg.vector_norm(_as(x, dtype), axis=dim, keepdims=keepdim, ord=ord)


def matrix_norm(A: Tensor, ord: int | float | str = "fro", dim: Sequence[int] = (-2, -1), keepdim: bool = False, *,
                dtype: DType | None = None) -> Tensor:
    row, column = (d % A.ndim for d in dim)
    if row == column:
        raise ValueError(f"linalg.matrix_norm: dims must be different. Got ({dim[0]}, {dim[1]})")
    rest = [d for d in range(A.ndim) if d not in (row, column)]
    out = linalg.matrix_norm(_core.permute(_as(A, dtype), [*rest, row, column]), ord=ord)
    for d in sorted((row, column)) if keepdim else ():
        out = _core.unsqueeze(out, d)
    return out


def norm(A: Tensor, ord: Order = None, dim: Dim = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Returns the norm of vectors, or of matrices where two dims or an order of matrices is given."""
    dims = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if ord is None:
        return vector_norm(A, 2, dims, keepdim, dtype=dtype)
    if isinstance(ord, str) or (dims is not None and len(dims) == 2) or (dims is None and A.ndim == 2):
        return matrix_norm(A, ord, dims or (-2, -1), keepdim, dtype=dtype)
    return vector_norm(A, ord, dims, keepdim, dtype=dtype)


def matrix_rank(A: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor:
    return ops.matrix_rank(A, atol=_given(atol), rtol=_given(rtol), hermitian=hermitian)


def _given(x: float | None) -> float:
    return -1.0 if x is None else x


# ---- factorizations --------------------------------------------------------------------------------------------------


def cholesky(A: Tensor, *, upper: bool = False) -> Tensor:
    return ops.cholesky(A, upper=upper)


def qr(A: Tensor, mode: str = "reduced") -> QRResult:
    """With mode 'r', Q is empty."""
    if mode == "r":
        return QRResult(_core.empty((0,), A.dtype, A.device), ops.qr(A)[1])
    return linalg.qr(A, mode=mode)


def svd(A: Tensor, full_matrices: bool = True) -> SVDResult:
    return linalg.svd(A, full_matrices=full_matrices)


def eigh(A: Tensor, UPLO: str = "L") -> EighResult:
    return EighResult(*ops.eigh(A, upper=_upper(UPLO)))


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    return ops.eigvalsh(A, upper=_upper(UPLO))


def _upper(UPLO: str) -> bool:
    if UPLO.upper() not in ("U", "L"):
        raise ValueError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return UPLO.upper() == "U"


def lu(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns P, L and U with P L U = A."""
    factors, pivots = ops.lu_factor(A)
    rows, columns = A.shape[-2:]
    k = min(rows, columns)
    row = ops.arange(0, rows, 1, device=A.device)
    below = ops.gt(_core.unsqueeze(row, 1), ops.arange(0, columns, 1, device=A.device))
    one = _core.eye(rows, k, A.dtype, A.device)
    zero = _core.zeros_like(factors, None, None)
    lower = ops.add(ops.where(below, factors, zero)[..., :, :k], one)
    upper = ops.where(below, zero, factors)[..., :k, :]
    swapped = _core.clone(_core.expand(row, [*A.shape[:-2], rows]))
    for i in range(k):  # makes the exchanges one after the other, on all matrices at once
        other = ops.sub(pivots[..., i : i + 1].to(row.dtype), 1)
        here, there = _core.clone(swapped[..., i : i + 1]), ops.take_along(swapped, other, -1)
        swapped = ops.where(ops.eq(row, other), here, swapped)
        swapped = ops.where(ops.eq(row, i), there, swapped)
    places = ops.eq(_core.unsqueeze(row, 1), _core.unsqueeze(swapped, -2))
    return places.to(A.dtype), lower, upper


# ---- equations -------------------------------------------------------------------------------------------------------


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """Returns the X with A X = B. A B of one dim less than A, and of its sizes, is a batch of vectors."""
    vectors = B.ndim == 1 or (B.ndim == A.ndim - 1 and tuple(B.shape) == tuple(A.shape[:-1]))
    if vectors:
        return ops.solve(A, _core.unsqueeze(B, -1))[..., 0] if B.ndim > 1 else ops.solve(A, B)
    return ops.solve(A, B) if left else ops.solve(A.mT, B.mT).mT


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> LstsqResult:
    """Solves by singular values, which serve matrices of any rank; driver is ignored."""
    return linalg.lstsq(A, B, rcond=rcond)


def pinv(A: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor:
    """Returns the pseudo-inverse. hermitian is ignored, for the result is the same."""
    return ops.pinv(A, atol=_given(atol), rtol=_given(rtol))


# ---- products and parts ----------------------------------------------------------------------------------------------


def cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    return linalg.cross(input, other, axis=dim)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    return linalg.vecdot(x, y, axis=dim)


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    row, column = dim1 % A.ndim, dim2 % A.ndim
    rest = [d for d in range(A.ndim) if d not in (row, column)]
    return linalg.diagonal(_core.permute(A, [*rest, row, column]), offset=offset)


def vander(x: Tensor, N: int | None = None) -> Tensor:
    """Returns the powers 0 to N - 1 of x along a last dim."""
    n = x.shape[-1] if N is None else N
    return ops.pow(_core.unsqueeze(x, -1), ops.arange(0, n, 1, device=x.device).to(x.dtype))
