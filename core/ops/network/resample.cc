// SPDX-License-Identifier: Apache-2.0
// resample.cc: adaptive pooling and interpolation, which change spatial sizes axis by axis.
#include <algorithm>
#include <cmath>

#include "core/ops/families.h"
#include "core/ops/network/window.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kAdaptiveAttrs{required_ints_attr("output_size")};
constexpr AttrSpecs kInterpolateAttrs{required_ints_attr("size"), str_attr("mode", "nearest"),
                                      flag_attr("align_corners", false)},
    kInterpolateV2Attrs = kInterpolateAttrs.with(
        {float_attr("scale_d", 0), float_attr("scale_h", 0), float_attr("scale_w", 0)});

template <size_t n, bool kMax>
void resized_shape(Inference& f) {
  check_rank(f, n);
  check_sizes(f, kMax ? n + 1 : n);  // means of no channels are none
  const Spatial out =
      spatial(f.row.name, "output_size", f.ints(kAdaptiveAttrs["output_size"]), n, -1, 0);
  f.out_shape[0] = Dims(f.in[0].shape);
  for (size_t i = 0; i < n; ++i) f.out_shape[0][f.in[0].shape.size() - n + i] = out[i];
}
// Part o of an axis of n cut into m: elements floor(o n / m) .. ceil((o + 1) n / m) - 1.
struct Parts {
  Ref<Tensor> first, end;
  Parts(int64_t from, int64_t to, Device& device) {
    Ref<Tensor> o = counted(to, device);
    first = floor_quotient(mul(o, from), to);
    end = floor_quotient(add(mul(add(o, 1), from), to - 1), to);
  }
};
// Averages along an axis by a matrix product: column o has 1 / length in the rows of part o.
Ref<Tensor> averaged_along(Tensor& x, int64_t axis, int64_t to) {
  const Parts p(x.shape[axis], to, x.device());
  Ref<Tensor> i = unsqueeze(*counted(x.shape[axis], x.device()), 1);
  Ref<Tensor> inside = both(at_most(p.first, i), less(i, p.end));
  Ref<Tensor> share = div(as_dtype(*inside, x.dtype), as_dtype(*sub(p.end, p.first), x.dtype));
  return transpose(*product(transpose(x, axis, -1), share), axis, -1);
}
template <size_t n>
void adaptive_avg_pool(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  if (std::ranges::all_of(Span(c.plan.out_shape[0]).last(n), [](int64_t to) { return to == 1; })) {
    Dims axes;  // the whole of each channel
    for (size_t i = 0; i < n; ++i) axes.push_back(static_cast<int64_t>(x->rank() - n + i));
    c.out[0] = mean(x, axes, /*keepdims=*/true);
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    const auto axis = static_cast<int64_t>(x->rank() - n + i);
    if (c.plan.out_shape[0][axis] != x->shape[axis])
      x = averaged_along(*x, axis, c.plan.out_shape[0][axis]);
  }
  c.out[0] = x;
}

// Picks the parts side by side, as long as the longest: a shorter one repeats its last element. Of
// equal elements the first is taken, which alone has the gradient.
Ref<Tensor> largest_along(const Ref<Tensor>& x, int64_t axis, int64_t to) {
  const Parts p(x->shape[axis], to, x->device());
  const int64_t longest = x->shape[axis] / std::max<int64_t>(to, 1) + 2;
  Ref<Tensor> at = add(unsqueeze(*p.first, 1), counted(longest, x->device()));
  at = smaller(at, unsqueeze(*sub(p.end, 1), 1));
  Ref<Tensor> parts = picked(x, reshape(*at, Dims{-1}), axis);
  Dims shape = parts->shape;
  shape[axis] = to;
  shape.insert(static_cast<uint32_t>(axis + 1), longest);
  parts = reshape(*parts, shape);
  const int64_t over = axis + 1;
  const Ref<Tensor> first = reduced(BP_OP_ARGMAX, parts, {&over, 1}, /*keepdims=*/true);
  return squeeze(*gather(parts, first, over), {&over, 1});
}
template <size_t n>
void adaptive_max_pool(Composer& c) {
  c.out[0] = Ref<Tensor>::share(&c.tensor(0));
  for (size_t i = n;
       i-- > 0;) {  // the last axis first: the first of equals is that in row-major order
    const auto axis = static_cast<int64_t>(c.out[0]->rank() - n + i);
    const int64_t to = c.plan.out_shape[0][axis];
    if (to != c.out[0]->shape[axis]) c.out[0] = largest_along(c.out[0], axis, to);
  }
}

bool is_nearest(std::string_view mode) { return mode == "nearest" || mode == "nearest-exact"; }
// Returns how many spatial dims the mode is for, or 0 where it is for any number.
size_t dims_of(std::string_view mode) {
  return mode == "linear"                          ? 1
         : mode == "bilinear" || mode == "bicubic" ? 2
         : mode == "trilinear"                     ? 3
                                                   : 0;
}

void interpolate_shape(Inference& f) {
  const Span x = f.in[0].shape, size = f.ints(kInterpolateAttrs["size"]);
  const std::string_view mode = f.str(kInterpolateAttrs["mode"]);
  const size_t n = x.size() < 2 ? 0 : x.size() - 2;
  if (n < 1 || n > kMost || (size.size() != n && size.size() != 1))
    fail(
        BP_INVALID_ARGUMENT,
        "Input and output must have the same number of spatial dimensions, but got input with spatial "
        "dimensions of {} and output size of {}.",
        n, format_shape(size));
  const bool any_rank = is_nearest(mode) || mode == "area";
  if (!any_rank && dims_of(mode) != n)
    fail(BP_INVALID_ARGUMENT, "Got {}D input, but {} mode is not for it", n + 2, mode);
  if (any_rank && f.flag(kInterpolateAttrs["align_corners"]))
    fail(BP_INVALID_ARGUMENT,
         "align_corners option can only be set with the interpolating modes: linear | bilinear | "
         "bicubic | trilinear");
  f.out_shape[0] = Dims(x);
  for (size_t i = 0; i < n; ++i) {
    f.out_shape[0][i + 2] = size[size.size() == 1 ? 0 : i];
    if (x[i + 2] < 1 || f.out_shape[0][i + 2] < 1)
      fail(BP_INVALID_ARGUMENT,
           "Input and output sizes should be greater than 0, but got input {} output {}",
           format_shape(x), format_shape(size));
  }
}

// One axis: its sizes before and after, and how far the elements of the result are apart in x.
// That is from / to, or 1 / scale where the caller says one; aligned, the last one meets the last.
struct Axis {
  int64_t axis, from, to;
  double step;
  bool aligned;

  // Where element o of the result lies in x, which may be outside of it.
  double place(int64_t o) const {
    return aligned ? static_cast<double>(o) * step : (static_cast<double>(o) + 0.5) * step - 0.5;
  }
  int64_t inside(int64_t at) const { return std::clamp<int64_t>(at, 0, from - 1); }
  // Numbers of the result's elements, repeated over the dims of x behind the axis, because elements
  // that lie side by side are combined faster than one with many.
  template <class Of>
  Ref<Tensor> along(const Tensor& x, const Of& of) const {
    const auto behind = static_cast<size_t>(axis) + 1;
    Dims line(x.rank() - behind + 1, 1);
    line[0] = to;
    Dims whole(line);
    for (size_t d = behind; d < x.rank(); ++d) whole[d - behind + 1] = x.shape[d];
    return contiguous(*expand(*from_host(line, x.dtype, x.device(), of), whole));
  }
  // The elements of x that of(o) names.
  template <class Of>
  Ref<Tensor> taken(const Ref<Tensor>& x, const Of& of) const {
    return picked(x, from_host(Dims{to}, BP_I64, x->device(), of), axis);
  }
};
// A step of its own is f32's there in PyTorch, and decides which element is the nearest.
Ref<Tensor> nearest_along(const Ref<Tensor>& x, const Axis& a, bool exact, bool scaled) {
  const auto rounded = static_cast<float>(a.step);
  return a.taken(x, [&](int64_t o) {
    if (scaled)
      return a.inside(static_cast<int64_t>((static_cast<float>(o) + (exact ? 0.5F : 0)) * rounded));
    return exact ? (2 * o + 1) * a.from / (2 * a.to) : o * a.from / a.to;
  });
}
Ref<Tensor> linear_along(const Ref<Tensor>& x, const Axis& a) {
  const auto place = [&](int64_t o) { return std::max(a.place(o), 0.0); };
  const auto low = [&](int64_t o) { return a.inside(static_cast<int64_t>(place(o))); };
  const Ref<Tensor> weight =
      a.along(*x, [&](int64_t o) { return std::min(place(o) - static_cast<double>(low(o)), 1.0); });
  return invoke(BP_OP_LERP, {a.taken(x, low),
                             a.taken(x, [&](int64_t o) { return a.inside(low(o) + 1); }), weight});
}
// Keys's convolution (1981) over four neighbours with a = -3/4; those outside are the border's.
Ref<Tensor> cubic_along(const Ref<Tensor>& x, const Axis& a) {
  constexpr double kA = -0.75;
  const auto weight = [](double t) {
    t = std::abs(t);
    return t <= 1 ? ((kA + 2) * t - (kA + 3)) * t * t + 1
                  : ((kA * t - 5 * kA) * t + 8 * kA) * t - 4 * kA;
  };
  Ref<Tensor> total;
  for (int k = -1; k <= 2; ++k) {
    const auto first = [&](int64_t o) { return static_cast<int64_t>(std::floor(a.place(o))); };
    const Ref<Tensor> term = mul(a.taken(x, [&](int64_t o) { return a.inside(first(o) + k); }),
                                 a.along(*x, [&](int64_t o) {
                                   return weight(a.place(o) - static_cast<double>(first(o) + k));
                                 }));
    total = total ? add(total, term) : term;
  }
  return total;
}

Ref<Tensor> resampled_along(const Ref<Tensor>& x, const Axis& a, std::string_view mode,
                            bool scaled) {
  if (is_nearest(mode)) return nearest_along(x, a, mode == "nearest-exact", scaled);
  if (mode == "area") return averaged_along(*x, a.axis, a.to);
  return mode == "bicubic" ? cubic_along(x, a) : linear_along(x, a);
}

// One axis after the other: first those that shrink, and those that grow from the last one on, so
// that there is little to do. The last axis goes before the one in front of it for its turn, since
// whole rows are picked faster than elements.
void interpolated(Composer& c, const double (&scales)[kMost]) {
  const std::string_view mode = c.str(kInterpolateAttrs["mode"]);
  const bool aligned = c.flag(kInterpolateAttrs["align_corners"]);
  Ref<Tensor> x = is_nearest(mode) ? Ref<Tensor>::share(&c.tensor(0)) : c.wide(0);
  const auto visit = [&](uint32_t d, bool grows) {
    const double scale = scales[kMost - x->rank() + d];
    Axis a{d, x->shape[d], c.plan.out_shape[0][d], 0, aligned};
    const auto from = static_cast<double>(a.from), to = static_cast<double>(a.to);
    a.step = aligned ? (a.to > 1 ? (from - 1) / (to - 1) : 0) : scale > 0 ? 1 / scale : from / to;
    const bool stays = a.to == a.from && (aligned || !(scale > 0) || scale == 1);
    if (stays || (a.to >= c.tensor(0).shape[d]) != grows) return;
    if (d + 1 < x->rank() || mode == "area") {
      x = resampled_along(x, a, mode, scale > 0);
    } else {
      a.axis = d - 1;
      const Ref<Tensor> rows = contiguous(*transpose(*x, -2, -1));
      x = contiguous(*transpose(*resampled_along(rows, a, mode, scale > 0), -2, -1));
    }
  };
  const uint32_t rank = x->rank();
  for (uint32_t d = 2; d < rank; ++d) visit(d, /*grows=*/false);
  for (uint32_t d = rank; d-- > 2;) visit(d, /*grows=*/true);
  c.out[0] = x;
}
void interpolate(Composer& c) { interpolated(c, {0, 0, 0}); }
void interpolate_v2(Composer& c) {
  interpolated(c, {c.f64(kInterpolateV2Attrs["scale_d"]), c.f64(kInterpolateV2Attrs["scale_h"]),
                   c.f64(kInterpolateV2Attrs["scale_w"])});
}

template <size_t n>
constexpr OpRow adaptive_row(uint32_t id, const char* name) {
  return {
      .id = id,
      .name = name,
      .inputs = kInput,
      .attrs = kAdaptiveAttrs,
      .layout = Layout::kGeneral,
      .dtype = rule::averaged,
      .shape = resized_shape<n, false>,
      .compose = adaptive_avg_pool<n>,
      .max_ulp = 16,
      .doc =
          "The mean over output_size windows that share the input evenly. The bound is of sum's kind."};
}

template <size_t n>
constexpr OpRow adaptive_max_row(uint32_t id, const char* name) {
  return {
      .id = id,
      .name = name,
      .inputs = kInput,
      .attrs = kAdaptiveAttrs,
      .layout = Layout::kGeneral,
      .dtype = rule::arithmetic,
      .shape = resized_shape<n, true>,
      .compose = adaptive_max_pool<n>,
      .doc =
          "The largest of output_size windows that share the input evenly; NaN when one is there."};
}

// clang-format off
constexpr OpRow kResampleRows[] = {
    adaptive_row<1>(230, "adaptive_avg_pool1d"),
    adaptive_row<2>(231, "adaptive_avg_pool2d"),
    adaptive_row<3>(235, "adaptive_avg_pool3d"),
    adaptive_max_row<1>(236, "adaptive_max_pool1d"),
    adaptive_max_row<2>(237, "adaptive_max_pool2d"),
    adaptive_max_row<3>(238, "adaptive_max_pool3d"),
    {.id = 232, .name = "interpolate", .inputs = kInput,
     .attrs = kInterpolateAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = interpolate_shape, .compose = interpolate, .max_ulp = 16,
     .doc = "input [N, C, sizes] at other sizes: nearest, nearest-exact, linear, bilinear, trilinear, bicubic, or area, the mean "
            "of what an element covers. The bound is relative to the largest term."},
    {.id = 246, .name = "interpolate_v2", .inputs = kInput,
     .attrs = kInterpolateV2Attrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = interpolate_shape, .compose = interpolate_v2, .max_ulp = 16,
     .doc = "interpolate, whose elements are 1 / scale apart in input where a scale of that dim (the last one's is scale_w) is above "
            "0, as PyTorch's are after scale_factor; else as far as the sizes say."},
};
// clang-format on
}  // namespace

std::span<const OpRow> resample_rows() { return kResampleRows; }

}  // namespace bp::ops
