// SPDX-License-Identifier: Apache-2.0
// tensors.h: tensors of given values, and the values of tensors.
//
//   T a = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
//   T row = made(bp_tensor_select, a.get(), 0, 1);
//   EXPECT_EQ(values<float>(row), (std::vector<float>{4, 5, 6}));
#pragma once
#include <complex>
#include <string>
#include <vector>

#include "kit/devices.h"
#include "kit/handles.h"

namespace bp_test {

using Shape = std::vector<int64_t>;
using Doubles = std::vector<double>;

template <class V>
constexpr bp_dtype dtype_of() {
  if constexpr (std::is_same_v<V, float>) return BP_F32;
  if constexpr (std::is_same_v<V, double>) return BP_F64;
  if constexpr (std::is_same_v<V, int64_t>) return BP_I64;
  if constexpr (std::is_same_v<V, int32_t>) return BP_I32;
  if constexpr (std::is_same_v<V, uint8_t>) return BP_U8;
  if constexpr (std::is_same_v<V, std::complex<float>>) return BP_C64;
  if constexpr (std::is_same_v<V, std::complex<double>>) return BP_C128;
  return BP_DTYPE_NONE;
}

inline int32_t rank(const Shape& s) { return static_cast<int32_t>(s.size()); }

template <class V>
T tensor(const Shape& shape, const std::vector<V>& data, bp_device device = kCpu,
         bp_dtype dtype = dtype_of<V>()) {
  return made(bp_tensor_from_data, static_cast<const void*>(data.data()), rank(shape), shape.data(),
              dtype, device);
}
// 0, 1, 2, ... in row-major order.
template <class V = float>
T counting(const Shape& shape, bp_device device = kCpu) {
  std::vector<V> data;
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  for (int64_t i = 0; i < n; ++i) data.push_back(static_cast<V>(i));
  data.reserve(1);
  return tensor<V>(shape, data, device);
}

template <class V>
std::vector<V> values(const T& t) {
  std::vector<V> v(static_cast<size_t>(bp_tensor_numel(t.get())));
  V nothing{};
  const Answer r =
      attempt(bp_tensor_read, t.get(), static_cast<void*>(v.empty() ? &nothing : v.data()),
              static_cast<uint64_t>(v.size() * sizeof(V)));
  EXPECT_EQ(r.status, BP_OK) << r.message;
  return v;
}
inline Shape shape_of(const T& t) {
  const int64_t* s = bp_tensor_shape(t.get());
  return Shape(s, s + bp_tensor_rank(t.get()));
}
inline Shape strides_of(const T& t) {
  const int64_t* s = bp_tensor_strides(t.get());
  return Shape(s, s + bp_tensor_rank(t.get()));
}

// bp_tensor_to, which gives t itself when nothing new is asked for.
inline T to(const T& t, bp_device device, bp_dtype dtype = BP_DTYPE_NONE) {
  return made(bp_tensor_to, t.get(), device, dtype, 0u, 0u);
}
// The elements of any tensor, on any device and with a gradient or without.
inline Doubles doubles(const T& t) {
  return values<double>(to(made(bp_tensor_detach, t.get()), kCpu, BP_F64));
}

// t, which requires a gradient from now on.
inline T leaf(T t) {
  EXPECT_EQ(bp_tensor_set_requires_grad(t.get(), 1, nullptr), BP_OK);
  return t;
}
inline T grad_of(const T& t) { return made(bp_tensor_grad, t.get()); }
inline T sum(const T& t) {
  return made(bp_sum, t.get(), static_cast<const int64_t*>(nullptr), 0u, 0u, BP_DTYPE_NONE);
}
inline std::vector<bp_tensor*> raw(const std::vector<T>& all) {
  std::vector<bp_tensor*> out;
  for (const T& t : all) out.push_back(t.get());
  return out;
}

}  // namespace bp_test
