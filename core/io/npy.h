// SPDX-License-Identifier: Apache-2.0
// npy.h: the head of an array in NumPy's format: dtype, order, shape. The functions are pure.
// Source: numpy.org, "NEP 1: a simple file format for NumPy arrays", and numpy.lib.format.
#pragma once
#include <string>
#include <string_view>

#include "c_types.h"
#include "core/value/shape.h"

namespace bp {

struct NpyHead {
  bp_dtype dtype = BP_DTYPE_NONE;
  bool fortran_order = false;
  Dims shape;
};

// A file begins with 8 bytes, magic and version, and then a length of 2 or 4 bytes.
struct NpyPrefix {
  static constexpr size_t kBytes = 8;
  size_t length_bytes;
};
NpyPrefix parse_npy_prefix(std::string_view first8);
// Parses what follows the length. Throws BP_INVALID_ARGUMENT, or BP_UNSUPPORTED for arrays that are
// not among ours: objects, records, text, times, long doubles, big-endian numbers.
NpyHead parse_npy_head(std::string_view text);

// Returns all that comes before the data, a multiple of 64 bytes. Throws for bf16, for which NumPy
// has no name.
std::string print_npy_head(const NpyHead& head);

}  // namespace bp
