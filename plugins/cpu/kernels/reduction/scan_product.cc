// SPDX-License-Identifier: Apache-2.0
// scan_product.cc: cumprod. Integers and bools go modulo 2^64; f32 and halves are multiplied in
// f64. One thread takes a row from its beginning to its end: products of long parts would overflow
// where the whole does not. Rows are done side by side.
#include "device/parallel.h"
#include "device/registry.h"
#include "kernels/reduction/elements.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrainElements = 16384;
constexpr int64_t kTile = 64;  // rows that are done at a time

int64_t offset_of(const bp_arg& a, int64_t row) {
  int64_t at = 0;
  for (int32_t d = a.rank - 2; d >= 0; --d) {
    at += row % a.shape[d] * a.strides[d];
    row /= a.shape[d];
  }
  return at;
}

// A row of f32 or halves that lies in one piece. The chain from one product to the next is one
// multiplication for four elements, whose product alone is always within the range of f64.
template <class T, class O>
void dense_row(const T* x, O* y, int64_t n) {
  double product = 1;
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const double x0 = convert<double>(x[i]), x1 = x0 * convert<double>(x[i + 1]);
    const double x2 = convert<double>(x[i + 2]), pair = x2 * convert<double>(x[i + 3]);
    y[i] = convert<O>(product * x0);
    y[i + 1] = convert<O>(product * x1);
    y[i + 2] = convert<O>(product * (x1 * x2));
    product *= x1 * pair;
    y[i + 3] = convert<O>(product);
  }
  for (; i < n; ++i) {
    product *= convert<double>(x[i]);
    y[i] = convert<O>(product);
  }
}

template <class T, class O, class A>
bp_status run(const bp_launch* launch, bp_error**) {
  const bp_arg &in = launch->args[0], &out = launch->args[1];
  const int32_t last = in.rank - 1;
  const int64_t n = in.shape[last];
  int64_t rows = 1;
  for (int32_t d = 0; d < last; ++d) rows *= in.shape[d];
  if (rows == 0 || n == 0) return BP_OK;
  if constexpr (std::is_same_v<A, double> && !std::is_same_v<T, double>) {
    if (in.strides[last] == 1 && out.strides[last] == 1) {
      parallel_for(rows, kGrainElements / n + 1, [&](int64_t begin, int64_t end) {
        for (int64_t row = begin; row < end; ++row)
          dense_row(static_cast<const T*>(in.data) + offset_of(in, row),
                    static_cast<O*>(out.data) + offset_of(out, row), n);
      });
      return BP_OK;
    }
  }
  const int64_t tiles = (rows + kTile - 1) / kTile;
  parallel_for(tiles, kGrainElements / (n * kTile) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t tile = begin; tile < end; ++tile) {
      const int64_t first = tile * kTile, width = smaller(kTile, rows - first);
      const T* x[kTile];
      O* y[kTile];
      A product[kTile];
      for (int64_t r = 0; r < width; ++r) {
        x[r] = static_cast<const T*>(in.data) + offset_of(in, first + r);
        y[r] = static_cast<O*>(out.data) + offset_of(out, first + r);
        product[r] = 1;
      }
      for (int64_t i = 0; i < n; ++i)
        for (int64_t r = 0; r < width; ++r) {
          product[r] *= convert<A>(x[r][i * in.strides[last]]);
          y[r][i * out.strides[last]] = convert<O>(product[r]);
        }
    }
  });
  return BP_OK;
}

}  // namespace

void add_scan_product(Registry& r) {
  each_type<bit(BP_BOOL) | (kIntegers & ~bit(BP_I64))>([&](auto t, bp_dtype d) {
    r.add(BP_OP_CUMPROD, bit(d), run<decltype(t), uint64_t, uint64_t>);
  });
  r.add(BP_OP_CUMPROD, bit(BP_I64), run<uint64_t, uint64_t, uint64_t>);
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_CUMPROD, bit(d), run<decltype(t), decltype(t), double>);
  });
}

}  // namespace bp_cpu::BP_ISA
