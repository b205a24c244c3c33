// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <utility>

namespace conformance {

const char* name_of(Layout layout) {
  static constexpr const char* kNames[] = {"contiguous", "transposed", "sliced", "flipped",
                                           "expanded"};
  return kNames[static_cast<int>(layout)];
}

Operand tensor(Array a, Layout layout) {
  Operand x;
  x.array = std::move(a);
  x.layout = layout;
  return x;
}
Operand number(int64_t v) {
  Operand x;
  x.kind = BP_VALUE_I64;
  x.i64 = v;
  return x;
}
Operand number(double v) {
  Operand x;
  x.kind = BP_VALUE_F64;
  x.f64 = v;
  return x;
}
Operand number(double real, double imaginary) {
  Operand x;
  x.kind = BP_VALUE_C128;
  x.f64 = real;
  x.imaginary = imaginary;
  return x;
}
Operand boolean(bool v) {
  Operand x;
  x.kind = BP_VALUE_BOOL;
  x.i64 = v;
  return x;
}
Operand none() {
  Operand x;
  x.kind = BP_VALUE_NONE;
  return x;
}

Attribute int_attr(const char* name, int64_t v) { return {name, BP_ATTR_I64, v, 0, {}, {}}; }
Attribute flag_attr(const char* name, bool v) { return {name, BP_ATTR_BOOL, v, 0, {}, {}}; }
Attribute float_attr(const char* name, double v) { return {name, BP_ATTR_F64, 0, v, {}, {}}; }
Attribute dtype_attr(const char* name, bp_dtype v) { return {name, BP_ATTR_DTYPE, v, 0, {}, {}}; }
Attribute ints_attr(const char* name, Shape v) {
  return {name, BP_ATTR_INTS, 0, 0, std::move(v), {}};
}
Attribute str_attr(const char* name, const char* v) { return {name, BP_ATTR_STR, 0, 0, {}, v}; }

namespace {
const Attribute* find(const Call& call, const char* name) {
  for (const Attribute& a : call.attrs)
    if (a.name == name) return &a;
  return nullptr;
}
}  // namespace

int64_t Call::i64(const char* name, int64_t absent) const {
  const Attribute* a = find(*this, name);
  return a ? a->i64 : absent;
}
double Call::f64(const char* name, double absent) const {
  const Attribute* a = find(*this, name);
  return a ? a->f64 : absent;
}
Shape Call::ints(const char* name) const {
  const Attribute* a = find(*this, name);
  return a ? a->ints : Shape{};
}
std::string Call::str(const char* name, const char* absent) const {
  const Attribute* a = find(*this, name);
  return a ? a->text : absent;
}
bp_dtype Call::dtype(const char* name, bp_dtype absent) const {
  const Attribute* a = find(*this, name);
  return a && a->i64 != BP_DTYPE_NONE ? static_cast<bp_dtype>(a->i64) : absent;
}

std::string Call::text() const {
  std::string s;
  for (const Operand& x : in) {
    if (!s.empty()) s += ", ";
    if (x.is_tensor()) {
      s += name_of(x.array.dtype) + text_of(x.array.shape) + " " + name_of(x.layout);
    } else if (x.is_none()) {
      s += "none";
    } else {
      s += "number " + text_of(x.number());
    }
  }
  for (const Attribute& a : attrs) {
    s += "; " + a.name + "=";
    if (a.kind == BP_ATTR_STR)
      s += a.text;
    else if (a.kind == BP_ATTR_INTS)
      s += text_of(a.ints);
    else if (a.kind == BP_ATTR_F64)
      s += text_of(static_cast<Real>(a.f64));
    else if (a.kind == BP_ATTR_DTYPE)
      s += name_of(static_cast<bp_dtype>(a.i64));
    else
      s += std::to_string(a.i64);
  }
  return s;
}

}  // namespace conformance
