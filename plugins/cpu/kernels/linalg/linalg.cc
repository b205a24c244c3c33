// SPDX-License-Identifier: Apache-2.0
// linalg.cc: the records of algebra/linalg.h, which is the same for every instruction set.
#include "algebra/linalg.h"

#include "device/registry.h"

namespace bp_cpu::BP_ISA {

void add_linalg(Registry& r) {
  constexpr uint64_t kNumbers = bit(BP_F32) | bit(BP_F64) | kComplex;
  r.add(BP_OP_CHOLESKY, kNumbers, run_cholesky);
  r.add(BP_OP_LU_FACTOR, kNumbers, run_lu_factor);
  r.add(BP_OP_SOLVE_TRIANGULAR, kNumbers, run_solve_triangular);
  r.add(BP_OP_SOLVE, kNumbers, run_solve);
  r.add(BP_OP_INV, kNumbers, run_inv);
  r.add(BP_OP_QR, kNumbers, run_qr);
  r.add(BP_OP_SVD, kNumbers, run_svd);
  r.add(BP_OP_SVDVALS, kNumbers, run_svdvals);
  r.add(BP_OP_EIGH, kNumbers, run_eigh);
  r.add(BP_OP_EIGVALSH, kNumbers, run_eigvalsh);
  r.add(BP_OP_EIG, kNumbers, run_eig);
  r.add(BP_OP_EIGVALS, kNumbers, run_eigvals);
}

}  // namespace bp_cpu::BP_ISA
