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
                                      flag_attr("align_corners", false)};

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
  if (mode != "nearest" && !(mode == "linear" && n == 1) && !(mode == "bilinear" && n == 2) &&
      !(mode == "trilinear" && n == 3))
    fail(BP_INVALID_ARGUMENT, "Got {}D input, but {} mode is not for it", n + 2, mode);
  if (mode == "nearest" && f.flag(kInterpolateAttrs["align_corners"]))
    fail(
        BP_INVALID_ARGUMENT,
        "align_corners option can only be set with the interpolating modes: linear | bilinear | trilinear");
  f.out_shape[0] = Dims(x);
  for (size_t i = 0; i < n; ++i) {
    f.out_shape[0][i + 2] = size[size.size() == 1 ? 0 : i];
    if (x[i + 2] < 1 || f.out_shape[0][i + 2] < 1)
      fail(BP_INVALID_ARGUMENT,
           "Input and output sizes should be greater than 0, but got input {} output {}",
           format_shape(x), format_shape(size));
  }
}
Ref<Tensor> nearest_along(const Ref<Tensor>& x, int64_t axis, int64_t to) {
  Ref<Tensor> at = floor_quotient(mul(counted(to, x->device()), x->shape[axis]), to);
  return picked(x, at, axis);
}
// Element o is interpolated at (o + 1/2) n / m - 1/2, or aligned at o (n - 1) / (m - 1).
Ref<Tensor> linear_along(const Ref<Tensor>& x, int64_t axis, int64_t to, bool aligned) {
  const int64_t from = x->shape[axis];
  const double by = aligned
                        ? (to > 1 ? static_cast<double>(from - 1) / static_cast<double>(to - 1) : 0)
                        : static_cast<double>(from) / static_cast<double>(to);
  const auto place = [&](int64_t at) {
    const auto o = static_cast<double>(at);
    return aligned ? o * by : std::max((o + 0.5) * by - 0.5, 0.0);
  };
  const auto low = [&](int64_t at) { return std::min(static_cast<int64_t>(place(at)), from - 1); };
  Dims shape(x->rank(), 1);
  shape[axis] = to;
  const Ref<Tensor> weight = from_host(shape, x->dtype, x->device(), [&](int64_t at) {
    return place(at) - static_cast<double>(low(at));
  });
  const Ref<Tensor> first = from_host(Dims{to}, BP_I64, x->device(), low),
                    next = smaller(add(first, 1), from - 1);
  return invoke(BP_OP_LERP, {picked(x, first, axis), picked(x, next, axis), weight});
}
void interpolate(Composer& c) {
  const bool nearest = c.str(kInterpolateAttrs["mode"]) == "nearest",
             aligned = c.flag(kInterpolateAttrs["align_corners"]);
  Ref<Tensor> x = nearest ? Ref<Tensor>::share(&c.tensor(0)) : c.wide(0);
  for (uint32_t d = 2; d < x->rank(); ++d) {
    const int64_t to = c.plan.out_shape[0][d];
    if (to == x->shape[d]) continue;
    x = nearest ? nearest_along(x, d, to) : linear_along(x, d, to, aligned);
  }
  c.out[0] = x;
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
     .doc = "input [N, C, sizes] at other sizes: nearest, linear, bilinear or trilinear. The bound is relative to the largest "
            "term."},
};
// clang-format on
}  // namespace

std::span<const OpRow> resample_rows() { return kResampleRows; }

}  // namespace bp::ops
