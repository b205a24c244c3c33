// SPDX-License-Identifier: Apache-2.0
// linalg.cc: the rows of factorizations and of what is solved and measured with them.
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/linalg/attributes.h"
#include "core/ops/linalg/compose.h"
#include "core/ops/linalg/rules.h"

namespace bp::ops {
namespace {
constexpr InputSpecs kA{{{"a"}}};

// clang-format off
constexpr OpRow kLinalgRows[] = {
    {.id = 260, .name = "cholesky", .inputs = kA, .attrs = kTriangleAttrs, .layout = Layout::kGeneral,
     .dtype = rule::linalg_number, .shape = rule::square, .compose = compose::cholesky,
     .grad = {"LinalgCholeskyExBackward0", cholesky_back, kOut0},
     .doc = "The lower triangular L with L L^H = A of a Hermitian positive-definite A (upper: U with U^H U = A); one triangle "
            "of A is read. A that is not positive-definite is refused. Error: |L L^H - A| at most 4 n eps |A|.",
     .fault = "linalg.cholesky"},
    {.id = 261, .name = "lu_factor", .inputs = kA, .outputs = {"lu", "pivots"}, .layout = Layout::kGeneral,
     .dtype = rule::linalg_with_pivots, .shape = rule::lu_shape, .compose = compose::lu_factor,
     .grad = {"LinalgLuFactorExBackward0", lu_factor_back, kOut0 | kOut1},
     .doc = "P L U = A with partial pivoting: L without its unit diagonal below U in one matrix; pivots (i32, from 1): row i "
            "was exchanged with row pivots[i]. A singular A has factors too."},
    {.id = 262, .name = "solve_triangular", .inputs = kAB,
     .attrs = kSolveTriangularAttrs,
     .layout = Layout::kGeneral, .dtype = rule::linalg_number, .shape = rule::solve_triangular_shape, .compose = compose::solve_triangular,
     .grad = {"LinalgSolveTriangularBackward0", solve_triangular_back, kIn0 | kOut0},
     .doc = "X with A X = B (left false: X A = B) for a triangular A, of which only that triangle is read (unitriangular: "
            "without its diagonal); batches broadcast. A zero on the diagonal gives inf or NaN."},
    {.id = 263, .name = "solve", .inputs = kAB, .layout = Layout::kGeneral, .dtype = rule::linalg_number,
     .shape = rule::solve_shape, .compose = compose::solve,
     .grad = {"LinalgSolveExBackward0", solve_back, kIn0 | kOut0},
     .doc = "X with A X = B for square A; a 1-D B is one vector, batches of matrices broadcast. A singular A is refused. "
            "Error: |A X - B| at most 8 n eps (|A| |X| + |B|).",
     .fault = "torch.linalg.solve"},
    {.id = 264, .name = "inv", .inputs = kA, .layout = Layout::kGeneral, .dtype = rule::linalg_number,
     .shape = rule::square, .compose = compose::inv,
     .grad = {"LinalgInvExBackward0", inv_back, kOut0}, .doc = "The inverse of square matrices; a singular one is refused.",
     .fault = "linalg.inv"},
    {.id = 265, .name = "qr", .inputs = kA, .attrs = kQrAttrs, .outputs = {"q", "r"},
     .layout = Layout::kGeneral, .dtype = rule::linalg_number, .shape = rule::qr_shape, .compose = compose::qr,
     .grad = {"LinalgQrBackward0", qr_back, kIn0 | kOut0 | kOut1},
     .doc = "Q R = A with Q's columns orthonormal, R upper triangular: min(m, n) columns, complete: all m. By Householder "
            "reflections, so that R's diagonal may be negative."},
    {.id = 266, .name = "svd", .inputs = kA, .attrs = kSvdAttrs,
     .outputs = {"u", "s", "vh"}, .layout = Layout::kGeneral, .dtype = rule::linalg_with_real, .shape = rule::svd_shape, .compose = compose::svd,
     .grad = {"LinalgSvdBackward0", svd_back, kOut0 | kOut1 | kOut2},
     .doc = "U diag(S) Vh = A with U and Vh unitary and S real, falling. full_matrices false: min(m, n) columns and rows. "
            "Error: |U diag(S) Vh - A| at most 16 max(m, n) eps |A|.",
     .fault = "linalg.svd"},
    {.id = 267, .name = "svdvals", .inputs = kA, .layout = Layout::kGeneral,
     .dtype = rule::linalg_values, .shape = rule::svdvals_shape, .compose = compose::svdvals,
     .grad = {"LinalgSvdvalsBackward0", svdvals_back, kIn0}, .doc = "The S of svd.",
     .fault = "linalg.svd"},
    {.id = 268, .name = "eigh", .inputs = kA, .attrs = kTriangleAttrs,
     .outputs = {"eigenvalues", "eigenvectors"}, .layout = Layout::kGeneral, .dtype = rule::linalg_values,
     .shape = rule::eigh_shape, .compose = compose::eigh,
     .grad = {"LinalgEighBackward0", eigh_back, kOut0 | kOut1},
     .doc = "A V = V diag(w) of a Hermitian A, of which the lower triangle is read (upper: that): w real, rising; V unitary.",
     .fault = "linalg.eigh"},
    {.id = 269, .name = "eigvalsh", .inputs = kA, .attrs = kTriangleAttrs,
     .layout = Layout::kGeneral, .dtype = rule::linalg_values, .shape = rule::eigvalsh_shape, .compose = compose::eigvalsh,
     .grad = {"LinalgEigvalshBackward0", eigvalsh_back, kIn0}, .doc = "The eigenvalues of eigh.",
     .fault = "linalg.eigh"},
    {.id = 270, .name = "det", .inputs = kA, .layout = Layout::kGeneral, .dtype = rule::linalg_number,
     .shape = rule::of_each_square, .compose = compose::det,
     .grad = {"LinalgDetBackward0", det_back, kIn0}, .doc = "The determinants of square matrices, by lu_factor."},
    {.id = 271, .name = "slogdet", .inputs = kA, .outputs = {"sign", "logabsdet"}, .layout = Layout::kGeneral,
     .dtype = rule::linalg_with_real, .shape = rule::of_each_square, .compose = compose::slogdet,
     .grad = {"LinalgSlogdetBackward0", slogdet_back, kIn0 | kOut0},
     .doc = "Sign (of modulus 1, or 0) and logarithm of the modulus of det; -inf of a singular matrix."},
    {.id = 272, .name = "matrix_rank", .inputs = kA,
     .attrs = kRankAttrs, .layout = Layout::kGeneral,
     .dtype = rule::linalg_rank, .shape = rule::of_each_matrix, .compose = compose::matrix_rank,
     .doc = "How many singular values (hermitian: moduli of eigenvalues) are above max(atol, rtol * the largest), in i64. "
            "Below 0 is not given: rtol is then max(m, n) * eps, or 0 where atol is above 0."},
    {.id = 273, .name = "pinv", .inputs = kA, .attrs = kPinvAttrs,
     .layout = Layout::kGeneral, .dtype = rule::linalg_number, .shape = rule::pinv_shape, .compose = compose::pinv,
     .grad = {"LinalgPinvBackward0", pinv_back, kIn0 | kOut0},
     .doc = "The Moore-Penrose inverse, by svd; singular values that matrix_rank would not count are taken for 0."},
    {.id = 274, .name = "matrix_power", .inputs = kA, .attrs = kMatrixPowerAttrs,
     .layout = Layout::kGeneral, .dtype = rule::linalg_number, .shape = rule::square, .compose = compose::matrix_power,
     .doc = "A multiplied n times with itself; the inverse's power for n below 0, the identity for 0."},
    {.id = 275, .name = "matrix_norm", .inputs = kA, .attrs = kMatrixNormAttrs,
     .layout = Layout::kGeneral, .dtype = rule::linalg_values, .shape = rule::matrix_norm_shape,
     .compose = compose::matrix_norm,
     .doc = "Of each matrix, by ord: 'fro', the root of the sum of squares; 'nuc', the sum of singular values; '2' and '-2', the "
            "largest and the least of them; '1' and '-1', of the columns' sums of moduli; 'inf' and '-inf', of the rows'."},
    {.id = 277, .name = "lstsq", .inputs = kAB, .attrs = kLstsqAttrs,
     .outputs = {"solution", "rank", "singular_values"}, .layout = Layout::kGeneral, .dtype = rule::linalg_least_squares,
     .shape = rule::least_squares_shape, .compose = compose::lstsq,
     .grad = {"LinalgLstsqBackward0", lstsq_back, kIn0 | kIn1},
     .doc = "The shortest X for which |A X - B| is least, by svd: singular values up to rcond times the largest are taken for "
            "0; below 0: max(m, n) * eps."},
    {.id = 278, .name = "eig", .inputs = kA, .outputs = {"eigenvalues", "eigenvectors"}, .layout = Layout::kGeneral,
     .dtype = rule::linalg_complex, .shape = rule::eigh_shape,
     .grad = {"LinalgEigBackward0", eig_back, kOut0 | kOut1},
     .flags = kPrimitive, .doc = "A V = V diag(w) of any square A: w and V complex, in no order, the columns of V of length 1. Their phases are free, "
            "so that a gradient is that of what does not depend on them. Infinities and NaN are refused.",
     .fault = "linalg.eig"},
    {.id = 279, .name = "eigvals", .inputs = kA, .layout = Layout::kGeneral,
     .dtype = rule::linalg_complex, .shape = rule::eigvalsh_shape, .compose = compose::eigvals,
     .grad = {"LinalgEigvalsBackward0", eigvals_back, kIn0}, .doc = "The eigenvalues of eig.", .fault = "linalg.eig"},
};
// clang-format on
}  // namespace

std::span<const OpRow> linalg_rows() { return kLinalgRows; }

}  // namespace bp::ops
