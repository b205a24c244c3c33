// SPDX-License-Identifier: Apache-2.0
// gradient_calls.cc: the calls that record, walk back and listen.
#include "kit/tensors.h"
#include "memory/each_allocation.h"

namespace bp_test {
namespace {

bp_status same(void*, bp_tensor* grad, bp_tensor** out, bp_error** err) {
  return bp_tensor_clone(grad, out, err);
}
bp_status nothing(void*, bp_tensor*, bp_tensor**, bp_error**) { return BP_OK; }

bp_status loss_of(bp_tensor* w, T& square, T& sum, bp_error** err) {
  TRY(bp_mul(w, w, into(square), err));
  return bp_sum(square.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(sum), err);
}

bp_status backward(bp_tensor* w, bp_error** err) {
  T square, sum, grad;
  TRY(loss_of(w, square, sum, err));
  bp_tensor* roots[] = {sum.get()};
  TRY(bp_tensor_retain_grad(square.get(), err));
  TRY(bp_backward(roots, nullptr, 1, 0, err));
  TRY(bp_tensor_grad(w, into(grad), err));
  TRY(bp_tensor_set_grad(w, grad.get(), err));
  return bp_tensor_set_grad(w, nullptr, err);
}

bp_status twice(bp_tensor* w, bp_error** err) {
  T square, sum, first, total, second;
  TRY(loss_of(w, square, sum, err));
  bp_tensor *roots[] = {sum.get()}, *inputs[] = {w};
  TRY(bp_grad(roots, nullptr, 1, inputs, 1, BP_GRAD_CREATE_GRAPH, into(first), err));
  TRY(bp_sum(first.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(total), err));
  roots[0] = total.get();
  return bp_grad(roots, nullptr, 1, inputs, 1, 0, into(second), err);
}

// Hooks that are removed whatever happens, as a program removes them.
struct Hook {
  bp_tensor* t;
  uint64_t id = 0;
  ~Hook() {
    if (id) {
      EXPECT_EQ(bp_tensor_remove_hook(t, id, nullptr), BP_OK);
    }
  }
};
bp_status hooks(bp_tensor* w, bp_error** err) {
  T square, sum;
  Hook on_grad{w}, on_sum{w};
  TRY(bp_tensor_register_hook(w, same, nullptr, nullptr, &on_grad.id, err));
  TRY(bp_tensor_register_accumulated_hook(w, nothing, nullptr, nullptr, &on_sum.id, err));
  TRY(loss_of(w, square, sum, err));
  bp_tensor* roots[] = {sum.get()};
  return bp_backward(roots, nullptr, 1, 0, err);
}

bp_status own_function(bp_tensor* w, bp_error** err) {
  static long destroyed = 0;
  const long before = destroyed;
  bool made = false;
  bp_status status = BP_OK;
  {
    T out, sum;
    const uint32_t was = bp_grad_set_enabled(0);
    status = bp_tensor_clone(w, into(out), err);
    bp_grad_set_enabled(was);
    TRY(status);
    bp_tensor *saved[] = {w}, *outputs[] = {out.get()};
    bp_grad_function_desc d{};
    d.struct_size = sizeof d;
    d.n_saved = 1;
    d.name = "Same";
    d.saved = saved;
    d.destroy = [](void*) { ++destroyed; };
    d.backward = [](void*, bp_tensor* const*, uint32_t, bp_tensor* const* grads, uint32_t,
                    bp_tensor** outs, uint32_t,
                    bp_error** e) { return bp_tensor_clone(grads[0], outs, e); };
    status = bp_grad_function(&d, saved, 1, outputs, 1, err);
    made = status == BP_OK;
    if (made) status = bp_sum(out.get(), nullptr, 0, 0, BP_DTYPE_NONE, into(sum), err);
    bp_tensor* roots[] = {sum.get()};
    if (status == BP_OK) status = bp_backward(roots, nullptr, 1, 0, err);
  }
  if (made) {
    EXPECT_EQ(destroyed, before + 1);
  }
  return status;
}

// A gradient that holds the graph which leads back to its leaf.
bp_status collected(bp_tensor* w, bp_error** err) {
  bp_status status;
  {
    T square, sum;
    TRY(loss_of(w, square, sum, err));
    TRY(bp_tensor_visit_contexts(
        sum.get(), [](void*, void (*)(void*), void*) {}, nullptr, err));
    bp_tensor* roots[] = {sum.get()};
    status = bp_backward(roots, nullptr, 1, BP_GRAD_CREATE_GRAPH, err);
  }
  if (status == BP_OK) status = bp_grad_collect(nullptr, err);
  EXPECT_EQ(bp_tensor_set_grad(w, nullptr, nullptr), BP_OK);
  return status;
}

bp_status asked(bp_tensor* w, bp_error** err) {
  T square, sum, detached, other;
  char text[64];
  TRY(loss_of(w, square, sum, err));
  TRY(bp_tensor_detach(square.get(), into(detached), err));
  TRY(bp_tensor_set_requires_grad(detached.get(), 1, err));
  TRY(bp_tensor_clone(w, into(other), err));
  return bp_tensor_grad_fn(sum.get(), text, sizeof text, nullptr, err);
}

bp_status new_data(bp_tensor* w, bp_error** err) {
  T copy, detached;
  TRY(bp_tensor_detach(w, into(detached), err));
  TRY(bp_tensor_clone(detached.get(), into(copy), err));
  return bp_tensor_set_data(w, copy.get(), err);
}

// A long graph is released by this thread, whose memory may be exhausted.
bp_status released(bp_tensor* w, bp_error** err) {
  T last;
  TRY(bp_add(w, w, into(last), err));
  for (int i = 0; i < 20; ++i) {
    T next;
    TRY(bp_add(last.get(), w, into(next), err));
    last = std::move(next);
  }
  return BP_OK;
}

}  // namespace

std::vector<MemoryCall> gradient_calls(const std::string& name) {
  std::vector<MemoryCall> calls;
  const auto on = [&](const char* what, bp_status (*f)(bp_tensor*, bp_error**)) {
    const auto w = std::make_shared<T>(leaf(counting({2, 3}, device(name))));
    calls.push_back({"gradients", what, [=](bp_error** err) { return f(w->get(), err); }});
  };
  on("backward", backward), on("twice", twice), on("hooks", hooks);
  on("own_function", own_function), on("asked", asked), on("new_data", new_data);
  on("released", released), on("collected", collected);
  return calls;
}

}  // namespace bp_test
