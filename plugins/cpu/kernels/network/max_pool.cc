// SPDX-License-Identifier: Apache-2.0
// max_pool.cc: the largest elements of windows over one to three dims, and their gradient, which
// goes to the first of equal ones, or to the first NaN. One thread takes a channel's plane.
#include <algorithm>

#include "device/parallel.h"
#include "device/scratch.h"
#include "kernels/network/windows.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class S>
[[gnu::always_inline]] inline bool beats(S a, S best) {
  if constexpr (std::is_floating_point_v<Lane<S>>) {
    const auto x = to_lane(a), y = to_lane(best);
    // A branch could not be predicted, because either may be the larger.
    return bool((x > y) | ((x != x) & (y == y)));
  } else {
    return a > best;
  }
}

// The first of equal ones stays, and the first NaN, in whatever order windows are cut into rows.
struct Largest {
  template <class T>
  static T of(T best, T a) {
    if constexpr (std::is_floating_point_v<T>)
      return beats(a, best) ? a : best;
    else  // a register
      return (a > best) | ((a != a) & (best == best)) ? a : best;
  }
};

// Whether windows are of two by two, side by side, as most networks have them.
bool are_four(const Windows& w) {
  bool four = w.in[0] == 1 && w.kernel[0] == 1 && w.padding[0] == 0;
  for (int d = 1; d < Windows::kDims; ++d)
    four &= w.kernel[d] == 2 && w.step[d] == 2 && w.padding[d] == 0 && w.dilation[d] == 1 &&
            2 * w.out[d] <= w.in[d];
  return four;
}

// Windows of two by two that lie beside each other, one a lane, and what each has where.
template <class T>
struct Fours {
  using L = Lanes<T>;
  using V = typename L::V;
  int64_t n;  // windows, at most a register of them
  V upper_left, upper_right, lower_left, lower_right;

  Fours(const T* upper, const T* lower, int64_t windows) : n(smaller(windows, L::kCount)) {
    read(upper, &upper_left, &upper_right);
    read(lower, &lower_left, &lower_right);
  }
  void read(const T* row, V* left, V* right) const {
    V a, b;
    if (n == L::kCount) {
      a = L::load(row), b = L::load(row + L::kCount);
    } else {
      a = L::load_part(L::part(smaller(2 * n, L::kCount)), row);
      b = 2 * n > L::kCount ? L::load_part(L::part(2 * n - L::kCount), row + L::kCount) : L::zero();
    }
    *left = even_lanes<T>(a, b), *right = odd_lanes<T>(a, b);
  }
  void write(V left, V right, T* row) const {
    const V a = zip_lower<T>(left, right), b = zip_upper<T>(left, right);
    if (n == L::kCount) return L::store(row, a), L::store(row + L::kCount, b);
    L::store_part(L::part(smaller(2 * n, L::kCount)), row, a);
    if (2 * n > L::kCount) L::store_part(L::part(2 * n - L::kCount), row + L::kCount, b);
  }
  static auto wins(V a, V best) { return (a > best) | ((a != a) & (best == best)); }
};

template <class T>
void largest_of_four(const Windows& w, const T* plane, T* out) {
  using L = Lanes<T>;
  for (int64_t y = 0; y < w.out[1]; ++y, out += w.out[2])
    for (int64_t x = 0; x < w.out[2]; x += L::kCount) {
      const T* upper = plane + 2 * (y * w.in[2] + x);
      const Fours<T> f(upper, upper + w.in[2], w.out[2] - x);
      const auto best = Largest::of(Largest::of(f.upper_left, f.upper_right),
                                    Largest::of(f.lower_left, f.lower_right));
      f.n == L::kCount ? L::store(out + x, best) : L::store_part(L::part(f.n), out + x, best);
    }
}

// It is not inlined, because there is a copy of it for each rank otherwise.
template <class T>
__attribute__((noinline)) bp_status all_largest_of_four(const Windows& w, const T* in, T* out) {
  parallel_for(w.planes, w.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p)
      largest_of_four(w, in + p * w.pixels(), out + p * w.places());
  });
  return BP_OK;
}

// Each window's gradient goes to one of its elements, and 0 to the others.
template <class T>
void give_largest_of_four(const Windows& w, const T* plane, const T* grad, T* to) {
  using L = Lanes<T>;
  using F = Fours<T>;
  for (int64_t y = 0; y < w.out[1]; ++y, grad += w.out[2]) {
    const int64_t row = 2 * y * w.in[2];
    for (int64_t x = 0; x < w.out[2]; x += L::kCount) {
      const T* upper = plane + row + 2 * x;
      const F f(upper, upper + w.in[2], w.out[2] - x);
      const auto right = F::wins(f.upper_right, f.upper_left),
                 lower_right = F::wins(f.lower_right, f.lower_left),
                 lower = F::wins(lower_right ? f.lower_right : f.lower_left,
                                 right ? f.upper_right : f.upper_left);
      const auto zero = L::zero();
      // As a sum that begins with 0, which a gradient of -0 leaves 0.
      const auto g = zero +
                     (f.n == L::kCount ? L::load(grad + x) : L::load_part(L::part(f.n), grad + x)),
                 above = lower ? zero : g, below = lower ? g : zero;
      f.write(right ? zero : above, right ? above : zero, to + row + 2 * x);
      f.write(lower_right ? zero : below, lower_right ? below : zero, to + row + w.in[2] + 2 * x);
    }
    for (int64_t x = 2 * w.out[2]; x < w.in[2]; ++x) to[row + x] = to[row + w.in[2] + x] = T{};
  }
  std::fill(to + 2 * w.out[1] * w.in[2], to + w.pixels(), T{});
}

// Calls f(place, where its largest lies) for all windows of a plane that have a tap inside, in
// order.
template <class S, class F>
inline void each_largest(const Windows& w, const S* plane, const F& f) {
  int64_t place = 0;
  for (int64_t z = 0; z < w.out[0]; ++z) {
    const Taps sz(w, 0, z);
    for (int64_t y = 0; y < w.out[1]; ++y) {
      const Taps sy(w, 1, y);
      for (int64_t x = 0; x < w.out[2]; ++x, ++place) {
        const Taps sx(w, 2, x);
        if (sz.first >= sz.end || sy.first >= sy.end || sx.first >= sx.end) continue;
        int64_t best = (sz.first * w.in[1] + sy.first) * w.in[2] + sx.first;
        for (int64_t iz = sz.first; iz < sz.end; iz += sz.step)
          for (int64_t iy = sy.first; iy < sy.end; iy += sy.step) {
            const int64_t row = (iz * w.in[1] + iy) * w.in[2];
            for (int64_t ix = sx.first; ix < sx.end; ix += sx.step)
              if (beats(plane[row + ix], plane[best])) best = row + ix;
          }
        f(place, best);
      }
    }
  }
}

template <class S, int n>
bp_status forward(const bp_launch* launch, bp_error** err) {
  using T = Lane<S>;
  const bp_arg &x = launch->args[0], &y = launch->args[1];
  const Windows w(bp_kit::pool_shape(launch->attrs, x, y, n, /*dilates=*/true));
  const S* in = static_cast<const S*>(x.data);
  S* out = static_cast<S*>(y.data);
  if (are_four(w)) return all_largest_of_four(w, in, out);
  const uint64_t bytes = static_cast<uint64_t>(plane_scratch(w)) * sizeof(T);
  bool exhausted = false;
  parallel_for(w.planes, w.grain(), [&](int64_t begin, int64_t end) {
    const Scratch scratch(*launch, bytes);
    if (!scratch.as<T>()) return __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    for (int64_t p = begin; p < end; ++p) {
      S* to = out + p * w.places();
      reduce_plane<Largest>(w, in + p * w.pixels(), scratch.as<T>(),
                            static_cast<T>(-__builtin_inf()), [&](int64_t, int64_t, const T* row) {
                              for (int64_t i = 0; i < w.out[2]; ++i)
                                from_lane<S>(row[i], /*add=*/false, to + i);
                              to += w.out[2];
                            });
    }
  });
  return exhausted ? Scratch(*launch, bytes).fail(err) : BP_OK;
}

template <class S>
bp_status backward(const bp_launch* launch, bp_error**) {
  const bp_arg &grad = launch->args[0], &x = launch->args[1], &dx = launch->args[2];
  const Windows w(bp_kit::pool_shape(launch->attrs, x, grad, x.rank - 2, /*dilates=*/true));
  const S *from = static_cast<const S*>(grad.data), *in = static_cast<const S*>(x.data);
  S* out = static_cast<S*>(dx.data);
  parallel_for(w.planes, w.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const S *plane = in + p * w.pixels(), *mine = from + p * w.places();
      S* to = out + p * w.pixels();
      if (are_four(w)) {
        give_largest_of_four(w, plane, mine, to);
        continue;
      }
      std::fill_n(to, w.pixels(), S{});
      each_largest(w, plane, [&](int64_t place, int64_t best) {
        to[best] = static_cast<S>(to[best] + mine[place]);
      });
    }
  });
  return BP_OK;
}

template <class S>
void add_for(Registry& r, bp_dtype dtype) {
  r.add(BP_OP_MAX_POOL1D, bit(dtype), forward<S, 1>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_MAX_POOL2D, bit(dtype), forward<S, 2>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_MAX_POOL3D, bit(dtype), forward<S, 3>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_MAX_POOL_GRAD, bit(dtype), backward<S>, BP_KERNEL_CONTIGUOUS);
}

}  // namespace

void add_max_pool(Registry& r) {
  add_for<float>(r, BP_F32);
  add_for<double>(r, BP_F64);
}

}  // namespace bp_cpu::BP_ISA
