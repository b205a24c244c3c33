// SPDX-License-Identifier: Apache-2.0
// dtype.h: what a dtype is and what two of them make: sizes, names, categories, limits, promotion
// (PyTorch's table, extended by the array API's for u16, u32, u64). All of it is made of
// c_types.h's BP_DTYPES. Pure.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "c_types.h"

namespace bp {

constexpr bool valid_dtype(bp_dtype t) { return t >= 0 && t < BP_DTYPE_COUNT; }

#define BP_BYTES(name, value, text, brief, title, bytes, kind) bytes,
#define BP_KIND(name, value, text, brief, title, bytes, kind) BP_DTYPE_KIND_##kind,
inline constexpr int8_t kDtypeBytes[] = {BP_DTYPES(BP_BYTES)};
inline constexpr int8_t kDtypeKinds[] = {BP_DTYPES(BP_KIND)};
#undef BP_BYTES
#undef BP_KIND

// For a dtype; nothing else may be asked for.
constexpr int64_t dtype_bytes(bp_dtype t) { return kDtypeBytes[t]; }
constexpr int32_t dtype_kind(bp_dtype t) { return kDtypeKinds[t]; }

// The order is that of promotion: a higher category wins.
enum class Category : int32_t {
  kBool = BP_DTYPE_KIND_BOOL,
  kInteger = BP_DTYPE_KIND_SIGNED,
  kFloating = BP_DTYPE_KIND_FLOAT,
  kComplex = BP_DTYPE_KIND_COMPLEX
};
constexpr Category category(bp_dtype t) {
  const int32_t kind = dtype_kind(t);
  return kind == BP_DTYPE_KIND_UNSIGNED ? Category::kInteger : static_cast<Category>(kind);
}
constexpr bool is_unsigned(bp_dtype t) { return dtype_kind(t) == BP_DTYPE_KIND_UNSIGNED; }
constexpr bool is_integer(bp_dtype t) { return category(t) == Category::kInteger; }
constexpr bool is_floating(bp_dtype t) { return dtype_kind(t) == BP_DTYPE_KIND_FLOAT; }
constexpr bool is_complex(bp_dtype t) { return dtype_kind(t) == BP_DTYPE_KIND_COMPLEX; }
// A float that is computed in f32, because its own precision is too small for intermediate results.
constexpr bool is_narrow(bp_dtype t) { return is_floating(t) && dtype_bytes(t) < 4; }

// A binary floating format (IEEE 754-2019, 3.4): bits of the significand after the point, what is
// added to an exponent where it is stored, and the largest finite number, above which the bits mean
// infinity or NaN.
struct FloatFormat {
  bp_dtype dtype;
  int fraction, bias;
  double largest;
  double epsilon() const;          // from 1 to the next number
  double smallest_normal() const;  // positive
};
FloatFormat float_format(bp_dtype t);  // of a floating dtype, or of a complex one's parts

const char* dtype_name(bp_dtype t);   // "float32", as printed after torch.; "?" of no dtype
const char* dtype_title(bp_dtype t);  // "Float", as PyTorch's messages have it; "?" of no dtype
void check_dtype(bp_dtype t, const char* what);

// Whether row i of a table with a field `dtype` is dtype i's, and no row is missing.
template <class Row, size_t kRows>
constexpr bool lists_every_dtype(const Row (&table)[kRows]) {
  for (size_t i = 0; i < kRows; ++i)
    if (table[i].dtype != static_cast<bp_dtype>(i)) return false;
  return kRows == BP_DTYPE_COUNT;
}

// At what multiples elements lie in memory, in bytes: those of a machine word at most. Kernels that
// only move elements see a complex64 as one word.
constexpr int64_t alignment_of(bp_dtype t) { return std::min<int64_t>(dtype_bytes(t), 8); }

// The complex dtype whose parts hold a real dtype's numbers: c128 for f64, else c64; a complex one
// is its own.
constexpr bp_dtype complex_of(bp_dtype t) { return t == BP_F64 || t == BP_C128 ? BP_C128 : BP_C64; }
constexpr bp_dtype real_of(bp_dtype t) { return t == BP_C64 ? BP_F32 : t == BP_C128 ? BP_F64 : t; }

bp_dtype promote(bp_dtype a, bp_dtype b);
// Promotion as by PyTorch's result_type, with operands in three classes of priority.
struct ResultType {
  bp_dtype dimensioned = BP_DTYPE_NONE, zero_dim = BP_DTYPE_NONE, number = BP_DTYPE_NONE;
  void add(bp_dtype t, bool is_number, bool has_dims);
  bp_dtype get() const;
};
// Whether a given output takes a result: no complex->real, float->integer, anything but bool->bool.
bool can_cast(bp_dtype from, bp_dtype to);

// Whether a tensor of that dtype can be filled with the number: an integer one not with what it
// cannot hold, a real one not with a complex number.
bool fits(bp_dtype t, const bp_value& v);

bp_dtype default_dtype() noexcept;
void set_default_dtype(bp_dtype t);
bp_dtype default_complex_dtype() noexcept;

}  // namespace bp
