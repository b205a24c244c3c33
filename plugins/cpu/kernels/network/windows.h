// SPDX-License-Identifier: Apache-2.0
// windows.h: the windows of a pool over one to three dims, and what pools do with them dim by dim:
// first each row of the input alone, then rows with one another, so that windows that overlap share
// work and all of it is done in registers.
//
//   const Windows w(bp_kit::pool_shape(launch->attrs, x, y, /*n=*/2, /*dilates=*/false));
//   reduce_plane<Sum>(w, plane, scratch, /*empty=*/0.0f, out);
#pragma once
#include "device/registry.h"
#include "kernels/lanes.h"
#include "kernels/shuffles.h"
#include "kit/pool_shape.h"

namespace bp_cpu::BP_ISA {

struct Windows : bp_kit::PoolShape {
  explicit Windows(const bp_kit::PoolShape& shape) : PoolShape(shape) {}
  int64_t pixels() const { return in[0] * in[1] * in[2]; }
  int64_t places() const { return out[0] * out[1] * out[2]; }
  // How many planes are worth a thread.
  int64_t grain() const {
    return 16384 / (pixels() + places() * kernel[0] * kernel[1] * kernel[2] + 1) + 1;
  }
};

// The taps of one dim's window that lie inside; none where first >= end.
struct Taps {
  int64_t first, end, step;  // positions
  Taps(const Windows& w, int d, int64_t at) : step(w.dilation[d]) {
    first = at * w.step[d] - w.padding[d];
    end = first + w.reach(d) + 1;
    if (first < 0) first += (-first + step - 1) / step * step;
    if (end > w.in[d]) end = w.in[d];
  }
};

// The windows [begin, end) of a dim that lie inside as a whole.
struct Inner {
  int64_t begin, end;
  Inner(const Windows& w, int d) {
    const int64_t out = w.out[d], free = w.in[d] - 1 - w.reach(d) + w.padding[d];
    begin = smaller((w.padding[d] + w.step[d] - 1) / w.step[d], out);
    end = free < 0 ? 0 : smaller(free / w.step[d] + 1, out);
    if (end < begin) end = begin;
  }
};

// kStep is the distance of windows where the compiler is to know it, else 0.
template <class F, int kStep, class T>
void reduce_inner(const T* from, int64_t step, int64_t taps, int64_t dilation, int64_t n, T* to) {
  constexpr int64_t kBlock = 256;  // windows, which stay in the first-level cache
  const int64_t by = kStep ? kStep : step;
  for (int64_t at = 0; at < n; at += kBlock, from += kBlock * by, to += kBlock) {
    const int64_t count = smaller(kBlock, n - at);
#pragma omp simd
    for (int64_t x = 0; x < count; ++x) to[x] = from[x * by];
    for (int64_t k = 1; k < taps; ++k) {
      const T* tap = from + k * dilation;
#pragma omp simd
      for (int64_t x = 0; x < count; ++x) to[x] = F::of(to[x], tap[x * by]);
    }
  }
}

// The same for windows of two or four taps that lie side by side: each element is read once.
template <class F, int kTaps, class T>
void reduce_adjacent(const T* from, int64_t n, T* to) {
  using L = Lanes<T>;
  int64_t x = 0;
  for (; x + L::kCount <= n; x += L::kCount) {
    typename L::V v[kTaps];
    for (int i = 0; i < kTaps; ++i) v[i] = L::load(from + x * kTaps + i * L::kCount);
    auto even = even_lanes<T>(v[0], v[1]), odd = odd_lanes<T>(v[0], v[1]);
    if constexpr (kTaps == 4) {
      const auto even2 = even_lanes<T>(v[2], v[3]), odd2 = odd_lanes<T>(v[2], v[3]);
      v[0] = even_lanes<T>(even, even2), v[1] = even_lanes<T>(odd, odd2);
      v[2] = odd_lanes<T>(even, even2), v[3] = odd_lanes<T>(odd, odd2);
    } else {
      v[0] = even, v[1] = odd;
    }
    for (int k = 1; k < kTaps; ++k) v[0] = F::of(v[0], v[k]);
    L::store(to + x, v[0]);
  }
  for (; x < n; ++x) {
    T sum = from[x * kTaps];
    for (int k = 1; k < kTaps; ++k) sum = F::of(sum, from[x * kTaps + k]);
    to[x] = sum;
  }
}

// The windows of a row that lie inside as a whole, n of them.
template <class F, class T>
void reduce_inside(const Windows& w, const T* from, int64_t n, T* to) {
  const int64_t step = w.step[2], taps = w.kernel[2], dilation = w.dilation[2];
  if (step == taps && dilation == 1) {
    if (taps == 2) return reduce_adjacent<F, 2>(from, n, to);
    if (taps == 4) return reduce_adjacent<F, 4>(from, n, to);
  }
  const auto run = step == 1   ? reduce_inner<F, 1, T>
                   : step == 2 ? reduce_inner<F, 2, T>
                   : step == 3 ? reduce_inner<F, 3, T>
                               : reduce_inner<F, 0, T>;
  run(from, step, taps, dilation, n, to);
}

// Reduces the windows of one row of the input, to[x] = F(F(tap 0, tap 1), ..); `empty` where a
// window has no tap inside.
template <class F, class T>
void reduce_row(const Windows& w, const Inner& inner, const T* row, T empty, T* to) {
  const auto edge = [&](int64_t x) {
    const Taps t(w, 2, x);
    T sum = t.first < t.end ? row[t.first] : empty;
    for (int64_t i = t.first + t.step; i < t.end; i += t.step) sum = F::of(sum, row[i]);
    to[x] = sum;
  };
  for (int64_t x = 0; x < inner.begin; ++x) edge(x);
  if (inner.begin < inner.end)
    reduce_inside<F>(w, row + inner.begin * w.step[2] - w.padding[2], inner.end - inner.begin,
                     to + inner.begin);
  for (int64_t x = inner.end; x < w.out[2]; ++x) edge(x);
}

// The scratch memory of reduce_plane, in elements: a reduced row for each row of the input, and a
// row of lanes.
inline int64_t plane_scratch(const Windows& w) {
  return w.in[0] * w.in[1] * w.out[2] + w.in[2] + w.out[2];
}

// Calls row(z, y, sums) with the windows of each row of the result, reduced by F.
template <class F, class S, class Row>
void reduce_plane(const Windows& w, const S* plane, Lane<S>* scratch, Lane<S> empty,
                  const Row& row) {
  using T = Lane<S>;
  const int64_t width = w.out[2], lines = w.in[0] * w.in[1];
  T *lanes = scratch + lines * width, *sums = lanes + w.in[2];
  const Inner inner(w, 2);
  for (int64_t i = 0; i < lines; ++i) {
    const S* line = plane + i * w.in[2];
    // Steps that are longer than windows leave lines that nobody reads.
    if ((i % w.in[1] + w.padding[1]) % w.step[1] > w.reach(1)) continue;
    const T* from = lanes;
    if constexpr (std::is_same_v<S, T>)
      from = line;
    else
      for (int64_t x = 0; x < w.in[2]; ++x) lanes[x] = to_lane(line[x]);
    reduce_row<F>(w, inner, from, empty, scratch + i * width);
  }
  for (int64_t z = 0; z < w.out[0]; ++z)
    for (int64_t y = 0; y < w.out[1]; ++y) {
      const Taps tz(w, 0, z), ty(w, 1, y);
      const T* one = nullptr;  // the reduced row, where it is a single one
      bool several = false;
      for (int64_t iz = tz.first; iz < tz.end; iz += tz.step)
        for (int64_t iy = ty.first; iy < ty.end; iy += ty.step) {
          const T* next = scratch + (iz * w.in[1] + iy) * width;
          if (!one) {
            one = next;
            continue;
          }
          const T* before = several ? sums : one;
#pragma omp simd
          for (int64_t x = 0; x < width; ++x) sums[x] = F::of(before[x], next[x]);
          several = true;
        }
      if (!one)
        for (int64_t x = 0; x < width; ++x) sums[x] = empty;
      row(z, y, one && !several ? one : sums);
    }
}

}  // namespace bp_cpu::BP_ISA
