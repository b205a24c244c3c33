// SPDX-License-Identifier: Apache-2.0
// scan_product.cc: cumprod. Integers and bools go modulo 2^64; f32 and halves are multiplied in
// f64. A row is one thread's, from its beginning to its end: products of parts would overflow where
// the whole does not. Rows that lie across memory are done side by side.
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

template <class T, class O, class A>
bp_status run(const bp_launch* launch, bp_error**) {
  const bp_arg &in = launch->args[0], &out = launch->args[1];
  const int32_t last = in.rank - 1;
  const int64_t n = in.shape[last];
  int64_t rows = 1;
  for (int32_t d = 0; d < last; ++d) rows *= in.shape[d];
  if (rows == 0 || n == 0) return BP_OK;
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

template <class T>
void add_integer(Registry& r, uint64_t dtypes) {
  r.add(BP_OP_CUMPROD, dtypes, run<T, uint64_t, uint64_t>);
}

}  // namespace

void add_scan_product(Registry& r) {
  add_integer<bp_cpu::Bool>(r, bit(BP_BOOL));
  add_integer<uint8_t>(r, bit(BP_U8));
  add_integer<int8_t>(r, bit(BP_I8));
  add_integer<uint16_t>(r, bit(BP_U16));
  add_integer<int16_t>(r, bit(BP_I16));
  add_integer<uint32_t>(r, bit(BP_U32));
  add_integer<int32_t>(r, bit(BP_I32));
  add_integer<uint64_t>(r, bit(BP_U64) | bit(BP_I64));
  r.add(BP_OP_CUMPROD, bit(BP_F16), run<F16, F16, double>);
  r.add(BP_OP_CUMPROD, bit(BP_BF16), run<BF16, BF16, double>);
  r.add(BP_OP_CUMPROD, bit(BP_F32), run<float, float, double>);
  r.add(BP_OP_CUMPROD, bit(BP_F64), run<double, double, double>);
}

}  // namespace bp_cpu::BP_ISA
