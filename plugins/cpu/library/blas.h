// SPDX-License-Identifier: Apache-2.0
// blas.h: a BLAS, opened by the first large f64 product when the machine has one, where the
// built-in kernels are slower: on everything but AVX-512.
//
//   if (has_blas() && blas_dgemm(product, threads)) return;
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu {

// Called at probe. The option `cpu.blas` = off keeps it closed. `isa` is the name of the
// instruction set in use.
void allow_blas(const bp_host* host, const char* isa);

// Row-major c[m, n] = op(a) op(b). trans is 'N' or 'T', ld goes from one stored row to the next.
struct Dgemm {
  char trans_a, trans_b;
  int64_t m, n, k;
  const double *a, *b;
  int64_t lda, ldb;
  double* c;
  int64_t ldc;
};
// Opens it when that was not yet tried.
bool has_blas();
// Wants has_blas(). Returns false when a size does not fit its 32-bit integers; c is then
// untouched.
bool blas_dgemm(const Dgemm& g, int32_t threads);

}  // namespace bp_cpu
