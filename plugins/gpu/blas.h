// SPDX-License-Identifier: Apache-2.0
// blas.h: products of matrices on a vendor's BLAS, as far as its interface reaches.
//
// A product goes there as one call, or a few for nested batches, and nothing is copied: a product
// of row-major matrices is the column-major c' = b' a', and a stride of 0 repeats a matrix over the
// batch. What has no such form stays with the tree's own kernel: integers, k = 0, a matrix with
// both strides apart, flipped or overlapping rows, sizes beyond 32 bits.
//
//   const ProductShape p = product_shape(l);
//   const bp_status s = multiply_with_blas(l, p, factors, err);
//   if (s != BP_UNSUPPORTED) return s;  // else the tree's own
//
// A product with something behind it, and one of bytes, goes to a library with an interface for
// that, where there is one: cuBLASLt.
#pragma once
#include <cstdint>

#include "c_types.h"
#include "gpu/product.h"

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

// The call whose sums c = a b get a bias[m], if there is one, and become 0 where they are below it,
// before they are stored. Of i8 c is i32, and there is nothing behind it.
struct FusedGemm {
  Gemm gemm{};
  bool adds_bias = false, relu = false;
  bool asks = false;  // only what workspace it needs
  const void* bias = nullptr;
  void* workspace = nullptr;
  uint64_t workspace_bytes = 0;
};

struct Factors {
  const void *a, *b;
  void* c;
  bp_dtype dtype;  // of a and b, and of c unless the caller says otherwise
};

// Returns BP_UNSUPPORTED, without an error object, when nothing was done. c must have elements.
bp_status multiply_with_blas(const bp_launch& l, const ProductShape& p, const Factors& f,
                             bp_error** err);

// The same for a product with something behind it: g has that, and bias elements lie side by side.
bp_status multiply_fused(const bp_launch& l, const ProductShape& p, const Factors& f, FusedGemm* g,
                         bp_error** err);

}  // namespace bp_gpu
