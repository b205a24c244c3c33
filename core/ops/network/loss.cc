// SPDX-License-Identifier: Apache-2.0
// loss.cc: the rows of losses. Halves are computed in f32.
#include <cmath>

#include "core/call/kept.h"
#include "core/grad/autograd.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/ops/network/attributes.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

// Losses of classes have the class that is ignored first.
constexpr AttrSpec kIgnoreIndex = int_attr("ignore_index", -100);
constexpr AttrSpecs kNllAttrs{kIgnoreIndex, kReduction},
    kCrossEntropyAttrs = kNllAttrs.with({float_attr("label_smoothing", 0)});

void reduce_by(Inference& f, std::string_view reduction) {
  if (reduction == "none") return;
  if (reduction != "mean" && reduction != "sum")
    fail(BP_INVALID_ARGUMENT, "{} is not a valid value for reduction", reduction);
  f.out_shape[0] = Dims{};
}
void pointwise_shape(Inference& f) {
  rule::broadcast(f);
  reduce_by(f, f.str(kLossAttrs["reduction"]));
}
void huber_shape(Inference& f) {
  if (!(f.f64(kHuberAttrs["delta"]) > 0))
    fail(BP_INVALID_ARGUMENT, "huber_loss does not support non-positive values for delta.");
  pointwise_shape(f);
}
void smooth_l1_shape(Inference& f) {
  if (f.f64(kSmoothL1Attrs["beta"]) < 0)
    fail(BP_INVALID_ARGUMENT, "smooth_l1_loss does not support negative values for beta.");
  pointwise_shape(f);
}
// What is compared with probabilities is not broadcast: a loss of all pairs would be meant by
// nobody.
void paired_shape(Inference& f) {
  if (Dims(f.in[0].shape) != Dims(f.in[1].shape))
    fail(BP_INVALID_ARGUMENT, "Target size ({}) must be the same as input size ({})",
         format_shape(f.in[1].shape), format_shape(f.in[0].shape));
  pointwise_shape(f);
}
Ref<Tensor> reduced_by(std::string_view reduction, const Ref<Tensor>& loss) {
  return reduction == "mean"  ? mean(loss, {}, false)
         : reduction == "sum" ? sum(loss, {}, false)
                              : loss;
}

Ref<Tensor> distance(Composer& c) { return absolute(sub(c.wide(0), c.wide(1))); }
void mse_loss(Composer& c) {
  c.out[0] = reduced_by(c.str(kLossAttrs["reduction"]), squared(sub(c.wide(0), c.wide(1))));
}
void l1_loss(Composer& c) { c.out[0] = reduced_by(c.str(kLossAttrs["reduction"]), distance(c)); }
// Returns d^2 / 2 below `at`, and what goes on straight from there, at (d - at / 2): both are
// m (d - m / 2), where m is the smaller of d and `at`.
Ref<Tensor> bent_at(const Ref<Tensor>& d, double at) {
  const Ref<Tensor> m = smaller(d, at);
  return mul(m, sub(d, mul(m, 0.5)));
}
void huber_loss(Composer& c) {
  c.out[0] =
      reduced_by(c.str(kLossAttrs["reduction"]), bent_at(distance(c), c.f64(kHuberAttrs["delta"])));
}
void smooth_l1_loss(Composer& c) {
  const double beta = c.f64(kSmoothL1Attrs["beta"]);
  Ref<Tensor> d = distance(c);
  if (beta != 0) d = bent_at(d, beta);
  if (beta != 0 && beta != 1) d = div(d, beta);
  c.out[0] = reduced_by(c.str(kLossAttrs["reduction"]), d);
}

Ref<Tensor> weighted(Composer& c, const Ref<Tensor>& loss, size_t weight) {
  return c.has(weight) ? mul(loss, c.wide(weight)) : loss;
}
// Logarithms are at least -100, as in PyTorch.
void binary_cross_entropy(Composer& c) {
  Ref<Tensor> p = c.wide(0), t = c.wide(1);
  Ref<Tensor> yes = larger(logarithm(p), -100.0),
              no = larger(invoke(BP_OP_LOG1P, {negative(p)}), -100.0);
  Ref<Tensor> loss = sub(mul(sub(t, 1.0), no), mul(t, yes));
  c.out[0] = reduced_by(c.str(kLossAttrs["reduction"]), weighted(c, loss, 2));
}
// (1 - t) x + w log(1 + e^-x), w = 1 + (pos_weight - 1) t
void binary_cross_entropy_with_logits(Composer& c) {
  Ref<Tensor> x = c.wide(0), t = c.wide(1);
  Ref<Tensor> tail = invoke(BP_OP_LOGADDEXP, {negative(x), 0.0});
  if (c.has(3)) tail = mul(tail, add(mul(sub(c.wide(3), 1.0), t), 1.0));
  Ref<Tensor> loss = add(mul(sub(1.0, t), x), tail);
  c.out[0] = reduced_by(c.str(kLossAttrs["reduction"]), weighted(c, loss, 2));
}

// ---- classes: input [N, C, ...] or [C], target [N, ...] or [] ----

int64_t class_axis(Span input) { return input.size() == 1 ? 0 : 1; }

void class_shape(Inference& f, std::string_view reduction) {
  const Span x = f.in[0].shape, target = f.in[1].shape;
  if (x.empty())
    fail(BP_INVALID_ARGUMENT, "{}: input must have at least one dimension", f.row.name);
  Dims wanted(x);
  wanted.erase(static_cast<uint32_t>(class_axis(x)));
  if (wanted != Dims(target)) {
    if (!wanted.empty() && !target.empty() && wanted[0] != target[0])
      fail(BP_INVALID_ARGUMENT, "Expected input batch_size ({}) to match target batch_size ({}).",
           wanted[0], target[0]);
    fail(BP_INVALID_ARGUMENT, "Expected target size {}, got {}", format_shape(wanted),
         format_shape(target));
  }
  f.out_shape[0] = wanted;
  reduce_by(f, reduction);
}
void check_class_weight(Inference& f) {
  const int64_t classes = f.in[0].shape[static_cast<size_t>(class_axis(f.in[0].shape))];
  if (f.in[2].is_tensor && Dims(f.in[2].shape) != Dims{classes})
    fail(
        BP_INVALID_ARGUMENT,
        "weight tensor should be defined either for all {} classes or no classes but got weight tensor "
        "of shape: {}",
        classes, format_shape(f.in[2].shape));
}
void nll_shape(Inference& f) {
  class_shape(f, f.str(kNllAttrs["reduction"]));
  check_class_weight(f);
}
void cross_entropy_shape(Inference& f) {
  const double smoothing = f.f64(kCrossEntropyAttrs["label_smoothing"]);
  if (!(smoothing >= 0 && smoothing <= 1))
    fail(BP_INVALID_ARGUMENT, "label_smoothing must be between 0.0 and 1.0. Got: {}", smoothing);
  if (is_floating(f.in[1].dtype)) {  // probabilities
    if (Dims(f.in[0].shape) != Dims(f.in[1].shape))
      fail(
          BP_INVALID_ARGUMENT,
          "Expected floating point type for target with class probabilities to have the input's shape {}, "
          "got {}",
          format_shape(f.in[0].shape), format_shape(f.in[1].shape));
    if (f.in[0].shape.empty())
      fail(BP_INVALID_ARGUMENT, "cross_entropy: input must have at least one dimension");
    f.out_shape[0] = Dims(f.in[0].shape);
    f.out_shape[0].erase(static_cast<uint32_t>(class_axis(f.in[0].shape)));
    reduce_by(f, f.str(kCrossEntropyAttrs["reduction"]));
  } else {
    class_shape(f, f.str(kCrossEntropyAttrs["reduction"]));
  }
  check_class_weight(f);
}
// The target takes no part in the promotion.
void of_input(Inference& f) {
  const bp_dtype t = f.in[0].dtype;
  if (!is_floating(t))
    fail(BP_DTYPE_MISMATCH, "\"{}\" not implemented for '{}'", f.row.name, dtype_title(t));
  if (f.row.id == BP_OP_NLL_LOSS ? !is_integer(f.in[1].dtype)
                                 : !is_integer(f.in[1].dtype) && !is_floating(f.in[1].dtype))
    fail(BP_DTYPE_MISMATCH, "expected scalar type Long but found {}", dtype_title(f.in[1].dtype));
  f.compute = f.out_dtype[0] = t;
}

Ref<Tensor> wide_of(Tensor& t) { return as_dtype(t, is_narrow(t.dtype) ? BP_F32 : t.dtype); }

// Calls pick, which takes elements at the classes `at`. Whoever called the loss gave targets and
// knows of no indices.
template <class F>
Ref<Tensor> at_targets(const Ref<Tensor>& at, int64_t classes, const F& pick) {
  try {
    return pick();
  } catch (const Error& e) {
    if (e.status() != BP_INDEX_OUT_OF_RANGE) throw;
    const Ref<Tensor> outside =
        invoke(BP_OP_MASKED_SELECT, {at, either(less(at, 0), at_most(classes, at))});
    fail(BP_INDEX_OUT_OF_RANGE, "Target {} is out of bounds.",
         item(*select(*outside, 0, 0)).as.i64);
  }
}

// What picking classes needs: which targets count, the classes (0 where ignored), their weights.
struct Classes {
  Ref<Tensor> valid, at, weight;
  int64_t axis;
};
Classes classes_of(Composer& c, int64_t ignore_index, bp_dtype dtype) {
  Classes k;
  k.axis = class_axis(c.tensor(0).shape);
  Ref<Tensor> target = as_dtype(c.tensor(1), BP_I64);
  k.valid = unequal(target, ignore_index);
  k.at = where(k.valid, target, 0);
  k.weight = c.has(2) ? at_targets(k.at, c.tensor(2).count,
                                   [&] {
                                     const Ref<Tensor> list = reshape(*k.at, Dims{k.at->count});
                                     return reshape(*picked(as_dtype(c.tensor(2), dtype), list, 0),
                                                    target->shape);
                                   })
                      : filled(target->shape, dtype, 1.0, target->device());
  k.weight = where(k.valid, k.weight, 0.0);
  return k;
}
Ref<Tensor> minus_picked(const Ref<Tensor>& log_p, const Classes& k) {
  return at_targets(k.at, log_p->shape[k.axis], [&] {
    return negative(reshape(*gather(log_p, unsqueeze(*k.at, k.axis), k.axis), k.at->shape));
  });
}

// exp(log_p) times g, which has one element for all classes.
Ref<Tensor> softmax_times(const Ref<Tensor>& log_p, const Ref<Tensor>& g) {
  const auto make = [&] { return mul(exponential(log_p), g); };
  if (records() || !is_worth_keeping(log_p->device(), log_p->count)) return make();
  Likeness like(softmax_times);
  like.reads(*log_p);
  like.reads(*g);
  Ref<Tensor> made[1];
  run_kept(like, made, [&] { made[0] = make(); });
  return made[0];
}

// Picks of log_softmax(x), both of which go back together: to p g, and from the class that was
// picked g is taken. Apart, g would be the only elements of a tensor of zeros, which is summed and
// read again.
Ref<Tensor> minus_log_softmax_picked(const Ref<Tensor>& x, const Classes& k) {
  Ref<Tensor> log_p, made;
  {
    const RecordGuard off(false);
    log_p = invoke(BP_OP_LOG_SOFTMAX, {x}, {int_value(k.axis)});
    made = minus_picked(log_p, k);
  }
  const auto back = [axis = k.axis](GradCall& c, std::span<const Ref<Tensor>> saved) {
    const Ref<Tensor>& log_softmax = saved[0];
    Ref<Tensor> grad;
    if (c.grads[0]) {
      const Ref<Tensor> g = unsqueeze(*c.grads[0], axis);
      Ref<Tensor> out[1] = {softmax_times(log_softmax, g)};
      const Value all = out[0];
      if (records()) out[0] = {};
      invoke(BP_OP_SCATTER_ADD, {all, unsqueeze(*saved[1], axis), negative(g)}, {int_value(axis)},
             out);
      grad = out[0];
    }
    if (c.grads[1]) {  // of log_p, which the gradient's own gradient leads to
      const Ref<Tensor> all =
          sub(c.grads[1], softmax_times(log_softmax, sum(c.grads[1], {&axis, 1}, true)));
      grad = grad ? add(grad, all) : all;
    }
    c.give(0, grad);
  };
  Tensor *const from[] = {x.get()}, *const into[] = {made.get(), log_p.get()};
  record_function({"NllLossBackward0", {log_p, k.at}, back, {}}, from, into);
  return made;
}
// The mean is the sum of the losses, which are weighted already, over the sum of the weights.
Ref<Tensor> class_mean(std::string_view reduction, const Ref<Tensor>& loss, const Classes& k) {
  if (reduction != "mean") return reduced_by(reduction, loss);
  return div(sum(loss, {}, false), sum(k.weight, {}, false));
}

void nll_loss(Composer& c) {
  Ref<Tensor> x = wide_of(c.tensor(0));
  const Classes k = classes_of(c, c.i64(kNllAttrs["ignore_index"]), x->dtype);
  Ref<Tensor> loss = where(k.valid, mul(minus_picked(x, k), k.weight), 0.0);
  c.out[0] = class_mean(c.str(kNllAttrs["reduction"]), loss, k);
}

// Returns the weights of the classes in a shape that broadcasts with `like`.
Ref<Tensor> along(Composer& c, Tensor& like, int64_t axis) {
  Dims shape;
  for (uint32_t d = 0; d < like.rank(); ++d) shape.push_back(d == axis ? like.shape[d] : 1);
  return reshape(*as_dtype(c.tensor(2), like.dtype), shape);
}
void cross_entropy(Composer& c) {
  Ref<Tensor> x = wide_of(c.tensor(0));
  const int64_t axis = class_axis(x->shape);
  const double smoothing = c.f64(kCrossEntropyAttrs["label_smoothing"]),
               classes = static_cast<double>(x->shape[axis]);
  const auto log_softmax = [&] { return invoke(BP_OP_LOG_SOFTMAX, {x}, {int_value(axis)}); };
  const Span one{&axis, 1};
  if (is_floating(c.tensor(1).dtype)) {
    Ref<Tensor> t = as_dtype(c.tensor(1), x->dtype);
    if (smoothing != 0) t = add(mul(t, 1 - smoothing), smoothing / classes);
    if (c.has(2)) t = mul(t, along(c, *x, axis));
    Ref<Tensor> loss = negative(sum(mul(log_softmax(), t), one, false));
    c.out[0] = reduced_by(c.str(kCrossEntropyAttrs["reduction"]), loss);
    return;
  }
  const Classes k = classes_of(c, c.i64(kCrossEntropyAttrs["ignore_index"]), x->dtype);
  const auto of_targets = [&](const Ref<Tensor>& minus) {
    return where(k.valid, mul(minus, k.weight), 0.0);
  };
  Ref<Tensor> loss;
  if (smoothing == 0) {
    loss = of_targets(minus_log_softmax_picked(x, k));
  } else {
    const Ref<Tensor> log_p = log_softmax();
    loss = of_targets(minus_picked(log_p, k));
    Ref<Tensor> all = negative(sum(c.has(2) ? mul(log_p, along(c, *x, axis)) : log_p, one, false));
    loss = add(mul(loss, 1 - smoothing), mul(where(k.valid, all, 0.0), smoothing / classes));
  }
  c.out[0] = class_mean(c.str(kCrossEntropyAttrs["reduction"]), loss, k);
}

constexpr InputSpecs kPair{{{"input"}, {"target"}}};
constexpr InputSpecs kClasses{{{"input"}, {"target", Role::kAny}, {"weight", Role::kAny, true}}};

// clang-format off
constexpr OpRow kLossRows[] = {
    {.id = 200, .name = "mse_loss", .inputs = kPair, .attrs = kLossAttrs, .layout = Layout::kGeneral,
     .dtype = rule::floating, .shape = pointwise_shape, .compose = mse_loss, .grad = {"MseLossBackward0", mse_back, kIn0 | kIn1}, .max_ulp = 16,
     .doc = "(input - target)^2. reduction: none, mean or sum."},
    {.id = 201, .name = "l1_loss", .inputs = kPair, .attrs = kLossAttrs, .layout = Layout::kGeneral,
     .dtype = rule::floating, .shape = pointwise_shape, .compose = l1_loss, .grad = {"L1LossBackward0", l1_back, kIn0 | kIn1}, .max_ulp = 16,
     .doc = "|input - target|. reduction: none, mean or sum."},
    {.id = 202, .name = "huber_loss", .inputs = kPair, .attrs = kHuberAttrs,
     .layout = Layout::kGeneral, .dtype = rule::floating, .shape = huber_shape, .compose = huber_loss,
     .grad = {"HuberLossBackward0", huber_back, kIn0 | kIn1}, .max_ulp = 16,
     .doc = "d^2 / 2 where d = |input - target| is below delta, else delta * (d - delta / 2). reduction: none, mean or sum."},
    {.id = 203, .name = "smooth_l1_loss", .inputs = kPair, .attrs = kSmoothL1Attrs,
     .layout = Layout::kGeneral, .dtype = rule::floating, .shape = smooth_l1_shape, .compose = smooth_l1_loss,
     .grad = {"SmoothL1LossBackward0", smooth_l1_back, kIn0 | kIn1}, .max_ulp = 16, .doc = "d^2 / (2 * beta) where d = |input - target| is below beta, else d - beta / 2."},
    {.id = 204, .name = "binary_cross_entropy",
     .inputs = {{{"input"}, {"target"}, {"weight", Role::kValue, true}}}, .attrs = kLossAttrs,
     .layout = Layout::kGeneral, .dtype = rule::floating, .shape = paired_shape, .compose = binary_cross_entropy,
     .grad = {"BinaryCrossEntropyBackward0", binary_cross_entropy_back, kIn0 | kIn1 | kIn2}, .max_ulp = 32,
     .doc = "-(target * log(input) + (1 - target) * log(1 - input)), logarithms at least -100, times weight."},
    {.id = 205, .name = "binary_cross_entropy_with_logits",
     .inputs = {{{"input"}, {"target"}, {"weight", Role::kValue, true}, {"pos_weight", Role::kValue, true}}},
     .attrs = kLossAttrs, .layout = Layout::kGeneral, .dtype = rule::floating, .shape = paired_shape,
     .compose = binary_cross_entropy_with_logits, .max_ulp = 32,
     .doc = "binary_cross_entropy of sigmoid(input) without its overflow; pos_weight weighs positive targets."},
    {.id = 206, .name = "nll_loss", .inputs = kClasses, .attrs = kNllAttrs,
     .layout = Layout::kGeneral, .dtype = of_input, .shape = nll_shape, .compose = nll_loss, .max_ulp = 16,
     .doc = "-weight[target] * input[.., target, ..] for input [N, C, ..] or [C]; 0 where target is ignore_index. The mean is "
            "that of weights."},
    {.id = 207, .name = "cross_entropy", .inputs = kClasses,
     .attrs = kCrossEntropyAttrs,
     .layout = Layout::kGeneral, .dtype = of_input, .shape = cross_entropy_shape, .compose = cross_entropy,
     .max_ulp = 64,
     .doc = "nll_loss of log_softmax(input); a floating target holds probabilities of classes. label_smoothing mixes in the "
            "uniform distribution."},
};
// clang-format on
}  // namespace

std::span<const OpRow> loss_rows() { return kLossRows; }

}  // namespace bp::ops
