// SPDX-License-Identifier: Apache-2.0
// pooling.cc: the rows of pooling, which reduces each window to its largest or its mean.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/network/window.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// Inputs are [N, C, size..] or [C, size..].

constexpr AttrSpecs kPoolAttrs{required_ints_attr("kernel_size"), ints_attr("stride"),
                               ints_attr("padding")},
    kMaxPoolAttrs = kPoolAttrs.with({ints_attr("dilation"), flag_attr("ceil_mode", false)}),
    kAvgPoolAttrs =
        kPoolAttrs.with({flag_attr("ceil_mode", false), flag_attr("count_include_pad", true)});

struct Pool {
  Spatial kernel, step, padding, dilation, after;
  Dims out;
};
template <size_t n>
Pool pool_of(const OpRow& row, Span x, const AttrReader& v) {
  const Span kernel = v.ints(kPoolAttrs["kernel_size"]), step = v.ints(kPoolAttrs["stride"]);
  const bool dilates = row.find_attr("dilation") >= 0;  // true for max pools, not for means
  const bool ceil_mode =
      dilates ? v.flag(kMaxPoolAttrs["ceil_mode"]) : v.flag(kAvgPoolAttrs["ceil_mode"]);
  Pool p;
  if (kernel.empty()) fail(BP_INVALID_ARGUMENT, "{}: kernel_size must be given", row.name);
  p.kernel = spatial(row.name, "kernel_size", kernel, n, 1, 1);
  p.step = step.empty() ? p.kernel : spatial(row.name, "stride", step, n, 1, 1);
  p.padding = spatial(row.name, "padding", v.ints(kPoolAttrs["padding"]), n, 0, 0);
  p.dilation =
      spatial(row.name, "dilation", dilates ? v.ints(kMaxPoolAttrs["dilation"]) : Span{}, n, 1, 1);
  for (size_t i = 0; i < n; ++i) {
    if (p.padding[i] > p.kernel[i] / 2)
      fail(
          BP_INVALID_ARGUMENT,
          "pad should be at most half of effective kernel size, but got pad={}, kernel_size={} and "
          "dilation={}",
          p.padding[i], p.kernel[i], p.dilation[i]);
    const int64_t reach = p.dilation[i] * (p.kernel[i] - 1) + 1, size = x[i + 2],
                  free = size + 2 * p.padding[i] - reach;
    int64_t out = free < 0 ? 0 : (free + (ceil_mode ? p.step[i] - 1 : 0)) / p.step[i] + 1;
    // The last window begins within the input or the padding before it.
    if (ceil_mode && out > 0 && (out - 1) * p.step[i] >= size + p.padding[i]) --out;
    if (out < 1)
      fail(
          BP_INVALID_ARGUMENT,
          "Given input size: {}. Calculated output size: {} along dimension {}. Output size is too small",
          format_shape(x), out, i + 2);
    p.out.push_back(out);
    p.after.v[i] = std::max(p.padding[i], (out - 1) * p.step[i] + reach - size - p.padding[i]);
  }
  return p;
}
template <size_t n>
void pool_shape(Inference& f) {
  check_rank(f, n);
  check_sizes(f, n + 1);
  const Dims x = batched(f.in[0].shape, n);
  const Pool p = pool_of<n>(f.row, x, f);
  Dims out{x[0], x[1]};
  out.append(p.out.begin(), p.out.end());
  if (f.in[0].shape.size() == n + 1) out.erase(0);
  for (uint32_t i = 0; i < f.row.n_outputs(); ++i) f.out_shape[i] = out;
}

bp_value lowest_of(bp_dtype t) {
  if (is_floating(t)) return number(-HUGE_VAL);
  if (is_unsigned(t)) return number(int64_t{0});
  const int bits = static_cast<int>(8 * dtype_bytes(t));
  return number(std::numeric_limits<int64_t>::min() >> (64 - bits));
}
template <size_t n>
Dims kernel_axes() {
  Dims axes;
  for (size_t i = 0; i < n; ++i) axes.push_back(static_cast<int64_t>(i + 2));
  return axes;
}
template <size_t n>
void max_pool(Composer& c) {
  Ref<Tensor> x = reshape(c.tensor(0), batched(c.tensor(0).shape, n));
  const Pool p = pool_of<n>(c.row, x->shape, c);
  x = padded(*x, p.padding, p.after, n, lowest_of(x->dtype));
  Ref<Tensor> y = reduced(BP_OP_MAX, windows(*x, p.kernel, p.step, p.dilation, p.out, n),
                          kernel_axes<n>(), false);
  c.out[0] = reshape(*y, c.plan.out_shape[0]);
}

void valued_and_placed(Inference& f) {
  rule::arithmetic(f);
  f.out_dtype[1] = BP_I64;
}
// The index is the first place of the window with the largest, in the input without its padding.
template <size_t n>
void max_pool_with_indices(Composer& c) {
  Ref<Tensor> x = reshape(c.tensor(0), batched(c.tensor(0).shape, n));
  const Pool p = pool_of<n>(c.row, x->shape, c);
  Dims plane = x->shape;
  plane[0] = plane[1] = 1;
  const int64_t taps = numel(Span(p.kernel.v, n)), places = numel(p.out), axis = 2;
  // Returns the windows as [N, C, taps, places].
  const auto lined = [&](const Ref<Tensor>& t) {
    Ref<Tensor> seen = windows(*t, p.kernel, p.step, p.dilation, p.out, n);
    return reshape(*seen, Dims{t->shape[0], t->shape[1], taps, places});
  };
  Ref<Tensor> at = reshape(*counted(numel(plane), x->device()), plane);
  at = lined(padded(*at, p.padding, p.after, n, -1));
  Ref<Tensor> seen = lined(padded(*x, p.padding, p.after, n, lowest_of(x->dtype)));
  Ref<Tensor> top = reduced(BP_OP_MAX, seen, {&axis, 1}, /*keepdims=*/true);
  Ref<Tensor> holds = equal(seen, top);
  if (is_floating(x->dtype)) holds = either(holds, is_nan(seen));
  holds = both(holds, at_most(0, at));
  Ref<Tensor> first = reduced(BP_OP_ARGMAX, holds, {&axis, 1}, /*keepdims=*/true);
  c.out[0] = reshape(*top, c.plan.out_shape[0]);
  c.out[1] =
      reshape(*invoke(BP_OP_TAKE_ALONG, {at, first}, {int_value(axis)}), c.plan.out_shape[1]);
}

// ---- where the largest came from gets the gradient ----

template <size_t n>
constexpr uint32_t kIndexed = n == 1   ? BP_OP_MAX_POOL1D_WITH_INDICES
                              : n == 2 ? BP_OP_MAX_POOL2D_WITH_INDICES
                                       : BP_OP_MAX_POOL3D_WITH_INDICES;

template <size_t n>
void max_pool_grad_of(Composer& c) {
  Tensor& x = c.tensor(1);
  Ref<Tensor> pooled[2];
  invoke(*find_op(kIndexed<n>), c.in.subspan(1, 1), c.attrs, pooled);
  const Dims flat{x.shape[0], x.shape[1], numel(Span(x.shape).subspan(2))},
      places{x.shape[0], x.shape[1], numel(Span(pooled[1]->shape).subspan(2))};
  Ref<Tensor> zeros = filled(flat, c.plan.compute, zero_of(c.plan.compute), x.device());
  Ref<Tensor> sums =
      invoke(BP_OP_SCATTER_ADD,
             {zeros, reshape(*pooled[1], places), reshape(*c.computed(0), places)}, {int_value(2)});
  c.out[0] = reshape(*sums, x.shape);
}
void max_pool_grad(Composer& c) {
  const uint32_t n = c.tensor(1).rank() - 2;
  n == 1 ? max_pool_grad_of<1>(c) : n == 2 ? max_pool_grad_of<2>(c) : max_pool_grad_of<3>(c);
}
void max_pool_grad_shape(Inference& f) {
  const Span grad = f.in[0].shape, x = f.in[1].shape;
  if (x.size() < 3 || x.size() > 5 || grad.size() != x.size())
    fail(
        BP_INVALID_ARGUMENT,
        "max_pool_grad: grad and input must have 3 to 5 dimensions, the same number, got {} and {}",
        format_shape(grad), format_shape(x));
  const size_t n = x.size() - 2;
  const Pool p = n == 1   ? pool_of<1>(f.row, x, f)
                 : n == 2 ? pool_of<2>(f.row, x, f)
                          : pool_of<3>(f.row, x, f);
  Dims wanted{x[0], x[1]};
  wanted.append(p.out.begin(), p.out.end());
  if (Dims(grad) != wanted)
    fail(BP_INVALID_ARGUMENT, "max_pool_grad: grad {} does not have the pool's shape {}",
         format_shape(grad), format_shape(wanted));
  f.out_shape[0] = Dims(x);
}

// Returns how many elements each window has: of the input or, with include_pad, of the input and
// its padding, but not of what ceil_mode adds.
template <size_t n>
Ref<Tensor> counts(const Pool& p, Span x, bool include_pad, bp_dtype dtype, Device& device) {
  Dims shape{1, 1};
  for (size_t i = 0; i < n; ++i) shape.push_back(x[i + 2] + (include_pad ? 2 * p.padding[i] : 0));
  Ref<Tensor> ones = filled(shape, dtype, 1.0, device);
  Spatial before, after;
  for (size_t i = 0; i < n; ++i) {
    before.v[i] = include_pad ? 0 : p.padding[i];
    after.v[i] = include_pad ? p.after[i] - p.padding[i] : p.after[i];
  }
  ones = padded(*ones, before, after, n, 0.0);
  return sum(windows(*ones, p.kernel, p.step, p.dilation, p.out, n), kernel_axes<n>(), false);
}
template <size_t n>
void avg_pool(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  x = reshape(*x, batched(x->shape, n));
  const Pool p = pool_of<n>(c.row, x->shape, c);
  const bool include_pad = c.flag(kAvgPoolAttrs["count_include_pad"]);
  const Dims size = x->shape;
  x = padded(*x, p.padding, p.after, n, 0.0);
  Ref<Tensor> total =
      sum(windows(*x, p.kernel, p.step, p.dilation, p.out, n), kernel_axes<n>(), false);
  c.out[0] = reshape(*div(total, counts<n>(p, size, include_pad, x->dtype, x->device())),
                     c.plan.out_shape[0]);
}

// Each window's share goes to all that it covers, as the gradient of a convolution with ones would;
// channels are images of it.
template <size_t n>
void avg_pool_back(GradCall& c) {
  const Dims given = c.operand(0).shape, x = batched(given, n);
  const AttrReader attrs{c.attrs};
  const Pool p = pool_of<n>(*c.node.row, x, attrs);
  const bp_dtype dtype = c.grad()->dtype;
  Ref<Tensor> grad = as_dtype(*c.grad(), dtype == BP_F64 ? BP_F64 : BP_F32);
  Dims lone{x[0] * x[1], 1}, kernel{1, 1}, size;
  lone.append(p.out.begin(), p.out.end());
  Spatial before, after;
  bool whole = true;  // no window reaches beyond the input
  for (size_t i = 0; i < n; ++i) {
    kernel.push_back(p.kernel[i]);
    size.push_back(x[i + 2] + p.padding[i] + p.after[i]);
    before.v[i] = -p.padding[i], after.v[i] = -p.after[i];
    whole &= p.padding[i] == 0 && p.after[i] == 0;
  }
  const bool include_pad = attrs.flag(kAvgPoolAttrs["count_include_pad"]);
  if (whole)
    grad = div(grad, static_cast<double>(numel(Span(p.kernel.v, n))));
  else
    grad = div(grad, counts<n>(p, x, include_pad, grad->dtype, grad->device()));
  const Ref<Tensor> ones = filled(kernel, grad->dtype, 1.0, grad->device());
  Ref<Tensor> spread = invoke(
      BP_OP_CONVOLUTION_INPUT_GRAD, {reshape(*grad, lone), ones},
      {ints_value(size), ints_value({p.step.v, n}), ints_value({}), ints_value({}), int_value(1)});
  // Negative numbers cut the padding off.
  c.give(0, as_dtype(*reshape(*padded(*spread, before, after, n, 0.0), given), dtype));
}

template <size_t n>
constexpr OpRow max_pool_row(uint32_t id, const char* name, const char* gradient) {
  return {.id = id,
          .name = name,
          .inputs = kInput,
          .attrs = kMaxPoolAttrs,
          .layout = Layout::kGeneral,
          .dtype = rule::arithmetic,
          .shape = pool_shape<n>,
          .compose = max_pool<n>,
          .grad = {gradient, max_pool_back, kIn0},
          .doc = "The largest of each window; NaN when one is there. stride none: kernel_size."};
}
template <size_t n>
constexpr OpRow indexed_row(uint32_t id, const char* name) {
  return {
      .id = id,
      .name = name,
      .inputs = kInput,
      .attrs = kMaxPoolAttrs,
      .outputs = {"values", "indices"},
      .layout = Layout::kGeneral,
      .dtype = valued_and_placed,
      .shape = pool_shape<n>,
      .compose = max_pool_with_indices<n>,
      .doc =
          "max_pool, and where in its channel's row-major elements each value is (i64): the first of equal ones."};
}
template <size_t n>
constexpr OpRow avg_pool_row(uint32_t id, const char* name, const char* gradient) {
  return {
      .id = id,
      .name = name,
      .inputs = kInput,
      .attrs = kAvgPoolAttrs,
      .layout = Layout::kGeneral,
      .dtype = rule::averaged,
      .shape = pool_shape<n>,
      .compose = avg_pool<n>,
      .grad = {gradient, avg_pool_back<n>},
      .max_ulp = 8,
      .doc =
          "The mean of each window, padding counted as zeros or, without count_include_pad, not at all. The bound is of "
          "sum's kind."};
}
// clang-format off
constexpr OpRow kPoolingRows[] = {
    max_pool_row<1>(226, "max_pool1d", "MaxPool1DBackward0"),
    max_pool_row<2>(227, "max_pool2d", "MaxPool2DBackward0"),
    avg_pool_row<1>(228, "avg_pool1d", "AvgPool1DBackward0"),
    avg_pool_row<2>(229, "avg_pool2d", "AvgPool2DBackward0"),
    max_pool_row<3>(233, "max_pool3d", "MaxPool3DBackward0"),
    avg_pool_row<3>(234, "avg_pool3d", "AvgPool3DBackward0"),
    indexed_row<1>(239, "max_pool1d_with_indices"),
    indexed_row<2>(218, "max_pool2d_with_indices"),
    indexed_row<3>(219, "max_pool3d_with_indices"),
    {.id = 343, .name = "max_pool_grad", .inputs = {{{"grad"}, {"input"}}}, .attrs = kMaxPoolAttrs, .layout = Layout::kGeneral,
     .dtype = rule::arithmetic, .shape = max_pool_grad_shape, .compose = max_pool_grad,
     .grad = {"MaxPoolBackwardBackward0", max_pool_grad_back, kIn1}, .max_ulp = 8,
     .doc = "max_pool's gradient towards its input [N, C, size]: grad, that of its result, where each window's largest is, "
            "the first of equal ones."},
};
// clang-format on
}  // namespace

std::span<const OpRow> pooling_rows() { return kPoolingRows; }

}  // namespace bp::ops
