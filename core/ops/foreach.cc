// SPDX-License-Identifier: Apache-2.0
// foreach.cc: steps of optimisers, and what clips gradients: over lists of tensors, in place
// (foreach.h). The formulas are those of PyTorch's loops over single tensors (torch/optim/sgd.py
// and its neighbours), which plugins/kit/optimizers.h has as one text for kernels; here they stand
// once more, made of other ops, for backends without such kernels.
#include "core/call/foreach.h"

#include <cmath>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"

namespace bp::ops {
namespace {

// ---- rules ----
bp_dtype calc(bp_dtype t) { return t == BP_F64 ? BP_F64 : BP_F32; }

void one_float(Inference& f) {
  const Lists at(f.row, f.in.size(), f.attrs);
  const bp_dtype t = f.in[0].dtype;
  if (!is_floating(t))
    fail(BP_DTYPE_MISMATCH, "{}: expected floating tensors, got {}", f.row.name, dtype_title(t));
  for (size_t i = 1; i < at.single(0); ++i)
    if (f.in[i].dtype != t)
      fail(BP_DTYPE_MISMATCH, "{}: expected all tensors to be {}, but tensor {} of list {} is {}",
           f.row.name, dtype_title(t), i % at.count, i / at.count, dtype_title(f.in[i].dtype));
  for (size_t i = at.single(0); i < f.in.size(); ++i)
    if (f.in[i].dtype != calc(t))
      fail(BP_DTYPE_MISMATCH, "{}: expected {} to be {}, got {}", f.row.name, f.row.inputs[1].name,
           dtype_title(calc(t)), dtype_title(f.in[i].dtype));
  f.compute = calc(t);
  f.out_dtype[0] = calc(t);
}
void same_shapes(Inference& f, size_t lists) {
  const Lists at(f.row, f.in.size(), f.attrs);
  if (at.lists != lists)
    fail(BP_INVALID_ARGUMENT, "{}: expected {} lists of {} tensors, got {}", f.row.name, lists,
         at.count, at.lists);
  for (size_t list = 1; list < lists; ++list)
    for (size_t k = 0; k < at.count; ++k)
      if (Dims(f.in[at.at(list, k)].shape) != Dims(f.in[k].shape))
        fail(BP_INVALID_ARGUMENT, "{}: tensor {} has shape {} in list {}, expected {}", f.row.name,
             k, format_shape(f.in[at.at(list, k)].shape), list, format_shape(f.in[k].shape));
  for (size_t i = at.single(0); i < f.in.size(); ++i)
    if (numel(f.in[i].shape) != 1)
      fail(BP_INVALID_ARGUMENT, "{}: {} must have one element, got shape {}", f.row.name,
           f.row.inputs[1].name, format_shape(f.in[i].shape));
}
enum SgdAttr {
  kSgdCount,
  kSgdLr,
  kSgdMomentum,
  kSgdDampening,
  kSgdDecay,
  kSgdNesterov,
  kSgdMaximize,
  kSgdFirst
};
enum AdamAttr {
  kAdamCount,
  kAdamLr,
  kAdamBeta1,
  kAdamBeta2,
  kAdamEps,
  kAdamDecay,
  kAdamStep,
  kAdamMaximize
};
enum RmsAttr {
  kRmsCount,
  kRmsLr,
  kRmsAlpha,
  kRmsEps,
  kRmsDecay,
  kRmsMomentum,
  kRmsCentered,
  kRmsMaximize
};
enum AdaAttr { kAdaCount, kAdaLr, kAdaLrDecay, kAdaDecay, kAdaEps, kAdaStep, kAdaMaximize };

void sgd_lists(Inference& f) { same_shapes(f, f.f64(kSgdMomentum) != 0 ? 3 : 2); }
void adam_lists(Inference& f) {
  const size_t lists = Lists(f.row, f.in.size(), f.attrs).lists;
  same_shapes(f, lists == 5 ? 5 : 4);
  if (f.i64(kAdamStep) < 1)
    fail(BP_INVALID_ARGUMENT, "{}: step must be at least 1, got {}", f.row.name, f.i64(kAdamStep));
}
void rms_lists(Inference& f) {
  same_shapes(f, 3 + (f.i64(kRmsCentered) != 0) + (f.f64(kRmsMomentum) != 0));
}
void ada_lists(Inference& f) {
  same_shapes(f, 3);
  if (f.i64(kAdaStep) < 1)
    fail(BP_INVALID_ARGUMENT, "{}: step must be at least 1, got {}", f.row.name, f.i64(kAdaStep));
}
void one_list(Inference& f) { same_shapes(f, 1); }

// ---- compositions ----
// One position: its tensors as the step computes with them.
struct At {
  Composer& c;
  Lists lists;
  size_t k;
  Tensor& tensor(size_t list) const { return c.tensor(lists.at(list, k)); }
  Ref<Tensor> get(size_t list) const { return as_dtype(tensor(list), c.plan.compute); }
  void set(size_t list, const Ref<Tensor>& v) const { write(tensor(list), *v); }
  // The gradient with its sign and what weight decay adds to it.
  Ref<Tensor> gradient(size_t maximize, double decay) const {
    Ref<Tensor> g = get(1);
    if (c.i64(maximize)) g = negative(g);
    return decay != 0 ? add(g, mul(get(0), decay)) : g;
  }
};
template <class F>
void each(Composer& c, F step) {
  const Lists lists(c.row, c.in.size(), c.attrs);
  for (size_t k = 0; k < lists.count; ++k) step(At{c, lists, k});
}

void sgd(Composer& c) {
  const double momentum = c.f64(kSgdMomentum);
  each(c, [&](const At& at) {
    Ref<Tensor> g = at.gradient(kSgdMaximize, c.f64(kSgdDecay));
    if (momentum != 0) {
      const Ref<Tensor> m =
          c.i64(kSgdFirst) ? g : add(mul(at.get(2), momentum), mul(g, 1 - c.f64(kSgdDampening)));
      g = c.i64(kSgdNesterov) ? add(g, mul(m, momentum)) : m;
      at.set(2, m);
    }
    at.set(0, sub(at.get(0), mul(g, c.f64(kSgdLr))));
  });
}
void adam_step(Composer& c, bool decoupled) {
  const double beta1 = c.f64(kAdamBeta1), beta2 = c.f64(kAdamBeta2), lr = c.f64(kAdamLr),
               decay = c.f64(kAdamDecay);
  const auto step = static_cast<double>(c.i64(kAdamStep));
  const double rest1 = 1 - std::pow(beta1, step), root2 = std::sqrt(1 - std::pow(beta2, step));
  each(c, [&](const At& at) {
    const Ref<Tensor> g = at.gradient(kAdamMaximize, decoupled ? 0 : decay);
    Ref<Tensor> p = at.get(0);
    if (decoupled && decay != 0) p = mul(p, 1 - lr * decay);
    const Ref<Tensor> m = add(at.get(2), mul(sub(g, at.get(2)), 1 - beta1));
    const Ref<Tensor> v = add(mul(at.get(3), beta2), mul(squared(g), 1 - beta2));
    const Ref<Tensor> most = at.lists.lists == 5 ? larger(at.get(4), v) : v;
    const Ref<Tensor> by = add(div(root(most), root2), c.f64(kAdamEps));
    at.set(2, m);
    at.set(3, v);
    if (at.lists.lists == 5) at.set(4, most);
    at.set(0, sub(p, mul(div(m, by), lr / rest1)));
  });
}
void adam(Composer& c) { adam_step(c, false); }
void adamw(Composer& c) { adam_step(c, true); }
void rmsprop(Composer& c) {
  const double alpha = c.f64(kRmsAlpha), momentum = c.f64(kRmsMomentum);
  const bool centered = c.i64(kRmsCentered) != 0;
  each(c, [&](const At& at) {
    const Ref<Tensor> g = at.gradient(kRmsMaximize, c.f64(kRmsDecay));
    const Ref<Tensor> v = add(mul(at.get(2), alpha), mul(squared(g), 1 - alpha));
    Ref<Tensor> spread = v;
    at.set(2, v);
    if (centered) {
      const Ref<Tensor> m = add(at.get(3), mul(sub(g, at.get(3)), 1 - alpha));
      spread = sub(v, squared(m));
      at.set(3, m);
    }
    Ref<Tensor> by = div(g, add(root(spread), c.f64(kRmsEps)));
    if (momentum != 0) {
      by = add(mul(at.get(centered ? 4 : 3), momentum), by);
      at.set(centered ? 4 : 3, by);
    }
    at.set(0, sub(at.get(0), mul(by, c.f64(kRmsLr))));
  });
}
void adagrad(Composer& c) {
  const double rate =
      c.f64(kAdaLr) / (1 + static_cast<double>(c.i64(kAdaStep) - 1) * c.f64(kAdaLrDecay));
  each(c, [&](const At& at) {
    const Ref<Tensor> g = at.gradient(kAdaMaximize, c.f64(kAdaDecay)),
                      sum = add(at.get(2), squared(g));
    at.set(2, sum);
    at.set(0, sub(at.get(0), mul(div(g, add(root(sum), c.f64(kAdaEps))), rate)));
  });
}
void scale(Composer& c) {
  each(c, [&](const At& at) {
    at.set(0, mul(at.get(0), reshape(c.tensor(at.lists.single(0)), Dims{})));
  });
}
void clamp(Composer& c) {
  each(c, [&](const At& at) { at.set(0, smaller(larger(at.get(0), c.f64(0)), c.f64(1))); });
}
// The norm of the tensors' norms; ord 0 counts, and counts add up.
void norm(Composer& c) {
  const double ord = c.f64(0);
  std::vector<Ref<Tensor>> parts;
  for (size_t k = 0; k < c.in.size(); ++k) {
    Ref<Tensor> x = as_dtype(c.tensor(k), c.plan.compute);
    if (x->count == 0 && std::isinf(ord)) continue;  // of nothing there is no largest
    const bp_attr attrs[] = {ints_value({}), flag_value(false), float_value(ord)};
    parts.push_back(
        reshape(*invoke(BP_OP_VECTOR_NORM, {x}, {attrs[0], attrs[1], attrs[2]}), Dims{1}));
  }
  if (parts.empty()) {
    c.out[0] = filled(Dims{}, c.plan.compute, 0.0, c.tensor(0).device());
    return;
  }
  const Ref<Tensor> all = joined(parts, 0);
  c.out[0] = ord == 0 ? sum(all, {}, false)
                      : invoke(BP_OP_VECTOR_NORM, {all},
                               {ints_value({}), flag_value(false), float_value(ord)});
}

constexpr InputSpecs kTensors{{{"tensors", Role::kList}}};
constexpr std::array<const char*, kMaxOutputs> kNothing{};
constexpr AttrSpecs kAdam{{required_int_attr("count"), float_attr("lr", 1e-3),
                           float_attr("beta1", 0.9), float_attr("beta2", 0.999),
                           float_attr("eps", 1e-8), float_attr("weight_decay", 0),
                           int_attr("step", 1), flag_attr("maximize", false)}};

// clang-format off
constexpr OpRow kForeachRows[] = {
    {.id = 330, .name = "foreach_sgd", .inputs = kTensors,
     .attrs = {{required_int_attr("count"), float_attr("lr", 1e-3), float_attr("momentum", 0), float_attr("dampening", 0),
                float_attr("weight_decay", 0), flag_attr("nesterov", false), flag_attr("maximize", false),
                flag_attr("first", false)}},
     .outputs = kNothing, .layout = Layout::kForeach, .dtype = one_float, .shape = sgd_lists, .compose = sgd, .max_ulp = 8,
     .doc = "One step of stochastic gradient descent over lists of count tensors, in place: parameters, gradients and, with a "
            "momentum, momentum buffers; first: those hold nothing yet and become the gradients."},
    {.id = 331, .name = "foreach_adam", .inputs = kTensors, .attrs = kAdam, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = adam_lists, .compose = adam, .max_ulp = 8,
     .doc = "One step of Adam (Kingma and Ba 2015) over lists of count tensors, in place: parameters, gradients, averages of "
            "gradients and of their squares and, for AMSGrad, the largest of the latter. step counts from 1."},
    {.id = 332, .name = "foreach_adamw", .inputs = kTensors, .attrs = kAdam, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = adam_lists, .compose = adamw, .max_ulp = 8,
     .doc = "foreach_adam, but weight decay shrinks the parameter itself (Loshchilov and Hutter 2019)."},
    {.id = 333, .name = "foreach_rmsprop", .inputs = kTensors,
     .attrs = {{required_int_attr("count"), float_attr("lr", 1e-2), float_attr("alpha", 0.99), float_attr("eps", 1e-8),
                float_attr("weight_decay", 0), float_attr("momentum", 0), flag_attr("centered", false),
                flag_attr("maximize", false)}},
     .outputs = kNothing, .layout = Layout::kForeach, .dtype = one_float, .shape = rms_lists, .compose = rmsprop, .max_ulp = 8,
     .doc = "One step of RMSprop over lists of count tensors, in place: parameters, gradients, averages of squares, centered: "
            "averages of gradients, with a momentum: momentum buffers."},
    {.id = 334, .name = "foreach_adagrad", .inputs = kTensors,
     .attrs = {{required_int_attr("count"), float_attr("lr", 1e-2), float_attr("lr_decay", 0), float_attr("weight_decay", 0),
                float_attr("eps", 1e-10), int_attr("step", 1), flag_attr("maximize", false)}},
     .outputs = kNothing, .layout = Layout::kForeach, .dtype = one_float, .shape = ada_lists, .compose = adagrad, .max_ulp = 8,
     .doc = "One step of Adagrad (Duchi, Hazan and Singer 2011) over lists of count tensors, in place: parameters, gradients, "
            "sums of squares. step counts from 1."},
    {.id = 335, .name = "foreach_scale", .inputs = {{{"tensors", Role::kList}, {"factor", Role::kAny}}}, .outputs = kNothing,
     .layout = Layout::kForeach, .dtype = one_float, .shape = one_list, .compose = scale, .max_ulp = 1,
     .doc = "Every tensor times factor, a tensor of one element (f64 for f64, else f32), in place."},
    {.id = 336, .name = "foreach_clamp", .inputs = kTensors, .attrs = {{float_attr("low", -1e308), float_attr("high", 1e308)}},
     .outputs = kNothing, .layout = Layout::kForeach, .dtype = one_float, .shape = one_list, .compose = clamp, .max_ulp = 0,
     .doc = "Every element no less than low and no more than high, in place; NaN stays."},
    {.id = 337, .name = "foreach_norm", .inputs = kTensors, .attrs = {{float_attr("ord", 2)}}, .layout = Layout::kForeach,
     .dtype = one_float, .shape = one_list, .compose = norm, .max_ulp = 32,
     .doc = "vector_norm of all elements of all tensors, 0-dim, in f64 for f64, else in f32."},
};
// clang-format on
}  // namespace

std::span<const OpRow> foreach_rows() { return kForeachRows; }

}  // namespace bp::ops
