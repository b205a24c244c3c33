// SPDX-License-Identifier: Apache-2.0
// normalize.cc: batch, instance, layer, group and root-mean-square normalization. Running
// statistics are buffers.
#include <cmath>

#include "core/grad/autograd.h"
#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpec kNormEps = float_attr("eps", 1e-5, "added to the variance");
constexpr AttrSpec kNormalizedShape =
    required_ints_attr("normalized_shape", "sizes of the last dimensions");
constexpr AttrSpecs kBatchNorm{
    required_int_attr("num_features", "channels"),
    kNormEps,
    float_attr("momentum", 0.1,
               "share of a batch in the running statistics; NaN: the mean of all batches"),
    flag_attr("affine", true, "whether weight and bias are learned"),
    flag_attr("track_running_stats", true, "whether there are running statistics"),
    flag_attr("bias", true, "whether there is a bias, where affine")};
constexpr AttrSpecs kInstanceNorm{
    required_int_attr("num_features", "channels"),
    kNormEps,
    float_attr("momentum", 0.1, "share of a batch in the running statistics; NaN: none"),
    flag_attr("affine", false, "whether weight and bias are learned"),
    flag_attr("track_running_stats", false, "whether there are running statistics"),
    flag_attr("bias", true, "whether there is a bias, where affine")};
constexpr AttrSpecs kLayerNorm{
    kNormalizedShape, kNormEps,
    flag_attr("elementwise_affine", true, "whether weight and bias are learned"),
    flag_attr("bias", true, "whether there is a bias")};
constexpr AttrSpecs kRmsNorm{
    kNormalizedShape, float_attr("eps", NAN, "added to the mean square; NaN: the dtype's epsilon"),
    flag_attr("elementwise_affine", true, "whether weight is learned")};
constexpr AttrSpecs kGroupNorm{required_int_attr("num_groups", "groups of channels"),
                               required_int_attr("num_channels", "channels"), kNormEps,
                               flag_attr("affine", true, "whether weight and bias are learned"),
                               flag_attr("bias", true, "whether there is a bias, where affine")};

void learned(Maker& k, Span shape, bool weight, bool bias) {
  if (Tensor* w = k.optional_parameter("weight", shape, weight)) init::constant(*w, 1);
  if (Tensor* b = k.optional_parameter("bias", shape, bias)) init::constant(*b, 0);
}

enum { kMean, kVar, kBatches };
void make_batch_norm(Maker& k) {
  const Dims channels{k.m.i64(kBatchNorm["num_features"])};
  const bool affine = k.m.flag(kBatchNorm["affine"]);
  learned(k, channels, affine, affine && k.m.flag(kBatchNorm["bias"]));
  if (k.m.flag(kBatchNorm["track_running_stats"])) {
    k.buffer("running_mean", channels, k.dtype, 0);
    k.buffer("running_var", channels, k.dtype, 1);
    k.buffer("num_batches_tracked", {}, BP_I64, 0);
  } else {
    for (const char* name : {"running_mean", "running_var", "num_batches_tracked"})
      k.no_buffer(name);
  }
}

void track(const Module& m, Tensor& x) {
  const RecordGuard off(false);
  double momentum = m.f64(kBatchNorm["momentum"]);
  if (Ref<Tensor> batches[1] = {m.buffer(kBatches)}; batches[0]) {
    const bp_value next[] = {tensor_value(*batches[0]), number(int64_t{1})};
    invoke(*find_op(BP_OP_ADD), next, {}, batches);
    if (std::isnan(momentum)) momentum = 1.0 / static_cast<double>(item(*batches[0]).as.i64);
  } else if (std::isnan(momentum)) {
    momentum = 0;  // as PyTorch's, which then keeps what there is
  }
  Ref<Tensor> running[2] = {m.buffer(kMean), m.buffer(kVar)};
  const bp_value in[] = {tensor_value(x), tensor_value(*running[0]), tensor_value(*running[1])};
  const bp_attr attrs[] = {float_value(momentum)};
  invoke(*find_op(BP_OP_BATCH_NORM_RUNNING), in, attrs, running);
}
void need_both_or_none(const Module& m) {
  if (!m.buffer(kMean) != !m.buffer(kVar))
    fail(BP_INVALID_ARGUMENT, "running_mean and running_var of {} are there together or not at all",
         m.title);
}
template <uint32_t least, uint32_t most>
void batch_norm_forward(ForwardCall& f) {
  const Module& m = f.m;
  Tensor& x = f.x();
  if (x.rank() < least || x.rank() > most) {
    if constexpr (least == most)
      fail(BP_INVALID_ARGUMENT, "expected {}D input (got {}D input)", least, x.rank());
    fail(BP_INVALID_ARGUMENT, "expected {}D or {}D input (got {}D input)", least, most, x.rank());
  }
  need_both_or_none(m);
  const bool own = m.training || !m.buffer(kMean);  // the statistics are the batch's
  Ref<Tensor> y = invoke(
      BP_OP_BATCH_NORM,
      {value(x), own ? maybe(nullptr) : maybe(m.buffer(kMean)),
       own ? maybe(nullptr) : maybe(m.buffer(kVar)), maybe(m.parameter(0)), maybe(m.parameter(1))},
      {flag_value(own), float_value(m.f64(kBatchNorm["eps"]))});
  if (m.training && m.buffer(kMean)) track(m, x);
  f.give(0, y);
}
std::string text_or_none(double v) { return std::isnan(v) ? "None" : python_text(v); }
std::string batch_norm_extra(const Module& m) {
  return fmt::format("{}, eps={}, momentum={}, affine={}, bias={}, track_running_stats={}",
                     m.i64(kBatchNorm["num_features"]), python_text(m.f64(kBatchNorm["eps"])),
                     text_or_none(m.f64(kBatchNorm["momentum"])),
                     python_text(m.flag(kBatchNorm["affine"])),
                     python_text(m.parameter(1).get() != nullptr),
                     python_text(m.flag(kBatchNorm["track_running_stats"])));
}

// Averages over the batch what each instance would make of the running statistics.
void track_instances(const Module& m, Tensor& x) {
  const RecordGuard off(false);
  const double momentum = m.f64(kInstanceNorm["momentum"]);
  const int64_t n = x.shape[0], channels = x.shape[1], first[] = {0};
  Dims one{1, n * channels};
  one.append(x.shape.begin() + 2, x.shape.end());
  const Ref<Tensor> seen = reshape(x, one);
  Ref<Tensor> running[2] = {m.buffer(kMean), m.buffer(kVar)}, made[2];
  const auto repeated = [&](Tensor& t) {
    return reshape(*expand(*unsqueeze(t, 0), Dims{n, channels}), Dims{n * channels});
  };
  const Ref<Tensor> mean = repeated(*running[0]), var = repeated(*running[1]);
  const bp_value in[] = {tensor_value(*seen), tensor_value(*mean), tensor_value(*var)};
  const bp_attr attrs[] = {float_value(std::isnan(momentum) ? 0 : momentum)};
  invoke(*find_op(BP_OP_BATCH_NORM_RUNNING), in, attrs, made);
  for (size_t i = 0; i < 2; ++i)
    copy_into(*running[i],
              *invoke(BP_OP_MEAN, {reshape(*made[i], Dims{n, channels})},
                      {ints_value(first), flag_value(false), dtype_value(BP_DTYPE_NONE)}),
              /*non_blocking=*/false);
}
// An instance is a channel of one element of the batch; one without a batch has a batch of one.
template <uint32_t rank>
void instance_norm_forward(ForwardCall& f) {
  const Module& m = f.m;
  if (f.x().rank() != rank && f.x().rank() != rank - 1)
    fail(BP_INVALID_ARGUMENT, "expected {}D or {}D input (got {}D input)", rank - 1, rank,
         f.x().rank());
  const bool batched = f.x().rank() == rank;
  const Ref<Tensor> x = batched ? Ref<Tensor>::share(&f.x()) : unsqueeze(f.x(), 0);
  const int64_t channels = x->shape[1];
  if (m.parameter(0) && channels != m.i64(kInstanceNorm["num_features"]))
    fail(BP_INVALID_ARGUMENT,
         "expected input's size at dim={} to match num_features ({}), but got: {}.",
         batched ? 1 : 0, m.i64(kInstanceNorm["num_features"]), channels);
  need_both_or_none(m);
  const bool own = m.training || !m.buffer(kMean);  // the statistics are the instances'
  if (own && channels > 0 && x->shape[0] > 0 && x->count == x->shape[0] * channels)
    fail(BP_INVALID_ARGUMENT,
         "Expected more than 1 spatial element when training, got input size {}",
         format_shape(x->shape));
  const bp_attr eps = float_value(m.f64(kInstanceNorm["eps"]));
  const Ref<Tensor> y =
      own ? invoke(BP_OP_GROUP_NORM, {value(*x), maybe(m.parameter(0)), maybe(m.parameter(1))},
                   {int_value(channels), eps})
          : invoke(BP_OP_BATCH_NORM,
                   {value(*x), maybe(m.buffer(kMean)), maybe(m.buffer(kVar)), maybe(m.parameter(0)),
                    maybe(m.parameter(1))},
                   {flag_value(false), eps});
  if (m.training && m.buffer(kMean)) track_instances(m, *x);
  f.give(0, batched ? y : squeeze(*y, Dims{0}));
}

void make_layer_norm(Maker& k) {
  const bool affine = k.m.flag(kLayerNorm["elementwise_affine"]);
  learned(k, k.m.ints(kLayerNorm["normalized_shape"]), affine,
          affine && k.m.flag(kLayerNorm["bias"]));
}
void layer_norm_forward(ForwardCall& f) {
  f.give(0,
         invoke(BP_OP_LAYER_NORM, {value(f.x()), maybe(f.m.parameter(0)), maybe(f.m.parameter(1))},
                {ints_value(f.m.ints(kLayerNorm["normalized_shape"])),
                 float_value(f.m.f64(kLayerNorm["eps"]))}));
}
std::string layer_norm_extra(const Module& m) {
  return fmt::format("{}, eps={}, elementwise_affine={}, bias={}",
                     python_text(m.ints(kLayerNorm["normalized_shape"])),
                     python_text(m.f64(kLayerNorm["eps"])),
                     python_text(m.flag(kLayerNorm["elementwise_affine"])),
                     python_text(m.flag(kLayerNorm["bias"])));
}

void make_rms_norm(Maker& k) {
  if (Tensor* w = k.optional_parameter("weight", k.m.ints(kRmsNorm["normalized_shape"]),
                                       k.m.flag(kRmsNorm["elementwise_affine"])))
    init::constant(*w, 1);
}
void rms_norm_forward(ForwardCall& f) {
  f.give(0, invoke(BP_OP_RMS_NORM, {value(f.x()), maybe(f.m.parameter(0))},
                   {ints_value(f.m.ints(kRmsNorm["normalized_shape"])),
                    float_value(f.m.f64(kRmsNorm["eps"]))}));
}
std::string rms_norm_extra(const Module& m) {
  return fmt::format(
      "{}, eps={}, elementwise_affine={}", python_text(m.ints(kRmsNorm["normalized_shape"])),
      text_or_none(m.f64(kRmsNorm["eps"])), python_text(m.flag(kRmsNorm["elementwise_affine"])));
}

void make_group_norm(Maker& k) {
  const int64_t groups = k.m.i64(kGroupNorm["num_groups"]),
                channels = k.m.i64(kGroupNorm["num_channels"]);
  if (groups < 1 || channels % groups)
    fail(BP_INVALID_ARGUMENT, "num_channels ({}) must be divisible by num_groups ({})", channels,
         groups);
  const bool affine = k.m.flag(kGroupNorm["affine"]);
  learned(k, Dims{channels}, affine, affine && k.m.flag(kGroupNorm["bias"]));
}
void group_norm_forward(ForwardCall& f) {
  f.give(0,
         invoke(BP_OP_GROUP_NORM, {value(f.x()), maybe(f.m.parameter(0)), maybe(f.m.parameter(1))},
                {int_value(f.m.i64(kGroupNorm["num_groups"])),
                 float_value(f.m.f64(kGroupNorm["eps"]))}));
}
std::string group_norm_extra(const Module& m) {
  return fmt::format("{}, {}, eps={}, affine={}, bias={}", m.i64(kGroupNorm["num_groups"]),
                     m.i64(kGroupNorm["num_channels"]), python_text(m.f64(kGroupNorm["eps"])),
                     python_text(m.flag(kGroupNorm["affine"])),
                     python_text(m.parameter(1).get() != nullptr));
}

template <uint32_t least, uint32_t most>
constexpr ModuleKind batch_norm(const char* name, const char* title) {
  return {
      .name = name,
      .title = title,
      .attrs = kBatchNorm,
      .make = make_batch_norm,
      .forward = batch_norm_forward<least, most>,
      .extra = batch_norm_extra,
      .doc =
          "Each channel by the batch's mean and variance in training, else by the running ones."};
}
template <uint32_t rank>
constexpr ModuleKind instance_norm(const char* name, const char* title) {
  return {.name = name,
          .title = title,
          .attrs = kInstanceNorm,
          .make = make_batch_norm,
          .forward = instance_norm_forward<rank>,
          .extra = batch_norm_extra,
          .doc =
              "Each channel of each element of the batch by its mean and variance; evaluating, "
              "where there are running ones, by these."};
}
// clang-format off
constexpr ModuleKind kNormalizeKinds[] = {
    batch_norm<2, 3>("batch_norm1d", "BatchNorm1d"),
    batch_norm<4, 4>("batch_norm2d", "BatchNorm2d"),
    batch_norm<5, 5>("batch_norm3d", "BatchNorm3d"),
    instance_norm<3>("instance_norm1d", "InstanceNorm1d"),
    instance_norm<4>("instance_norm2d", "InstanceNorm2d"),
    instance_norm<5>("instance_norm3d", "InstanceNorm3d"),
    {.name = "layer_norm", .title = "LayerNorm", .attrs = kLayerNorm, .make = make_layer_norm, .forward = layer_norm_forward,
     .extra = layer_norm_extra, .doc = "The last dimensions by their mean and variance."},
    {.name = "rms_norm", .title = "RMSNorm", .attrs = kRmsNorm, .make = make_rms_norm, .forward = rms_norm_forward, .extra = rms_norm_extra,
     .doc = "The last dimensions by the root of their mean square."},
    {.name = "group_norm", .title = "GroupNorm", .attrs = kGroupNorm, .make = make_group_norm, .forward = group_norm_forward,
     .extra = group_norm_extra, .doc = "Groups of channels by their mean and variance."},
};
// clang-format on
}  // namespace

std::span<const ModuleKind> normalize_kinds() { return kNormalizeKinds; }

}  // namespace bp::nn
