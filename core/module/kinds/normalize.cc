// SPDX-License-Identifier: Apache-2.0
// normalize.cc: batch, layer, group and root-mean-square normalization. Running statistics are
// buffers.
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
template <uint32_t least, uint32_t most>
void batch_norm_forward(ForwardCall& f) {
  const Module& m = f.m;
  Tensor& x = f.x();
  if (x.rank() < least || x.rank() > most) {
    if constexpr (least == most)
      fail(BP_INVALID_ARGUMENT, "expected {}D input (got {}D input)", least, x.rank());
    fail(BP_INVALID_ARGUMENT, "expected {}D or {}D input (got {}D input)", least, most, x.rank());
  }
  if (!m.buffer(kMean) != !m.buffer(kVar))
    fail(BP_INVALID_ARGUMENT, "running_mean and running_var of {} are there together or not at all",
         m.title);
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
// clang-format off
constexpr ModuleKind kNormalizeKinds[] = {
    batch_norm<2, 3>("batch_norm1d", "BatchNorm1d"),
    batch_norm<4, 4>("batch_norm2d", "BatchNorm2d"),
    batch_norm<5, 5>("batch_norm3d", "BatchNorm3d"),
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
