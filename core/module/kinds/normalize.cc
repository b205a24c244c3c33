// SPDX-License-Identifier: Apache-2.0
// normalize.cc: batch, layer, group and root-mean-square normalization. Running statistics are
// buffers.
#include <cmath>

#include "core/grad/autograd.h"
#include "core/module/initialiser.h"
#include "core/module/kind.h"

namespace bp::nn {
namespace normalize_rows {
namespace {

constexpr ModuleAttr kEps = attr::real("eps", 1e-5, "added to the variance");
constexpr ModuleAttr kBatch[] = {
    attr::size("num_features", "channels"),
    kEps,
    attr::real("momentum", 0.1,
               "share of a batch in the running statistics; NaN: the mean of all batches"),
    attr::flag("affine", true, "whether weight and bias are learned"),
    attr::flag("track_running_stats", true, "whether there are running statistics"),
    attr::flag("bias", true, "whether there is a bias, where affine")};
constexpr ModuleAttr kLayer[] = {
    attr::sizes("normalized_shape", "sizes of the last dimensions"), kEps,
    attr::flag("elementwise_affine", true, "whether weight and bias are learned"),
    attr::flag("bias", true, "whether there is a bias")};
constexpr ModuleAttr kRms[] = {
    kLayer[0], attr::real("eps", NAN, "added to the mean square; NaN: the dtype's epsilon"),
    attr::flag("elementwise_affine", true, "whether weight is learned")};
constexpr ModuleAttr kGroup[] = {attr::size("num_groups", "groups of channels"),
                                 attr::size("num_channels", "channels"), kEps,
                                 attr::flag("affine", true, "whether weight and bias are learned"),
                                 attr::flag("bias", true, "whether there is a bias, where affine")};

void learned(Maker& k, Span shape, bool weight, bool bias) {
  if (weight)
    init::constant(k.parameter("weight", shape), 1);
  else
    k.no_parameter("weight");
  if (bias)
    init::constant(k.parameter("bias", shape), 0);
  else
    k.no_parameter("bias");
}

enum { kMean, kVar, kBatches };
void make_batch(Maker& k) {
  const Dims channels{k.m.i64(0)};
  learned(k, channels, k.m.flag(3), k.m.flag(3) && k.m.flag(5));
  if (k.m.flag(4)) {
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
  Ref<Tensor> batches[1] = {m.buffer(kBatches)};
  const bp_value next[] = {tensor_value(*batches[0]), number(int64_t{1})};
  invoke(*find_op(BP_OP_ADD), next, {}, batches);
  const double momentum =
      std::isnan(m.f64(2)) ? 1.0 / static_cast<double>(item(*batches[0]).as.i64) : m.f64(2);
  Ref<Tensor> running[2] = {m.buffer(kMean), m.buffer(kVar)};
  const bp_value in[] = {tensor_value(x), tensor_value(*running[0]), tensor_value(*running[1])};
  const bp_attr attrs[] = {float_value(momentum)};
  invoke(*find_op(BP_OP_BATCH_NORM_RUNNING), in, attrs, running);
}
template <uint32_t least, uint32_t most>
void batch_forward(ForwardCall& f) {
  const Module& m = f.m;
  Tensor& x = f.x();
  if (x.rank() < least || x.rank() > most) {
    if constexpr (least == most)
      fail(BP_INVALID_ARGUMENT, "expected {}D input (got {}D input)", least, x.rank());
    fail(BP_INVALID_ARGUMENT, "expected {}D or {}D input (got {}D input)", least, most, x.rank());
  }
  const bool own = m.training || !m.buffer(kMean);  // the batch's own statistics
  Ref<Tensor> y = op(
      BP_OP_BATCH_NORM,
      {value(x), own ? maybe(nullptr) : maybe(m.buffer(kMean)),
       own ? maybe(nullptr) : maybe(m.buffer(kVar)), maybe(m.parameter(0)), maybe(m.parameter(1))},
      {flag_value(own), float_value(m.f64(1))});
  if (m.training && m.buffer(kMean)) track(m, x);
  f.give(0, y);
}
std::string batch_extra(const Module& m) {
  return fmt::format("{}, eps={}, momentum={}, affine={}, bias={}, track_running_stats={}",
                     m.i64(0), python_text(m.f64(1)),
                     std::isnan(m.f64(2)) ? "None" : python_text(m.f64(2)), python_text(m.flag(3)),
                     python_text(m.parameter(1).get() != nullptr), python_text(m.flag(4)));
}

void make_layer(Maker& k) { learned(k, k.m.ints(0), k.m.flag(2), k.m.flag(2) && k.m.flag(3)); }
void layer_forward(ForwardCall& f) {
  f.give(0, op(BP_OP_LAYER_NORM, {value(f.x()), maybe(f.m.parameter(0)), maybe(f.m.parameter(1))},
               {ints_value(f.m.ints(0)), float_value(f.m.f64(1))}));
}
std::string layer_extra(const Module& m) {
  return fmt::format("{}, eps={}, elementwise_affine={}, bias={}", python_text(m.ints(0)),
                     python_text(m.f64(1)), python_text(m.flag(2)), python_text(m.flag(3)));
}

void make_rms(Maker& k) {
  if (k.m.flag(2))
    init::constant(k.parameter("weight", k.m.ints(0)), 1);
  else
    k.no_parameter("weight");
}
void rms_forward(ForwardCall& f) {
  f.give(0, op(BP_OP_RMS_NORM, {value(f.x()), maybe(f.m.parameter(0))},
               {ints_value(f.m.ints(0)), float_value(f.m.f64(1))}));
}
std::string rms_extra(const Module& m) {
  return fmt::format("{}, eps={}, elementwise_affine={}", python_text(m.ints(0)),
                     std::isnan(m.f64(1)) ? "None" : python_text(m.f64(1)), python_text(m.flag(2)));
}

void make_group(Maker& k) {
  if (k.m.i64(0) < 1 || k.m.i64(1) % k.m.i64(0))
    fail(BP_INVALID_ARGUMENT, "num_channels ({}) must be divisible by num_groups ({})", k.m.i64(1),
         k.m.i64(0));
  learned(k, Dims{k.m.i64(1)}, k.m.flag(3), k.m.flag(3) && k.m.flag(4));
}
void group_forward(ForwardCall& f) {
  f.give(0, op(BP_OP_GROUP_NORM, {value(f.x()), maybe(f.m.parameter(0)), maybe(f.m.parameter(1))},
               {int_value(f.m.i64(0)), float_value(f.m.f64(2))}));
}
std::string group_extra(const Module& m) {
  return fmt::format("{}, {}, eps={}, affine={}, bias={}", m.i64(0), m.i64(1),
                     python_text(m.f64(2)), python_text(m.flag(3)),
                     python_text(m.parameter(1).get() != nullptr));
}

template <uint32_t least, uint32_t most>
constexpr ModuleKind batch(const char* name, const char* title) {
  return {
      .name = name,
      .title = title,
      .attrs = kBatch,
      .make = make_batch,
      .forward = batch_forward<least, most>,
      .extra = batch_extra,
      .doc =
          "Each channel by the batch's mean and variance in training, else by the running ones."};
}
// clang-format off
constexpr ModuleKind kRows[] = {
    batch<2, 3>("batch_norm1d", "BatchNorm1d"),
    batch<4, 4>("batch_norm2d", "BatchNorm2d"),
    batch<5, 5>("batch_norm3d", "BatchNorm3d"),
    {.name = "layer_norm", .title = "LayerNorm", .attrs = kLayer, .make = make_layer, .forward = layer_forward,
     .extra = layer_extra, .doc = "The last dimensions by their mean and variance."},
    {.name = "rms_norm", .title = "RMSNorm", .attrs = kRms, .make = make_rms, .forward = rms_forward, .extra = rms_extra,
     .doc = "The last dimensions by the root of their mean square."},
    {.name = "group_norm", .title = "GroupNorm", .attrs = kGroup, .make = make_group, .forward = group_forward,
     .extra = group_extra, .doc = "Groups of channels by their mean and variance."},
};
// clang-format on
}  // namespace
}  // namespace normalize_rows

std::span<const ModuleKind> normalize_kinds() { return normalize_rows::kRows; }

}  // namespace bp::nn
