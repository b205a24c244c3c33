// SPDX-License-Identifier: Apache-2.0
// windows.h: the windows of a pool over one to three dims of dense operands. Positions in a plane
// are of type N: a card multiplies and divides 32 bits in a fraction of the time that 64 take.
//
//   return with_windows(l.attrs, x, y, /*n=*/2, /*dilates=*/true, [&](const auto& w) {
//     return run_of(w);           // w is Windows<N>, and goes in a kernel's fields
//   });
//   const auto spot = w.out.of(i);       // plane, z, y, x of output i
//   const Taps taps(w, 2, spot.at[2]);   // positions of its window along x
#pragma once
#include "gpu/divider.h"
#include "kit/pool_shape.h"

namespace bp_gpu {

// Divides numbers that are not negative by one that the host knows.
template <class N>
struct Quotients {
  N by = 1;
  Quotients() = default;
  explicit Quotients(N divisor) : by(divisor) {}
  GPU_FN N of(N i) const { return i / by; }
};
template <>
struct Quotients<int32_t> {
  Divider divider;
  Quotients() = default;
  explicit Quotients(int32_t divisor) : divider(static_cast<uint32_t>(divisor)) {}
  GPU_FN int32_t of(int32_t i) const {
    return static_cast<int32_t>(divider.quotient(static_cast<uint32_t>(i)));
  }
};

// Elements of planes of up to three dims, in order.
template <class N>
struct Grid {
  struct Spot {
    int64_t plane;
    N at[3];
  };
  N size[3], plane;  // plane: how many elements it has
  bool few;          // all, of all planes, are so few that an N counts them
  Quotients<N> by[3];

  GPU_FN Spot of(int64_t i) const {
    if (few) return of_few(static_cast<N>(i));
    const int64_t outer = i / plane;
    Spot spot = of_few(static_cast<N>(i - outer * plane));
    spot.plane = outer;
    return spot;
  }
  GPU_FN Spot of_few(N i) const {  // where an N counts this one, at least
    Spot spot;
    for (int32_t d = 2; d >= 0; --d) {
      const N outside = by[d].of(i);
      spot.at[d] = i - outside * size[d];
      i = outside;
    }
    spot.plane = i;
    return spot;
  }
};

// Of three dims.
template <class N>
Grid<N> grid_of(int64_t planes, const int64_t* size) {
  Grid<N> g{};
  int64_t plane = 1;
  for (int32_t d = 0; d < PoolShape::kDims; ++d) {
    g.size[d] = static_cast<N>(size[d]);
    if (size[d] > 0) g.by[d] = Quotients<N>(g.size[d]);
    plane *= size[d];
  }
  g.plane = static_cast<N>(plane);
  g.few = sizeof(N) == sizeof(int64_t) || planes * plane < int64_t{1} << 31;
  return g;
}

// A PoolShape whose numbers are of type N.
template <class N>
struct Windows {
  static constexpr int32_t kDims = PoolShape::kDims;
  int64_t planes = 1;
  Grid<N> in, out;
  N kernel[kDims], step[kDims], padding[kDims], dilation[kDims];
  Quotients<N> by_step[kDims];

  GPU_FN N reach(int32_t d) const { return dilation[d] * (kernel[d] - 1); }
};

namespace windows_detail {

// Whether 32 bits hold all positions in a plane, and around it.
inline bool is_narrow(const PoolShape& s) {
  constexpr int64_t kMost = int64_t{1} << 28;  // some of these are added
  int64_t all_in = 1, all_out = 1;
  for (int32_t d = 0; d < PoolShape::kDims; ++d) {
    for (const int64_t n : {s.in[d], s.out[d], s.kernel[d], s.step[d], s.padding[d], s.dilation[d]})
      if (n >= kMost) return false;
    if (s.reach(d) >= kMost) return false;
    all_in *= s.in[d], all_out *= s.out[d];
    if (all_in >= int64_t{1} << 31 || all_out >= int64_t{1} << 31) return false;
  }
  return true;
}

template <class N>
Windows<N> windows_of(const PoolShape& s) {
  Windows<N> w{};
  w.planes = s.planes;
  w.in = grid_of<N>(s.planes, s.in), w.out = grid_of<N>(s.planes, s.out);
  for (int32_t d = 0; d < PoolShape::kDims; ++d) {
    w.kernel[d] = static_cast<N>(s.kernel[d]), w.step[d] = static_cast<N>(s.step[d]);
    w.padding[d] = static_cast<N>(s.padding[d]), w.dilation[d] = static_cast<N>(s.dilation[d]);
    w.by_step[d] = Quotients<N>(w.step[d]);
  }
  return w;
}

}  // namespace windows_detail

// Calls fn(windows) for the last n dims of x, which are pooled to those of y.
template <class F>
auto with_windows(const bp_attr* attrs, const bp_arg& x, const bp_arg& y, int32_t n, bool dilates,
                  const F& fn) {
  using namespace windows_detail;
  const PoolShape s = pool_shape(attrs, x, y, n, dilates);
  return is_narrow(s) ? fn(windows_of<int32_t>(s)) : fn(windows_of<int64_t>(s));
}

// The positions [first, end) of a dim's window that lie inside, `step` apart.
template <class N>
struct Taps {
  N first, end, step;
  GPU_FN Taps(const Windows<N>& w, int32_t d, N at) : step(w.dilation[d]) {
    first = at * w.step[d] - w.padding[d];
    end = first + w.reach(d) + 1;
    while (first < 0) first += step;
    if (end > w.in.size[d]) end = w.in.size[d];
  }
};

// The windows [begin, end) of a dim that may have a tap at a position.
template <class N>
struct Covering {
  N begin, end;
  GPU_FN Covering(const Windows<N>& w, int32_t d, N position) {
    const N at = position + w.padding[d], before = at - w.reach(d);
    begin = before <= 0 ? 0 : w.by_step[d].of(before + w.step[d] - 1);
    end = w.by_step[d].of(at) + 1;
    if (end > w.out.size[d]) end = w.out.size[d];
  }
};

}  // namespace bp_gpu
