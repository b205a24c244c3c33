// SPDX-License-Identifier: Apache-2.0
// pool.cu: the largest elements and the means of windows over one to three dims, a thread for each
// output. max_pool's gradient goes to the first of equal ones, or to the first NaN: a launch finds
// where the largest of each window lies, and in a second one a thread for each element of the input
// adds the gradients of those windows around it whose largest it is, in order. Halves are added in
// f32.
#include "gpu/extreme.h"
#include "gpu/windows.h"

namespace bp_gpu {
namespace {

// The largest element of a window, and where it lies in its plane; -1 when no tap is inside.
template <class T, class N>
struct Largest {
  N at = -1;
  T value;

  GPU_FN Largest(const Windows<N>& w, const T* plane, const N* spot) {
    const Taps z(w, 0, spot[0]), y(w, 1, spot[1]), x(w, 2, spot[2]);
    Calc<T> best = Larger::last<Calc<T>>();
    value = convert<T>(best);
    for (N iz = z.first; iz < z.end; iz += z.step)
      for (N iy = y.first; iy < y.end; iy += y.step) {
        const N row = (iz * w.in.size[1] + iy) * w.in.size[2];
        for (N ix = x.first; ix < x.end; ix += x.step) {
          const T item = plane[row + ix];
          const auto v = convert<Calc<T>>(item);
          if (at >= 0 && !Larger::before(v, best)) continue;
          at = row + ix;
          best = v;
          value = item;
        }
      }
  }
};

template <class T, class N>
struct MaxPool {
  static constexpr int32_t kTogether = 4;
  Windows<N> w;
  const T* in;
  T* out;
  GPU_FN void operator()(const Place& at) const {
    const int64_t n = w.planes * w.out.plane;
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const auto spot = w.out.of(i);
      out[i] = Largest(w, in + spot.plane * w.in.plane, spot.at).value;
    }
  }
};

template <class T, class N>
struct FindLargest {
  Windows<N> w;
  const T* in;
  N* where;
  GPU_FN void operator()(const Place& at) const {
    const int64_t n = w.planes * w.out.plane;
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const auto spot = w.out.of(i);
      where[i] = Largest(w, in + spot.plane * w.in.plane, spot.at).at;
    }
  }
};

template <class T, class N>
struct MaxPoolGrad {
  Windows<N> w;
  const N* where;  // of each window
  const T* grad;
  T* out;

  GPU_FN void operator()(const Place& at) const {
    const int64_t n = w.planes * w.in.plane;
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const auto mine = w.in.of(i);
      const N own = static_cast<N>(i - mine.plane * w.in.plane);
      const N* const found = where + mine.plane * w.out.plane;
      const T* const from = grad + mine.plane * w.out.plane;
      const Covering z(w, 0, mine.at[0]), y(w, 1, mine.at[1]), x(w, 2, mine.at[2]);
      Calc<T> sum = 0;
      for (N iz = z.begin; iz < z.end; ++iz)
        for (N iy = y.begin; iy < y.end; ++iy) {
          const N row = (iz * w.out.size[1] + iy) * w.out.size[2];
          for (N ix = x.begin; ix < x.end; ++ix)
            if (found[row + ix] == own) sum += convert<Calc<T>>(from[row + ix]);
        }
      out[i] = convert<T>(sum);
    }
  }
};

// Sums are made row by row, and then of rows.
template <class T, class N>
struct AvgPool {
  Windows<N> w;
  const T* in;
  T* out;
  bool include_pad;

  // How many elements of a dim a window is divided by.
  GPU_FN int64_t count(int32_t d, N at) const {
    const N first = at * w.step[d] - w.padding[d], end = first + w.kernel[d];
    const N before = include_pad ? -w.padding[d] : 0, after = w.in.size[d] - before;
    return (end < after ? end : after) - (first < before ? before : first);
  }

  GPU_FN void operator()(const Place& at) const {
    const int64_t n = w.planes * w.out.plane;
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const auto spot = w.out.of(i);
      const T* plane = in + spot.plane * w.in.plane;
      const Taps z(w, 0, spot.at[0]), y(w, 1, spot.at[1]), x(w, 2, spot.at[2]);
      Calc<T> sum = 0;
      for (N iz = z.first; iz < z.end; ++iz)
        for (N iy = y.first; iy < y.end; ++iy) {
          const N row = (iz * w.in.size[1] + iy) * w.in.size[2];
          Calc<T> part = 0;
          for (N ix = x.first; ix < x.end; ++ix) part += convert<Calc<T>>(plane[row + ix]);
          sum += part;
        }
      const int64_t by =
          int64_t{count(0, spot.at[0])} * count(1, spot.at[1]) * count(2, spot.at[2]);
      out[i] = convert<T>(sum / static_cast<Calc<T>>(by));
    }
  }
};

template <int32_t n>
bp_status run_max(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &y = l.args[1];
  return with_windows(l.attrs, x, y, n, /*dilates=*/true, [&]<class N>(const Windows<N>& w) {
    return with_type_of<kReals>(x.dtype, [&](auto t) {
      using T = decltype(t);
      const MaxPool<T, N> kernel{w, static_cast<const T*>(x.data), static_cast<T*>(y.data)};
      return launch(l, cover(numel(y)), kernel, err);
    });
  });
}

// Calls fn(windows) for those of max_pool_grad.
template <class F>
bp_status with_grad_windows(const bp_launch& l, const F& fn) {
  const bp_arg &grad = l.args[0], &x = l.args[1];
  return with_windows(l.attrs, x, grad, x.rank - 2, /*dilates=*/true, fn);
}
bp_status run_max_grad(const bp_launch& l, bp_error** err) {
  const bp_arg &grad = l.args[0], &x = l.args[1], &dx = l.args[2];
  return with_grad_windows(l, [&]<class N>(const Windows<N>& w) {
    return with_type_of<kFloats>(x.dtype, [&](auto t) {
      using T = decltype(t);
      auto* const where = static_cast<N*>(l.workspace);
      const FindLargest<T, N> find{w, static_cast<const T*>(x.data), where};
      if (const bp_status s = launch(l, cover(numel(grad)), find, err)) return s;
      const MaxPoolGrad<T, N> add{w, where, static_cast<const T*>(grad.data),
                                  static_cast<T*>(dx.data)};
      return launch(l, cover(numel(dx)), add, err);
    });
  });
}
bp_status max_grad_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  return with_grad_windows(*l, [&]<class N>(const Windows<N>&) -> bp_status {
    *bytes = static_cast<uint64_t>(numel(l->args[0])) * sizeof(N);
    return BP_OK;
  });
}

template <int32_t n>
bp_status run_avg(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &y = l.args[1];
  const bool include_pad = l.attrs[BP_ATTR_AVG_POOL2D_COUNT_INCLUDE_PAD].value.i64 != 0;
  return with_windows(l.attrs, x, y, n, /*dilates=*/false, [&]<class N>(const Windows<N>& w) {
    return with_type_of<kFloats>(x.dtype, [&](auto t) {
      using T = decltype(t);
      const AvgPool<T, N> kernel{w, static_cast<const T*>(x.data), static_cast<T*>(y.data),
                                 include_pad};
      return launch(l, cover(numel(y)), kernel, err);
    });
  });
}

}  // namespace

void add_pool(Registry& r) {
  constexpr uint32_t kDense = BP_KERNEL_CONTIGUOUS;
  r.add(BP_OP_MAX_POOL1D, kReals, entry<run_max<1>>, kDense);
  r.add(BP_OP_MAX_POOL2D, kReals, entry<run_max<2>>, kDense);
  r.add(BP_OP_MAX_POOL3D, kReals, entry<run_max<3>>, kDense);
  r.add(BP_OP_MAX_POOL_GRAD, kFloats, entry<run_max_grad>, kDense, max_grad_workspace);
  r.add(BP_OP_AVG_POOL1D, kFloats, entry<run_avg<1>>, kDense);
  r.add(BP_OP_AVG_POOL2D, kFloats, entry<run_avg<2>>, kDense);
  r.add(BP_OP_AVG_POOL3D, kFloats, entry<run_avg<3>>, kDense);
}

}  // namespace bp_gpu
