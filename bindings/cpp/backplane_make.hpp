// SPDX-License-Identifier: Apache-2.0
// backplane_make.hpp: new tensors, from sizes or from host memory. Include backplane.hpp. With
// dtype BP_DTYPE_NONE a tensor has the default dtype; full takes the number's, *_like x's. With
// device {} it is on the default device; *_like takes x's.
#ifndef BACKPLANE_MAKE_HPP
#define BACKPLANE_MAKE_HPP

#include "backplane_tensor.hpp"

namespace backplane {

inline Tensor empty(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_empty(detail::rank(shape), shape.data(), dtype, device.value(), out, e);
  });
}
inline Tensor zeros(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_zeros(detail::rank(shape), shape.data(), dtype, device.value(), out, e);
  });
}
inline Tensor ones(const Shape& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_ones(detail::rank(shape), shape.data(), dtype, device.value(), out, e);
  });
}
inline Tensor full(const Shape& shape, const Value& value, bp_dtype dtype = BP_DTYPE_NONE,
                   Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_full(detail::rank(shape), shape.data(), value, dtype, device.value(), out, e);
  });
}
inline Tensor eye(std::int64_t n, std::int64_t m = -1, bp_dtype dtype = BP_DTYPE_NONE,
                  Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_eye(n, m < 0 ? n : m, dtype, device.value(), out, e);
  });
}
inline Tensor empty_like(const Tensor& x, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_empty_like(x.get(), dtype, device.value(), out, e);
  });
}
inline Tensor zeros_like(const Tensor& x, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_zeros_like(x.get(), dtype, device.value(), out, e);
  });
}
inline Tensor ones_like(const Tensor& x, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_ones_like(x.get(), dtype, device.value(), out, e);
  });
}
inline Tensor full_like(const Tensor& x, const Value& value, bp_dtype dtype = BP_DTYPE_NONE,
                        Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_full_like(x.get(), value, dtype, device.value(), out, e);
  });
}

// Copies row-major host data, which has exactly as many elements as the shape.
inline Tensor from_data(const void* data, const Shape& shape, bp_dtype dtype, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_from_data(data, detail::rank(shape), shape.data(), dtype, device.value(), out,
                               e);
  });
}
template <class T>
Tensor tensor(const std::vector<T>& values, const Shape& shape, Device device = {}) {
  static_assert(!std::is_same<T, bool>::value,
                "give bools as unsigned char and convert with to(BP_BOOL)");
  std::uint64_t n = 1;
  for (std::int64_t s : shape) n *= static_cast<std::uint64_t>(s);
  if (n != values.size())
    throw Error(BP_INVALID_ARGUMENT, "tensor: " + std::to_string(values.size()) +
                                         " values for a shape of " + std::to_string(n) +
                                         " elements");
  return from_data(values.data(), shape, dtype_of<T>(), device);
}
template <class T>
Tensor tensor(const std::vector<T>& values, Device device = {}) {
  return tensor(values, {static_cast<std::int64_t>(values.size())}, device);
}

// Makes an uninitialised CPU tensor in pinned memory, which the accelerator's backend copies to and
// from while the program works.
inline Tensor empty_pinned(const Shape& shape, bp_dtype dtype, Device device) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_empty_pinned(detail::rank(shape), shape.data(), dtype, device.value(), out, e);
  });
}

// Makes a CPU tensor over memory that owner keeps alive. If owner is empty, the caller keeps it
// alive until the last view is gone.
template <class T>
Tensor borrow(T* data, const Shape& shape, std::shared_ptr<void> owner = {}) {
  auto kept = std::make_unique<std::shared_ptr<void>>(std::move(owner));
  const auto drop = [](void* user) { delete static_cast<std::shared_ptr<void>*>(user); };
  Tensor made = detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_borrow(data, detail::rank(shape), shape.data(), nullptr, dtype_of<T>(), drop,
                            kept.get(), out, e);
  });
  static_cast<void>(kept.release());  // its deleter is called with the tensor's memory
  return made;
}

// Makes a tensor over another library's memory. It takes m over, or throws and leaves m to the
// caller. See c_dlpack.h.
inline Tensor from_dlpack(DLManagedTensorVersioned* m) {
  return detail::make(
      [&](bp_tensor** out, bp_error** e) { return bp_tensor_from_dlpack(m, out, e); });
}

}  // namespace backplane
#endif
