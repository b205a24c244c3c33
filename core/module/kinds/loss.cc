// SPDX-License-Identifier: Apache-2.0
// loss.cc: losses of an input and a target. The weights of classes are buffers, "weight" and
// "pos_weight", which a caller sets by name.
#include "core/module/kind.h"

namespace bp::nn {
namespace {

constexpr AttrSpec kReduction = str_attr("reduction", "mean", "none, mean or sum");
constexpr AttrSpecs kReductionOnly{kReduction};
constexpr AttrSpecs kNllLoss{int_attr("ignore_index", -100, "a target that does not count"),
                             kReduction};
constexpr AttrSpecs kCrossEntropy = kNllLoss.with(
    {float_attr("label_smoothing", 0, "share of the uniform distribution in targets")});
constexpr AttrSpecs kHuberLoss{kReduction, float_attr("delta", 1, "from where on it is linear")};
constexpr AttrSpecs kSmoothL1Loss{kReduction, float_attr("beta", 1, "from where on it is linear")};
constexpr AttrSpecs kKlLoss{kReduction,
                            flag_attr("log_target", false, "whether the target is a logarithm")};

void check_reduction(std::string_view r, bool batchmean = false) {
  if (r != "none" && r != "mean" && r != "sum" && !(batchmean && r == "batchmean"))
    fail(BP_INVALID_ARGUMENT, "{} is not a valid value for reduction", r);
}
void make_pointwise(Maker& k) { check_reduction(k.m.str(kReductionOnly["reduction"])); }
void make_class(Maker& k) {
  check_reduction(k.m.str(kNllLoss["reduction"]));
  k.no_buffer("weight");
}
void make_bce(Maker& k) {
  check_reduction(k.m.str(kReductionOnly["reduction"]));
  k.no_buffer("weight");
}
void make_bce_with_logits(Maker& k) {
  make_bce(k);
  k.no_buffer("pos_weight");
}

template <uint32_t kOp>
void pointwise(ForwardCall& f) {
  Ref<Tensor> loss = invoke(kOp, {value(f.x(0)), value(f.x(1))},
                            {str_value(f.m.str(kReductionOnly["reduction"]))});
  f.give(0, kOp == BP_OP_MSE_LOSS ? called(loss, "MseLossBackward0") : loss);
}
template <uint32_t kOp>
void pointwise_from(ForwardCall& f, FloatAttr from) {
  f.give(0, invoke(kOp, {value(f.x(0)), value(f.x(1))},
                   {str_value(f.m.str(kReductionOnly["reduction"])), float_value(f.m.f64(from))}));
}
void huber(ForwardCall& f) { pointwise_from<BP_OP_HUBER_LOSS>(f, kHuberLoss["delta"]); }
void smooth_l1(ForwardCall& f) { pointwise_from<BP_OP_SMOOTH_L1_LOSS>(f, kSmoothL1Loss["beta"]); }
void cross_entropy(ForwardCall& f) {
  f.give(0, called(invoke(BP_OP_CROSS_ENTROPY, {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0))},
                          {int_value(f.m.i64(kCrossEntropy["ignore_index"])),
                           str_value(f.m.str(kCrossEntropy["reduction"])),
                           float_value(f.m.f64(kCrossEntropy["label_smoothing"]))}),
                   "NllLossBackward0"));
}
void nll(ForwardCall& f) {
  f.give(0, called(invoke(BP_OP_NLL_LOSS, {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0))},
                          {int_value(f.m.i64(kNllLoss["ignore_index"])),
                           str_value(f.m.str(kNllLoss["reduction"]))}),
                   "NllLossBackward0"));
}
void check_same(const ForwardCall& f) {
  if (f.x(0).shape != f.x(1).shape)
    fail(BP_INVALID_ARGUMENT, "Target size ({}) must be the same as input size ({})",
         format_shape(f.x(1).shape), format_shape(f.x(0).shape));
}
void bce(ForwardCall& f) {
  check_same(f);
  f.give(0, invoke(BP_OP_BINARY_CROSS_ENTROPY, {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0))},
                   {str_value(f.m.str(kReductionOnly["reduction"]))}));
}
void bce_with_logits(ForwardCall& f) {
  check_same(f);
  f.give(0, invoke(BP_OP_BINARY_CROSS_ENTROPY_WITH_LOGITS,
                   {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0)), maybe(f.m.buffer(1))},
                   {str_value(f.m.str(kReductionOnly["reduction"]))}));
}
// Computes t (log t - x), which is 0 where t is 0; with log_target exp(t) (t - x).
void kl_div(ForwardCall& f) {
  Tensor &x = f.x(0), &t = f.x(1);
  Ref<Tensor> loss;
  if (f.m.flag(kKlLoss["log_target"])) {
    loss =
        invoke(BP_OP_MUL, {invoke(BP_OP_EXP, {value(t)}), invoke(BP_OP_SUB, {value(t), value(x)})});
  } else {
    Ref<Tensor> positive = invoke(BP_OP_GT, {value(t), number(0.0)});
    Ref<Tensor> log_t = invoke(BP_OP_LOG, {invoke(BP_OP_WHERE, {positive, value(t), number(1.0)})});
    loss = invoke(BP_OP_SUB,
                  {invoke(BP_OP_MUL, {value(t), log_t}), invoke(BP_OP_MUL, {value(t), value(x)})});
  }
  const std::string_view reduction = f.m.str(kKlLoss["reduction"]);
  const auto whole = [&](uint32_t id) {
    return invoke(id, {loss}, {ints_value({}), flag_value(false), dtype_value(BP_DTYPE_NONE)});
  };
  if (reduction == "mean") loss = whole(BP_OP_MEAN);
  if (reduction == "sum" || reduction == "batchmean") loss = whole(BP_OP_SUM);
  if (reduction == "batchmean")
    loss = invoke(BP_OP_DIV, {loss, number(static_cast<double>(x.rank() ? x.shape[0] : 1))});
  f.give(0, loss);
}

constexpr ModuleKind loss_kind(const char* name, const char* title, const AttrSpecs& attrs,
                               void (*make)(Maker&), void (*forward)(ForwardCall&),
                               const char* doc) {
  return {.name = name,
          .title = title,
          .attrs = attrs,
          .min_inputs = 2,
          .max_inputs = 2,
          .make = make,
          .forward = forward,
          .doc = doc};
}
// clang-format off
constexpr ModuleKind kLossKinds[] = {
    loss_kind("cross_entropy_loss", "CrossEntropyLoss", kCrossEntropy, make_class, cross_entropy,
        "Of the logarithms of softmax(input) those of the targets' classes, negated; buffer weight: of each class."),
    loss_kind("nll_loss", "NLLLoss", kNllLoss, make_class, nll, "Of input those of the targets' classes, negated; buffer weight: of each class."),
    loss_kind("mse_loss", "MSELoss", kReductionOnly, make_pointwise, pointwise<BP_OP_MSE_LOSS>, "(input - target)^2."),
    loss_kind("l1_loss", "L1Loss", kReductionOnly, make_pointwise, pointwise<BP_OP_L1_LOSS>, "|input - target|."),
    loss_kind("bce_loss", "BCELoss", kReductionOnly, make_bce, bce, "Binary cross entropy of probabilities; buffer weight."),
    loss_kind("bce_with_logits_loss", "BCEWithLogitsLoss", kReductionOnly, make_bce_with_logits, bce_with_logits,
        "Binary cross entropy of sigmoid(input); buffers weight, pos_weight."),
    loss_kind("huber_loss", "HuberLoss", kHuberLoss, make_pointwise, huber,
        "(input - target)^2 / 2, linear from delta on."),
    loss_kind("smooth_l1_loss", "SmoothL1Loss", kSmoothL1Loss, make_pointwise, smooth_l1,
        "Huber's loss over beta."),
    loss_kind("kl_div_loss", "KLDivLoss", kKlLoss, [](Maker& k) { check_reduction(k.m.str(kKlLoss["reduction"]), /*batchmean=*/true); }, kl_div,
        "target (log target - input); reduction may be batchmean."),
};
// clang-format on
}  // namespace

std::span<const ModuleKind> loss_kinds() { return kLossKinds; }

}  // namespace bp::nn
