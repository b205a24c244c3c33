// SPDX-License-Identifier: Apache-2.0
// product.h: operands of matmul and linear as one product of matrices and the batch of them: c[m,
// n] = a[m, k] b[k, n]. Any rank up to 64; strides of a batch that was broadcast are 0.
#pragma once
#include <cstdint>

#include "c_types.h"

namespace bp_gpu {

enum Factor { kA, kB, kC, kFactors };

struct ProductShape {
  int64_t m, n, k;
  int64_t a_r, a_c, b_r, b_c, c_r, c_c;  // strides of rows and columns, in elements
  int64_t batches;
  int32_t n_dims;  // of the batch; none has size 1
  int64_t shape[BP_MAX_RANK - 1];
  int64_t strides[kFactors][BP_MAX_RANK - 1];
};

// A batch of rows times one b is one taller matrix.
inline void join_rows(ProductShape* p) {
  for (; p->n_dims > 0; --p->n_dims) {
    const int32_t d = p->n_dims - 1;
    if (p->strides[kB][d] != 0) return;
    if (p->m == 1) {
      p->a_r = p->strides[kA][d];
      p->c_r = p->strides[kC][d];
    } else if (p->strides[kA][d] != p->m * p->a_r || p->strides[kC][d] != p->m * p->c_r) {
      return;
    }
    p->m *= p->shape[d];
    p->batches /= p->shape[d];
  }
}

// c must have elements.
inline ProductShape product_shape(const bp_launch& l) {
  const bp_arg &a = l.args[kA], &b = l.args[kB], &c = l.args[kC];
  const int32_t r = c.rank - 2;
  ProductShape p{};
  p.m = c.shape[r], p.n = c.shape[r + 1], p.k = a.shape[r + 1];
  p.a_r = a.strides[r], p.a_c = a.strides[r + 1];
  p.b_r = b.strides[r], p.b_c = b.strides[r + 1];
  p.c_r = c.strides[r], p.c_c = c.strides[r + 1];
  p.batches = 1;
  for (int32_t d = 0; d < r; ++d) {
    if (c.shape[d] == 1) continue;
    p.batches *= c.shape[d];
    p.shape[p.n_dims] = c.shape[d];
    for (int f = 0; f < kFactors; ++f) p.strides[f][p.n_dims] = l.args[f].strides[d];
    ++p.n_dims;
  }
  join_rows(&p);
  return p;
}

// linear's x, weight and result. c must have elements.
inline ProductShape linear_shape(const bp_arg& x, const bp_arg& w, const bp_arg& y) {
  const int32_t r = y.rank - 1;
  ProductShape p{};
  p.m = 1, p.n = w.shape[0], p.k = w.shape[1];
  p.a_c = x.strides[r], p.b_r = w.strides[1], p.b_c = w.strides[0], p.c_c = y.strides[r];
  p.batches = 1;
  for (int32_t d = 0; d < r; ++d) {
    if (y.shape[d] == 1) continue;
    p.batches *= y.shape[d];
    p.shape[p.n_dims] = y.shape[d];
    p.strides[kA][p.n_dims] = x.strides[d], p.strides[kC][p.n_dims] = y.strides[d];
    ++p.n_dims;
  }
  join_rows(&p);
  return p;
}

}  // namespace bp_gpu
