// SPDX-License-Identifier: Apache-2.0
// array.h: a tensor as the oracles see it: a shape and values in long double, which holds every
// value of every real dtype exactly (64 bits of mantissa). Complex arrays have their imaginary
// parts in `im`.
//
//   Array a{BP_F32, {2, 2}, {1, 2, 3, 4}};
//   std::vector<char> bytes = encode(a);       // row-major memory of that dtype
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "c_api.h"

namespace conformance {

using Real = long double;
using Shape = std::vector<int64_t>;

struct Array {
  bp_dtype dtype = BP_F32;
  Shape shape;
  std::vector<Real> re;
  std::vector<Real> im{};

  size_t size() const { return re.size(); }
};

#define BP_BYTES(name, value, text, brief, title, bytes, kind) bytes,
#define BP_KIND(name, value, text, brief, title, bytes, kind) BP_DTYPE_KIND_##kind,
inline constexpr int kItemBytes[] = {BP_DTYPES(BP_BYTES)}, kKinds[] = {BP_DTYPES(BP_KIND)};
#undef BP_BYTES
#undef BP_KIND

constexpr int64_t item_bytes(bp_dtype t) { return kItemBytes[t]; }
constexpr bool is_bool(bp_dtype t) { return kKinds[t] == BP_DTYPE_KIND_BOOL; }
constexpr bool is_signed_integer(bp_dtype t) { return kKinds[t] == BP_DTYPE_KIND_SIGNED; }
constexpr bool is_integer(bp_dtype t) {
  return kKinds[t] == BP_DTYPE_KIND_UNSIGNED || is_signed_integer(t);
}
constexpr bool is_float(bp_dtype t) { return kKinds[t] == BP_DTYPE_KIND_FLOAT; }
constexpr bool is_complex(bp_dtype t) { return kKinds[t] == BP_DTYPE_KIND_COMPLEX; }
constexpr bool has_gradient(bp_dtype t) { return is_float(t) || is_complex(t); }
// A float that backends compute in f32.
constexpr bool is_narrow(bp_dtype t) { return is_float(t) && item_bytes(t) < 4; }
int integer_bits(bp_dtype t);
const char* name_of(bp_dtype t);
// The real dtype of a complex one's parts; the dtype itself otherwise.
bp_dtype part_of(bp_dtype t);

// A binary floating format: precision in bits, exponents of the smallest and largest normal
// numbers, and the largest number, above which the bits mean infinity or NaN.
struct Format {
  int precision, emin, emax;
  Real max;
};
Format format_of(bp_dtype t);
Real max_of(bp_dtype t);  // largest finite value of a float, largest integer
Real lowest_of(bp_dtype t);
Real smallest_normal(bp_dtype t);
Real smallest_subnormal(bp_dtype t);

// To nearest, ties to even, once.
Real round_to(Real v, bp_dtype float_type);
// The 64 bits of an integer value, and the value of the low bits of a word as `t` has them:
// arithmetic that wraps.
uint64_t to_bits(Real v);
Real from_bits(uint64_t bits, bp_dtype t);
// One element from one dtype to another, as `cast` documents it.
Real convert(Real v, bp_dtype from, bp_dtype to);
Array convert(const Array& a, bp_dtype to);

int64_t count_of(const Shape& shape);
std::string text_of(const Shape& shape);
std::string text_of(Real v);

std::vector<char> encode(const Array& a);
Array decode(const std::vector<char>& bytes, const Shape& shape, bp_dtype t);

// ---- shapes ----
Shape strides_of(const Shape& shape);  // row-major
Shape broadcast(const Shape& a, const Shape& b);
// The row-major position in an array of `shape`, repeated over `to`, of the flat position `at` in
// `to`.
size_t position_in(const Shape& shape, const Shape& to, size_t at);
Array expand(const Array& a, const Shape& to);
Array permute(const Array& a, const std::vector<size_t>& dims);
// `shape` seen as [outer, n, inner] around one axis; a 0-d shape is one row of one.
struct Rows {
  size_t outer, n, inner;
  size_t at(size_t o, size_t j, size_t i) const { return (o * n + j) * inner + i; }
};
Rows rows_of(const Shape& shape, int64_t axis);
size_t wrap_axis(int64_t axis, size_t rank);

}  // namespace conformance
