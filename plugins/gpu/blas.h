// SPDX-License-Identifier: Apache-2.0
// blas.h: products of matrices on a vendor's BLAS, as far as its interface reaches.
//
// A product goes there as one call, or a few for nested batches, and nothing is copied: a product
// of row-major matrices is the column-major c' = b' a', and a stride of 0 repeats a matrix over the
// batch. What has no such form stays with the tree's own kernel: integers, k = 0, a matrix with
// both strides apart, flipped or overlapping rows, sizes beyond 32 bits.
//
//   if (const bp_status s = multiply_with_blas(l, err); s != BP_UNSUPPORTED) return s;  // else the tree's own
#pragma once
#include <cstdint>

#include "c_types.h"

namespace bp_gpu {

// One call: column-major c_i[m, n] = op(a_i) op(b_i) for i < count, op(x) being x or its transpose;
// x_i lies i strides from x. It is as cublasGemmStridedBatchedEx takes it, so that a leading
// dimension is at least as long as a column and 1.
struct Gemm {
  bp_dtype dtype;  // of all three; f16 and bf16 are summed in f32
  uint32_t flags;  // BP_LAUNCH_*
  bool trans_a, trans_b;
  int32_t m, n, k;
  const void* a;
  int32_t lda;
  int64_t stride_a;  // in elements, as all
  const void* b;
  int32_t ldb;
  int64_t stride_b;
  void* c;
  int32_t ldc;
  int64_t stride_c;
  int32_t count;
};

// Returns BP_UNSUPPORTED, without an error object, when nothing was done. c must have elements.
bp_status multiply_with_blas(const bp_launch& l, bp_error** err);

}  // namespace bp_gpu
