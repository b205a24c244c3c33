// SPDX-License-Identifier: Apache-2.0
// backplane_autograd.hpp: gradients; what they mean is in c_api.h (automatic differentiation).
// Include backplane.hpp.
//
//   bp::Tensor w = bp::ones({3}).set_requires_grad();
//   bp::sum(w * w).backward();
//   std::cout << w.grad() << '\n';            // tensor([2., 2., 2.])
//   { bp::NoGradGuard guard; w -= 0.1 * w.grad(); }
//   w.register_hook([](const bp::Tensor& grad) { return grad * 2; });
#ifndef BACKPLANE_AUTOGRAD_HPP
#define BACKPLANE_AUTOGRAD_HPP

#include <functional>

#include "backplane_tensor.hpp"

namespace backplane {

// Runs backward from several roots at once. grads has one for each root, of its shape; without
// grads each root has one element, whose gradient is 1.
inline void backward(const std::vector<Tensor>& roots, const std::vector<Tensor>& grads = {},
                     bool retain_graph = false) {
  if (!grads.empty() && grads.size() != roots.size())
    throw Error(BP_INVALID_ARGUMENT, "backward: " + std::to_string(roots.size()) + " roots and " +
                                         std::to_string(grads.size()) + " gradients");
  const auto from = detail::borrowed(roots), given = detail::borrowed(grads);
  const std::uint32_t flags = retain_graph ? std::uint32_t{BP_GRAD_RETAIN_GRAPH} : 0;
  detail::call([&](bp_error** e) {
    return bp_backward(from.data(), given.empty() ? nullptr : given.data(), detail::length(from),
                       flags, e);
  });
}
// Takes away the gradients that hold the tensors which hold them, as those of a backward with
// BP_GRAD_CREATE_GRAPH do, where nobody else holds these. Returns how many there were.
inline std::uint64_t collect_gradients() {
  std::uint64_t n = 0;
  detail::call([&](bp_error** e) { return bp_grad_collect(&n, e); });
  return n;
}
// Returns the gradients of the roots' sum with respect to the inputs; no tensor's own gradient
// changes. With create_graph they have gradients themselves.
inline std::vector<Tensor> grad(const std::vector<Tensor>& roots, const std::vector<Tensor>& inputs,
                                bool create_graph = false) {
  const auto from = detail::borrowed(roots), by = detail::borrowed(inputs);
  const std::uint32_t flags =
      create_graph ? std::uint32_t{BP_GRAD_CREATE_GRAPH} | BP_GRAD_RETAIN_GRAPH : 0;
  return detail::adopted(detail::length(by), [&](bp_tensor** outs, bp_error** e) {
    return bp_grad(from.data(), nullptr, detail::length(from), by.data(), detail::length(by), flags,
                   outs, e);
  });
}

// Whether this thread records.
inline bool grad_enabled() noexcept { return bp_grad_enabled() != 0; }

// While it lives, this thread records what it computes, or does not. Guards nest like blocks.
class GradGuard {
 public:
  explicit GradGuard(bool on) noexcept : before_(bp_grad_set_enabled(on)) {}
  ~GradGuard() { bp_grad_set_enabled(before_); }
  GradGuard(const GradGuard&) = delete;
  GradGuard& operator=(const GradGuard&) = delete;

 private:
  std::uint32_t before_;
};
class NoGradGuard : GradGuard {
 public:
  NoGradGuard() noexcept : GradGuard(false) {}
};
class EnableGradGuard : GradGuard {
 public:
  EnableGradGuard() noexcept : GradGuard(true) {}
};

// A function with a gradient of the program's own.
//
// forward makes the outputs from the inputs and is not recorded. backward gets the tensors that
// forward put into `saved`, and the gradients of the outputs, empty where none arrived; it returns
// a gradient for each input, or an empty tensor where there is none. What it throws comes out of
// the backward as an Error of that text.
using Forward = std::function<std::vector<Tensor>(const std::vector<Tensor>& inputs,
                                                  std::vector<Tensor>& saved)>;
using Backward = std::function<std::vector<Tensor>(const std::vector<Tensor>& saved,
                                                   const std::vector<Tensor>& grads)>;
inline std::vector<Tensor> apply_function(const std::string& name,
                                          const std::vector<Tensor>& inputs, const Forward& forward,
                                          Backward backward) {
  std::vector<Tensor> saved, outputs;
  {
    const NoGradGuard guard;
    outputs = forward(inputs, saved);
  }
  const auto from = detail::borrowed(inputs), to = detail::borrowed(outputs),
             kept = detail::borrowed(saved);
  auto call = std::make_unique<Backward>(std::move(backward));
  bp_grad_function_desc desc{};
  desc.struct_size = sizeof desc;
  desc.n_saved = detail::length(kept);
  desc.name = detail::c_text(name);
  desc.saved = kept.data();
  desc.user = call.get();
  desc.destroy = [](void* user) { delete static_cast<Backward*>(user); };
  desc.backward = [](void* user, bp_tensor* const* tensors, std::uint32_t n_saved,
                     bp_tensor* const* grads, std::uint32_t n_grads, bp_tensor** out,
                     std::uint32_t n_out, bp_error** err) -> bp_status {
    return detail::guarded(err, nullptr, [&] {
      std::vector<Tensor> made = (*static_cast<Backward*>(user))(detail::shared(tensors, n_saved),
                                                                 detail::shared(grads, n_grads));
      if (made.size() != n_out)
        throw Error(BP_INVALID_ARGUMENT, "backward gave " + std::to_string(made.size()) +
                                             " gradients for " + std::to_string(n_out) + " inputs");
      for (std::uint32_t i = 0; i < n_out; ++i) out[i] = made[i].release();
      return bp_status{BP_OK};
    });
  };
  detail::call([&](bp_error** e) {
    return bp_grad_function(&desc, from.data(), detail::length(from), to.data(), detail::length(to),
                            e);
  });
  static_cast<void>(call.release());  // destroy deletes it
  return outputs;
}

// Visits what the caller's reference to t alone keeps alive; for bindings to languages that collect
// cycles.
inline void visit_contexts(const Tensor& t, bp_context_visit_fn visit, void* arg) {
  detail::call([&](bp_error** e) { return bp_tensor_visit_contexts(t.get(), visit, arg, e); });
}

inline bool Tensor::requires_grad() const noexcept { return bp_tensor_requires_grad(handle_) != 0; }
inline Tensor& Tensor::set_requires_grad(bool on) {
  detail::call([&](bp_error** e) { return bp_tensor_set_requires_grad(handle_, on, e); });
  return *this;
}
inline Tensor Tensor::grad() const {
  return detail::make(
      [&](bp_tensor** out, bp_error** e) { return bp_tensor_grad(handle_, out, e); });
}
inline void Tensor::set_grad(const Tensor& grad) {
  detail::call([&](bp_error** e) { return bp_tensor_set_grad(handle_, grad.get(), e); });
}
inline Tensor Tensor::detach() const {
  return detail::make(
      [&](bp_tensor** out, bp_error** e) { return bp_tensor_detach(handle_, out, e); });
}
inline std::string Tensor::grad_fn() const {
  return detail::text([&](char* buf, std::uint64_t n, std::uint64_t* needed, bp_error** e) {
    return bp_tensor_grad_fn(handle_, buf, n, needed, e);
  });
}
inline void Tensor::retain_grad() {
  detail::call([&](bp_error** e) { return bp_tensor_retain_grad(handle_, e); });
}

namespace detail {
using GradHook = std::function<Tensor(const Tensor&)>;
inline bp_status call_grad_hook(void* user, bp_tensor* grad, bp_tensor** out, bp_error** err) {
  return guarded(err, nullptr, [&] {
    Tensor instead = (*static_cast<GradHook*>(user))(Tensor::share(grad));
    if (out) *out = instead.release();  // an accumulated hook has none
    return bp_status{BP_OK};
  });
}
// Registers by bp_tensor_register_hook or its like, which take the hook over when they succeed.
template <class F>
std::uint64_t add_grad_hook(F* add, bp_tensor* t, GradHook hook) {
  auto kept = std::make_unique<GradHook>(std::move(hook));
  std::uint64_t id = 0;
  call([&](bp_error** e) {
    return add(
        t, call_grad_hook, kept.get(), [](void* user) { delete static_cast<GradHook*>(user); }, &id,
        e);
  });
  static_cast<void>(kept.release());
  return id;
}
}  // namespace detail

template <class F>
std::uint64_t Tensor::register_hook(F hook) {
  return detail::add_grad_hook(bp_tensor_register_hook, handle_,
                               [hook = std::move(hook)](const Tensor& grad) mutable {
                                 if constexpr (std::is_void<decltype(hook(grad))>::value)
                                   return hook(grad), Tensor();
                                 else
                                   return hook(grad);
                               });
}
inline std::uint64_t Tensor::register_accumulated_hook(std::function<void(const Tensor&)> hook) {
  return detail::add_grad_hook(bp_tensor_register_accumulated_hook, handle_,
                               [hook = std::move(hook)](const Tensor& leaf) {
                                 hook(leaf);
                                 return Tensor();
                               });
}
inline void Tensor::remove_hook(std::uint64_t id) {
  detail::call([&](bp_error** e) { return bp_tensor_remove_hook(handle_, id, e); });
}
inline void Tensor::backward(bool retain_graph) const {
  backplane::backward({*this}, {}, retain_graph);
}

}  // namespace backplane
#endif
