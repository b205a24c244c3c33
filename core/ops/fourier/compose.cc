// SPDX-License-Identifier: Apache-2.0
#include "core/ops/fourier/compose.h"

#include <algorithm>
#include <cmath>

#include "core/ops/fourier/attributes.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"

namespace bp::ops::compose {
namespace {

// Returns x with n elements along axis: it is cut, or followed by zeros.
Ref<Tensor> resized(const Ref<Tensor>& x, int64_t axis, int64_t n) {
  const int64_t size = x->shape[axis];
  if (n == size) return x;
  if (n < size) return narrow(*x, axis, 0, n);
  Dims shape(x->shape);
  shape[axis] = n;
  return embedded(filled(shape, x->dtype, 0, x->device()), x,
                  [axis, size](const Tensor& t) { return narrow(t, axis, 0, size); });
}

enum class Way { kForward, kInverse };

// Returns this direction's share of the factor 1/N, which the norm divides between the directions.
double scale_of(const OpRow& row, std::string_view norm, Way way, const Dims& sizes) {
  double n = 1;
  for (int64_t s : sizes) n *= static_cast<double>(s);
  if (norm == "ortho") return 1 / std::sqrt(n);
  if (norm == "backward" || norm == "forward")
    return (norm == "forward") == (way == Way::kForward) ? 1 / n : 1;
  fail(BP_INVALID_ARGUMENT, "{}: Invalid normalization mode: \"{}\" (backward, ortho or forward)",
       row.name, norm);
}

Ref<Tensor> c2c(const Ref<Tensor>& x, int64_t axis, int64_t n, Way way, double scale) {
  return invoke(BP_OP_FFT_C2C, {resized(x, axis, n)},
                {int_value(axis), flag_value(way == Way::kInverse), float_value(scale)});
}
Ref<Tensor> r2c(const Ref<Tensor>& x, int64_t axis, int64_t n, double scale, bool conjugate) {
  return invoke(BP_OP_FFT_R2C, {resized(x, axis, n)},
                {int_value(axis), float_value(scale), flag_value(conjugate)});
}
Ref<Tensor> c2r(const Ref<Tensor>& x, int64_t axis, int64_t n, double scale, bool conjugate) {
  return invoke(BP_OP_FFT_C2R, {resized(x, axis, n / 2 + 1)},
                {int_value(axis), int_value(n), float_value(scale), flag_value(conjugate)});
}

struct Wanted {
  FftAxes which;
  double scale;
  int64_t axis() const { return which.axes.back(); }
  int64_t n() const { return which.sizes.back(); }
};
Wanted wanted(const Composer& c, bool several, bool last_of_half, Way way) {
  const FftAxes which = fft_axes(c.tensor(0).shape, c, several, last_of_half);
  const auto norm = several ? c.str(kFftnAttrs["norm"]) : c.str(kFftAttrs["norm"]);
  return {which, scale_of(c.row, norm, way, which.sizes)};
}

Ref<Tensor> operand(Composer& c, bool complex) {
  const bp_dtype t = c.plan.compute;
  return to(c.tensor(0), 0, complex ? complex_for(t) : t, /*copy=*/false, /*non_blocking=*/false);
}

// Transforms along all axes but the last `left`. The scale goes with the last axis of all.
Ref<Tensor> each_axis(Ref<Tensor> x, const FftAxes& which, uint32_t left, Way way, double scale) {
  for (uint32_t i = 0; i + left < which.axes.size(); ++i) {
    const bool last = i + 1 == which.axes.size();
    x = c2c(x, which.axes[i], which.sizes[i], way, last ? scale : 1);
  }
  return x;
}

void all_complex(Composer& c, bool several, Way way) {
  const Wanted w = wanted(c, several, false, way);
  c.out[0] = each_axis(operand(c, true), w.which, 0, way, w.scale);
}

void to_half(Composer& c, bool several, Way way, bool conjugate) {
  const Wanted w = wanted(c, several, false, way);
  Ref<Tensor> x = r2c(operand(c, false), w.axis(), w.n(), w.scale, conjugate);
  c.out[0] = each_axis(x, w.which, 1, Way::kForward, 1);
}

void from_half(Composer& c, bool several, Way way, bool conjugate) {
  const Wanted w = wanted(c, several, true, way);
  Ref<Tensor> x = each_axis(operand(c, true), w.which, 1, Way::kInverse, 1);
  c.out[0] = c2r(x, w.axis(), w.n(), w.scale, conjugate);
}

}  // namespace

FftAxes fft_axes(Span shape, const AttrReader& attrs, bool several, bool last_of_half) {
  const int64_t one_size = several ? 0 : attrs.i64(kFftAttrs["n"]),
                one_axis = several ? 0 : attrs.i64(kFftAttrs["axis"]);
  const Span sizes = several ? attrs.ints(kFftnAttrs["s"]) : Span(&one_size, 1),
             axes = several ? attrs.ints(kFftnAttrs["axes"]) : Span(&one_axis, 1);
  const auto rank = static_cast<int64_t>(shape.size());
  FftAxes f;
  if (rank == 0)
    fail(BP_INVALID_ARGUMENT, "fft: a tensor without dimensions has no axis to transform");
  if (!sizes.empty() && !axes.empty() && sizes.size() != axes.size())
    fail(BP_INVALID_ARGUMENT,
         "fft: When given, axes and s must have the same length, but they have {} and {}",
         axes.size(), sizes.size());
  if (static_cast<int64_t>(sizes.size()) > rank)
    fail(BP_INVALID_ARGUMENT, "fft: Got s with {} values but input tensor only has {} dimensions",
         sizes.size(), rank);
  const size_t n = !axes.empty() ? axes.size() : !sizes.empty() ? sizes.size() : shape.size();
  uint64_t seen = 0;
  for (size_t i = 0; i < n; ++i) {
    const int64_t axis =
        axes.empty() ? rank - static_cast<int64_t>(n - i) : wrap_dim(axes[i], rank);
    if (seen >> axis & 1)
      fail(BP_INVALID_ARGUMENT, "fft: axes must be unique, but {} appears twice", axis);
    seen |= uint64_t{1} << axis;
    int64_t size = sizes.empty() || sizes[i] == -1 ? shape[axis] : sizes[i];
    if (last_of_half && i + 1 == n && (sizes.empty() || sizes[i] == -1))
      size = 2 * (shape[axis] - 1);
    if (size < 1)
      fail(BP_INVALID_ARGUMENT, "fft: Invalid number of data points ({}) specified", size);
    f.axes.push_back(axis);
    f.sizes.push_back(size);
  }
  return f;
}

void fft(Composer& c) { all_complex(c, false, Way::kForward); }
void ifft(Composer& c) { all_complex(c, false, Way::kInverse); }
void rfft(Composer& c) { to_half(c, false, Way::kForward, false); }
void irfft(Composer& c) { from_half(c, false, Way::kInverse, false); }
void hfft(Composer& c) { from_half(c, false, Way::kForward, true); }
void ihfft(Composer& c) { to_half(c, false, Way::kInverse, true); }
void fftn(Composer& c) { all_complex(c, true, Way::kForward); }
void ifftn(Composer& c) { all_complex(c, true, Way::kInverse); }
void rfftn(Composer& c) { to_half(c, true, Way::kForward, false); }
void irfftn(Composer& c) { from_half(c, true, Way::kInverse, false); }

}  // namespace bp::ops::compose
