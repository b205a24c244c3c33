// SPDX-License-Identifier: Apache-2.0
// normalize.cc: (x - mean) / sqrt(variance + eps) over different groups of elements. Halves are
// computed in f32.
#include <cmath>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpec kEps = float_attr("eps", 1e-5);
constexpr AttrSpecs kLastDimsAttrs{required_ints_attr("normalized_shape")},
    kLayerNormAttrs = kLastDimsAttrs.with({kEps}),
    kRmsNormAttrs = kLastDimsAttrs.with({float_attr("eps", NAN)}),
    kBatchNormAttrs{flag_attr("training", false), kEps}, kRunningAttrs{float_attr("momentum", 0.1)},
    kGroupNormAttrs{required_int_attr("num_groups"), kEps};

// normalized_shape: the sizes of the last dims, which weight and bias have too.
void last_dims_shape(Inference& f) {
  const Span x = f.in[0].shape, last = f.ints(kLastDimsAttrs["normalized_shape"]);
  if (last.empty())
    fail(
        BP_INVALID_ARGUMENT,
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, "
        "but got normalized_shape = []");
  if (last.size() > x.size() || Dims(x.last(last.size())) != Dims(last))
    fail(BP_INVALID_ARGUMENT,
         "Given normalized_shape={}, expected input with shape [*, {}, but got input of size{}",
         format_shape(last), format_shape(last).substr(1), format_shape(x));
  for (size_t i = 1; i < f.in.size(); ++i)
    if (f.in[i].is_tensor && Dims(f.in[i].shape) != Dims(last))
      fail(BP_INVALID_ARGUMENT,
           "Expected {} to be of same shape as normalized_shape, but got {} of shape {} and "
           "normalized_shape = {}",
           f.row.inputs[i].name, f.row.inputs[i].name, format_shape(f.in[i].shape),
           format_shape(last));
  f.out_shape[0] = Dims(x);
}
// x [N, C, ...]; the other operands have a number for each of C.
void channels_shape(Inference& f) {
  const Span x = f.in[0].shape;
  if (x.size() < 2)
    fail(BP_INVALID_ARGUMENT, "Expected at least 2 dimensions for input tensor but received {}",
         x.size());
  for (size_t i = 1; i < f.in.size(); ++i)
    if (f.in[i].is_tensor && Dims(f.in[i].shape) != Dims{x[1]})
      fail(BP_INVALID_ARGUMENT, "{} should contain {} elements not {}", f.row.inputs[i].name, x[1],
           numel(f.in[i].shape));
  f.out_shape[0] = Dims(x);
}
void batch_norm_shape(Inference& f) {
  channels_shape(f);
  const bool training = f.flag(kBatchNormAttrs["training"]);
  if (!training && (f.in[1].is_none || f.in[2].is_none))
    fail(BP_INVALID_ARGUMENT,
         "Expected running_mean and running_var to be defined when training=False");
  if (const double eps = f.f64(kBatchNormAttrs["eps"]); training ? !(eps > 0) : !(eps >= 0))
    fail(BP_INVALID_ARGUMENT, "batch_norm eps must be {}, but got {}",
         training ? "positive during training" : "non-negative", eps);
  const int64_t n = f.in[0].shape[1] ? numel(f.in[0].shape) / f.in[0].shape[1] : 0;
  if (training && n == 1)
    fail(BP_INVALID_ARGUMENT,
         "Expected more than 1 value per channel when training, got input size {}",
         format_shape(f.in[0].shape));
}
void running_shape(Inference& f) {
  channels_shape(f);
  const int64_t n = f.in[0].shape[1] ? numel(f.in[0].shape) / f.in[0].shape[1] : 2;
  if (n < 2)
    fail(BP_INVALID_ARGUMENT,
         "Expected more than 1 value per channel when training, got input size {}",
         format_shape(f.in[0].shape));
  f.out_shape[0] = f.out_shape[1] = Dims(f.in[1].shape);
}
void group_norm_shape(Inference& f) {
  channels_shape(f);
  const int64_t groups = f.i64(kGroupNormAttrs["num_groups"]), channels = f.in[0].shape[1];
  if (channels < 1)
    fail(BP_INVALID_ARGUMENT, "Expected number of channels to be greater than 0, got {}", channels);
  if (groups < 1)
    fail(BP_INVALID_ARGUMENT, "Expected num groups to be greater than 0, got {}", groups);
  if (const int64_t places = numel(f.in[0].shape.subspan(2)); places < 1)
    fail(BP_INVALID_ARGUMENT, "Expected HxW to be greater than 0, got {}", places);
  if (channels % groups != 0)
    fail(
        BP_INVALID_ARGUMENT,
        "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and "
        "num_groups={}",
        format_shape(f.in[0].shape), groups);
}

Ref<Tensor> scaled(const Ref<Tensor>& centred, const Ref<Tensor>& variance, double eps) {
  return mul(centred, inverse_root(add(variance, eps)));
}
Ref<Tensor> normalized(const Ref<Tensor>& x, Span axes, double eps) {
  Ref<Tensor> variance =
      invoke(BP_OP_VAR, {x}, {ints_value(axes), flag_value(true), float_value(0)});
  return scaled(sub(x, mean(x, axes, true)), variance, eps);
}
Ref<Tensor> with(Composer& c, Ref<Tensor> y, size_t weight, size_t bias, Span shape) {
  if (c.has(weight)) y = mul(y, reshape(*c.wide(weight), shape));
  if (c.has(bias)) y = add(y, reshape(*c.wide(bias), shape));
  return y;
}
Dims last_axes(size_t n) {
  Dims axes;
  for (size_t i = 0; i < n; ++i) axes.push_back(-1 - static_cast<int64_t>(i));
  return axes;
}
Dims all_but_channels(const Tensor& x) {
  Dims axes{0};
  for (uint32_t d = 2; d < x.rank(); ++d) axes.push_back(d);
  return axes;
}
Dims of_channels(const Tensor& x) {
  Dims shape(x.rank(), 1);
  shape[1] = x.shape[1];
  return shape;
}

void layer_norm(Composer& c) {
  const Span last = c.ints(kLayerNormAttrs["normalized_shape"]);
  c.out[0] = with(c, normalized(c.wide(0), last_axes(last.size()), c.f64(kLayerNormAttrs["eps"])),
                  1, 2, last);
}
void rms_norm(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  const Span last = c.ints(kRmsNormAttrs["normalized_shape"]);
  double eps = c.f64(kRmsNormAttrs["eps"]);
  if (std::isnan(eps)) eps = float_format(x->dtype).epsilon();
  Ref<Tensor> y = scaled(x, mean(squared(x), last_axes(last.size()), true), eps);
  c.out[0] = c.has(1) ? mul(y, c.wide(1)) : y;
}
void batch_norm(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  const Dims shape = of_channels(*x);
  const double eps = c.f64(kBatchNormAttrs["eps"]);
  Ref<Tensor> y = c.flag(kBatchNormAttrs["training"])
                      ? normalized(x, all_but_channels(*x), eps)
                      : scaled(sub(x, reshape(*c.wide(1), shape)), reshape(*c.wide(2), shape), eps);
  c.out[0] = with(c, y, 3, 4, shape);
}
// (1 - momentum) * running + momentum * the batch's
void batch_norm_running(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  const Dims axes = all_but_channels(*x);
  const double momentum = c.f64(kRunningAttrs["momentum"]);
  const auto mixed = [&](size_t running, const Ref<Tensor>& batch) {
    return add(mul(c.wide(running), 1 - momentum), mul(batch, momentum));
  };
  c.out[0] = mixed(1, mean(x, axes, false));
  c.out[1] =
      mixed(2, invoke(BP_OP_VAR, {x}, {ints_value(axes), flag_value(false), float_value(1)}));
}
void group_norm(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  const int64_t groups = c.i64(kGroupNormAttrs["num_groups"]);
  const int64_t in_group = x->count / std::max<int64_t>(1, x->shape[0] * groups);
  Ref<Tensor> grouped = reshape(*x, Dims{x->shape[0], groups, in_group});
  Ref<Tensor> y =
      reshape(*normalized(grouped, last_axes(1), c.f64(kGroupNormAttrs["eps"])), x->shape);
  c.out[0] = with(c, y, 1, 2, of_channels(*x));
}

constexpr InputSpecs kXWeightBias{
    {{"x"}, {"weight", Role::kValue, true}, {"bias", Role::kValue, true}}};

// clang-format off
constexpr OpRow kNormalizeRows[] = {
    {.id = 210, .name = "layer_norm", .inputs = kXWeightBias, .attrs = kLayerNormAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = last_dims_shape, .compose = layer_norm, .max_ulp = 64,
     .doc = "(x - mean) / sqrt(var + eps) * weight + bias over the last dims, var without correction. The bound is relative to "
            "the largest term."},
    {.id = 211, .name = "rms_norm", .inputs = {{{"x"}, {"weight", Role::kValue, true}}},
     .attrs = kRmsNormAttrs, .layout = Layout::kGeneral,
     .dtype = rule::averaged, .shape = last_dims_shape, .compose = rms_norm, .max_ulp = 64,
     .doc = "x / sqrt(mean(x^2) + eps) * weight over the last dims; eps none: the dtype's epsilon (f32's for halves)."},
    {.id = 212, .name = "batch_norm",
     .inputs = {{{"x"}, {"running_mean", Role::kValue, true}, {"running_var", Role::kValue, true},
                 {"weight", Role::kValue, true}, {"bias", Role::kValue, true}}},
     .attrs = kBatchNormAttrs, .layout = Layout::kGeneral, .dtype = rule::averaged,
     .shape = batch_norm_shape, .compose = batch_norm, .max_ulp = 64,
     .doc = "x [N, C, ..] normalized for each channel by the running statistics, or in training by its own mean and variance; "
            "running statistics are not changed. The bound is relative to the largest term."},
    {.id = 209, .name = "batch_norm_running", .inputs = {{{"x"}, {"running_mean"}, {"running_var"}}},
     .attrs = kRunningAttrs, .outputs = {"mean", "var"}, .layout = Layout::kGeneral,
     .dtype = rule::averaged, .shape = running_shape, .compose = batch_norm_running, .max_ulp = 64,
     .doc = "The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * "
            "x's own, the variance with n - 1. Written in place by giving them as results."},
    {.id = 213, .name = "group_norm", .inputs = kXWeightBias, .attrs = kGroupNormAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = group_norm_shape, .compose = group_norm, .max_ulp = 64,
     .doc = "x [N, C, ..] normalized over each of num_groups groups of channels. The bound is relative to the largest term."},
};
// clang-format on
}  // namespace

std::span<const OpRow> normalize_rows() { return kNormalizeRows; }

}  // namespace bp::ops
