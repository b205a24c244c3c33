// SPDX-License-Identifier: Apache-2.0
// invoke.h: operands and attributes of calls by name, and a call of an op by its id.
//
//   T out;
//   EXPECT_EQ(invoke(BP_OP_ADD, {value(a), number(2.0)}, out).message, "");
//   bp_attr lr = attr("lr", 0.1);
#pragma once
#include <vector>

#include "kit/handles.h"

namespace bp_test {

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

inline bp_attr attr(const char* name, int64_t v, bp_attr_kind kind = BP_ATTR_I64) {
  return {name, kind, 1, {.i64 = v}, 0};
}
inline bp_attr attr(const char* name, double v) { return {name, BP_ATTR_F64, 1, {.f64 = v}, 0}; }
inline bp_attr flag(const char* name, bool v) { return attr(name, int64_t{v}, BP_ATTR_BOOL); }

// Into a new tensor, or into `out` when it is given.
inline Answer invoke(uint32_t op, std::vector<bp_value> in, T& out,
                     std::vector<bp_attr> attrs = {}) {
  bp_tensor* result = out.get();
  Answer a = attempt([&](bp_error** err) {
    return bp_invoke(op, in.data(), static_cast<uint32_t>(in.size()), attrs.data(),
                     static_cast<uint32_t>(attrs.size()), &result, 1, err);
  });
  if (!out) out.reset(result);
  return a;
}

}  // namespace bp_test
