# SPDX-License-Identifier: Apache-2.0
"""The array standard's extension ``linalg``, and what NumPy and PyTorch add to it: ``bp.linalg.svd(x)``.

Operands are batches of matrices, [..., M, N], of f32, f64 or complex numbers. A matrix that is singular, or not
positive-definite where it must be, raises LinAlgError, which is a ValueError and a RuntimeError."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import _core, ops, standard
from ._core import InvalidArgumentError as LinAlgError
from ._types import DType
from .keywords import plainly, with_both_names
from .sizes import wrapped
from .standard import matmul, tensordot, vecdot
from .tensor import Tensor

__all__ = [
    "LinAlgError", "cholesky", "cond", "cross", "det", "diagonal", "eig", "eigh", "eigvals", "eigvalsh", "inv", "lstsq",
    "lu_factor", "matmul", "matrix_norm", "matrix_power", "matrix_rank", "matrix_transpose", "multi_dot", "outer", "pinv", "qr",
    "slogdet", "solve", "solve_triangular", "svd", "svdvals", "tensordot", "trace", "vecdot", "vector_norm",
]

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


# ---- factorizations --------------------------------------------------------------------------------------------------


def cholesky(x: Tensor, /, *, upper: bool = False) -> Tensor:
    """Returns the lower triangular L with L L^H = x, or with upper=True the upper triangular U with U^H U = x.

    >>> bp.linalg.cholesky(bp.asarray([[4.0, 2.0], [2.0, 5.0]])).tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    return ops.cholesky(x, upper=upper)


def lu_factor(x: Tensor, /) -> LUResult:
    """Returns L, without its diagonal of ones, and U in one matrix, and the pivots: row i was exchanged with pivots[i] - 1.

    >>> bp.linalg.lu_factor(bp.asarray([[1.0, 2.0], [4.0, 4.0]])).pivots.tolist()
    [2, 2]
    """
    return LUResult(*ops.lu_factor(x))


def qr(x: Tensor, /, *, mode: str = "reduced") -> QRResult:
    """Returns Q, whose columns are orthonormal, and the upper triangular R with Q R = x, [..., M, N]; mode is reduced or
    complete.

    >>> [t.shape for t in bp.linalg.qr(bp.ones((3, 2)))]
    [(3, 2), (2, 2)]
    """
    if mode not in ("reduced", "complete"):
        raise ValueError(f"qr received unrecognized mode '{mode}' but expected one of 'reduced' or 'complete'")
    return QRResult(*ops.qr(x, complete=mode == "complete"))


def svd(x: Tensor, /, *, full_matrices: bool = True) -> SVDResult:
    """Returns U, S, Vh with U diag(S) Vh = x, [..., M, N], S falling; with full_matrices=False min(M, N) columns and rows.

    >>> [t.shape for t in bp.linalg.svd(bp.ones((3, 2)), full_matrices=False)]
    [(3, 2), (2,), (2, 2)]
    """
    return SVDResult(*ops.svd(x, full_matrices=full_matrices))


def svdvals(x: Tensor, /) -> Tensor:
    """Returns the singular values of x, [..., M, N], falling: [..., min(M, N)].

    >>> bp.linalg.svdvals(bp.asarray([[3.0, 0.0], [0.0, 4.0]]))
    tensor([4., 3.])
    """
    return ops.svdvals(x)


def eig(x: Tensor, /) -> EigResult:
    """Decomposes any square x. The results are complex; the eigenvalues have no order, the eigenvectors, columns, length 1.

    >>> bp.linalg.eig(bp.asarray([[2.0]])).eigenvalues
    tensor([2.+0.j])
    """
    return EigResult(*ops.eig(x))


def eigvals(x: Tensor, /) -> Tensor:
    """Returns the eigenvalues of square matrices, [..., N, N], complex, in no order.

    >>> bp.linalg.eigvals(bp.asarray([[2.0]]))
    tensor([2.+0.j])
    """
    return ops.eigvals(x)


def eigh(x: Tensor, /) -> EighResult:
    """Decomposes a symmetric or Hermitian x, of which it reads the lower triangle.

    >>> bp.linalg.eigh(bp.asarray([[3.0, 0.0], [0.0, 1.0]])).eigenvalues
    tensor([1., 3.])
    """
    return EighResult(*ops.eigh(x))


def eigvalsh(x: Tensor, /) -> Tensor:
    """Returns the eigenvalues of Hermitian matrices, [..., N, N], real, rising.

    >>> bp.linalg.eigvalsh(bp.asarray([[3.0, 0.0], [0.0, 1.0]]))
    tensor([1., 3.])
    """
    return ops.eigvalsh(x)


# ---- equations -------------------------------------------------------------------------------------------------------


def solve(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Returns the x with x1 x = x2. A one-dimensional x2 is one vector.

    >>> bp.linalg.solve(bp.asarray([[2.0, 0.0], [0.0, 4.0]]), bp.asarray([2.0, 8.0]))
    tensor([1., 2.])
    """
    return ops.solve(x1, x2)


def solve_triangular(x1: Tensor, x2: Tensor, /, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Tensor:
    """Returns the X with x1 X = x2 of a triangular x1, [..., N, N].

    >>> bp.linalg.solve_triangular(bp.asarray([[2.0]]), bp.asarray([[4.0]]), upper=True).tolist()
    [[2.0]]
    """
    return ops.solve_triangular(x1, x2, upper=upper, left=left, unitriangular=unitriangular)


def inv(x: Tensor, /) -> Tensor:
    """Returns the inverses of square matrices, [..., N, N]. A singular one raises LinAlgError.

    >>> bp.linalg.inv(bp.asarray([[4.0]])).tolist()
    [[0.25]]
    """
    return ops.inv(x)


def lstsq(x1: Tensor, x2: Tensor, /, *, rcond: float | None = None) -> LstsqResult:
    """Returns the shortest x for which |x1 x - x2| is least. residuals are the squares of that norm where x1 has full rank
    and more rows than columns, else empty.

    >>> bp.linalg.lstsq(bp.ones((3, 1)), bp.ones((3, 1))).solution.shape
    (1, 1)
    """
    x, rank, s = ops.lstsq(x1, x2, rcond=-1.0 if rcond is None else rcond)
    rows, columns = x1.shape[-2:]
    residuals = s.new_empty(0)
    if rows > columns and bool(ops.all(ops.eq(rank, columns))):
        rest = ops.abs(ops.sub(matmul(x1, x), x2))
        residuals = ops.sum(ops.mul(rest, rest), axis=-2)
    return LstsqResult(x, residuals, rank, s)


def pinv(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Returns the Moore-Penrose inverse. Singular values up to rtol times the largest count as zero.

    >>> bp.linalg.pinv(bp.ones((2, 3))).shape
    (3, 2)
    """
    if not isinstance(rtol, _core.TensorBase):
        return ops.pinv(x, rtol=-1.0 if rtol is None else rtol)
    u, s, vh = svd(x, full_matrices=False)
    kept = ops.gt(s, _bar(s, rtol))
    inverse = ops.where(kept, ops.reciprocal(s), _core.zeros_like(s, None, None))
    return ops.matmul(ops.mul(_adjoint(vh), _core.unsqueeze(inverse, -2)), _adjoint(u))


# ---- measures --------------------------------------------------------------------------------------------------------


def det(x: Tensor, /) -> Tensor:
    """Returns the determinants of square matrices, [..., N, N] as [...].

    >>> bp.linalg.det(bp.asarray([[2.0, 0.0], [0.0, 3.0]]))
    tensor(6.)
    """
    return ops.det(x)


def slogdet(x: Tensor, /) -> SlogdetResult:
    """Returns the sign of the determinants and the logarithm of their modulus; -inf of a singular matrix.

    >>> bp.linalg.slogdet(bp.asarray([[-1.0]])).sign
    tensor(-1.)
    """
    return SlogdetResult(*ops.slogdet(x))


def matrix_rank(x: Tensor, /, *, rtol: float | Tensor | None = None) -> Tensor:
    """Returns how many singular values are above rtol times the largest. rtol is max(M, N) * eps by default.

    >>> bp.linalg.matrix_rank(bp.asarray([[1.0, 2.0], [2.0, 4.0]]))
    tensor(1)
    """
    if not isinstance(rtol, _core.TensorBase):
        return ops.matrix_rank(x, rtol=-1.0 if rtol is None else rtol)
    s = svdvals(x)
    return ops.sum(ops.gt(s, _bar(s, rtol)), axis=-1)


def cond(x: Tensor, /, p: Order | None = None) -> Tensor:
    """Returns the norm of x times that of its inverse. For p = 2, the default, it is the largest singular value over the
    least.

    >>> bp.linalg.cond(bp.asarray([[2.0, 0.0], [0.0, 1.0]]))
    tensor(2.)
    """
    if p is None or p in (2, -2):
        s = svdvals(x)
        return ops.div(s[..., -1], s[..., 0]) if p == -2 else ops.div(s[..., 0], s[..., -1])
    return ops.mul(matrix_norm(x, ord=p), matrix_norm(inv(x), ord=p))


@plainly(ops.vector_norm, "x axis keepdims ord")
def vector_norm(x: Tensor, /, *, axis: int | Sequence[int] | None = None, keepdims: bool = False,
                ord: int | float = 2) -> Tensor:
    """Returns (sum |x|^ord)^(1/ord). ord 0 counts the elements that are not zero; inf and -inf give the largest and the least.

    >>> bp.linalg.vector_norm(bp.asarray([3.0, 4.0]))
    tensor(5.)
    """
    if axis == () or axis == []:
        return ops.vector_norm(_core.unsqueeze(x, 0), 0, False, ord)
    return ops.vector_norm(x, axis, keepdims, ord)


def matrix_norm(x: Tensor, /, *, keepdims: bool = False, ord: Order | None = "fro") -> Tensor:
    """Returns a norm of each matrix: 'fro', 'nuc' (the sum of the singular values), 2 and -2 (the largest and the least
    singular value), 1 and -1 (the largest and the least sum of a column), inf and -inf (those of a row).

    >>> bp.linalg.matrix_norm(bp.asarray([[3.0, 0.0], [0.0, 4.0]]))
    tensor(5.)
    """
    if ord != "fro":
        ord = "fro" if ord is None else ord if ord == "nuc" else f"{ord:g}" if isinstance(ord, (int, float)) else repr(ord)
    return ops.matrix_norm(x, ord, keepdims)


# ---- products and parts ----------------------------------------------------------------------------------------------


def cross(x1: Tensor, x2: Tensor, /, *, axis: int = -1) -> Tensor:
    """Returns the vector product of vectors of three elements, which lie along axis.

    >>> bp.linalg.cross(bp.asarray([1.0, 0.0, 0.0]), bp.asarray([0.0, 1.0, 0.0]))
    tensor([0., 0., 1.])
    """
    wrapped(axis, min(x1.ndim, x2.ndim))
    if x1.shape[axis] != 3 or x2.shape[axis] != 3:
        raise ValueError(f"linalg.cross: inputs dimension {axis} must have length 3. Got {x1.shape[axis]} and {x2.shape[axis]}")
    x1, x2 = standard.broadcast_arrays(x1, x2)
    (a0, a1, a2), (b0, b1, b2) = x1.unbind(axis), x2.unbind(axis)
    parts = [ops.sub(ops.mul(a1, b2), ops.mul(a2, b1)), ops.sub(ops.mul(a2, b0), ops.mul(a0, b2)),
             ops.sub(ops.mul(a0, b1), ops.mul(a1, b0))]
    return ops.stack(parts, axis=axis)


def outer(x1: Tensor, x2: Tensor, /) -> Tensor:
    """Returns the products of each element of x1, [M], with each of x2, [N]: [M, N].

    >>> bp.linalg.outer(bp.asarray([1, 2]), bp.asarray([3, 4])).tolist()
    [[3, 4], [6, 8]]
    """
    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"outer: Expected 1-D arguments, but got {x1.ndim}-D and {x2.ndim}-D")
    return ops.mul(_core.unsqueeze(x1, 1), _core.unsqueeze(x2, 0))


def diagonal(x: Tensor, /, *, offset: int = 0) -> Tensor:
    """Returns a view of the matrices' diagonals, `offset` above the main one.

    >>> bp.linalg.diagonal(bp.asarray([[1, 2], [3, 4]]))
    tensor([1, 4])
    """
    return _core.diagonal(x, offset, -2, -1)


def trace(x: Tensor, /, *, offset: int = 0, dtype: DType | None = None) -> Tensor:
    """Returns the sums of diagonals of matrices, [..., M, N] as [...].

    >>> bp.linalg.trace(bp.asarray([[1, 2], [3, 4]]))
    tensor(5)
    """
    return standard.sum(diagonal(x, offset=offset), axis=-1, dtype=dtype)


def matrix_power(x: Tensor, n: int, /) -> Tensor:
    """Returns square matrices, [..., N, N], to the power n; below 0 of the inverse.

    >>> bp.linalg.matrix_power(bp.asarray([[1.0, 1.0], [0.0, 1.0]]), 5).tolist()
    [[1.0, 5.0], [0.0, 1.0]]
    """
    return ops.matrix_power(x, n)


def matrix_transpose(x: Tensor, /) -> Tensor:
    """Returns a view of x, [..., M, N], as [..., N, M].

    >>> bp.linalg.matrix_transpose(bp.ones((2, 3))).shape
    (3, 2)
    """
    return x.mT


def multi_dot(tensors: Sequence[Tensor], /) -> Tensor:
    """Returns the product of all, computed in the order that takes the fewest multiplications.

    >>> bp.linalg.multi_dot([bp.ones((2, 3)), bp.ones((3, 4)), bp.ones((4, 1))]).shape
    (2, 1)
    """
    if len(tensors) < 2:
        raise ValueError(f"multi_dot: expected at least 2 tensors but got {len(tensors)}")
    first, last = tensors[0], tensors[-1]
    parts = [_core.unsqueeze(first, 0) if first.ndim == 1 else first, *tensors[1:-1],
             _core.unsqueeze(last, 1) if last.ndim == 1 else last]
    sides = [p.shape[0] for p in parts] + [parts[-1].shape[1]]
    best = {(i, i): (0, i) for i in range(len(parts))}
    for length in range(1, len(parts)):
        for i in range(len(parts) - length):
            j = i + length
            best[i, j] = min((best[i, k][0] + best[k + 1, j][0] + sides[i] * sides[k + 1] * sides[j + 1], k)
                             for k in range(i, j))

    def product(i: int, j: int) -> Tensor:
        k = best[i, j][1]
        return parts[i] if i == j else matmul(product(i, k), product(k + 1, j))

    out = product(0, len(parts) - 1)
    out = out[0] if first.ndim == 1 else out
    return out[..., 0] if last.ndim == 1 else out


def _adjoint(x: Tensor) -> Tensor:
    return ops.conj(x.mT) if x.dtype.kind == "c" else x.mT


def _bar(s: Tensor, rtol: Tensor) -> Tensor:
    return ops.mul(_core.unsqueeze(rtol, -1), ops.max(s, axis=-1, keepdims=True))


with_both_names(globals())
