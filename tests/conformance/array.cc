// SPDX-License-Identifier: Apache-2.0
#include "array.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>

namespace conformance {

int integer_bits(bp_dtype t) { return static_cast<int>(8 * item_bytes(t)); }

const char* name_of(bp_dtype t) {
#define BP_BRIEF(name, value, text, brief, title, bytes, kind) brief,
  static constexpr const char* kNames[] = {BP_DTYPES(BP_BRIEF)};
#undef BP_BRIEF
  return t >= 0 && t < BP_DTYPE_COUNT ? kNames[t] : "none";
}

bp_dtype part_of(bp_dtype t) { return t == BP_C64 ? BP_F32 : t == BP_C128 ? BP_F64 : t; }

namespace {

constexpr Format known_format(bp_dtype t) {
  switch (t) {
    case BP_F16: return {11, -14, 15, 65504};
    case BP_BF16: return {8, -126, 127, 0x1.fep127L};
    case BP_F32: return {24, -126, 127, std::numeric_limits<float>::max()};
    case BP_F64: return {53, -1022, 1023, std::numeric_limits<double>::max()};
    default: return {};
  }
}
constexpr bool each_float_has_a_format() {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (is_float(t) && known_format(t).precision == 0) return false;
  return true;
}
static_assert(each_float_has_a_format());

// What is added to an exponent where it is stored.
int bias_of(const Format& f) { return 1 - f.emin; }

}  // namespace

Format format_of(bp_dtype t) { return known_format(part_of(t)); }

Real max_of(bp_dtype t) {
  if (is_bool(t)) return 1;
  if (is_integer(t)) return std::ldexp(Real{1}, integer_bits(t) - is_signed_integer(t)) - 1;
  return format_of(t).max;
}

Real lowest_of(bp_dtype t) {
  if (is_signed_integer(t)) return -std::ldexp(Real{1}, integer_bits(t) - 1);
  return is_float(part_of(t)) ? -max_of(t) : 0;
}

Real smallest_normal(bp_dtype t) { return std::ldexp(Real{1}, format_of(t).emin); }

Real smallest_subnormal(bp_dtype t) {
  const Format f = format_of(t);
  return std::ldexp(Real{1}, f.emin - f.precision + 1);
}

Real round_to(Real v, bp_dtype t) {
  if (t == BP_F32) return static_cast<float>(v);
  if (t == BP_F64) return static_cast<double>(v);
  if (!std::isfinite(v) || v == 0) return v;
  const Format f = format_of(t);
  const Real unit = std::ldexp(Real{1}, std::max(std::ilogb(v), f.emin) - f.precision + 1);
  const Real r = std::nearbyint(v / unit) * unit;
  return std::fabs(r) > max_of(t) ? std::copysign(static_cast<Real>(INFINITY), v)
                                  : std::copysign(r, v);
}

uint64_t to_bits(Real v) {
  return v < 0 ? static_cast<uint64_t>(static_cast<int64_t>(v)) : static_cast<uint64_t>(v);
}

Real from_bits(uint64_t bits, bp_dtype t) {
  const int unused = 64 - integer_bits(t);
  if (is_signed_integer(t))
    return static_cast<Real>(static_cast<int64_t>(bits << unused) >> unused);
  return static_cast<Real>(bits << unused >> unused);
}

Real convert(Real v, bp_dtype from, bp_dtype to) {
  if (is_bool(to)) return v != 0;  // NaN is not zero
  if (is_integer(to)) {
    if (!is_float(part_of(from))) return from_bits(to_bits(v), to);
    if (std::isnan(v)) return 0;
    return std::clamp(std::trunc(v), lowest_of(to), max_of(to)) + Real{0};
  }
  const bp_dtype narrow = part_of(to);
  return round_to(is_narrow(narrow) ? round_to(v, BP_F32) : v, narrow);
}

Array convert(const Array& a, bp_dtype to) {
  if (a.dtype == to) return a;
  Array out{to, a.shape, {}, {}};
  out.re.reserve(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    const bool imaginary = is_complex(a.dtype) && is_bool(to) && a.im[i] != 0;
    out.re.push_back(imaginary ? 1 : convert(a.re[i], part_of(a.dtype), to));
  }
  if (is_complex(to)) {
    out.im.assign(a.size(), 0);
    for (size_t i = 0; i < a.im.size(); ++i) out.im[i] = convert(a.im[i], part_of(a.dtype), to);
  }
  return out;
}

int64_t count_of(const Shape& shape) {
  int64_t n = 1;
  for (int64_t s : shape) n *= s;
  return n;
}

std::string text_of(const Shape& shape) {
  std::string s = "[";
  for (size_t i = 0; i < shape.size(); ++i) s += (i ? ", " : "") + std::to_string(shape[i]);
  return s + "]";
}

std::string text_of(Real v) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.20Lg", v);
  return buffer;
}

namespace {

// Narrow floats by their fields; v is representable.
uint16_t encode_narrow(Real v, bp_dtype t) {
  const Format f = format_of(t);
  const int fraction_bits = f.precision - 1;
  const uint32_t sign_bit = 1u << (8 * item_bytes(t) - 1), sign = std::signbit(v) ? sign_bit : 0;
  const uint32_t top = static_cast<uint32_t>(2 * bias_of(f) + 1) << fraction_bits;
  if (std::isnan(v)) return static_cast<uint16_t>(sign | (sign_bit - 1));
  if (std::isinf(v)) return static_cast<uint16_t>(sign | top);
  if (v == 0) return static_cast<uint16_t>(sign);
  const int e = std::max(std::ilogb(v), f.emin);
  const auto mantissa = static_cast<uint32_t>(std::ldexp(std::fabs(v), fraction_bits - e));
  const uint32_t hidden = 1u << fraction_bits;
  if (mantissa < hidden) return static_cast<uint16_t>(sign | mantissa);
  return static_cast<uint16_t>(sign | static_cast<uint32_t>(e + bias_of(f)) << fraction_bits |
                               (mantissa - hidden));
}

Real decode_narrow(uint16_t bits, bp_dtype t) {
  const Format f = format_of(t);
  const int fraction_bits = f.precision - 1;
  const uint32_t fraction = bits & ((1u << fraction_bits) - 1),
                 sign = 1u << (8 * item_bytes(t) - 1);
  const int field = static_cast<int>((bits & (sign - 1)) >> fraction_bits);
  Real v = field == 0 ? std::ldexp(static_cast<Real>(fraction), f.emin - fraction_bits)
                      : std::ldexp(static_cast<Real>(fraction | 1u << fraction_bits),
                                   field - bias_of(f) - fraction_bits);
  if (v > f.max) v = fraction ? static_cast<Real>(NAN) : static_cast<Real>(INFINITY);
  return bits & sign ? -v : v;
}

void store(Real v, bp_dtype t, char* to) {
  if (t == BP_F32) {
    const auto x = static_cast<float>(v);
    std::memcpy(to, &x, sizeof x);
  } else if (t == BP_F64) {
    const auto x = static_cast<double>(v);
    std::memcpy(to, &x, sizeof x);
  } else if (is_float(t)) {
    const uint16_t x = encode_narrow(v, t);  // little-endian: the low bytes come first
    std::memcpy(to, &x, static_cast<size_t>(item_bytes(t)));
  } else {
    const uint64_t x = to_bits(v);
    std::memcpy(to, &x, static_cast<size_t>(item_bytes(t)));
  }
}

Real load(const char* from, bp_dtype t) {
  if (t == BP_F32) {
    float x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
  if (t == BP_F64) {
    double x;
    std::memcpy(&x, from, sizeof x);
    return x;
  }
  uint64_t x = 0;
  std::memcpy(&x, from, static_cast<size_t>(item_bytes(t)));
  if (is_bool(t)) return x != 0;
  return is_float(t) ? decode_narrow(static_cast<uint16_t>(x), t) : from_bits(x, t);
}

}  // namespace

std::vector<char> encode(const Array& a) {
  const auto bytes = static_cast<size_t>(item_bytes(a.dtype));
  std::vector<char> out(a.size() * bytes);
  const bp_dtype part = part_of(a.dtype);
  for (size_t i = 0; i < a.size(); ++i) {
    store(a.re[i], part, &out[i * bytes]);
    if (is_complex(a.dtype)) store(a.im[i], part, &out[i * bytes + bytes / 2]);
    // Other programs hand over such bytes, and each but 0 is true.
    constexpr unsigned char kTrue[] = {1, 2, 255, 128, 1, 16, 3};
    if (is_bool(a.dtype) && out[i]) out[i] = static_cast<char>(kTrue[i % std::size(kTrue)]);
  }
  return out;
}

Array decode(const std::vector<char>& data, const Shape& shape, bp_dtype t) {
  const auto bytes = static_cast<size_t>(item_bytes(t));
  Array a{t, shape, std::vector<Real>(data.size() / bytes), {}};
  if (is_complex(t)) a.im.resize(a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    a.re[i] = load(&data[i * bytes], part_of(t));
    if (is_complex(t)) a.im[i] = load(&data[i * bytes + bytes / 2], part_of(t));
  }
  return a;
}

Shape strides_of(const Shape& shape) {
  Shape strides(shape.size());
  int64_t step = 1;
  for (size_t i = shape.size(); i-- > 0; step *= shape[i]) strides[i] = step;
  return strides;
}

Shape broadcast(const Shape& a, const Shape& b) {
  Shape out(std::max(a.size(), b.size()));
  for (size_t i = 1; i <= out.size(); ++i) {
    const int64_t x = i <= a.size() ? a[a.size() - i] : 1, y = i <= b.size() ? b[b.size() - i] : 1;
    out[out.size() - i] = x == 1 ? y : x;
  }
  return out;
}

size_t position_in(const Shape& shape, const Shape& to, size_t at) {
  size_t position = 0, step = 1;
  for (size_t i = 1; i <= to.size(); ++i) {
    const auto size = static_cast<size_t>(to[to.size() - i]);
    if (i <= shape.size()) {
      const auto own = static_cast<size_t>(shape[shape.size() - i]);
      position += own == 1 ? 0 : at % size * step;
      step *= own;
    }
    at /= size;
  }
  return position;
}

Array expand(const Array& a, const Shape& to) {
  if (a.shape == to) return a;
  Array out{a.dtype, to, {}, {}};
  const auto n = static_cast<size_t>(count_of(to));
  out.re.reserve(n);
  for (size_t i = 0; i < n; ++i) {
    const size_t at = position_in(a.shape, to, i);
    out.re.push_back(a.re[at]);
    if (is_complex(a.dtype)) out.im.push_back(a.im[at]);
  }
  return out;
}

Array permute(const Array& a, const std::vector<size_t>& dims) {
  const Shape from = strides_of(a.shape);
  Array out{a.dtype, {}, {}, {}};
  for (size_t d : dims) out.shape.push_back(a.shape[d]);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t rest = i, at = 0;
    for (size_t d = dims.size(); d-- > 0;) {
      const auto size = static_cast<size_t>(out.shape[d]);
      at += rest % size * static_cast<size_t>(from[dims[d]]);
      rest /= size;
    }
    out.re.push_back(a.re[at]);
    if (is_complex(a.dtype)) out.im.push_back(a.im[at]);
  }
  return out;
}

size_t wrap_axis(int64_t axis, size_t rank) {
  if (rank == 0) return 0;
  return static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis);
}

Rows rows_of(const Shape& shape, int64_t axis) {
  Rows r{1, 1, 1};
  if (shape.empty()) return r;
  const size_t at = wrap_axis(axis, shape.size());
  for (size_t i = 0; i < shape.size(); ++i) {
    const auto size = static_cast<size_t>(shape[i]);
    (i < at ? r.outer : i == at ? r.n : r.inner) *= size;
  }
  return r;
}

}  // namespace conformance
