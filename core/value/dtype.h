// SPDX-License-Identifier: Apache-2.0
// dtype.h: what a dtype is and what two of them make: sizes, names, categories, promotion
// (PyTorch's table, extended by the array API's for u16, u32, u64). Pure.
#pragma once
#include <cstdint>
#include <string_view>

#include "c_types.h"

namespace bp {

enum class Category : int { kBool, kInteger, kFloating, kComplex };

constexpr bool valid_dtype(bp_dtype t) { return t >= 0 && t < BP_DTYPE_COUNT; }
inline constexpr int8_t kDtypeBytes[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 2, 4, 8, 8, 16};
constexpr int64_t dtype_bytes(bp_dtype t) { return kDtypeBytes[t]; }
constexpr Category category(bp_dtype t) {
  return t == BP_BOOL  ? Category::kBool
         : t <= BP_I64 ? Category::kInteger
         : t <= BP_F64 ? Category::kFloating
                       : Category::kComplex;
}
constexpr bool is_integer(bp_dtype t) { return category(t) == Category::kInteger; }
constexpr bool is_floating(bp_dtype t) { return category(t) == Category::kFloating; }
constexpr bool is_complex(bp_dtype t) { return category(t) == Category::kComplex; }
constexpr bool is_unsigned(bp_dtype t) {
  return t == BP_U8 || t == BP_U16 || t == BP_U32 || t == BP_U64;
}

double largest(bp_dtype t);                // of a floating dtype
double epsilon(bp_dtype t);                // from 1 to the next number of it
const char* dtype_name(bp_dtype t);        // "float32", as printed after torch.
const char* dtype_short_name(bp_dtype t);  // "f32"
const char* dtype_title(bp_dtype t);       // "Float", as PyTorch's messages have it
void check_dtype(bp_dtype t, const char* what);

bp_dtype complex_of(bp_dtype real);  // the complex dtype that holds it: c128 for f64, else c64
constexpr bp_dtype real_of(bp_dtype t) { return t == BP_C64 ? BP_F32 : t == BP_C128 ? BP_F64 : t; }

bp_dtype promote(bp_dtype a, bp_dtype b);
// Promotion within a category class: see PyTorch's result_type; operands in three classes of
// priority.
struct ResultType {
  bp_dtype dimensioned = BP_DTYPE_NONE, zero_dim = BP_DTYPE_NONE, number = BP_DTYPE_NONE;
  void add(bp_dtype t, bool is_number, bool has_dims);
  bp_dtype get() const;
};
// Casting a result into a given output: no complex->real, float->integer, anything but bool->bool.
bool can_cast(bp_dtype from, bp_dtype to);

bp_dtype default_dtype() noexcept;
void set_default_dtype(bp_dtype t);
bp_dtype default_complex_dtype() noexcept;

}  // namespace bp
