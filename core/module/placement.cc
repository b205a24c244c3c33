// SPDX-License-Identifier: Apache-2.0
// placement.cc: what is done to everything in a module (module.h): moving, modes, gradients.
#include "core/device/device.h"
#include "core/grad/autograd.h"
#include "core/module/initialiser.h"
#include "core/module/module.h"

namespace bp {

void move_data(Tensor& t, bp_device device, bp_dtype dtype, bool non_blocking) {
  const RecordGuard off(false);
  const bool converts = is_floating(t.dtype) || is_complex(t.dtype);
  const bp_dtype wanted = converts ? dtype : BP_DTYPE_NONE;
  if (is_uninitialized(t)) {
    Ref<Tensor> next = new_uninitialized(wanted == BP_DTYPE_NONE ? t.dtype : wanted,
                                         device ? resolve_device(device) : t.device());
    set_data(t, *next);
    t.tag = Tag::kUninitializedTensor;
    return;
  }
  Ref<Tensor> grad = grad_of(t);
  Ref<Tensor> moved = to(t, device, wanted, /*copy=*/false, non_blocking);
  if (moved.get() != &t) set_data(t, *moved);
  if (!grad) return;
  // Other holders of the gradient's handle see it move too.
  Ref<Tensor> there = to(*grad, device, wanted, /*copy=*/false, non_blocking);
  if (there.get() != grad.get()) set_data(*grad, *there);
}

namespace {

void check_target(const Move& how) {
  if (how.dtype != BP_DTYPE_NONE) check_dtype(how.dtype, "dtype");
  if (how.of != BP_DTYPE_NONE) check_dtype(how.of, "of");
  if (how.dtype != BP_DTYPE_NONE && !is_floating(how.dtype) && !is_complex(how.dtype))
    fail(
        BP_INVALID_ARGUMENT,
        "nn.Module.to only accepts floating point or complex dtypes, but got desired dtype=torch.{}",
        dtype_name(how.dtype));
}

}  // namespace

void move(Module& m, const Move& how) {
  check_target(how);
  const Device* from = how.from ? &resolve_device(how.from) : nullptr;
  if (how.device) resolve_device(how.device);
  const auto one = [&](Module::Slot& s) {
    if (!s.tensor || (from && &s.tensor->device() != from) ||
        (how.of != BP_DTYPE_NONE && s.tensor->dtype != how.of))
      return;
    if (!is_uninitialized(*s.tensor)) checked(s.tensor.get(), s.name.c_str());
    move_data(*s.tensor, how.device, how.dtype, how.non_blocking);
  };
  for (Module::Child& c : m.children)
    if (c.module) move(*c.module, how);
  for (Module::Slot& p : m.parameters) one(p);
  for (Module::Slot& b : m.buffers) one(b);
}

void train(Module& m, bool on) {
  apply(m, [on](Module& each) { each.training = on; });
}

void requires_grad(Module& m, bool on) {
  for (const NamedTensor& p : list_parameters(m, BP_MODULE_RECURSE))
    if (!is_uninitialized(*p.slot->tensor)) set_requires_grad(*p.slot->tensor, on);
}

void zero_grad(Module& m, bool to_zeros) {
  for (const NamedTensor& p : list_parameters(m, BP_MODULE_RECURSE)) {
    Ref<Tensor> grad = grad_of(*p.slot->tensor);
    if (!grad) continue;
    if (to_zeros)
      init::constant(*grad, 0);
    else
      set_grad(*p.slot->tensor, {});
  }
}

}  // namespace bp
