// SPDX-License-Identifier: Apache-2.0
// module_calls.cc: the calls of modules and of initialisers.
#include "kit/modules.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

bp_status forward_same(void*, bp_module*, bp_tensor* const* in, uint32_t, bp_tensor** out, uint32_t,
                       bp_error** err) {
  return bp_tensor_clone(in[0], out, err);
}
bp_status look(void*, bp_module*, bp_tensor* const*, uint32_t, bp_tensor**, uint32_t, bp_error**) {
  return BP_OK;
}

const M& net() {
  static const M m = sequential(linear(3, 4), module("relu"), linear(4, 2));
  return m;
}
const T& batch() {
  static const T x = counting({5, 3});
  return x;
}

bp_status module_kinds(bp_error** err) {
  bp_module_kind_info info{};
  info.struct_size = sizeof info;
  bp_attr_info attr{};
  attr.struct_size = sizeof attr;
  TRY(bp_module_kind_at(0, &info, err));
  TRY(bp_module_kind_find("linear", &info, err));
  return bp_module_kind_attr("linear", 0, &attr, err);
}

bp_status made_by_hand(bp_error** err) {
  const bp_attr size[] = {attr("in_features", int64_t{3}), attr("out_features", int64_t{2})};
  bp_module_desc d{};
  d.struct_size = sizeof d;
  d.title = "Block";
  d.forward = forward_same;
  M own, first, copy, child;
  T got;
  TRY(bp_module_custom(&d, into(own), err));
  TRY(bp_module_create("linear", size, 2, 0, BP_DTYPE_NONE, into(first), err));
  TRY(bp_module_set_child(own.get(), "first", first.get(), err));
  TRY(bp_module_append(own.get(), first.get(), err));
  TRY(bp_module_set_parameter(own.get(), "scale", batch().get(), err));
  TRY(bp_module_set_buffer(own.get(), "seen", batch().get(), 1, err));
  TRY(bp_module_set_name(own.get(), "own", err));
  TRY(bp_module_set_forward(own.get(), forward_same, nullptr, nullptr, err));
  TRY(bp_module_get(own.get(), "first.weight", into(got), err));
  TRY(bp_module_get_child(own.get(), "first", into(child), err));
  TRY(bp_module_clone(own.get(), into(copy), err));
  TRY(bp_module_remove(own.get(), "seen", err));
  bp_attr value{};
  return bp_module_attr(first.get(), 0, &value, err);
}

bp_status looked_at(bp_error** err) {
  char text[4096];
  uint32_t n = 0;
  T p, b;
  M c;
  static const M norm = module("batch_norm1d", {attr("num_features", int64_t{3})});
  bp_module* m = net().get();
  bp_tensor* in[] = {batch().get()};
  TRY(bp_module_format(m, text, sizeof text, nullptr, err));
  TRY(bp_module_extra(m, text, sizeof text, nullptr, err));
  TRY(bp_module_summary(m, in, 1, text, sizeof text, nullptr, err));
  TRY(bp_module_parameter_count(m, BP_MODULE_RECURSE, &n, err));
  TRY(bp_module_parameter_at(m, BP_MODULE_RECURSE, 1, text, sizeof text, nullptr, into(p), err));
  TRY(bp_module_buffer_count(norm.get(), BP_MODULE_RECURSE, &n, err));
  TRY(bp_module_buffer_at(norm.get(), 0, 0, text, sizeof text, nullptr, into(b), err));
  TRY(bp_module_child_count(m, BP_MODULE_RECURSE, &n, err));
  TRY(bp_module_child_at(m, 0, 0, text, sizeof text, nullptr, into(c), err));
  return bp_module_apply(
      m, [](void*, bp_module*, bp_error**) -> bp_status { return BP_OK; }, nullptr, err);
}

bp_status changed(bp_error** err) {
  bp_module* m = net().get();
  static const bp_device sim = device("sim:0");
  TRY(bp_module_train(m, 1, err));
  TRY(bp_module_set_training(m, 1, err));
  TRY(bp_module_requires_grad(m, 1, err));
  TRY(bp_module_zero_grad(m, 0, err));
  TRY(bp_module_to(m, sim, BP_DTYPE_NONE, 0, err));
  return bp_module_move(m, 0, BP_DTYPE_NONE, kCpu, BP_F32, 0, err);
}

struct Inside {
  uint64_t token = 0;
  ~Inside() {
    if (token) {
      EXPECT_EQ(bp_module_leave(token, nullptr), BP_OK);
    }
  }
};
struct ForwardHook {
  bp_module* m;
  uint64_t id = 0;
  ~ForwardHook() {
    if (id) {
      EXPECT_EQ(bp_module_remove_hook(m, id, nullptr), BP_OK);
    }
  }
};

bp_status forward(bp_error** err) {
  char where[256];
  bp_tensor* in[] = {batch().get()};
  static const M l = linear(3, 2), lstm = module("lstm", {attr("input_size", int64_t{3}),
                                                          attr("hidden_size", int64_t{2})});
  T y, z;
  bp_tensor* three[3] = {};
  ForwardHook hook{net().get()};
  TRY(bp_module_add_hook(net().get(), 0, look, nullptr, nullptr, &hook.id, err));
  TRY(bp_module_forward(net().get(), in, 1, into(y), 1, err));
  TRY(bp_module_kind_forward(l.get(), in, 1, into(z), 1, err));
  const bp_status status = bp_module_forward(lstm.get(), in, 1, three, 3, err);
  for (bp_tensor* t : three) bp_tensor_release(t);
  TRY(status);
  Inside inside;
  TRY(bp_module_enter(net().get(), &inside.token, err));
  return bp_module_where(where, sizeof where, nullptr, err);
}

bp_status state(bp_error** err) {
  char said[512];
  D d;
  TRY(bp_module_state_dict(net().get(), "net.", into(d), err));
  D plain;
  TRY(bp_module_state_dict(net().get(), nullptr, into(plain), err));
  return bp_module_load_state_dict(net().get(), plain.get(), BP_LOAD_STRICT, said, sizeof said,
                                   nullptr, err);
}

bp_status initialisers(bp_error** err) {
  static const T w = counting({4, 3});
  bp_tensor* t = w.get();
  const bp_value half = number(0.5);
  double gain = 0;
  TRY(bp_init_uniform(t, 0, 1, err));
  TRY(bp_init_normal(t, 0, 1, err));
  TRY(bp_init_trunc_normal(t, 0, 1, -2, 2, err));
  TRY(bp_init_constant(t, &half, err));
  TRY(bp_init_eye(t, err));
  TRY(bp_init_xavier_uniform(t, 1, err));
  TRY(bp_init_xavier_normal(t, 1, err));
  TRY(bp_init_kaiming_uniform(t, 0, "fan_in", "relu", err));
  TRY(bp_init_kaiming_normal(t, 0, "fan_in", "relu", err));
  TRY(bp_init_orthogonal(t, 1, err));
  return bp_init_gain("relu", 0, &gain, err);
}

}  // namespace

std::vector<MemoryCall> module_calls() {
  return {{"modules", "kinds", module_kinds},       {"modules", "made_by_hand", made_by_hand},
          {"modules", "looked_at", looked_at},      {"modules", "changed", changed},
          {"modules", "forward", forward},          {"modules", "state", state},
          {"modules", "initialisers", initialisers}};
}

}  // namespace bp_test
