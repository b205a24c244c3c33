// SPDX-License-Identifier: Apache-2.0
#include "core/value/dtype.h"

#include <atomic>
#include <limits>

#include "core/base/error.h"

namespace bp {
namespace {

struct Names {
  const char *full, *brief, *title;
};
// clang-format off
constexpr Names kNames[BP_DTYPE_COUNT] = {
    {"bool", "bool", "Bool"},         {"uint8", "u8", "Byte"},       {"int8", "i8", "Char"},
    {"uint16", "u16", "UInt16"},      {"int16", "i16", "Short"},     {"uint32", "u32", "UInt32"},
    {"int32", "i32", "Int"},          {"uint64", "u64", "UInt64"},   {"int64", "i64", "Long"},
    {"float16", "f16", "Half"},       {"bfloat16", "bf16", "BFloat16"}, {"float32", "f32", "Float"},
    {"float64", "f64", "Double"},     {"complex64", "c64", "ComplexFloat"},
    {"complex128", "c128", "ComplexDouble"}};
// clang-format on

std::atomic<bp_dtype> g_default{BP_F32};

bp_dtype signed_of(int64_t bytes) {
  return bytes == 1 ? BP_I8 : bytes == 2 ? BP_I16 : bytes == 4 ? BP_I32 : BP_I64;
}

// Two integers: the narrowest that holds both; u64 has no signed partner (array API, "mixed
// integers").
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

const char* dtype_name(bp_dtype t) { return valid_dtype(t) ? kNames[t].full : "?"; }
const char* dtype_short_name(bp_dtype t) { return valid_dtype(t) ? kNames[t].brief : "?"; }
const char* dtype_title(bp_dtype t) { return valid_dtype(t) ? kNames[t].title : "?"; }

double epsilon(bp_dtype t) {
  switch (t) {
    case BP_F16: return 0x1p-10;
    case BP_BF16: return 0x1p-7;
    case BP_F32: return 0x1p-23;
    default: return 0x1p-52;
  }
}

double largest(bp_dtype t) {
  switch (t) {
    case BP_F16: return 65504;
    case BP_BF16: return 0x1.fep127;
    case BP_F32: return static_cast<double>(std::numeric_limits<float>::max());
    default: return std::numeric_limits<double>::max();
  }
}

bp_dtype complex_of(bp_dtype real) { return real == BP_F64 ? BP_C128 : BP_C64; }

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
  if (ca == Category::kFloating && dtype_bytes(a) == 2 && dtype_bytes(b) == 2) return BP_F32;
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

bp_dtype default_dtype() noexcept { return g_default.load(std::memory_order_relaxed); }

void set_default_dtype(bp_dtype t) {
  if (!valid_dtype(t) || !is_floating(t))
    fail(BP_DTYPE_MISMATCH, "only floating-point types are supported as the default type, got {}",
         dtype_name(t));
  g_default.store(t, std::memory_order_relaxed);
}

bp_dtype default_complex_dtype() noexcept { return complex_of(default_dtype()); }

}  // namespace bp
