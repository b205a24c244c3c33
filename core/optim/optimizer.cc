// SPDX-License-Identifier: Apache-2.0
#include "core/optim/optimizer.h"

#include <algorithm>

#include "core/call/invoke.h"
#include "core/grad/autograd.h"
#include "core/process/trace.h"
#include "core/tensor/tape.h"
#include "core/value/attr_values.h"

namespace bp {
namespace {

void check_param(const Tensor& t, size_t index) {
  if (t.trace && t.trace->edge)
    fail(BP_INVALID_ARGUMENT, "can't optimize a non-leaf Tensor (parameter {} of shape {})", index,
         format_shape(t.shape));
  if (!is_floating(t.dtype) && !is_complex(t.dtype))
    fail(
        BP_DTYPE_MISMATCH,
        "can't optimize a Tensor of {}: only floating and complex ones have gradients (parameter {} of "
        "shape {})",
        dtype_name(t.dtype), index, format_shape(t.shape));
}

// A parameter in this step.
struct Turn {
  Parameter* param;
  uint32_t at;  // in its group
  Ref<Tensor> grad;
};
// Parameters of one group that one op can step together.
struct Sort {
  Device* device;
  bp_dtype dtype;
  int64_t steps;
  uint32_t missing;  // states that are yet to be made
  std::vector<Turn> turns{};
};

uint32_t missing_states(const Parameter& p, uint32_t used) {
  uint32_t missing = 0;
  for (size_t i = 0; i < kMaxStates; ++i)
    if ((used >> i & 1) && !p.state.tensors[i]) missing |= 1u << i;
  return missing;
}

void check_grad(const Tensor& p, const Tensor& g, size_t index) {
  if (&g.device() != &p.device())
    fail(BP_DEVICE_MISMATCH,
         "the gradient of parameter {} of shape {} is on {}, the parameter is on {}: move both",
         index, format_shape(p.shape), g.device().label, p.device().label);
  if (g.dtype != p.dtype || g.shape != p.shape)
    fail(BP_DTYPE_MISMATCH, "the gradient of parameter {} is {} {}, the parameter {} {}", index,
         dtype_name(g.dtype), format_shape(g.shape), dtype_name(p.dtype), format_shape(p.shape));
}

[[noreturn]] void fail_partial() {
  fail(BP_BAD_STATE,
       "the optimizer has a part of its states alone (BP_TRAINER_SHARD_STATES); go on with a new "
       "optimizer and a checkpoint");
}

std::vector<Sort> sorted(ParamGroup& group, const OptimizerKind& kind, size_t first_index) {
  const uint32_t used = kind.uses(group.options);
  const bool counts_steps = find_op(kind.op)->find_attr("step") >= 0;
  std::vector<Sort> sorts;
  for (size_t i = 0; i < group.params.size(); ++i) {
    Parameter& p = group.params[i];
    Ref<Tensor> grad = grad_of(*p.tensor);
    if (!grad) continue;
    if (p.elsewhere && p.keeper.expired()) fail_partial();
    if (p.elsewhere) continue;
    check_grad(*p.tensor, *grad, first_index + i);
    const Sort key{&p.tensor->device(), p.tensor->dtype, counts_steps ? p.state.steps : 0,
                   missing_states(p, used)};
    auto same = [&](const Sort& s) {
      return s.device == key.device && s.dtype == key.dtype && s.steps == key.steps &&
             s.missing == key.missing;
    };
    auto at = std::find_if(sorts.begin(), sorts.end(), same);
    if (at == sorts.end()) {
      at = sorts.insert(sorts.end(), key);
      if (sorts.size() == 1) at->turns.reserve(group.params.size() - i);  // mostly all of them
    }
    at->turns.push_back({&p, static_cast<uint32_t>(i), std::move(grad)});
  }
  return sorts;
}

Ref<Tensor> made_state(const Tensor& p, double value) {
  Ref<Tensor> t = new_tensor(p.shape, p.dtype, p.device());
  const bp_value v = number(value);
  Ref<Tensor> out[1] = {t};
  const bp_attr attrs[] = {ints_value(t->shape), dtype_value(t->dtype)};
  if (t->count) invoke(*find_op(BP_OP_FILL), {&v, 1}, attrs, out);
  return t;
}
// Returns the state on the device and in the dtype that the parameter now has.
Ref<Tensor> followed(const Ref<Tensor>& state, const Tensor& p) {
  return to(*state, p.device().value, p.dtype, /*copy=*/false, /*non_blocking=*/false);
}

// Returns what the op of one step is called with: the options by their names, and what the step
// itself says.
SmallVec<bp_attr, 8> step_attrs(const OptimizerKind& kind, const Options& options, int64_t steps,
                                bool first, size_t count) {
  SmallVec<bp_attr, 8> values;
  for (const AttrSpec& a : find_op(kind.op)->attrs) {
    const std::string_view name = a.name;
    if (const int at = kind.attrs.find(name); at >= 0) {
      const auto i = static_cast<size_t>(at);
      values.push_back(option_attr(kind.attrs.at(i), options[i]));
    } else {
      values.push_back(name == "count"  ? int_value(static_cast<int64_t>(count))
                       : name == "step" ? int_value(steps + 1)
                                        : flag_value(first));
    }
  }
  return values;
}

// A recorded step asks for its attributes anew at each run, when its group's options may be others,
// and counts.
Refresh counted(Optimizer& o, uint32_t group, std::span<const Turn> turns) {
  std::vector<uint32_t> params;
  for (const Turn& t : turns) params.push_back(t.at);
  return [held = Ref<Optimizer>::share(&o), group, params](std::span<bp_attr> attrs, bool counts) {
    const std::lock_guard lock(held->mutex);
    ParamGroup& g = held->group(group);
    const auto values = step_attrs(held->kind, g.options, g.params[params[0]].state.steps,
                                   /*first=*/false, params.size());
    for (size_t i = 0; i < attrs.size(); ++i) attrs[i].value = values[i].value;
    for (const uint32_t p : params) g.params[p].state.steps += counts;
  };
}

// Steps turns [from, from + count) of a sort by one call.
void step_some(Optimizer& optimizer, uint32_t group, Sort& sort, size_t from, size_t count) {
  const OptimizerKind& kind = optimizer.kind;
  const Options& options = optimizer.groups[group].options;
  const uint32_t used = kind.uses(options);
  if (sort.missing)
    only_unrecorded(kind.name,
                    "its first step makes the states that later ones go on with; take one before");
  std::vector<Ref<Tensor>> views;
  SmallVec<bp_value, 16> in;
  const auto add = [&](Tensor& t) {
    if (is_complex(t.dtype)) views.push_back(view_as_real(t));
    in.push_back(tensor_value(is_complex(t.dtype) ? *views.back() : t));
  };
  for (size_t k = from; k < from + count; ++k) add(*sort.turns[k].param->tensor);
  for (size_t k = from; k < from + count; ++k) add(*sort.turns[k].grad);
  for (size_t i = 0; i < kMaxStates; ++i) {
    if (!(used >> i & 1)) continue;
    for (size_t k = from; k < from + count; ++k) {
      Parameter& p = *sort.turns[k].param;
      Ref<Tensor>& state = p.state.tensors[i];
      state = state ? followed(state, *p.tensor) : made_state(*p.tensor, kind.initial(options));
      add(*state);
    }
  }
  const OpRow& row = *find_op(kind.op);
  if (Tape::of_thread)
    Tape::of_thread->refresh_next(row, counted(optimizer, group, {&sort.turns[from], count}));
  invoke(row, in.span(), step_attrs(kind, options, sort.steps, sort.missing != 0, count), {});
  for (size_t k = from; k < from + count; ++k) ++sort.turns[k].param->state.steps;
}

}  // namespace

void take_options(const OptimizerKind& kind, std::span<const bp_attr> attrs, Options* options) {
  SmallVec<bp_attr, AttrSpecs::kMost> values;
  for (size_t i = 0; i < kind.attrs.size(); ++i)
    values.push_back(option_attr(kind.attrs.at(i), (*options)[i]));
  take_attrs(kind.name, kind.attrs, attrs, values);
  for (size_t i = 0; i < kind.attrs.size(); ++i) {
    const bp_attr& v = values[i];
    (*options)[i] = v.kind == BP_ATTR_BOOL ? static_cast<double>(v.value.i64) : v.value.f64;
  }
  kind.check(*options);
}

Ref<Optimizer> new_optimizer(std::string_view kind, std::span<Tensor* const> params,
                             std::span<const bp_attr> attrs) {
  auto o = Ref<Optimizer>::adopt(new Optimizer(optimizer_kind(kind)));
  take_options(o->kind, attrs, &o->defaults);
  o->add_group(params, {});
  return o;
}

Optimizer& checked(const bp_optimizer* o) {
  if (!o) fail(BP_INVALID_ARGUMENT, "optimizer must not be NULL");
  if (o->tag != Tag::kOptimizer) fail(BP_INVALID_ARGUMENT, "optimizer is not an optimizer");
  if (o->born != generation()) fail(BP_BAD_STATE, "optimizer was made before bp_shutdown");
  return const_cast<Optimizer&>(*o);
}

void need_whole_states(const Optimizer& o) {
  for (const ParamGroup& g : o.groups)
    for (const Parameter& p : g.params)
      if (p.elsewhere) fail_partial();
}

}  // namespace bp

using namespace bp;

void bp_optimizer::add_group(std::span<Tensor* const> params, std::span<const bp_attr> attrs) {
  const std::lock_guard lock(mutex);
  if (params.empty()) fail(BP_INVALID_ARGUMENT, "optimizer got an empty parameter list");
  ParamGroup made{{}, defaults};
  take_options(kind, attrs, &made.options);
  std::unordered_set<const Tensor*> all = held_;
  for (size_t i = 0; i < params.size(); ++i) {
    check_param(*params[i], i);
    if (!all.insert(params[i]).second)
      fail(
          BP_INVALID_ARGUMENT,
          "some parameters appear in more than one parameter group, or twice in one (parameter {} of "
          "shape {})",
          i, format_shape(params[i]->shape));
    made.params.push_back({Ref<Tensor>::share(params[i])});
  }
  groups.push_back(std::move(made));
  held_ = std::move(all);
}

void bp_optimizer::step() {
  const TraceSpan span(TraceSort::kStep, kind.name);
  const std::lock_guard lock(mutex);
  const RecordGuard guard(false);
  size_t index = 0;
  for (uint32_t g = 0; g < groups.size(); ++g) {
    for (Sort& sort : sorted(groups[g], kind, index)) {
      const size_t most = BP_MAX_INPUTS / (2 + kMaxStates);
      for (size_t from = 0; from < sort.turns.size(); from += most)
        step_some(*this, g, sort, from, std::min(most, sort.turns.size() - from));
    }
    index += groups[g].params.size();
  }
}

void bp_optimizer::zero_grad(bool set_to_none) {
  const std::lock_guard lock(mutex);
  const RecordGuard guard(false);
  for (ParamGroup& group : groups)
    for (Parameter& p : group.params) {
      Ref<Tensor> grad = grad_of(*p.tensor);
      if (!grad) continue;
      if (set_to_none) {
        set_grad(*p.tensor, {});
        continue;
      }
      if (wants_grad(*grad)) set_grad(*p.tensor, grad = detach(*grad));
      const bp_value zero = number(int64_t{0});
      Ref<Tensor> out[1] = {grad};
      const bp_attr attrs[] = {ints_value(grad->shape), dtype_value(grad->dtype)};
      if (grad->count) invoke(*find_op(BP_OP_FILL), {&zero, 1}, attrs, out);
    }
}

ParamGroup& bp_optimizer::group(uint32_t i) {
  if (i >= groups.size()) fail(BP_INDEX_OUT_OF_RANGE, "parameter group {} of {}", i, groups.size());
  return groups[i];
}
Parameter& bp_optimizer::param(uint32_t g, uint32_t i) {
  ParamGroup& of = group(g);
  if (i >= of.params.size())
    fail(BP_INDEX_OUT_OF_RANGE, "parameter {} of {} in group {}", i, of.params.size(), g);
  return of.params[i];
}
bp_attr bp_optimizer::get(uint32_t g, std::string_view name) {
  const std::lock_guard lock(mutex);
  ParamGroup& of = group(g);
  const int at = kind.attrs.find(name);
  if (at < 0) fail(BP_NOT_FOUND, "{} has no attribute '{}'", kind.name, name);
  const auto i = static_cast<size_t>(at);
  return option_attr(kind.attrs.at(i), of.options[i]);
}
void bp_optimizer::set(uint32_t g, const bp_attr& attr) {
  const std::lock_guard lock(mutex);
  ParamGroup& of = group(g);
  Options changed = of.options;
  take_options(kind, {&attr, 1}, &changed);
  of.options = changed;
}
Ref<Tensor> bp_optimizer::state(uint32_t g, uint32_t i, std::string_view name) {
  const std::lock_guard lock(mutex);
  const Parameter& p = param(g, i);
  for (size_t s = 0; s < kMaxStates && kind.states[s]; ++s)
    if (name == kind.states[s]) return p.state.tensors[s];
  fail(BP_NOT_FOUND, "{} keeps no '{}'", kind.name, name);
}
