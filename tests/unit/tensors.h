// tensors.h: short words for tests of tensors through the C API.
//
//   T a = tensor<float>({2, 3}, {1, 2, 3, 4, 5, 6});
//   T row = made(bp_tensor_select, a.get(), 0, 1);           // fails the test when the call fails
//   EXPECT_EQ(values<float>(row), (std::vector<float>{4, 5, 6}));
//   EXPECT_EQ(refusal(bp_tensor_select, a.get(), 0, 2).status, BP_INDEX_OUT_OF_RANGE);
#pragma once
#include <gtest/gtest.h>

#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "c_api.h"

namespace bp_test {

struct Release {
  void operator()(bp_tensor* t) const { bp_tensor_release(t); }
};
using T = std::unique_ptr<bp_tensor, Release>;

struct ReleaseDict {
  void operator()(bp_dict* d) const { bp_dict_release(d); }
};
using D = std::unique_ptr<bp_dict, ReleaseDict>;
using Shape = std::vector<int64_t>;

const bp_device kCpu = bp_device_make(BP_KIND_CPU, -1);
inline bp_device null_device(int32_t index) {
  bp_device d = 0;
  const std::string name = "null:" + std::to_string(index);
  EXPECT_EQ(bp_device_parse(name.c_str(), &d, nullptr), BP_OK);
  return d;
}

// A status and its sentence.
struct Refusal {
  bp_status status = BP_OK;
  std::string message{};
};
inline Refusal taken(bp_status status, bp_error* e) {
  Refusal r{status, bp_error_message(e, nullptr)};
  EXPECT_EQ(e ? bp_error_code(e) : status, status);
  EXPECT_EQ(r.message.find('\n'), std::string::npos) << r.message;
  bp_error_release(e);
  return r;
}

// f(args..., &err) for calls without a result.
template <class F, class... A>
Refusal attempt(F f, A... args) {
  bp_error* e = nullptr;
  const bp_status status = f(args..., &e);
  return taken(status, e);
}

// What left `from` for `into` so far.
inline bp_transfer_stats crossed(bp_device from, bp_device into) {
  bp_transfer_stats s{};
  s.struct_size = sizeof s;
  EXPECT_EQ(bp_transfer_get_stats(from, into, &s, nullptr), BP_OK);
  return s;
}

// f(args..., &out, &err) that must succeed.
template <class F, class... A>
T made(F f, A... args) {
  bp_tensor* out = nullptr;
  bp_error* e = nullptr;
  const bp_status status = f(args..., &out, &e);
  EXPECT_EQ(status, BP_OK) << bp_error_message(e, nullptr);
  bp_error_release(e);
  return T(out);
}

// f(args..., &out, &err) that must fail, with a sentence, and leave `out` alone.
template <class F, class... A>
Refusal refusal(F f, A... args) {
  auto* const untouched = reinterpret_cast<bp_tensor*>(8);
  bp_tensor* out = untouched;
  bp_error* e = nullptr;
  const bp_status status = f(args..., &out, &e);
  EXPECT_LT(status, 0);
  EXPECT_EQ(out, untouched);
  if (status == BP_OK) bp_tensor_release(out);
  Refusal r = taken(status, e);
  EXPECT_FALSE(r.message.empty());
  return r;
}

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
  const Refusal r =
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

inline bp_value number(int64_t v) {
  bp_value x{};
  x.kind = BP_VALUE_I64;
  x.as.i64 = v;
  return x;
}
inline bp_value number(double v) {
  bp_value x{};
  x.kind = BP_VALUE_F64;
  x.as.f64 = v;
  return x;
}
inline bp_value number(double real, double imaginary) {
  bp_value x{};
  x.kind = BP_VALUE_C128;
  x.as.c128[0] = real;
  x.as.c128[1] = imaginary;
  return x;
}
inline bp_value boolean(bool v) {
  bp_value x{};
  x.kind = BP_VALUE_BOOL;
  x.as.i64 = v;
  return x;
}
inline bp_value value(const T& t) {
  bp_value x{};
  x.kind = BP_VALUE_TENSOR;
  x.as.tensor = t.get();
  return x;
}

// One op by id into a new tensor, or into `out` when it is given.
inline Refusal invoke(uint32_t op, std::vector<bp_value> in, T& out,
                      std::vector<bp_attr> attrs = {}) {
  bp_tensor* result = out.get();
  bp_error* e = nullptr;
  const bp_status status = bp_invoke(op, in.data(), static_cast<uint32_t>(in.size()), attrs.data(),
                                     static_cast<uint32_t>(attrs.size()), &result, 1, &e);
  if (!out) out.reset(result);
  return taken(status, e);
}

}  // namespace bp_test
