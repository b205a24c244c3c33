// SPDX-License-Identifier: Apache-2.0
// loss.cc: losses of an input and a target. The weights of classes are a buffer: set it by name
// ("weight", "pos_weight").
#include "core/module/kind.h"

namespace bp::nn {
namespace loss_rows {
namespace {

constexpr ModuleAttr kReduction = attr::text("reduction", "mean", "none, mean or sum");
constexpr ModuleAttr kReductionOnly[] = {kReduction};
constexpr ModuleAttr kClasses[] = {
    attr::integer("ignore_index", -100, "a target that does not count"), kReduction,
    attr::real("label_smoothing", 0, "share of the uniform distribution in targets")};
constexpr ModuleAttr kHuber[] = {kReduction, attr::real("delta", 1, "from where on it is linear")};
constexpr ModuleAttr kSmooth[] = {kReduction, attr::real("beta", 1, "from where on it is linear")};
constexpr ModuleAttr kKl[] = {kReductionOnly[0],
                              attr::flag("log_target", false, "whether the target is a logarithm")};

void check_reduction(std::string_view r, bool batchmean = false) {
  if (r != "none" && r != "mean" && r != "sum" && !(batchmean && r == "batchmean"))
    fail(BP_INVALID_ARGUMENT, "{} is not a valid value for reduction", r);
}
void make_pointwise(Maker& k) { check_reduction(k.m.str(0)); }
void make_class(Maker& k) {
  check_reduction(k.m.str(1));
  k.no_buffer("weight");
}
void make_bce(Maker& k) {
  check_reduction(k.m.str(0));
  k.no_buffer("weight");
}
void make_bce_with_logits(Maker& k) {
  make_bce(k);
  k.no_buffer("pos_weight");
}

template <uint32_t kOp>
void pointwise(ForwardCall& f) {
  Ref<Tensor> loss = op(kOp, {value(f.x(0)), value(f.x(1))}, {str_value(f.m.str(0))});
  f.give(0, kOp == BP_OP_MSE_LOSS ? called(loss, "MseLossBackward0") : loss);
}
template <uint32_t kOp>
void pointwise_from(ForwardCall& f) {
  f.give(0,
         op(kOp, {value(f.x(0)), value(f.x(1))}, {str_value(f.m.str(0)), float_value(f.m.f64(1))}));
}
void cross_entropy(ForwardCall& f) {
  f.give(0, called(op(BP_OP_CROSS_ENTROPY, {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0))},
                      {int_value(f.m.i64(0)), str_value(f.m.str(1)), float_value(f.m.f64(2))}),
                   "NllLossBackward0"));
}
void nll(ForwardCall& f) {
  f.give(0, called(op(BP_OP_NLL_LOSS, {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0))},
                      {int_value(f.m.i64(0)), str_value(f.m.str(1))}),
                   "NllLossBackward0"));
}
void check_same(const ForwardCall& f) {
  if (f.x(0).shape != f.x(1).shape)
    fail(BP_INVALID_ARGUMENT, "Target size ({}) must be the same as input size ({})",
         format_shape(f.x(1).shape), format_shape(f.x(0).shape));
}
void bce(ForwardCall& f) {
  check_same(f);
  f.give(0, op(BP_OP_BINARY_CROSS_ENTROPY, {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0))},
               {str_value(f.m.str(0))}));
}
void bce_with_logits(ForwardCall& f) {
  check_same(f);
  f.give(0, op(BP_OP_BINARY_CROSS_ENTROPY_WITH_LOGITS,
               {value(f.x(0)), value(f.x(1)), maybe(f.m.buffer(0)), maybe(f.m.buffer(1))},
               {str_value(f.m.str(0))}));
}
// t (log t - x), 0 where t is 0; with log_target exp(t) (t - x).
void kl_div(ForwardCall& f) {
  Tensor &x = f.x(0), &t = f.x(1);
  Ref<Tensor> loss;
  if (f.m.flag(1)) {
    loss = op(BP_OP_MUL, {op(BP_OP_EXP, {value(t)}), op(BP_OP_SUB, {value(t), value(x)})});
  } else {
    Ref<Tensor> positive = op(BP_OP_GT, {value(t), number(0.0)});
    Ref<Tensor> log_t = op(BP_OP_LOG, {op(BP_OP_WHERE, {positive, value(t), number(1.0)})});
    loss = op(BP_OP_SUB, {op(BP_OP_MUL, {value(t), log_t}), op(BP_OP_MUL, {value(t), value(x)})});
  }
  const std::string_view reduction = f.m.str(0);
  const auto whole = [&](uint32_t id) {
    return op(id, {loss}, {ints_value({}), flag_value(false), dtype_value(BP_DTYPE_NONE)});
  };
  if (reduction == "mean") loss = whole(BP_OP_MEAN);
  if (reduction == "sum" || reduction == "batchmean") loss = whole(BP_OP_SUM);
  if (reduction == "batchmean")
    loss = op(BP_OP_DIV, {loss, number(static_cast<double>(x.rank() ? x.shape[0] : 1))});
  f.give(0, loss);
}

constexpr ModuleKind row(const char* name, const char* title, std::span<const ModuleAttr> attrs,
                         void (*make)(Maker&), void (*forward)(ForwardCall&), const char* doc) {
  return {.name = name,
          .title = title,
          .attrs = attrs,
          .min_inputs = 2,
          .max_inputs = 2,
          .make = make,
          .forward = forward,
          .doc = doc};
}
constexpr std::span<const ModuleAttr> kNll = std::span(kClasses).first<2>();
// clang-format off
constexpr ModuleKind kRows[] = {
    row("cross_entropy_loss", "CrossEntropyLoss", kClasses, make_class, cross_entropy,
        "Of the logarithms of softmax(input) those of the targets' classes, negated; buffer weight: of each class."),
    row("nll_loss", "NLLLoss", kNll, make_class, nll, "Of input those of the targets' classes, negated; buffer weight: of each class."),
    row("mse_loss", "MSELoss", kReductionOnly, make_pointwise, pointwise<BP_OP_MSE_LOSS>, "(input - target)^2."),
    row("l1_loss", "L1Loss", kReductionOnly, make_pointwise, pointwise<BP_OP_L1_LOSS>, "|input - target|."),
    row("bce_loss", "BCELoss", kReductionOnly, make_bce, bce, "Binary cross entropy of probabilities; buffer weight."),
    row("bce_with_logits_loss", "BCEWithLogitsLoss", kReductionOnly, make_bce_with_logits, bce_with_logits,
        "Binary cross entropy of sigmoid(input); buffers weight, pos_weight."),
    row("huber_loss", "HuberLoss", kHuber, make_pointwise, pointwise_from<BP_OP_HUBER_LOSS>,
        "(input - target)^2 / 2, linear from delta on."),
    row("smooth_l1_loss", "SmoothL1Loss", kSmooth, make_pointwise, pointwise_from<BP_OP_SMOOTH_L1_LOSS>,
        "Huber's loss over beta."),
    row("kl_div_loss", "KLDivLoss", kKl, [](Maker& k) { check_reduction(k.m.str(0), /*batchmean=*/true); }, kl_div,
        "target (log target - input); reduction may be batchmean."),
};
// clang-format on
}  // namespace
}  // namespace loss_rows

std::span<const ModuleKind> loss_kinds() { return loss_rows::kRows; }

}  // namespace bp::nn
