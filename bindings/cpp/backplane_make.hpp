// SPDX-License-Identifier: Apache-2.0
// backplane_make.hpp: new tensors, from sizes or from host memory. Include backplane.hpp. With
// dtype BP_DTYPE_NONE a tensor has the default dtype; full takes the number's, *_like x's. With
// device {} it is on the default device; *_like takes x's. Where dtype and device may stand,
// TensorOptions may too, which also say whether the tensor requires a gradient.
//
//   bp::Tensor m = bp::tensor({{1.0, 2.0}, {3.0, 4.0}});  // nested lists
//   bp::Tensor z = bp::zeros({2, 3}, bp::f64, "cpu");
#ifndef BACKPLANE_MAKE_HPP
#define BACKPLANE_MAKE_HPP

#include "backplane_tensor.hpp"

namespace backplane {

inline Tensor empty(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_empty(shape.rank(), shape.data(), dtype, device.value(), out, e);
  });
}
inline Tensor zeros(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_zeros(shape.rank(), shape.data(), dtype, device.value(), out, e);
  });
}
inline Tensor ones(const Ints& shape, bp_dtype dtype = BP_DTYPE_NONE, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_ones(shape.rank(), shape.data(), dtype, device.value(), out, e);
  });
}
inline Tensor full(const Ints& shape, const Value& value, bp_dtype dtype = BP_DTYPE_NONE,
                   Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_full(shape.rank(), shape.data(), value, dtype, device.value(), out, e);
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

namespace detail {
inline Tensor as_asked(Tensor t, const TensorOptions& o) {
  if (o.requires_grad) t.set_requires_grad();
  return t;
}
}  // namespace detail
inline Tensor empty(const Ints& shape, const TensorOptions& o) {
  return detail::as_asked(empty(shape, o.dtype, o.device), o);
}
inline Tensor zeros(const Ints& shape, const TensorOptions& o) {
  return detail::as_asked(zeros(shape, o.dtype, o.device), o);
}
inline Tensor ones(const Ints& shape, const TensorOptions& o) {
  return detail::as_asked(ones(shape, o.dtype, o.device), o);
}
inline Tensor full(const Ints& shape, const Value& value, const TensorOptions& o) {
  return detail::as_asked(full(shape, value, o.dtype, o.device), o);
}

// Copies row-major host data, which has exactly as many elements as the shape.
inline Tensor from_data(const void* data, const Ints& shape, bp_dtype dtype, Device device = {}) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_from_data(data, shape.rank(), shape.data(), dtype, device.value(), out, e);
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

#ifdef __cpp_lib_span
template <class T>
Tensor tensor(std::span<T> values, Device device = {}) {
  return from_data(values.data(), values.size(), dtype_of<std::remove_const_t<T>>(), device);
}
#endif

// Numbers in braces, as deep as wanted: {1, 2}, {{1.5, 2}, {3, 4}}. One number is a list of no
// dimension. The dtype of all is the one in which each fits: bool, i64, the default dtype for
// floating numbers, the complex dtype of that precision.
class NestedList {
 public:
  template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
  NestedList(T number) : values_{Value(number).get()} {}
  template <class T>
  NestedList(const std::complex<T>& number) : values_{Value(number).get()} {}
  // Throws BP_INVALID_ARGUMENT if the lists in it are not of one shape.
  NestedList(std::initializer_list<NestedList> list) {
    shape_.push_back(static_cast<std::int64_t>(list.size()));
    if (list.size() == 0) return;
    const Shape& first = list.begin()->shape_;
    for (const NestedList& one : list) {
      if (one.shape_ != first) refuse(first, one.shape_);
      values_.insert(values_.end(), one.values_.begin(), one.values_.end());
    }
    shape_.insert(shape_.end(), first.begin(), first.end());
  }
  const Shape& shape() const noexcept { return shape_; }
  // Makes the tensor: on the CPU in the widest dtype of its kind, then where and as it is asked.
  Tensor make(bp_dtype dtype, Device device) const {
    std::int32_t kind = values_.empty() ? BP_VALUE_F64 : BP_VALUE_BOOL;
    for (const bp_value& v : values_) kind = rank_of(v.kind) > rank_of(kind) ? v.kind : kind;
    if (dtype == BP_DTYPE_NONE && kind == BP_VALUE_F64) dtype = bp_get_default_dtype();
    if (dtype == BP_DTYPE_NONE && kind == BP_VALUE_C128)
      dtype = bp_get_default_dtype() == BP_F64 ? BP_C128 : BP_C64;
    const Device cpu = Device::make(BP_KIND_CPU, -1);
    Tensor made;
    if (kind == BP_VALUE_C128) {
      std::vector<std::complex<double>> all;
      for (const bp_value& v : values_)
        all.emplace_back(v.kind == BP_VALUE_C128 ? std::complex<double>(v.as.c128[0], v.as.c128[1])
                                                 : std::complex<double>(real(v)));
      made = from_data(all.data(), shape_, BP_C128, cpu);
    } else if (kind == BP_VALUE_F64) {
      std::vector<double> all;
      for (const bp_value& v : values_) all.push_back(real(v));
      made = from_data(all.data(), shape_, BP_F64, cpu);
    } else {
      std::vector<std::int64_t> all;
      for (const bp_value& v : values_) all.push_back(v.as.i64);
      made = from_data(all.data(), shape_, BP_I64, cpu);
      if (dtype == BP_DTYPE_NONE && kind == BP_VALUE_BOOL) dtype = BP_BOOL;
    }
    return made.to(device.value() == 0 ? default_device() : device, dtype);
  }

 private:
  static int rank_of(std::int32_t kind) {
    return kind == BP_VALUE_C128 ? 3 : kind == BP_VALUE_F64 ? 2 : kind == BP_VALUE_I64 ? 1 : 0;
  }
  static double real(const bp_value& v) {
    return v.kind == BP_VALUE_F64 ? v.as.f64 : static_cast<double>(v.as.i64);
  }
  static Device default_device() {
    bp_device d = 0;
    detail::call([&](bp_error** e) { return bp_default_get(&d, e); });
    return Device::from_value(d);
  }
  [[noreturn]] static void refuse(const Shape& first, const Shape& other) {
    const auto text = [](const Shape& shape) {
      std::string s = "[";
      for (std::int64_t n : shape) s += (s.size() > 1 ? ", " : "") + std::to_string(n);
      return s + "]";
    };
    throw Error(BP_INVALID_ARGUMENT,
                "tensor: lists of one list have the shapes " + text(first) + " and " + text(other));
  }
  Shape shape_;
  std::vector<bp_value> values_;
};
inline Tensor tensor(const NestedList& values, const TensorOptions& o = {}) {
  return detail::as_asked(values.make(o.dtype, o.device), o);
}
inline Tensor tensor(const NestedList& values, Dtype dtype, Device device = {}) {
  return values.make(dtype, device);
}

// Makes an uninitialised CPU tensor in pinned memory, which the accelerator's backend copies to and
// from while the program works.
inline Tensor empty_pinned(const Ints& shape, bp_dtype dtype, Device device) {
  return detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_empty_pinned(shape.rank(), shape.data(), dtype, device.value(), out, e);
  });
}

// Makes a CPU tensor over row-major memory that owner keeps alive. If owner is empty, the caller
// keeps it alive until the last view is gone.
template <class T>
Tensor borrow(T* data, const Ints& shape, std::shared_ptr<void> owner = {}) {
  auto kept = std::make_unique<std::shared_ptr<void>>(std::move(owner));
  const auto drop = [](void* user) { delete static_cast<std::shared_ptr<void>*>(user); };
  Tensor made = detail::make([&](bp_tensor** out, bp_error** e) {
    return bp_tensor_borrow(data, shape.rank(), shape.data(), nullptr, dtype_of<T>(), drop,
                            kept.get(), out, e);
  });
  static_cast<void>(kept.release());  // its deleter is called with the tensor's memory
  return made;
}

#ifdef __cpp_lib_span
template <class T>
Tensor borrow(std::span<T> data, std::shared_ptr<void> owner = {}) {
  return borrow(data.data(), data.size(), std::move(owner));
}
#endif

// ---- DLPack; see c_dlpack.h ----
// Makes a tensor over another library's memory. It takes m over, or throws and leaves m to the
// caller, who then calls release_dlpack.
inline Tensor from_dlpack(DLManagedTensorVersioned* m) {
  detail::Call c;
  return c.made(bp_tensor_from_dlpack(m, &c.out, &c.err));
}
inline Tensor from_dlpack(DLManagedTensor* m) {
  detail::Call c;
  return c.made(bp_tensor_from_dlpack_unversioned(m, &c.out, &c.err));
}
inline void release_dlpack(DLManagedTensorVersioned* m) noexcept { bp_dlpack_release(m); }
inline void release_dlpack(DLManagedTensor* m) noexcept { bp_dlpack_release_unversioned(m); }
inline DLManagedTensorVersioned* Tensor::to_dlpack(std::uint32_t flags) const {
  DLManagedTensorVersioned* out = nullptr;
  detail::call([&](bp_error** e) { return bp_tensor_to_dlpack(handle_, flags, &out, e); });
  return out;
}
inline DLManagedTensor* Tensor::to_dlpack_unversioned(std::uint32_t flags) const {
  DLManagedTensor* out = nullptr;
  detail::call(
      [&](bp_error** e) { return bp_tensor_to_dlpack_unversioned(handle_, flags, &out, e); });
  return out;
}
inline std::pair<std::int32_t, std::int32_t> Tensor::dlpack_device() const {
  std::int32_t type = 0, id = 0;
  detail::call([&](bp_error** e) { return bp_tensor_dlpack_device(handle_, &type, &id, e); });
  return {type, id};
}

// ---- tensors like this one ----
inline Tensor Tensor::new_empty(const Ints& shape, bp_dtype dtype, Device device) const {
  detail::Call c;
  return c.made(bp_tensor_new_empty(handle_, shape.rank(), shape.data(), dtype, device.value(),
                                    &c.out, &c.err));
}
inline Tensor Tensor::new_zeros(const Ints& shape, bp_dtype dtype, Device device) const {
  detail::Call c;
  return c.made(bp_tensor_new_zeros(handle_, shape.rank(), shape.data(), dtype, device.value(),
                                    &c.out, &c.err));
}
inline Tensor Tensor::new_ones(const Ints& shape, bp_dtype dtype, Device device) const {
  detail::Call c;
  return c.made(bp_tensor_new_ones(handle_, shape.rank(), shape.data(), dtype, device.value(),
                                   &c.out, &c.err));
}
inline Tensor Tensor::new_full(const Ints& shape, const Value& value, bp_dtype dtype,
                               Device device) const {
  detail::Call c;
  return c.made(bp_tensor_new_full(handle_, shape.rank(), shape.data(), value, dtype,
                                   device.value(), &c.out, &c.err));
}

}  // namespace backplane
#endif
