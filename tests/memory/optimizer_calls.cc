// SPDX-License-Identifier: Apache-2.0
// optimizer_calls.cc: the calls of optimisers, of clipping and of schedules.
#include "kit/modules.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

// A parameter that has a gradient.
T parameter(const Shape& shape) {
  T w = leaf(counting(shape));
  const T total = sum(w);
  bp_tensor* roots[] = {total.get()};
  EXPECT_EQ(bp_backward(roots, nullptr, 1, 0, nullptr), BP_OK);
  return w;
}
bp_tensor* weight() {
  static const T w = parameter({2, 3});
  return w.get();
}
bp_tensor* bias() {
  static const T w = parameter({3});
  return w.get();
}

bp_status optimizer_kinds(bp_error** err) {
  const char *name = nullptr, *doc = nullptr;
  uint32_t n = 0;
  bp_attr_info attr{};
  attr.struct_size = sizeof attr;
  TRY(bp_optimizer_kind_at(0, &name, &doc, &n, err));
  TRY(bp_optimizer_kind_attr("Adam", 0, &attr, err));
  TRY(bp_optimizer_kind_state("Adam", 0, &name, err));
  TRY(bp_schedule_kind_at(0, &name, &doc, &n, err));
  return bp_schedule_kind_attr("step", 0, &attr, err);
}

bp_status used(const char* kind, bp_error** err) {
  bp_tensor *one[] = {weight()}, *other[] = {bias()};
  const bp_attr rate[] = {attr("lr", 1e-3)};
  const char* name = nullptr;
  Optimizer o;
  T p, kept;
  D state;
  uint32_t n = 0;
  bp_attr value{};
  int64_t steps = 0;
  TRY(bp_optimizer_create(kind, one, 1, rate, 1, into(o), err));
  TRY(bp_optimizer_kind(o.get(), &name, err));
  TRY(bp_optimizer_add_group(o.get(), other, 1, rate, 1, err));
  TRY(bp_optimizer_step(o.get(), err));
  TRY(bp_optimizer_param_count(o.get(), 0, &n, err));
  TRY(bp_optimizer_param_at(o.get(), 0, 0, into(p), err));
  TRY(bp_optimizer_get_attr(o.get(), 0, "lr", &value, err));
  TRY(bp_optimizer_set_attr(o.get(), 0, rate, err));
  if (bp_optimizer_kind_state(kind, 0, &name, nullptr) == BP_OK)
    TRY(bp_optimizer_state_at(o.get(), 0, 0, name, into(kept), err));
  TRY(bp_optimizer_steps_at(o.get(), 0, 0, &steps, err));
  TRY(bp_optimizer_state_dict(o.get(), into(state), err));
  return bp_optimizer_load_state_dict(o.get(), state.get(), err);
}

bp_status gradients(bp_error** err) {
  static const T w = parameter({2, 3});
  static const T v = parameter({2});
  static const Optimizer o = [] {
    bp_tensor* all[] = {v.get()};
    const bp_attr rate = attr("lr", 1e-3);
    return made<Optimizer>(bp_optimizer_create, "SGD", static_cast<bp_tensor* const*>(all), 1u,
                           &rate, 1u);
  }();
  bp_tensor* all[] = {w.get()};
  T total;
  TRY(bp_clip_grad_norm(all, 1, 1.0, 2.0, 1, into(total), err));
  TRY(bp_clip_grad_value(all, 1, 0.5, err));
  return bp_optimizer_zero_grad(o.get(), 0, err);
}

bp_status schedules(bp_error** err) {
  bp_tensor* one[] = {weight()};
  const bp_attr rate[] = {attr("lr", 1e-3)}, step[] = {attr("step_size", int64_t{2})};
  const int64_t milestones[] = {2};
  static long destroyed = 0;
  const long before = destroyed;
  bool tried = false;
  const auto body = [&]() -> bp_status {
    Optimizer o;
    Schedule stepped, exponential, own, chained, sequential;
    int64_t epoch = 0;
    double lr = 0;
    D state;
    const bp_attr gamma[] = {attr("gamma", 0.5)};
    TRY(bp_optimizer_create("SGD", one, 1, rate, 1, into(o), err));
    TRY(bp_schedule_create("step", o.get(), step, 1, into(stepped), err));
    TRY(bp_schedule_create("exponential", o.get(), gamma, 1, into(exponential), err));
    tried = true;
    TRY(bp_schedule_create_lambda(
        o.get(),
        [](void*, int64_t, double* factor, bp_error**) -> bp_status {
          *factor = 0.5;
          return BP_OK;
        },
        nullptr, [](void*) { ++destroyed; }, into(own), err));
    bp_schedule *parts[] = {stepped.get(), exponential.get()}, *both[] = {own.get()};
    TRY(bp_schedule_create_sequential(parts, 2, milestones, 1, into(sequential), err));
    TRY(bp_schedule_create_chained(both, 1, into(chained), err));
    TRY(bp_schedule_step(sequential.get(), err));
    TRY(bp_schedule_step(chained.get(), err));
    TRY(bp_schedule_epoch(sequential.get(), &epoch, err));
    TRY(bp_schedule_last_lr(sequential.get(), 0, &lr, err));
    TRY(bp_schedule_state_dict(sequential.get(), into(state), err));
    return bp_schedule_load_state_dict(sequential.get(), state.get(), err);
  };
  const bp_status status = body();
  if (tried) {
    EXPECT_EQ(destroyed, before + 1);
  }
  return status;
}

}  // namespace

std::vector<MemoryCall> optimizer_calls() {
  std::vector<MemoryCall> calls = {{"optimisers", "kinds", optimizer_kinds},
                                   {"optimisers", "gradients", gradients},
                                   {"optimisers", "schedules", schedules}};
  for (const char* kind : {"SGD", "Adam", "AdamW", "RMSprop", "Adagrad"})
    calls.push_back({"optimisers", kind, [=](bp_error** err) { return used(kind, err); }});
  return calls;
}

}  // namespace bp_test
