// SPDX-License-Identifier: Apache-2.0
#include "gpu/blas.h"

#include <climits>
#include <utility>

#include "gpu/plugin.h"
#include "kit/element.h"

namespace bp_gpu {
namespace {

constexpr int64_t kMostCalls = 16;  // beyond, the tree's own kernel serves nested batches better

bool fits_int(int64_t n) { return n <= INT_MAX; }

// rows x columns elements with strides r and c as a column-major matrix or the transpose of one. A
// stride over one element means nothing.
struct Stored {
  bool fits = true, transposed = false;
  int64_t leading = 0;
  Stored(int64_t rows, int64_t columns, int64_t r, int64_t c) {
    if ((r == 1 || rows == 1) && (c >= rows || columns == 1)) {
      leading = columns == 1 ? rows : c;
    } else if ((c == 1 || columns == 1) && (r >= columns || rows == 1)) {
      transposed = true;
      leading = rows == 1 ? columns : r;
    } else {
      fits = false;
    }
    fits = fits && leading > 0 && fits_int(leading);
  }
};

// c' = b' a'.
ProductShape transposed(ProductShape p) {
  std::swap(p.m, p.n);
  std::swap(p.a_r, p.b_c);
  std::swap(p.a_c, p.b_r);
  std::swap(p.c_r, p.c_c);
  for (int32_t d = 0; d < p.n_dims; ++d) std::swap(p.strides[kA][d], p.strides[kB][d]);
  return p;
}

// Describes the call for the first matrix of each operand; returns false when there is none.
bool describe(const ProductShape& p, Gemm* g) {
  if (!fits_int(p.m) || !fits_int(p.n) || !fits_int(p.k)) return false;
  const Stored a(p.m, p.k, p.a_r, p.a_c), b(p.k, p.n, p.b_r, p.b_c), c(p.m, p.n, p.c_r, p.c_c);
  if (!a.fits || !b.fits || !c.fits || c.transposed) return false;
  g->m = static_cast<int32_t>(p.m), g->n = static_cast<int32_t>(p.n),
  g->k = static_cast<int32_t>(p.k);
  g->trans_a = a.transposed, g->trans_b = b.transposed;
  g->lda = static_cast<int32_t>(a.leading);
  g->ldb = static_cast<int32_t>(b.leading);
  g->ldc = static_cast<int32_t>(c.leading);
  return true;
}

// As a rule c is row-major, and c' is what a BLAS writes then. The batch's longest dim goes into
// the call, the others around it.
struct Plan {
  ProductShape p;
  Gemm first{};
  int64_t calls = 1;
  bool is_turned = true;  // the call's rows are c's columns

  bool make(const bp_launch& l, const ProductShape& of, const Factors& f) {
    p = transposed(of);
    if (p.k == 0) return false;
    if (!describe(p, &first)) {
      is_turned = false;
      p = of;
      if (!describe(p, &first)) return false;
    }
    first.dtype = f.dtype;
    first.flags = l.flags;
    first.a = is_turned ? f.b : f.a;
    first.b = is_turned ? f.a : f.b;
    first.c = f.c;
    return take_batch();
  }

 private:
  bool take_batch() {
    first.count = 1;
    for (const auto& strides : p.strides)
      for (int32_t d = 0; d < p.n_dims; ++d)
        if (strides[d] < 0) return false;
    if (p.n_dims == 0) return true;
    int32_t longest = 0;
    for (int32_t d = 1; d < p.n_dims; ++d)
      if (p.shape[d] > p.shape[longest]) longest = d;
    if (!fits_int(p.shape[longest])) return false;
    calls = p.batches / p.shape[longest];
    const int32_t last = --p.n_dims;
    std::swap(p.shape[longest], p.shape[last]);
    for (auto& strides : p.strides) std::swap(strides[longest], strides[last]);
    first.count = static_cast<int32_t>(p.shape[last]);
    first.stride_a = p.strides[kA][last];
    first.stride_b = p.strides[kB][last];
    first.stride_c = p.strides[kC][last];
    return calls <= kMostCalls;
  }
};

}  // namespace

bp_status multiply_with_blas(const bp_launch& l, const ProductShape& p, const Factors& f,
                             bp_error** err) {
  const auto gemm = vendor().gemm;
  Plan plan;
  if (!gemm || !(bp_kit::kFloats >> f.dtype & 1) || !plan.make(l, p, f)) return BP_UNSUPPORTED;
  const int64_t size = bp_kit::kItemBytes[f.dtype];
  for (int64_t i = 0; i < plan.calls; ++i) {
    Gemm g = plan.first;
    int64_t left = i, at[kFactors] = {};
    for (int32_t d = plan.p.n_dims - 1; d >= 0; left /= plan.p.shape[d], --d)
      for (int f = 0; f < kFactors; ++f)
        at[f] += left % plan.p.shape[d] * plan.p.strides[f][d] * size;
    g.a = static_cast<const char*>(g.a) + at[kA];
    g.b = static_cast<const char*>(g.b) + at[kB];
    g.c = static_cast<char*>(g.c) + at[kC];
    if (const bp_status s = gemm(l, g, err)) return s;
  }
  return BP_OK;
}

bp_status multiply_fused(const bp_launch& l, const ProductShape& p, const Factors& f, FusedGemm* g,
                         bp_error** err) {
  const auto gemm = vendor().fused_gemm;
  Plan plan;
  if (!gemm || !plan.make(l, p, f) || plan.calls != 1 || !plan.is_turned) return BP_UNSUPPORTED;
  g->gemm = plan.first;
  return gemm(l, g, err);
}

}  // namespace bp_gpu
