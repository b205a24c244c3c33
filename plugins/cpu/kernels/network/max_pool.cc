// SPDX-License-Identifier: Apache-2.0
// max_pool.cc: the largest elements of windows over one to three dims, and their gradient, which
// goes to the first of equal ones, or to the first NaN. One thread takes a channel's plane.
#include "device/parallel.h"
#include "device/registry.h"
#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int kDims = 3;

// Sizes, with ones in front for the dims that are not there.
struct Windows {
  bool four;
  int64_t planes = 1, in[kDims], out[kDims], kernel[kDims], step[kDims], padding[kDims],
          dilation[kDims];

  Windows(const bp_launch& l, const bp_arg& x, const bp_arg& y, int32_t n) {
    const int32_t first = kDims - n, lead = x.rank - n;
    for (int32_t d = 0; d < lead; ++d) planes *= x.shape[d];
    const auto value = [&](int32_t attr, int32_t i, int64_t absent) {
      const bp_attr& a = l.attrs[attr];
      return a.count == 0 ? absent : a.value.ints[a.count == 1 ? 0 : i];
    };
    for (int32_t d = 0; d < kDims; ++d) {
      const int32_t i = d - first;
      in[d] = i < 0 ? 1 : x.shape[lead + i], out[d] = i < 0 ? 1 : y.shape[lead + i];
      kernel[d] = i < 0 ? 1 : value(BP_ATTR_MAX_POOL_GRAD_KERNEL_SIZE, i, 1);
      step[d] = i < 0 ? 1 : value(BP_ATTR_MAX_POOL_GRAD_STRIDE, i, kernel[d]);
      padding[d] = i < 0 ? 0 : value(BP_ATTR_MAX_POOL_GRAD_PADDING, i, 0);
      dilation[d] = i < 0 ? 1 : value(BP_ATTR_MAX_POOL_GRAD_DILATION, i, 1);
    }
    four = in[0] == 1 && kernel[0] == 1 && padding[0] == 0;
    for (int d = 1; d < kDims; ++d)
      four &= kernel[d] == 2 && step[d] == 2 && padding[d] == 0 && dilation[d] == 1 &&
              2 * out[d] <= in[d];
  }
  int64_t pixels() const { return in[0] * in[1] * in[2]; }
  int64_t places() const { return out[0] * out[1] * out[2]; }
  int64_t grain() const { return 16384 / (places() * kernel[0] * kernel[1] * kernel[2] + 1) + 1; }
};

// The taps of one dim's window that lie inside.
struct Span {
  int64_t first, end, step;  // positions
  Span(const Windows& w, int d, int64_t at) : step(w.dilation[d]) {
    first = at * w.step[d] - w.padding[d];
    end = first + (w.kernel[d] - 1) * step + 1;
    if (first < 0) first += (-first + step - 1) / step * step;
    if (end > w.in[d]) end = w.in[d];
  }
};

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

// Windows of two by two, side by side, as most networks have them.
template <class S, class F>
inline void each_largest_of_four(const Windows& w, const S* plane, const F& f) {
  int64_t place = 0;
  for (int64_t y = 0; y < w.out[1]; ++y)
    for (int64_t x = 0, at = 2 * y * w.in[2]; x < w.out[2]; ++x, ++place, at += 2) {
      const int64_t under = at + w.in[2];
      const int64_t best = at + beats(plane[at + 1], plane[at]),
                    other = under + beats(plane[under + 1], plane[under]);
      f(place, best + (other - best) * beats(plane[other], plane[best]));
    }
}

// Calls f(place, where its largest lies) for all windows of a plane, in order.
template <class S, class F>
inline void each_largest(const Windows& w, const S* plane, const F& f) {
  if (w.four) return each_largest_of_four(w, plane, f);
  int64_t place = 0;
  for (int64_t z = 0; z < w.out[0]; ++z) {
    const Span sz(w, 0, z);
    for (int64_t y = 0; y < w.out[1]; ++y) {
      const Span sy(w, 1, y);
      for (int64_t x = 0; x < w.out[2]; ++x, ++place) {
        const Span sx(w, 2, x);
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
bp_status forward(const bp_launch* launch, bp_error**) {
  const bp_arg &x = launch->args[0], &y = launch->args[1];
  const Windows w(*launch, x, y, n);
  const S* in = static_cast<const S*>(x.data);
  S* out = static_cast<S*>(y.data);
  parallel_for(w.planes, w.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const S* plane = in + p * w.pixels();
      S* to = out + p * w.places();
      each_largest(w, plane, [&](int64_t place, int64_t best) { to[place] = plane[best]; });
    }
  });
  return BP_OK;
}

template <class S>
bp_status backward(const bp_launch* launch, bp_error**) {
  const bp_arg &grad = launch->args[0], &x = launch->args[1], &dx = launch->args[2];
  const Windows w(*launch, x, grad, x.rank - 2);
  const S *from = static_cast<const S*>(grad.data), *in = static_cast<const S*>(x.data);
  S* out = static_cast<S*>(dx.data);
  parallel_for(w.planes, w.grain(), [&](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; ++p) {
      const S *plane = in + p * w.pixels(), *mine = from + p * w.places();
      S* to = out + p * w.pixels();
      for (int64_t i = 0; i < w.pixels(); ++i) to[i] = S{};
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
