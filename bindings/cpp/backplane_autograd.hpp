// SPDX-License-Identifier: Apache-2.0
// backplane_autograd.hpp: gradients; what they mean is in c_api.h (automatic differentiation).
// Include backplane.hpp.
//
//   bp::Tensor w = bp::ones({3}).set_requires_grad();
//   bp::sum(w * w).backward();
//   std::cout << w.grad() << '\n';            // tensor([2., 2., 2.])
//   { bp::NoGradGuard guard; w -= 0.1 * w.grad(); }
#ifndef BACKPLANE_AUTOGRAD_HPP
#define BACKPLANE_AUTOGRAD_HPP

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

// While it lives, what this thread computes has no history.
class NoGradGuard {
 public:
  NoGradGuard() noexcept : before_(bp_grad_set_enabled(0)) {}
  ~NoGradGuard() { bp_grad_set_enabled(before_); }
  NoGradGuard(const NoGradGuard&) = delete;
  NoGradGuard& operator=(const NoGradGuard&) = delete;

 private:
  std::uint32_t before_;
};

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
inline void Tensor::backward(bool retain_graph) const {
  backplane::backward({*this}, {}, retain_graph);
}

}  // namespace backplane
#endif
