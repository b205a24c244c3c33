// SPDX-License-Identifier: Apache-2.0
// avg_pool.cc: the means of windows over one to three dims. Sums are made row by row, then of rows,
// which costs as many additions as a window is high and wide, and errs less than one long sum. One
// thread takes a channel's plane.
#include "device/parallel.h"
#include "device/scratch.h"
#include "kernels/network/windows.h"

namespace bp_cpu::BP_ISA {
namespace {

struct Sum {
  template <class T>
  static T of(T sum, T x) {
    return sum + x;
  }
};

// How many elements windows are divided by: a product of a number for each dim.
template <class T>
struct Counts {
  const Windows& w;
  bool include_pad;

  T of(int d, int64_t at) const {
    const int64_t first = at * w.step[d] - w.padding[d], end = first + w.kernel[d];
    const int64_t before = include_pad ? -w.padding[d] : 0, after = w.in[d] - before;
    return static_cast<T>(smaller(end, after) - (first < before ? before : first));
  }
  void row(T* to) const {
    for (int64_t x = 0; x < w.out[2]; ++x) to[x] = of(2, x);
  }
};

template <class S, int n>
bp_status forward(const bp_launch* launch, bp_error** err) {
  using T = Lane<S>;
  const bp_arg &x = launch->args[0], &y = launch->args[1];
  const Windows w(bp_kit::pool_shape(launch->attrs, x, y, n, /*dilates=*/false));
  const Counts<T> counts{w, launch->attrs[BP_ATTR_AVG_POOL2D_COUNT_INCLUDE_PAD].value.i64 != 0};
  const S* in = static_cast<const S*>(x.data);
  S* out = static_cast<S*>(y.data);
  const int64_t width = w.out[2];
  const uint64_t bytes = static_cast<uint64_t>(plane_scratch(w) + width) * sizeof(T);
  bool exhausted = false;
  parallel_for(w.planes, w.grain(), [&](int64_t begin, int64_t end) {
    const Scratch scratch(*launch, bytes);
    T* divisors = scratch.as<T>();
    if (!divisors) return __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    counts.row(divisors);
    for (int64_t p = begin; p < end; ++p) {
      S* to = out + p * w.places();
      reduce_plane<Sum>(w, in + p * w.pixels(), divisors + width, T(0),
                        [&](int64_t z, int64_t y, const T* row) {
                          const T by = counts.of(0, z) * counts.of(1, y);
#pragma omp simd
                          for (int64_t i = 0; i < width; ++i)
                            from_lane<S>(row[i] / (by * divisors[i]), /*add=*/false, to + i);
                          to += width;
                        });
    }
  });
  return exhausted ? Scratch(*launch, bytes).fail(err) : BP_OK;
}

}  // namespace

void add_avg_pool(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    using S = decltype(t);
    r.add(BP_OP_AVG_POOL1D, bit(d), forward<S, 1>, BP_KERNEL_CONTIGUOUS);
    r.add(BP_OP_AVG_POOL2D, bit(d), forward<S, 2>, BP_KERNEL_CONTIGUOUS);
    r.add(BP_OP_AVG_POOL3D, bit(d), forward<S, 3>, BP_KERNEL_CONTIGUOUS);
  });
}

}  // namespace bp_cpu::BP_ISA
