// SPDX-License-Identifier: Apache-2.0
// blas.h: a BLAS, opened at run time when the machine has one. Used for large f64 products where
// the built-in kernels are slower: on everything but AVX-512.
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu {

// Called at probe. The option `cpu.blas` = off keeps it closed; its absence is logged and no error.
// `isa` is the name of the instruction set in use.
void open_blas(const bp_host* host, const char* isa);
const char* blas_name();  // "OpenBLAS 0.3.21", "" when it is not in use

// Row-major c[m, n] = op(a) op(b). trans is 'N' or 'T', ld goes from one stored row to the next.
struct Dgemm {
  char trans_a, trans_b;
  int64_t m, n, k;
  const double *a, *b;
  int64_t lda, ldb;
  double* c;
  int64_t ldc;
};
bool has_blas();
// Returns false when a size does not fit its 32-bit integers; c is then untouched.
bool blas_dgemm(const Dgemm& g, int32_t threads);

}  // namespace bp_cpu
