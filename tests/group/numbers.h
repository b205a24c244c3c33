// SPDX-License-Identifier: Apache-2.0
// numbers.h: the numbers of tensors of any dtype, and what exchanges make of them, in double
// precision. Members' numbers are small integers, so that sums and products of a few are exact in
// each dtype; a mean is rounded as it is computed, in f32 or f64.
//
//   T t = tensor_of({3}, part_of(BP_F16, rank, 3), BP_F16, device);
//   expect_numbers(t, reduced(BP_REDUCE_SUM, BP_F16, size, 3), BP_F16, "after all_reduce");
#pragma once
#include <algorithm>
#include <cmath>
#include <functional>

#include "kit/tensors.h"

namespace bp_test {

using Number = std::complex<double>;
using Numbers = std::vector<Number>;

inline bool is_complex(bp_dtype d) { return bp_dtype_kind(d) == BP_DTYPE_KIND_COMPLEX; }
inline bool is_floating(bp_dtype d) { return bp_dtype_kind(d) == BP_DTYPE_KIND_FLOAT; }

inline T tensor_of(const Shape& shape, const Numbers& numbers, bp_dtype dtype, bp_device device) {
  if (is_complex(dtype)) return to(tensor<Number>(shape, numbers), device, dtype);
  Doubles real(numbers.size());
  std::transform(numbers.begin(), numbers.end(), real.begin(), [](Number z) { return z.real(); });
  real.reserve(1);  // data() is no NULL
  return to(tensor<double>(shape, real), device, dtype);
}
inline Numbers numbers_of(const T& t) {
  const T plain = made(bp_tensor_detach, t.get());
  if (is_complex(bp_tensor_dtype(t.get()))) return values<Number>(to(plain, kCpu, BP_C128));
  const Doubles real = values<double>(to(plain, kCpu, BP_F64));
  return Numbers(real.begin(), real.end());
}

// What member `rank` brings for place i.
inline Number number_of(bp_dtype dtype, uint32_t rank, int64_t i) {
  const int64_t k = i * 5 + int64_t{rank} * 3 + i / 7;
  switch (bp_dtype_kind(dtype)) {
    case BP_DTYPE_KIND_BOOL: return k % 3 == 0;
    case BP_DTYPE_KIND_UNSIGNED: return static_cast<double>(k % 4);
    case BP_DTYPE_KIND_COMPLEX:
      return {static_cast<double>(k % 5 - 2), static_cast<double>((k + 3) % 5 - 2)};
    default: return static_cast<double>(k % 7 - 3);
  }
}
inline Numbers part_of(bp_dtype dtype, uint32_t rank, int64_t count, int64_t from = 0) {
  Numbers all(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i)
    all[static_cast<size_t>(i)] = number_of(dtype, rank, from + i);
  return all;
}

inline bool is_defined(bp_reduce_op operation, bp_dtype dtype) {
  if (operation == BP_REDUCE_MIN || operation == BP_REDUCE_MAX) return !is_complex(dtype);
  if (operation == BP_REDUCE_MEAN) return is_complex(dtype) || is_floating(dtype);
  return dtype != BP_BOOL;
}
// The products of f16 and bf16 are those of f32; the caller rounds.
inline Number times(Number z, double factor, bp_dtype dtype) {
  if (dtype == BP_F64 || dtype == BP_C128) return z * factor;
  const auto f = static_cast<float>(factor);
  return {static_cast<float>(z.real()) * f, static_cast<float>(z.imag()) * f};
}
inline Number folded(bp_reduce_op operation, Number a, Number b) {
  switch (operation) {
    case BP_REDUCE_PRODUCT: return a * b;
    case BP_REDUCE_MIN: return std::min(a.real(), b.real());
    case BP_REDUCE_MAX: return std::max(a.real(), b.real());
    default: return a + b;
  }
}
// The reduction of all members' numbers of `count` places from `from` on.
inline Numbers reduced(bp_reduce_op operation, bp_dtype dtype, uint32_t size, int64_t count,
                       int64_t from = 0) {
  Numbers out = part_of(dtype, 0, count, from);
  for (uint32_t r = 1; r < size; ++r)
    for (int64_t i = 0; i < count; ++i) {
      Number& z = out[static_cast<size_t>(i)];
      z = folded(operation, z, number_of(dtype, r, from + i));
    }
  if (operation == BP_REDUCE_MEAN)
    for (Number& z : out) z = times(z, 1.0 / size, dtype);
  return out;
}

// Whether t has these numbers, once they are rounded to its dtype.
inline void expect_numbers(const T& t, const Numbers& wanted, bp_dtype dtype,
                           const std::function<std::string()>& where) {
  const Numbers got = numbers_of(t);
  const Numbers rounded = numbers_of(tensor_of(shape_of(t), wanted, dtype, kCpu));
  ASSERT_EQ(got.size(), rounded.size()) << where();
  for (size_t i = 0; i < got.size(); ++i)
    if (got[i] != rounded[i]) {
      ADD_FAILURE() << where() << ": element " << i << " is " << got[i] << ", expected "
                    << rounded[i];
      return;
    }
}

}  // namespace bp_test
