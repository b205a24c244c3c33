// SPDX-License-Identifier: Apache-2.0
#include "core/value/element.h"

#include <cmath>
#include <cstring>

#include "core/value/dtype.h"

namespace bp {
namespace {

template <class T>
T load(const void* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

double narrow_value(const FloatFormat& f, uint32_t bits) {
  const int64_t width = 8 * dtype_bytes(f.dtype) - 1;  // without the sign
  const uint32_t one = 1u << f.fraction, fraction = bits & (one - 1);
  const auto exponent = static_cast<int>((bits & ((1u << width) - 1)) >> f.fraction);
  double v = exponent == 0 ? std::ldexp(fraction, 1 - f.bias - f.fraction)
                           : std::ldexp(fraction | one, exponent - f.bias - f.fraction);
  if (v > f.largest) v = fraction ? NAN : INFINITY;
  return bits >> width & 1 ? -v : v;
}

double float_value(bp_dtype t, const void* at) {
  if (t == BP_F64) return load<double>(at);
  if (t == BP_F32) return static_cast<double>(load<float>(at));
  uint32_t bits = 0;
  std::memcpy(&bits, at, static_cast<size_t>(dtype_bytes(t)));  // the low bytes come first
  return narrow_value(float_format(t), bits);
}

// The low bytes come first; the sign fills the others.
int64_t integer_value(bp_dtype t, const void* at) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, static_cast<size_t>(dtype_bytes(t)));
  const int64_t unused = 64 - 8 * dtype_bytes(t);
  return is_unsigned(t) ? static_cast<int64_t>(bits)
                        : static_cast<int64_t>(bits << unused) >> unused;
}

}  // namespace

bp_value read_element(bp_dtype t, const void* at) {
  bp_value v{};
  switch (category(t)) {
    case Category::kBool:
      v.kind = BP_VALUE_BOOL;
      v.as.i64 = load<uint8_t>(at) != 0;  // other programs may have written any byte
      break;
    case Category::kInteger:
      v.kind = BP_VALUE_I64;
      v.as.i64 = integer_value(t, at);
      break;
    case Category::kFloating:
      v.kind = BP_VALUE_F64;
      v.as.f64 = float_value(t, at);
      break;
    case Category::kComplex:
      v.kind = BP_VALUE_C128;
      const bp_dtype part = real_of(t);
      v.as.c128[0] = float_value(part, at);
      v.as.c128[1] = float_value(part, static_cast<const char*>(at) + dtype_bytes(part));
  }
  return v;
}

}  // namespace bp
