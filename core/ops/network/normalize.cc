// SPDX-License-Identifier: Apache-2.0
// normalize.cc: (x - mean) / sqrt(variance + eps) over different groups of elements. Halves are
// computed in f32.
#include <cmath>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

constexpr AttrSpecs kRunningAttrs{float_attr("momentum", 0.1)};

// The rows of gradients have the result's gradient before the operands of the op.
size_t place_of_x(const Inference& f) { return f.row.inputs[0].name == std::string_view("grad"); }
// The shape rules of those rows: grad is of x's shape, and so is the first result; the others have
// a number for each that the weight has.
void gradient_shape(Inference& f, const Dims& weight) {
  const Span grad = f.in[0].shape, x = f.in[1].shape;
  if (Dims(grad) != Dims(x))
    fail(BP_INVALID_ARGUMENT, "{}: grad has shape {}, and x {}", f.row.name, format_shape(grad),
         format_shape(x));
  f.out_shape[0] = Dims(x);
  for (uint32_t i = 1; i < f.row.n_outputs(); ++i) f.out_shape[i] = weight;
}

// normalized_shape: the sizes of the last dims, which weight and bias have too.
void last_dims_shape(Inference& f) {
  const size_t first = place_of_x(f);
  const Span x = f.in[first].shape, last = f.ints(kLastDimsAttrs["normalized_shape"]);
  if (last.empty())
    fail(
        BP_INVALID_ARGUMENT,
        "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, "
        "but got normalized_shape = []");
  if (last.size() > x.size() || Dims(x.last(last.size())) != Dims(last))
    fail(BP_INVALID_ARGUMENT,
         "Given normalized_shape={}, expected input with shape [*, {}, but got input of size{}",
         format_shape(last), format_shape(last).substr(1), format_shape(x));
  for (size_t i = first + 1; i < f.in.size(); ++i)
    if (f.in[i].is_tensor && Dims(f.in[i].shape) != Dims(last))
      fail(BP_INVALID_ARGUMENT,
           "Expected {} to be of same shape as normalized_shape, but got {} of shape {} and "
           "normalized_shape = {}",
           f.row.inputs[i].name, f.row.inputs[i].name, format_shape(f.in[i].shape),
           format_shape(last));
  f.out_shape[0] = Dims(x);
  if (first) gradient_shape(f, Dims(last));
}
// x [N, C, ...]; the other operands have a number for each of C.
void channels_shape(Inference& f) {
  const size_t first = place_of_x(f);
  const Span x = f.in[first].shape;
  if (x.size() < 2)
    fail(BP_INVALID_ARGUMENT, "Expected at least 2 dimensions for input tensor but received {}",
         x.size());
  for (size_t i = first + 1; i < f.in.size(); ++i)
    if (f.in[i].is_tensor && Dims(f.in[i].shape) != Dims{x[1]})
      fail(BP_INVALID_ARGUMENT, "{} should contain {} elements not {}", f.row.inputs[i].name, x[1],
           numel(f.in[i].shape));
  f.out_shape[0] = Dims(x);
  if (first) gradient_shape(f, Dims{x[1]});
}
void batch_norm_shape(Inference& f) {
  channels_shape(f);
  const size_t first = place_of_x(f);
  const Span x = f.in[first].shape;
  const bool training = f.flag(kBatchNormAttrs["training"]);
  if (!training && (f.in[first + 1].is_none || f.in[first + 2].is_none))
    fail(BP_INVALID_ARGUMENT,
         "Expected running_mean and running_var to be defined when training=False");
  if (const double eps = f.f64(kBatchNormAttrs["eps"]); training ? !(eps > 0) : !(eps >= 0))
    fail(BP_INVALID_ARGUMENT, "batch_norm eps must be {}, but got {}",
         training ? "positive during training" : "non-negative", eps);
  const int64_t n = x[1] ? numel(x) / x[1] : 0;
  if (training && n == 1)
    fail(BP_INVALID_ARGUMENT,
         "Expected more than 1 value per channel when training, got input size {}",
         format_shape(x));
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
  const Span x = f.in[place_of_x(f)].shape;
  const int64_t groups = f.i64(kGroupNormAttrs["num_groups"]), channels = x[1];
  if (channels < 1)
    fail(BP_INVALID_ARGUMENT, "Expected number of channels to be greater than 0, got {}", channels);
  if (groups < 1)
    fail(BP_INVALID_ARGUMENT, "Expected num groups to be greater than 0, got {}", groups);
  if (const int64_t places = numel(x.subspan(2)); places < 1)
    fail(BP_INVALID_ARGUMENT, "Expected HxW to be greater than 0, got {}", places);
  if (channels % groups != 0)
    fail(
        BP_INVALID_ARGUMENT,
        "Expected number of channels in input to be divisible by num_groups, but got input of shape {} and "
        "num_groups={}",
        format_shape(x), groups);
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

double eps_of_rms_norm(const Composer& c, bp_dtype computed) {
  const double eps = c.f64(kRmsNormAttrs["eps"]);
  return std::isnan(eps) ? float_format(computed).epsilon() : eps;
}

void layer_norm(Composer& c) {
  const Span last = c.ints(kLayerNormAttrs["normalized_shape"]);
  c.out[0] = with(c, normalized(c.wide(0), last_axes(last.size()), c.f64(kLayerNormAttrs["eps"])),
                  1, 2, last);
}
void rms_norm(Composer& c) {
  Ref<Tensor> x = c.wide(0);
  const Span last = c.ints(kRmsNormAttrs["normalized_shape"]);
  Ref<Tensor> y =
      scaled(x, mean(squared(x), last_axes(last.size()), true), eps_of_rms_norm(c, x->dtype));
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

// ---- gradients ----

// What the way back through y = (x - mean) * scale * weight + bias has in common. Shapes broadcast
// with x's, in which `axes` share their moments and `others` a weight.
struct Back {
  Ref<Tensor> x, grad, weight;  // weight may be empty
  Dims axes, others;
  bool centred = true;

  Ref<Tensor> over_others(const Ref<Tensor>& t, Span shape) const {
    return reshape(others.empty() ? *t : *sum(t, others, false), shape);
  }
  // Fills the gradients of weight and of bias, and returns that of (x - mean) * scale.
  Ref<Tensor> towards_parameters(Composer& c, const Ref<Tensor>& normal) const {
    c.out[1] = over_others(mul(grad, normal), c.plan.out_shape[1]);
    if (c.row.n_outputs() > 2) c.out[2] = over_others(grad, c.plan.out_shape[2]);
    return weight ? mul(grad, weight) : grad;
  }
  // Where the moments are x's own, mean and scale depend on x too.
  void run(Composer& c, double eps) const {
    const Ref<Tensor> centre = centred ? sub(x, mean(x, axes, true)) : x,
                      scale = inverse_root(add(mean(squared(centre), axes, true), eps)),
                      normal = mul(centre, scale), g = towards_parameters(c, normal);
    Ref<Tensor> dx = sub(g, mul(normal, mean(mul(g, normal), axes, true)));
    if (centred) dx = sub(dx, mean(g, axes, true));
    c.out[0] = reshape(*mul(dx, scale), c.plan.out_shape[0]);
  }
};

template <bool kCentred>
void last_dims_grad(Composer& c) {
  const Span last = c.ints(kLastDimsAttrs["normalized_shape"]);
  Back b{c.wide(1), c.wide(0), c.has(2) ? c.wide(2) : Ref<Tensor>(), last_axes(last.size()),
         {},        kCentred};
  for (uint32_t d = 0; d + last.size() < b.x->rank(); ++d) b.others.push_back(d);
  b.run(c, kCentred ? c.f64(kLayerNormAttrs["eps"]) : eps_of_rms_norm(c, b.x->dtype));
}
void batch_norm_grad(Composer& c) {
  const Ref<Tensor> x = c.wide(1);
  const Dims axes = all_but_channels(*x), shape = of_channels(*x);
  const Back b{x, c.wide(0), c.has(4) ? reshape(*c.wide(4), shape) : Ref<Tensor>(), axes, axes};
  const double eps = c.f64(kBatchNormAttrs["eps"]);
  if (c.flag(kBatchNormAttrs["training"])) return b.run(c, eps);
  const Ref<Tensor> scale = inverse_root(add(reshape(*c.wide(3), shape), eps));
  const Ref<Tensor> normal = mul(sub(x, reshape(*c.wide(2), shape)), scale);
  c.out[0] = mul(b.towards_parameters(c, normal), scale);
}
void group_norm_grad(Composer& c) {
  const Ref<Tensor> x = c.wide(1);
  const int64_t groups = c.i64(kGroupNormAttrs["num_groups"]), each = x->shape[1] / groups;
  const Dims split{x->shape[0], groups, each, numel(Span(x->shape).subspan(2))};
  Back{reshape(*x, split), reshape(*c.wide(0), split),
       c.has(2) ? reshape(*c.wide(2), Dims{1, groups, each, 1}) : Ref<Tensor>(), Dims{2, 3},
       Dims{0, 3}}
      .run(c, c.f64(kGroupNormAttrs["eps"]));
}

constexpr InputSpecs kXWeightBias{
    {{"x"}, {"weight", Role::kValue, true}, {"bias", Role::kValue, true}}},
    kGradXWeight{{{"grad"}, {"x"}, {"weight", Role::kValue, true}}};

// clang-format off
constexpr OpRow kNormalizeRows[] = {
    {.id = 210, .name = "layer_norm", .inputs = kXWeightBias, .attrs = kLayerNormAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = last_dims_shape, .compose = layer_norm,
     .grad = {"NativeLayerNormBackward0", layer_norm_back, kIn0 | kIn1}, .max_ulp = 64,
     .doc = "(x - mean) / sqrt(var + eps) * weight + bias over the last dims, var without correction. The bound is relative to "
            "the largest term."},
    {.id = 211, .name = "rms_norm", .inputs = {{{"x"}, {"weight", Role::kValue, true}}},
     .attrs = kRmsNormAttrs, .layout = Layout::kGeneral,
     .dtype = rule::averaged, .shape = last_dims_shape, .compose = rms_norm,
     .grad = {"FusedRmsNormBackward0", rms_norm_back, kIn0 | kIn1}, .max_ulp = 64,
     .doc = "x / sqrt(mean(x^2) + eps) * weight over the last dims; eps none: the dtype's epsilon (f32's for halves)."},
    {.id = 212, .name = "batch_norm",
     .inputs = {{{"x"}, {"running_mean", Role::kValue, true}, {"running_var", Role::kValue, true},
                 {"weight", Role::kValue, true}, {"bias", Role::kValue, true}}},
     .attrs = kBatchNormAttrs, .layout = Layout::kGeneral, .dtype = rule::averaged,
     .shape = batch_norm_shape, .compose = batch_norm,
     .grad = {"NativeBatchNormBackward0", batch_norm_back, kIn0 | kIn1 | kIn2 | kIn3}, .max_ulp = 64,
     .doc = "x [N, C, ..] normalized for each channel by the running statistics, or in training by its own mean and variance; "
            "running statistics are not changed. The bound is relative to the largest term."},
    {.id = 209, .name = "batch_norm_running", .inputs = {{{"x"}, {"running_mean"}, {"running_var"}}},
     .attrs = kRunningAttrs, .outputs = {"mean", "var"}, .layout = Layout::kGeneral,
     .dtype = rule::averaged, .shape = running_shape, .compose = batch_norm_running, .max_ulp = 64,
     .doc = "The running statistics after a batch x [N, C, ..] of batch_norm's training: (1 - momentum) * running + momentum * "
            "x's own, the variance with n - 1. Written in place by giving them as results."},
    {.id = 213, .name = "group_norm", .inputs = kXWeightBias, .attrs = kGroupNormAttrs,
     .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = group_norm_shape, .compose = group_norm,
     .grad = {"NativeGroupNormBackward0", group_norm_back, kIn0 | kIn1}, .max_ulp = 64,
     .doc = "x [N, C, ..] normalized over each of num_groups groups of channels. The bound is relative to the largest term."},
    {.id = 350, .name = "layer_norm_grad", .inputs = kGradXWeight, .attrs = kLayerNormAttrs,
     .outputs = {"x_grad", "weight_grad", "bias_grad"}, .layout = Layout::kGeneral, .dtype = rule::averaged,
     .shape = last_dims_shape, .compose = last_dims_grad</*kCentred=*/true>, .max_ulp = 64,
     .doc = "layer_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the "
            "largest term."},
    {.id = 351, .name = "rms_norm_grad", .inputs = kGradXWeight, .attrs = kRmsNormAttrs,
     .outputs = {"x_grad", "weight_grad"}, .layout = Layout::kGeneral, .dtype = rule::averaged, .shape = last_dims_shape,
     .compose = last_dims_grad</*kCentred=*/false>, .max_ulp = 64,
     .doc = "rms_norm's gradients towards x and weight: grad is that of its result. The bound is relative to the largest "
            "term."},
    {.id = 352, .name = "batch_norm_grad",
     .inputs = {{{"grad"}, {"x"}, {"running_mean", Role::kValue, true}, {"running_var", Role::kValue, true},
                 {"weight", Role::kValue, true}}},
     .attrs = kBatchNormAttrs, .outputs = {"x_grad", "weight_grad", "bias_grad"}, .layout = Layout::kGeneral,
     .dtype = rule::averaged, .shape = batch_norm_shape, .compose = batch_norm_grad, .max_ulp = 64,
     .doc = "batch_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the "
            "largest term."},
    {.id = 353, .name = "group_norm_grad", .inputs = kGradXWeight, .attrs = kGroupNormAttrs,
     .outputs = {"x_grad", "weight_grad", "bias_grad"}, .layout = Layout::kGeneral, .dtype = rule::averaged,
     .shape = group_norm_shape, .compose = group_norm_grad, .max_ulp = 64,
     .doc = "group_norm's gradients towards x, weight and bias: grad is that of its result. The bound is relative to the "
            "largest term."},
};
// clang-format on
}  // namespace

std::span<const OpRow> normalize_rows() { return kNormalizeRows; }

}  // namespace bp::ops
