# SPDX-License-Identifier: Apache-2.0
"""``torch.linalg``: backplane.linalg with PyTorch's names, arguments and defaults."""

from __future__ import annotations

from .. import _core, dtypes, linalg, ops
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
from .creation import eye, full
from .norms import Dim, matrix_norm, vector_norm
from .tensor import own

__all__ = [
    "EigResult", "EighResult", "LUResult", "LinAlgError", "LstsqResult", "QRResult", "SVDResult", "SlogdetResult", "cholesky",
    "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq", "lu", "lu_factor", "matmul",
    "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve", "solve_triangular", "svd",
    "svdvals", "vander", "vecdot", "vector_norm",
]

AnyOrder = int | float | str | None


# ---- norms -----------------------------------------------------------------------------------------------------------


def norm(A: Tensor, ord: AnyOrder = None, dim: Dim = None, keepdim: bool = False, *, dtype: DType | None = None) -> Tensor:
    """Returns the norm of vectors, or of matrices where two dims or an order of matrices is given.

    >>> torch.linalg.norm(torch.tensor([3.0, 4.0]))
    tensor(5.)
    """
    dims = None if dim is None else [dim] if isinstance(dim, int) else list(dim)
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got {dims}")
    if ord is None:
        return vector_norm(A, 2, dims, keepdim, dtype=dtype)
    if dims is None and A.ndim not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.ndim}D.")
    if isinstance(ord, str) or (A.ndim == 2 if dims is None else len(dims) == 2):
        return matrix_norm(A, ord, dims or (-2, -1), keepdim, dtype=dtype)
    return vector_norm(A, ord, dims, keepdim, dtype=dtype)


def matrix_rank(A: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor:
    """How many singular values are above the larger of atol and rtol times the largest, in int64.

    >>> torch.linalg.matrix_rank(torch.eye(2))
    tensor(2)
    """
    return ops.matrix_rank(A, atol=_given(atol), rtol=_given(rtol), hermitian=hermitian)


def _given(x: float | None) -> float:
    return -1.0 if x is None else x


# ---- factorizations --------------------------------------------------------------------------------------------------


def cholesky(A: Tensor, *, upper: bool = False) -> Tensor:
    """The lower triangular L with L L^H = A, or with upper=True the upper one. An A that is not positive-definite raises
    LinAlgError.

    >>> torch.linalg.cholesky(torch.tensor([[4.0]])).tolist()
    [[2.0]]
    """
    return ops.cholesky(A, upper=upper)


def qr(A: Tensor, mode: str = "reduced") -> QRResult:
    """With mode 'r', Q is empty.

    >>> [t.shape for t in torch.linalg.qr(torch.ones(3, 2))]
    [torch.Size([3, 2]), torch.Size([2, 2])]
    """
    if mode == "r":
        return QRResult(A.new_empty(0), ops.qr(A)[1])
    return linalg.qr(A, mode=mode)


def svd(A: Tensor, full_matrices: bool = True) -> SVDResult:
    """U, S, Vh with U diag(S) Vh = A, S falling.

    >>> [t.shape for t in torch.linalg.svd(torch.ones(3, 2), full_matrices=False)]
    [torch.Size([3, 2]), torch.Size([2]), torch.Size([2, 2])]
    """
    return linalg.svd(A, full_matrices=full_matrices)


def eigh(A: Tensor, UPLO: str = "L") -> EighResult:
    """The eigenvalues, rising, and eigenvectors of Hermitian matrices, of which the triangle UPLO is read.

    >>> torch.linalg.eigh(torch.tensor([[3.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 3.])
    """
    return EighResult(*ops.eigh(A, upper=_upper(UPLO)))


def eigvalsh(A: Tensor, UPLO: str = "L") -> Tensor:
    """The eigenvalues of eigh.

    >>> torch.linalg.eigvalsh(torch.tensor([[3.0, 0.0], [0.0, 1.0]]))
    tensor([1., 3.])
    """
    return ops.eigvalsh(A, upper=_upper(UPLO))


def _upper(UPLO: str) -> bool:
    if UPLO.upper() not in ("U", "L"):
        raise ValueError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    return UPLO.upper() == "U"


def lu(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Returns P, L and U with P L U = A.

    >>> [t.shape for t in torch.linalg.lu(torch.eye(2))]
    [torch.Size([2, 2]), torch.Size([2, 2]), torch.Size([2, 2])]
    """
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
    return own(places.to(A.dtype)), lower, upper


# ---- equations -------------------------------------------------------------------------------------------------------


def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """Returns the X with A X = B. A B of one dim less than A, and of its sizes, is a batch of vectors.

    >>> torch.linalg.solve(torch.tensor([[2.0]]), torch.tensor([4.0]))
    tensor([2.])
    """
    vectors = B.ndim == 1 or (B.ndim == A.ndim - 1 and tuple(B.shape) == tuple(A.shape[:-1]))
    if vectors:
        return ops.solve(A, _core.unsqueeze(B, -1))[..., 0] if B.ndim > 1 else ops.solve(A, B)
    return ops.solve(A, B) if left else ops.solve(A.mT, B.mT).mT


def _full_rank_lstsq(A: Tensor, B: Tensor, rcond: float | None) -> Tensor | None:
    """The solution by QR, which takes a third of the time of singular values, where A has full rank for certain; else None."""
    if A.ndim < 2 or A.shape[:-1] != B.shape[:-1] or A.dtype is not B.dtype or A.dtype not in (dtypes.float32, dtypes.float64):
        return None
    rows, columns = A.shape[-2:]
    if not A.is_cpu or A.requires_grad or B.requires_grad or not 0 < columns <= rows:
        return None
    q, r = ops.qr(A)
    inverse = solve_triangular(r, eye(columns, dtype=A.dtype), upper=True)
    # Frobenius' norms are at least the largest singular values, of r^-1 the reciprocal of r's smallest one.
    least = dtypes.finfo(A.dtype).eps * rows if rcond is None else rcond
    if not bool((matrix_norm(r) * matrix_norm(inverse) * least < 1).all()):
        return None
    return own(solve_triangular(r, matmul(q.mT, B), upper=True))


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> LstsqResult:
    """Solves by singular values, which serve matrices of any rank, or by QR where that is full for certain; driver says which of the
    results PyTorch has.

    >>> torch.linalg.lstsq(torch.ones(3, 1), torch.ones(3, 1)).solution.shape
    torch.Size([1, 1])
    """
    if driver not in (None, "gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError("torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)")
    driver = driver or ("gelsy" if A.is_cpu else "gels")
    if driver == "gelsy" and (solved := _full_rank_lstsq(A, B, rcond)) is not None:
        return LstsqResult(solved, A.new_empty(0), full(A.shape[:-2], A.shape[-1], dtype=dtypes.int64), A.new_empty(0))
    x, residuals, rank, s = linalg.lstsq(A, B, rcond=rcond)
    return LstsqResult(x, residuals.new_empty(0) if driver == "gelsy" else residuals,
                       rank.new_empty(0) if driver == "gels" else rank,
                       s.new_empty(0) if driver in ("gels", "gelsy") else s)


def pinv(A: Tensor, *, atol: float | None = None, rtol: float | None = None, hermitian: bool = False) -> Tensor:
    """Returns the pseudo-inverse. hermitian is ignored, for the result is the same.

    >>> torch.linalg.pinv(torch.ones(2, 3)).shape
    torch.Size([3, 2])
    """
    return ops.pinv(A, atol=_given(atol), rtol=_given(rtol))


# ---- products and parts ----------------------------------------------------------------------------------------------


def cross(input: Tensor, other: Tensor, *, dim: int = -1) -> Tensor:
    """The vector products along dim, of size 3; the numbers of dimensions are the same.

    >>> torch.linalg.cross(torch.tensor([1.0, 0.0, 0.0]), torch.tensor([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    if input.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    return linalg.cross(input, other, axis=dim)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """The products of vectors along dim, of x conjugated.

    >>> torch.linalg.vecdot(torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0]))
    tensor(11.)
    """
    return linalg.vecdot(x, y, axis=dim)


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A view of the diagonals of matrices.

    >>> torch.linalg.diagonal(torch.eye(2))
    tensor([1., 1.])
    """
    return _core.diagonal(A, offset, dim1, dim2)


def vander(x: Tensor, N: int | None = None) -> Tensor:
    """Returns the powers 0 to N - 1 of x along a last dim; a tensor without dimensions is a vector of one.

    >>> torch.linalg.vander(torch.tensor([2, 3])).tolist()
    [[1, 2], [1, 3]]
    """
    x = x if x.ndim else _core.unsqueeze(x, 0)
    n = x.shape[-1] if N is None else N
    if n <= 1:
        raise RuntimeError("N must be greater than 1.")
    return ops.pow(_core.unsqueeze(x, -1), ops.arange(0, n, 1, device=x.device).to(x.dtype))
