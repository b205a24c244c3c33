// SPDX-License-Identifier: Apache-2.0
#include "core/value/dtype.h"

#include <atomic>
#include <cmath>
#include <iterator>
#include <limits>

#include "core/base/error.h"

namespace bp {
namespace {

#define BP_VALUE(name, value, text, brief, title, bytes, kind) value,
constexpr bp_dtype kValues[] = {BP_DTYPES(BP_VALUE)};
#undef BP_VALUE
constexpr bool each_value_is_its_place() {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (kValues[t] != t) return false;
  return std::size(kValues) == BP_DTYPE_COUNT;
}
static_assert(each_value_is_its_place());

struct Names {
  const char *text, *title;
};
#define BP_NAMES(name, value, text, brief, title, bytes, kind) {text, title},
constexpr Names kNames[] = {BP_DTYPES(BP_NAMES)};
#undef BP_NAMES

constexpr FloatFormat kFormats[] = {{BP_F16, 10, 15, 65504},
                                    {BP_BF16, 7, 127, 0x1.fep127},
                                    {BP_F32, 23, 127, std::numeric_limits<float>::max()},
                                    {BP_F64, 52, 1023, std::numeric_limits<double>::max()}};
constexpr const FloatFormat* find_format(bp_dtype t) {
  for (const FloatFormat& f : kFormats)
    if (f.dtype == t) return &f;
  return nullptr;
}
constexpr bool each_float_has_a_format() {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t)
    if (is_floating(t) && !find_format(t)) return false;
  return true;
}
static_assert(each_float_has_a_format());

std::atomic<bp_dtype> g_default{BP_F32};

bp_dtype signed_of(int64_t bytes) {
  return bytes == 1 ? BP_I8 : bytes == 2 ? BP_I16 : bytes == 4 ? BP_I32 : BP_I64;
}

// Returns the narrowest dtype that holds both. Throws for u64 and a signed one, which none holds
// (array API, "mixed integers").
bp_dtype promote_integers(bp_dtype a, bp_dtype b) {
  if (is_unsigned(a) == is_unsigned(b)) return dtype_bytes(a) >= dtype_bytes(b) ? a : b;
  const bp_dtype u = is_unsigned(a) ? a : b, s = is_unsigned(a) ? b : a;
  if (u == BP_U64)
    fail(BP_DTYPE_MISMATCH, "Promotion from {} and {} is unsupported.", dtype_title(a),
         dtype_title(b));
  if (dtype_bytes(u) < dtype_bytes(s)) return s;
  return signed_of(2 * dtype_bytes(u));
}

// A lower class matters only when its category is higher (c10 combine_categories).
bp_dtype combine(bp_dtype higher, bp_dtype lower) {
  if (higher == BP_DTYPE_NONE) return lower;
  if (lower == BP_DTYPE_NONE || category(lower) <= category(higher)) return higher;
  if (is_complex(lower)) return is_floating(higher) ? complex_of(higher) : lower;
  return promote(higher, lower);
}

}  // namespace

const char* dtype_name(bp_dtype t) { return valid_dtype(t) ? kNames[t].text : "?"; }
const char* dtype_title(bp_dtype t) { return valid_dtype(t) ? kNames[t].title : "?"; }

FloatFormat float_format(bp_dtype t) { return *find_format(real_of(t)); }
double FloatFormat::epsilon() const { return std::ldexp(1, -fraction); }
double FloatFormat::smallest_normal() const { return std::ldexp(1, 1 - bias); }

void check_dtype(bp_dtype t, const char* what) {
  if (!valid_dtype(t))
    fail(BP_INVALID_ARGUMENT, "{}: {} is not a dtype (0 to {})", what, t, BP_DTYPE_COUNT - 1);
}

bp_dtype promote(bp_dtype a, bp_dtype b) {
  if (a == b) return a;
  const Category ca = category(a), cb = category(b);
  if (ca != cb) {
    const bp_dtype high = ca > cb ? a : b, low = ca > cb ? b : a;
    if (is_complex(high) && is_floating(low)) return low == BP_F64 ? BP_C128 : high;
    return high;
  }
  if (ca == Category::kInteger) return promote_integers(a, b);
  if (is_narrow(a) && is_narrow(b)) return BP_F32;
  return dtype_bytes(a) >= dtype_bytes(b) ? a : b;
}

void ResultType::add(bp_dtype t, bool is_number, bool has_dims) {
  bp_dtype& slot = is_number ? number : has_dims ? dimensioned : zero_dim;
  slot = slot == BP_DTYPE_NONE ? t : promote(slot, t);
}

bp_dtype ResultType::get() const { return combine(dimensioned, combine(zero_dim, number)); }

bool can_cast(bp_dtype from, bp_dtype to) {
  if (is_complex(from) && !is_complex(to)) return false;
  if (is_floating(from) && category(to) < Category::kFloating) return false;
  return to != BP_BOOL || from == BP_BOOL;
}

bool fits(bp_dtype t, const bp_value& v) {
  if (v.kind == BP_VALUE_C128) return is_complex(t);
  if (!is_integer(t)) return true;
  const double d = v.kind == BP_VALUE_F64 ? v.as.f64 : 0;
  if (v.kind == BP_VALUE_F64 && !(d >= -9223372036854775808.0 && d < 18446744073709551616.0))
    return false;
  const int64_t bits = dtype_bytes(t) * 8;
  if (is_unsigned(t)) {
    if (v.kind == BP_VALUE_F64)
      return d > -1 && (bits == 64 || d < static_cast<double>(uint64_t{1} << bits));
    return v.as.i64 >= 0 && (bits == 64 || v.as.i64 < int64_t{1} << bits);
  }
  const double edge =
      bits == 64 ? 9223372036854775808.0 : static_cast<double>(int64_t{1} << (bits - 1));
  if (v.kind == BP_VALUE_F64) return d > -edge - 1 && d < edge;
  return bits == 64 ||
         (v.as.i64 >= -(int64_t{1} << (bits - 1)) && v.as.i64 < int64_t{1} << (bits - 1));
}

bp_dtype default_dtype() noexcept { return g_default.load(std::memory_order_relaxed); }

void set_default_dtype(bp_dtype t) {
  if (!valid_dtype(t) || !is_floating(t))
    fail(BP_DTYPE_MISMATCH, "only floating-point types are supported as the default type, got {}",
         dtype_name(t));
  g_default.store(t, std::memory_order_relaxed);
}

bp_dtype default_complex_dtype() noexcept { return complex_of(default_dtype()); }

}  // namespace bp
