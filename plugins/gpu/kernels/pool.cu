// SPDX-License-Identifier: Apache-2.0
// pool.cu: the largest elements and the means of windows over one to three dims, a thread for each
// output. max_pool's gradient goes to the first of equal ones, or to the first NaN: a thread for
// each element of the input looks for the windows that chose it and adds their gradients in order.
// Halves are added in f32.
#include "gpu/extreme.h"
#include "gpu/windows.h"

namespace bp_gpu {
namespace {

// Where the largest element of the window at `spot` lies in its plane; -1 when no tap is inside.
template <class T>
GPU_FN int64_t largest(const Windows& w, const T* plane, const Grid::Spot& spot) {
  const Taps z(w, 0, spot.at[0]), y(w, 1, spot.at[1]), x(w, 2, spot.at[2]);
  int64_t found = -1;
  Calc<T> best = Larger::last<Calc<T>>();
  for (int64_t iz = z.first; iz < z.end; iz += z.step)
    for (int64_t iy = y.first; iy < y.end; iy += y.step) {
      const int64_t row = (iz * w.in.size[1] + iy) * w.in.size[2];
      for (int64_t ix = x.first; ix < x.end; ix += x.step) {
        const auto v = convert<Calc<T>>(plane[row + ix]);
        if (found >= 0 && !Larger::before(v, best)) continue;
        found = row + ix;
        best = v;
      }
    }
  return found;
}

template <class T>
struct MaxPool {
  Windows w;
  const T* in;
  T* out;
  GPU_FN void operator()(const Place& at) const {
    const int64_t n = w.planes * w.places();
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const Grid::Spot spot = w.out.of(i);
      const T* plane = in + spot.plane * w.pixels();
      const int64_t best = largest(w, plane, spot);
      out[i] = best < 0 ? convert<T>(Larger::last<Calc<T>>()) : plane[best];
    }
  }
};

template <class T>
struct MaxPoolGrad {
  Windows w;
  const T *grad, *in;
  T* out;

  // The windows [begin, end) of a dim that may have a tap at a position.
  struct Some {
    int64_t begin, end;
  };
  GPU_FN Some over(int32_t d, int64_t position) const {
    const int64_t at = position + w.padding[d], before = at - w.reach(d);
    const int64_t begin = before <= 0 ? 0 : (before + w.step[d] - 1) / w.step[d],
                  end = at / w.step[d] + 1;
    return {begin, end < w.out.size[d] ? end : w.out.size[d]};
  }

  GPU_FN void operator()(const Place& at) const {
    const int64_t pixels = w.pixels(), n = w.planes * pixels;
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const Grid::Spot mine = w.in.of(i);
      const int64_t own = i - mine.plane * pixels;
      const T *plane = in + mine.plane * pixels, *from = grad + mine.plane * w.places();
      const Some z = over(0, mine.at[0]), y = over(1, mine.at[1]), x = over(2, mine.at[2]);
      Calc<T> sum = 0;
      for (int64_t iz = z.begin; iz < z.end; ++iz)
        for (int64_t iy = y.begin; iy < y.end; ++iy)
          for (int64_t ix = x.begin; ix < x.end; ++ix) {
            if (largest(w, plane, {mine.plane, {iz, iy, ix}}) != own) continue;
            const int64_t place = (iz * w.out.size[1] + iy) * w.out.size[2] + ix;
            sum += convert<Calc<T>>(from[place]);
          }
      out[i] = convert<T>(sum);
    }
  }
};

// Sums are made row by row, and then of rows.
template <class T>
struct AvgPool {
  Windows w;
  const T* in;
  T* out;
  bool include_pad;

  // How many elements of a dim a window is divided by.
  GPU_FN int64_t count(int32_t d, int64_t at) const {
    const int64_t first = at * w.step[d] - w.padding[d], end = first + w.kernel[d];
    const int64_t before = include_pad ? -w.padding[d] : 0, after = w.in.size[d] - before;
    return (end < after ? end : after) - (first < before ? before : first);
  }

  GPU_FN void operator()(const Place& at) const {
    const int64_t n = w.planes * w.places();
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const Grid::Spot spot = w.out.of(i);
      const T* plane = in + spot.plane * w.pixels();
      const Taps z(w, 0, spot.at[0]), y(w, 1, spot.at[1]), x(w, 2, spot.at[2]);
      Calc<T> sum = 0;
      for (int64_t iz = z.first; iz < z.end; ++iz)
        for (int64_t iy = y.first; iy < y.end; ++iy) {
          const int64_t row = (iz * w.in.size[1] + iy) * w.in.size[2];
          Calc<T> part = 0;
          for (int64_t ix = x.first; ix < x.end; ++ix) part += convert<Calc<T>>(plane[row + ix]);
          sum += part;
        }
      const int64_t by = count(0, spot.at[0]) * count(1, spot.at[1]) * count(2, spot.at[2]);
      out[i] = convert<T>(sum / static_cast<Calc<T>>(by));
    }
  }
};

template <int32_t n>
bp_status run_max(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &y = l.args[1];
  const Windows w(l.attrs, x, y, n, /*dilates=*/true);
  return with_type_of<kReals>(x.dtype, [&](auto t) {
    using T = decltype(t);
    const MaxPool<T> kernel{w, static_cast<const T*>(x.data), static_cast<T*>(y.data)};
    return launch(l, cover(numel(y)), kernel, err);
  });
}

bp_status run_max_grad(const bp_launch& l, bp_error** err) {
  const bp_arg &grad = l.args[0], &x = l.args[1], &dx = l.args[2];
  const Windows w(l.attrs, x, grad, x.rank - 2, /*dilates=*/true);
  return with_type_of<kFloats>(x.dtype, [&](auto t) {
    using T = decltype(t);
    const MaxPoolGrad<T> kernel{w, static_cast<const T*>(grad.data), static_cast<const T*>(x.data),
                                static_cast<T*>(dx.data)};
    return launch(l, cover(numel(dx)), kernel, err);
  });
}

template <int32_t n>
bp_status run_avg(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &y = l.args[1];
  const Windows w(l.attrs, x, y, n, /*dilates=*/false);
  const bool include_pad = l.attrs[BP_ATTR_AVG_POOL2D_COUNT_INCLUDE_PAD].value.i64 != 0;
  return with_type_of<kFloats>(x.dtype, [&](auto t) {
    using T = decltype(t);
    const AvgPool<T> kernel{w, static_cast<const T*>(x.data), static_cast<T*>(y.data), include_pad};
    return launch(l, cover(numel(y)), kernel, err);
  });
}

}  // namespace

void add_pool(Registry& r) {
  constexpr uint32_t kDense = BP_KERNEL_CONTIGUOUS;
  r.add(BP_OP_MAX_POOL1D, kReals, entry<run_max<1>>, kDense);
  r.add(BP_OP_MAX_POOL2D, kReals, entry<run_max<2>>, kDense);
  r.add(BP_OP_MAX_POOL3D, kReals, entry<run_max<3>>, kDense);
  r.add(BP_OP_MAX_POOL_GRAD, kFloats, entry<run_max_grad>, kDense);
  r.add(BP_OP_AVG_POOL1D, kFloats, entry<run_avg<1>>, kDense);
  r.add(BP_OP_AVG_POOL2D, kFloats, entry<run_avg<2>>, kDense);
  r.add(BP_OP_AVG_POOL3D, kFloats, entry<run_avg<3>>, kDense);
}

}  // namespace bp_gpu
