// SPDX-License-Identifier: Apache-2.0
// buffer.h: a CPU tensor of whatever has Python's buffer protocol (a NumPy array, array.array,
// bytes, a memoryview).
#pragma once
#include "error.h"

namespace bp_py {

// With kIfPossible the tensor shares the memory if that may be written and lies in whole elements;
// else it is a copy.
enum class Sharing { kNever, kIfPossible, kAlways };

// Returns an owned tensor, or throws nb::python_error.
bp_tensor* tensor_of_buffer(PyObject* o, Sharing sharing);

}  // namespace bp_py
