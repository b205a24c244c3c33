// SPDX-License-Identifier: Apache-2.0
// buffer.h: a CPU tensor of whatever has Python's buffer protocol (a NumPy array, array.array,
// bytes, a memoryview).
#pragma once
#include "error.h"

namespace bp_py {

// With kIfPossible the tensor shares the memory if that may be written and lies in whole elements;
// else it is a copy.
enum class Sharing { kNever, kIfPossible, kAlways };

// Returns an owned tensor, or throws nb::python_error. With a dtype `as`, elements of the same size
// are taken for that dtype's, in any layout, and bytes in a row for as many elements as they are.
// An array of ml_dtypes' bfloat16, which has no buffer, is taken by its bits.
bp_tensor* tensor_of_buffer(PyObject* o, Sharing sharing, bp_dtype as = BP_DTYPE_NONE);
// Returns an owned tensor of unsigned integers over the memory of t, which is on the CPU and whose
// elements have 1, 2, 4 or 8 bytes: its bits, for whoever has no name for the dtype.
bp_tensor* bits_of(bp_tensor* t);

}  // namespace bp_py
