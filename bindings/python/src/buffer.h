// buffer.h: a CPU tensor of whatever has Python's buffer protocol (a NumPy array, array.array,
// bytes, a memoryview).
#pragma once
#include "error.h"

namespace bp_py {

// kIfPossible: over the same memory when it may be written and lies in whole elements, else a copy.
enum class Sharing { kNever, kIfPossible, kAlways };

// Owned. Throws nb::python_error.
bp_tensor* tensor_of_buffer(PyObject* o, Sharing sharing);

}  // namespace bp_py
