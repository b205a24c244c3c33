// SPDX-License-Identifier: Apache-2.0
// linalg.h: linear algebra by LAPACK; factor.cc also does without one. It is compiled once, because
// the vector code is in the library.
//
// Operands are [batch..., rows, cols] in any layout, of f32, f64, c64 or c128.
#pragma once
#include "c_plugin.h"

namespace bp_cpu {

// factor.cc
bp_status run_cholesky(const bp_launch* launch, bp_error** err);
bp_status run_lu_factor(const bp_launch* launch, bp_error** err);
bp_status run_solve_triangular(const bp_launch* launch, bp_error** err);
bp_status run_solve(const bp_launch* launch, bp_error** err);
bp_status run_inv(const bp_launch* launch, bp_error** err);
// decompose.cc
bp_status run_qr(const bp_launch* launch, bp_error** err);
bp_status run_svd(const bp_launch* launch, bp_error** err);
bp_status run_svdvals(const bp_launch* launch, bp_error** err);
bp_status run_eigh(const bp_launch* launch, bp_error** err);
bp_status run_eigvalsh(const bp_launch* launch, bp_error** err);
bp_status run_eig(const bp_launch* launch, bp_error** err);
bp_status run_eigvals(const bp_launch* launch, bp_error** err);

}  // namespace bp_cpu
