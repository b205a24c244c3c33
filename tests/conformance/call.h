// SPDX-License-Identifier: Apache-2.0
// call.h: one call of an op as data: operands with the memory layout they get on the device, and
// attributes. Cases make calls, oracles answer them, session.h runs them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "array.h"

namespace conformance {

// How an operand lies in memory; what it means never changes.
enum class Layout {
  kContiguous,
  kTransposed,  // dimensions stored in reverse order
  kSliced,      // every second element, after an offset, in the first and the last dimension
  kFlipped,     // stored backwards in every dimension
  kExpanded     // the first dimension is stored once, stride 0: the values must repeat along it
};
const char* name_of(Layout layout);

struct Operand {
  int32_t kind = BP_VALUE_TENSOR;  // or BP_VALUE_I64, BP_VALUE_F64, BP_VALUE_BOOL, BP_VALUE_NONE
  Array array{};
  Layout layout = Layout::kContiguous;
  int64_t i64 = 0;
  double f64 = 0;
  double imaginary = 0;  // of BP_VALUE_C128, whose real part is f64

  bool is_none() const { return kind == BP_VALUE_NONE; }
  bool is_tensor() const { return kind == BP_VALUE_TENSOR; }
  // A number's own dtype before promotion: i64, bool, or f64 for "the default float dtype".
  bp_dtype number_dtype() const {
    return kind == BP_VALUE_I64    ? BP_I64
           : kind == BP_VALUE_BOOL ? BP_BOOL
           : kind == BP_VALUE_C128 ? BP_C128
                                   : BP_F64;
  }
  Real number() const {
    return kind == BP_VALUE_F64 || kind == BP_VALUE_C128 ? static_cast<Real>(f64)
                                                         : static_cast<Real>(i64);
  }
};
Operand tensor(Array a, Layout layout = Layout::kContiguous);
Operand number(int64_t v);
Operand number(double v);
Operand number(double real, double imaginary);
Operand boolean(bool v);
Operand none();

struct Attribute {
  std::string name;
  bp_attr_kind kind;
  int64_t i64 = 0;
  double f64 = 0;
  Shape ints{};
  std::string text{};
};
Attribute int_attr(const char* name, int64_t v);
Attribute flag_attr(const char* name, bool v);
Attribute float_attr(const char* name, double v);
Attribute dtype_attr(const char* name, bp_dtype v);
Attribute ints_attr(const char* name, Shape v);
Attribute str_attr(const char* name, const char* v);

struct Call {
  std::vector<Operand> in;
  std::vector<Attribute> attrs{};

  int64_t i64(const char* name, int64_t absent) const;
  double f64(const char* name, double absent) const;
  Shape ints(const char* name) const;
  std::string str(const char* name, const char* absent) const;
  bp_dtype dtype(const char* name, bp_dtype absent) const;
  std::string text() const;  // "f32[2, 3] transposed, 2; axis=1"
};

// What one output must be. Values are exact, not yet rounded to the dtype.
struct Expected {
  Array array;
  // Errors are counted in units in the last place of the value itself or of this, whichever is
  // larger: an operation that cancels is judged by the size of what it adds up. Empty: of the value
  // itself.
  std::vector<Real> scale{};
  bool any_zero = false;          // the op promises no sign for a zero result
  std::vector<Real> tolerance{};  // absolute, on top of the bound
  std::vector<bool> open{};       // of these elements nothing is promised
};
using Answer = std::vector<Expected>;

}  // namespace conformance
