// SPDX-License-Identifier: Apache-2.0
// generate.cu: arange and linspace, computed in i64 or f64 as their rows say, then rounded. The
// sums of products are rounded twice, as on the cpu: compile without contraction.
#include "gpu/kernel.h"

namespace bp_gpu {
namespace {

// A line is a struct whose of(i) is point i.
struct WholeSteps {  // wraps where the last steps of a range pass its end
  uint64_t start, step;
  GPU_FN int64_t of(int64_t i) const {
    return static_cast<int64_t>(start + step * static_cast<uint64_t>(i));
  }
};
struct Steps {
  double start, step;
  GPU_FN double of(int64_t i) const { return start + static_cast<double>(i) * step; }
};
struct Between {
  double start, end;
  int64_t last;
  GPU_FN double of(int64_t i) const {
    const double range = end - start, n = static_cast<double>(last > 0 ? last : 1);
    // The product comes first: where it is exact, a point that should be 0 is 0.
    if (i < (last + 1) / 2 || last == 0) return start + static_cast<double>(i) * range / n;
    return end - static_cast<double>(last - i) * range / n;
  }
};

template <class T, class Line>
struct FillLine {
  T* out;
  int64_t n, step;
  Line line;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < n; i += at.count()) out[i * step] = convert<T>(line.of(i));
  }
};

template <class T, class Line>
bp_status fill_line(const bp_launch& l, const Line& line, bp_error** err) {
  const bp_arg& out = l.args[l.n_in];
  return launch(l, cover(out.shape[0]),
                FillLine<T, Line>{static_cast<T*>(out.data), out.shape[0], out.strides[0], line},
                err);
}

bp_status run_arange(const bp_launch& l, bp_error** err) {
  const bp_arg &start = l.args[0], &step = l.args[2];
  return with_type_of<kReals>(l.args[3].dtype, [&](auto t) {
    using T = decltype(t);
    if constexpr (std::is_integral_v<T>)
      if (start.kind == BP_ARG_SCALAR_I64 && step.kind == BP_ARG_SCALAR_I64)
        return fill_line<T>(
            l, WholeSteps{static_cast<uint64_t>(start.i64), static_cast<uint64_t>(step.i64)}, err);
    return fill_line<T>(l, Steps{number<double>(start), number<double>(step)}, err);
  });
}

bp_status run_linspace(const bp_launch& l, bp_error** err) {
  const Between line{number<double>(l.args[0]), number<double>(l.args[1]), l.args[2].shape[0] - 1};
  return with_type_of<kFloats>(l.args[2].dtype,
                               [&](auto t) { return fill_line<decltype(t)>(l, line, err); });
}

}  // namespace

void add_generate(Registry& r) {
  r.add(BP_OP_ARANGE, kReals, entry<run_arange>);
  r.add(BP_OP_LINSPACE, kFloats, entry<run_linspace>);
}

}  // namespace bp_gpu
