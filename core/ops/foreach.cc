// SPDX-License-Identifier: Apache-2.0
// foreach.cc: the rows of optimisers' steps and of gradient clipping, over lists of tensors
// (core/call/foreach.h). A backend without kernels for the steps gets compositions, which have the
// formulas from the kernels' own text (plugins/kit/optimizer_steps.h).
#include "core/call/foreach.h"

#include <cmath>

#include "core/ops/families.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "plugins/kit/optimizer_steps.h"

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
constexpr AttrSpecs kSgdAttrs{required_int_attr("count"),    float_attr("lr", 1e-3),
                              float_attr("momentum", 0),     float_attr("dampening", 0),
                              float_attr("weight_decay", 0), flag_attr("nesterov", false),
                              flag_attr("maximize", false),  flag_attr("first", false)};
constexpr AttrSpecs kAdamAttrs{required_int_attr("count"), float_attr("lr", 1e-3),
                               float_attr("beta1", 0.9),   float_attr("beta2", 0.999),
                               float_attr("eps", 1e-8),    float_attr("weight_decay", 0),
                               int_attr("step", 1),        flag_attr("maximize", false)};
constexpr AttrSpecs kRmsPropAttrs{required_int_attr("count"),    float_attr("lr", 1e-2),
                                  float_attr("alpha", 0.99),     float_attr("eps", 1e-8),
                                  float_attr("weight_decay", 0), float_attr("momentum", 0),
                                  flag_attr("centered", false),  flag_attr("maximize", false)};
constexpr AttrSpecs kAdagradAttrs{required_int_attr("count"),  float_attr("lr", 1e-2),
                                  float_attr("lr_decay", 0),   float_attr("weight_decay", 0),
                                  float_attr("eps", 1e-10),    int_attr("step", 1),
                                  flag_attr("maximize", false)};
constexpr AttrSpecs kClampAttrs{float_attr("low", -1e308), float_attr("high", 1e308)};
constexpr AttrSpecs kNormAttrs{float_attr("ord", 2)};

void check_step(const Inference& f, int64_t step) {
  if (step < 1) fail(BP_INVALID_ARGUMENT, "{}: step must be at least 1, got {}", f.row.name, step);
}
void sgd_lists(Inference& f) { same_shapes(f, f.f64(kSgdAttrs["momentum"]) != 0 ? 3 : 2); }
void adam_lists(Inference& f) {
  const size_t lists = Lists(f.row, f.in.size(), f.attrs).lists;
  same_shapes(f, lists == 5 ? 5 : 4);
  check_step(f, f.i64(kAdamAttrs["step"]));
}
void rmsprop_lists(Inference& f) {
  same_shapes(f, 3 + f.flag(kRmsPropAttrs["centered"]) + (f.f64(kRmsPropAttrs["momentum"]) != 0));
}
void adagrad_lists(Inference& f) {
  same_shapes(f, 3);
  check_step(f, f.i64(kAdagradAttrs["step"]));
}
void one_list(Inference& f) { same_shapes(f, 1); }

// ---- compositions ----

// A whole tensor in place of the number that a step computes with.
struct Elements {
  using E = const Elements&;
  Ref<Tensor> all;

  friend Elements operator+(E x, E y) { return {add(x.all, y.all)}; }
  friend Elements operator-(E x, E y) { return {sub(x.all, y.all)}; }
  friend Elements operator*(E x, E y) { return {mul(x.all, y.all)}; }
  friend Elements operator/(E x, E y) { return {div(x.all, y.all)}; }
  friend Elements operator*(double k, E x) { return k == 1 ? x : Elements{mul(x.all, k)}; }
  friend Elements operator/(E x, double k) { return {div(x.all, k)}; }
  friend Elements operator+(E x, double k) { return {add(x.all, k)}; }
  friend void operator+=(Elements& x, E y) { x = x + y; }
  friend void operator-=(Elements& x, E y) { x = x - y; }
  friend void operator*=(Elements& x, double k) { x = k * x; }
  friend Elements sqrt(E x) { return {root(x.all)}; }
  friend Elements larger(E x, E y) { return {ops::larger(x.all, y.all)}; }
};

// Computes one position of the lists after the other, by the formulas that kernels have too.
void step(Composer& c) {
  const Lists lists(c.row, c.in.size(), c.attrs);
  bp_kit::with_step<double>(c.row.id, lists.lists, c.attrs.data(), [&](const auto& step) {
    for (size_t k = 0; k < lists.count; ++k) {
      Elements x[5];
      for (size_t list = 0; list < lists.lists; ++list)
        x[list].all = as_dtype(c.tensor(lists.at(list, k)), c.plan.compute);
      step(x[0], x[1], x[2], x[3], x[4]);
      for (size_t list = 0; list < lists.lists; ++list)
        if (list != 1) write(c.tensor(lists.at(list, k)), *x[list].all);
    }
  });
}

template <class F>
void change_each(Composer& c, const F& changed) {
  for (size_t k = 0; k < Lists(c.row, c.in.size(), c.attrs).count; ++k)
    write(c.tensor(k), *changed(as_dtype(c.tensor(k), c.plan.compute)));
}
void scale(Composer& c) {
  const Ref<Tensor> factor = reshape(c.tensor(c.in.size() - 1), Dims{});
  change_each(c, [&](const Ref<Tensor>& x) { return mul(x, factor); });
}
void clamp(Composer& c) {
  const double low = c.f64(kClampAttrs["low"]), high = c.f64(kClampAttrs["high"]);
  change_each(c, [&](const Ref<Tensor>& x) { return smaller(larger(x, low), high); });
}
// Gives the norm of the tensors' norms; ord 0 counts elements, and counts add up.
void norm(Composer& c) {
  const double ord = c.f64(kNormAttrs["ord"]);
  const auto norm_of = [&](const Ref<Tensor>& x) {
    return invoke(BP_OP_VECTOR_NORM, {x}, {ints_value({}), flag_value(false), float_value(ord)});
  };
  std::vector<Ref<Tensor>> parts;
  for (size_t k = 0; k < c.in.size(); ++k) {
    Ref<Tensor> x = as_dtype(c.tensor(k), c.plan.compute);
    if (x->count == 0 && std::isinf(ord)) continue;  // of nothing there is no largest
    parts.push_back(reshape(*norm_of(x), Dims{1}));
  }
  if (parts.empty()) {
    c.out[0] = filled(Dims{}, c.plan.compute, 0.0, c.tensor(0).device());
    return;
  }
  const Ref<Tensor> all = joined(parts, 0);
  c.out[0] = ord == 0 ? sum(all, {}, false) : norm_of(all);
}

constexpr InputSpecs kTensors{{{"tensors", Role::kList}}};
constexpr std::array<const char*, kMaxOutputs> kNothing{};

// clang-format off
constexpr OpRow kForeachRows[] = {
    {.id = 330, .name = "foreach_sgd", .inputs = kTensors, .attrs = kSgdAttrs, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = sgd_lists, .compose = step, .max_ulp = 8,
     .doc = "One step of stochastic gradient descent over lists of count tensors, in place: parameters, gradients and, with a "
            "momentum, momentum buffers; first: those hold nothing yet and become the gradients."},
    {.id = 331, .name = "foreach_adam", .inputs = kTensors, .attrs = kAdamAttrs, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = adam_lists, .compose = step, .max_ulp = 8,
     .doc = "One step of Adam (Kingma and Ba 2015) over lists of count tensors, in place: parameters, gradients, averages of "
            "gradients and of their squares and, for AMSGrad, the largest of the latter. step counts from 1."},
    {.id = 332, .name = "foreach_adamw", .inputs = kTensors, .attrs = kAdamAttrs, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = adam_lists, .compose = step, .max_ulp = 8,
     .doc = "foreach_adam, but weight decay shrinks the parameter itself (Loshchilov and Hutter 2019)."},
    {.id = 333, .name = "foreach_rmsprop", .inputs = kTensors, .attrs = kRmsPropAttrs, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = rmsprop_lists, .compose = step, .max_ulp = 8,
     .doc = "One step of RMSprop over lists of count tensors, in place: parameters, gradients, averages of squares, centered: "
            "averages of gradients, with a momentum: momentum buffers."},
    {.id = 334, .name = "foreach_adagrad", .inputs = kTensors, .attrs = kAdagradAttrs, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = adagrad_lists, .compose = step, .max_ulp = 8,
     .doc = "One step of Adagrad (Duchi, Hazan and Singer 2011) over lists of count tensors, in place: parameters, gradients, "
            "sums of squares. step counts from 1."},
    {.id = 335, .name = "foreach_scale", .inputs = {{{"tensors", Role::kList}, {"factor", Role::kAny}}}, .outputs = kNothing,
     .layout = Layout::kForeach, .dtype = one_float, .shape = one_list, .compose = scale, .max_ulp = 1,
     .doc = "Every tensor times factor, a tensor of one element (f64 for f64, else f32), in place."},
    {.id = 336, .name = "foreach_clamp", .inputs = kTensors, .attrs = kClampAttrs, .outputs = kNothing, .layout = Layout::kForeach,
     .dtype = one_float, .shape = one_list, .compose = clamp, .max_ulp = 0,
     .doc = "Every element no less than low and no more than high, in place; NaN stays."},
    {.id = 337, .name = "foreach_norm", .inputs = kTensors, .attrs = kNormAttrs, .layout = Layout::kForeach,
     .dtype = one_float, .shape = one_list, .compose = norm, .max_ulp = 32,
     .doc = "vector_norm of all elements of all tensors, 0-dim, in f64 for f64, else in f32."},
};
// clang-format on
}  // namespace

std::span<const OpRow> foreach_rows() { return kForeachRows; }

}  // namespace bp::ops
