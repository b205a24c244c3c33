// SPDX-License-Identifier: Apache-2.0
// autograd.cc: automatic differentiation: flags of tensors, hooks, users' functions, backward;
// declared in c_api.h.
#include "core/grad/autograd.h"

#include "c_api.h"
#include "core/base/guard.h"
#include "core/c_api/lists.h"
#include "core/device/device.h"
#include "core/value/shape.h"

using namespace bp;

namespace {

BackwardOptions options_of(uint32_t flags, uint32_t known) {
  if (flags & ~known) fail(BP_INVALID_ARGUMENT, "flags are {}, expected some of {}", flags, known);
  return {.retain_graph = (flags & (BP_GRAD_RETAIN_GRAPH | BP_GRAD_CREATE_GRAPH)) != 0,
          .create_graph = (flags & BP_GRAD_CREATE_GRAPH) != 0,
          .allow_unused = (flags & BP_GRAD_ALLOW_UNUSED) != 0};
}

std::shared_ptr<const UserContext> owned(void* user, void (*destroy)(void*)) {
  try {
    return std::make_shared<const UserContext>(user, destroy);
  } catch (const std::bad_alloc&) {
    if (destroy) destroy(user);  // it is ours, whatever comes
    throw;
  }
}

Ref<Tensor> call_hook(bp_grad_hook_fn call, void* user, Tensor& grad) {
  bp_tensor* other = nullptr;
  bp_error* err = nullptr;
  const bp_status status = call(user, &grad, &other, &err);
  Ref<Tensor> owner = Ref<Tensor>::adopt(other);
  if (status < 0) throw_taken(status, err, 0, "a gradient's hook failed");
  bp_error_release(err);
  if (owner) checked(owner.get(), "the hook's gradient");
  if (owner && (owner->shape != grad.shape || &owner->device() != &grad.device()))
    fail(BP_CALLBACK, "a hook gave a gradient of {} on {} in place of one of {} on {}",
         format_shape(owner->shape), owner->device().label, format_shape(grad.shape),
         grad.device().label);
  return owner;
}

// Whether a gradient of the one shape can be summed to the other, which was broadcast to it.
bool sums_to(Span shape, Span to) {
  if (to.size() > shape.size()) return false;
  for (size_t i = 1; i <= to.size(); ++i)
    if (to[to.size() - i] != 1 && to[to.size() - i] != shape[shape.size() - i]) return false;
  return true;
}

// The callback borrows grads and saved. What it puts into out is ours, whatever it returns.
void call_backward(const bp_grad_function_desc& desc, GradCall& c,
                   std::span<const Ref<Tensor>> saved) {
  std::vector<bp_tensor*> kept, grads, out(c.out.size());
  for (const Ref<Tensor>& t : saved) kept.push_back(t.get());
  for (const Ref<Tensor>& g : c.grads) grads.push_back(g.get());
  bp_error* err = nullptr;
  const auto n = [](const auto& list) { return static_cast<uint32_t>(list.size()); };
  const bp_status status = desc.backward(desc.user, kept.data(), n(kept), grads.data(), n(grads),
                                         out.data(), n(out), &err);
  std::vector<Ref<Tensor>> owner;
  for (bp_tensor* t : out) owner.push_back(Ref<Tensor>::adopt(t));
  if (status < 0)
    throw_taken(status, err, 0, fmt::format("the backward of {} failed", c.node.name).c_str());
  bp_error_release(err);
  for (size_t i = 0; i < owner.size(); ++i) {
    if (!owner[i] || !c.wants(i)) continue;
    const Tensor& g = checked(owner[i].get(), "the function's gradient");
    const Node::Result& to = c.operand(i);
    if (&g.device() != to.device)
      fail(BP_CALLBACK,
           "Function {} returned an invalid gradient at index {} - expected device {} but got {}",
           c.node.name, i, to.device->label, g.device().label);
    if (!sums_to(g.shape, to.shape))
      fail(
          BP_CALLBACK,
          "Function {} returned an invalid gradient at index {} - got {} but expected shape compatible with {}",
          c.node.name, i, format_shape(g.shape), format_shape(to.shape));
    c.give(i, std::move(owner[i]));
  }
}

}  // namespace

extern "C" {

bp_status bp_tensor_set_requires_grad(bp_tensor* t, uint32_t on, bp_error** err) {
  return guard(err, [&] { set_requires_grad(checked(t, "t"), on != 0); });
}

uint32_t bp_tensor_requires_grad(const bp_tensor* t) {
  uint32_t is = 0;
  guard(nullptr, [&] { is = wants_grad(checked(t, "t")); });
  return is;
}

uint32_t bp_tensor_is_leaf(const bp_tensor* t) {
  uint32_t is = 0;
  guard(nullptr, [&] {
    const Tensor& x = checked(t, "t");
    is = !x.trace || !x.trace->edge;
  });
  return is;
}

bp_status bp_tensor_grad(bp_tensor* t, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const Tensor& x = checked(t, "t");
    need(out, "out");
    *out = grad_of(x).release();
  });
}

bp_status bp_tensor_set_grad(bp_tensor* t, bp_tensor* grad, bp_error** err) {
  return guard(err, [&] {
    set_grad(checked(t, "t"), grad ? Ref<Tensor>::share(&checked(grad, "grad")) : Ref<Tensor>{});
  });
}

bp_status bp_tensor_retain_grad(bp_tensor* t, bp_error** err) {
  return guard(err, [&] { retain_grad(checked(t, "t")); });
}

bp_status bp_tensor_detach(bp_tensor* t, bp_tensor** out, bp_error** err) {
  return guard(err, [&] {
    const Tensor& x = checked(t, "t");
    need(out, "out");
    *out = detach(x).release();
  });
}

bp_status bp_tensor_grad_fn(bp_tensor* t, char* buf, uint64_t capacity, uint64_t* needed,
                            bp_error** err) {
  return guard(err, [&] { put_text(grad_fn_name(checked(t, "t")), buf, capacity, needed); });
}

uint32_t bp_grad_enabled(void) { return records(); }
uint32_t bp_grad_set_enabled(uint32_t on) { return set_recording(on != 0); }

bp_status bp_tensor_register_hook(bp_tensor* t, bp_grad_hook_fn call, void* user,
                                  void (*destroy)(void*), uint64_t* id, bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(t, "t");
    need(reinterpret_cast<const void*>(call), "call");
    need(id, "id");
    const auto context = owned(user, destroy);
    *id = add_hook(
        x, [call, context](Tensor& g) { return call_hook(call, context->user, g); }, context);
  });
}

bp_status bp_tensor_register_accumulated_hook(bp_tensor* leaf, bp_grad_hook_fn call, void* user,
                                              void (*destroy)(void*), uint64_t* id,
                                              bp_error** err) {
  return guard(err, [&] {
    Tensor& x = checked(leaf, "leaf");
    need(reinterpret_cast<const void*>(call), "call");
    need(id, "id");
    const auto context = owned(user, destroy);
    *id = add_accumulated_hook(
        x,
        [call, context](Tensor& t) {
          bp_error* failed = nullptr;
          const bp_status status = call(context->user, &t, nullptr, &failed);
          if (status < 0) throw_taken(status, failed, 0, "a gradient's hook failed");
          bp_error_release(failed);
        },
        context);
  });
}

bp_status bp_tensor_remove_hook(bp_tensor* t, uint64_t id, bp_error** err) {
  return guard(err, [&] {
    if (!remove_hook(checked(t, "t"), id)) fail(BP_NOT_FOUND, "the tensor has no hook {}", id);
  });
}

bp_status bp_tensor_visit_contexts(bp_tensor* t, bp_context_visit_fn visit, void* arg,
                                   bp_error** err) {
  return guard(err, [&] {
    const Tensor& x = checked(t, "t");
    need(reinterpret_cast<const void*>(visit), "visit");
    each_own_context(x, [&](const UserContext& c) { visit(c.user, c.release, arg); });
  });
}

bp_status bp_grad_function(const bp_grad_function_desc* desc, bp_tensor* const* inputs,
                           uint32_t n_inputs, bp_tensor* const* outputs, uint32_t n_outputs,
                           bp_error** err) {
  return guard(err, [&] {
    const bp_grad_function_desc d = get_struct(desc, "desc");
    const auto context = owned(d.user, d.destroy);
    Function f;
    f.name = need(d.name, "desc.name");
    if (!d.backward) fail(BP_INVALID_ARGUMENT, "desc.backward must not be NULL");
    for (Tensor* t : tensor_list(d.saved, d.n_saved, "desc.saved"))
      f.saved.push_back(Ref<Tensor>::share(t));
    const auto from = tensor_list(inputs, n_inputs, "inputs"),
               made = tensor_list(outputs, n_outputs, "outputs");
    if (from.empty() || made.empty())
      fail(BP_INVALID_ARGUMENT, "{}: no inputs or no outputs", f.name);
    f.context = context;
    f.backward = [d, context](GradCall& c, std::span<const Ref<Tensor>> saved) {
      call_backward(d, c, saved);
    };
    record_function(std::move(f), from, made);
  });
}

bp_status bp_backward(bp_tensor* const* roots, bp_tensor* const* grads, uint32_t n_roots,
                      uint32_t flags, bp_error** err) {
  return guard(err, [&] {
    const BackwardOptions options = options_of(flags, BP_GRAD_RETAIN_GRAPH | BP_GRAD_CREATE_GRAPH);
    const auto from = tensor_list(roots, n_roots, "roots"),
               given = tensor_list(grads, n_roots, "grads", Nulls::kAllowed);
    backward(from, given, options);
  });
}

bp_status bp_grad(bp_tensor* const* roots, bp_tensor* const* grads, uint32_t n_roots,
                  bp_tensor* const* inputs, uint32_t n_inputs, uint32_t flags, bp_tensor** outs,
                  bp_error** err) {
  return guard(err, [&] {
    const BackwardOptions options =
        options_of(flags, BP_GRAD_RETAIN_GRAPH | BP_GRAD_CREATE_GRAPH | BP_GRAD_ALLOW_UNUSED);
    const auto from = tensor_list(roots, n_roots, "roots"),
               given = tensor_list(grads, n_roots, "grads", Nulls::kAllowed),
               to = tensor_list(inputs, n_inputs, "inputs");
    if (n_inputs) need(outs, "outs");
    auto found = gradients(from, given, to, options);
    for (size_t i = 0; i < found.size(); ++i) outs[i] = found[i].release();
  });
}

bp_status bp_grad_collect(uint64_t* n_taken, bp_error** err) {
  return guard(err, [&] {
    const uint64_t n = collect_gradients();
    if (n_taken) *n_taken = n;
  });
}

}  // extern "C"
