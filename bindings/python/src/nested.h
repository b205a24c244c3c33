// SPDX-License-Identifier: Apache-2.0
// nested.h: a tensor of Python numbers in nested sequences, and the way back.
#pragma once
#include "tensor_object.h"

namespace bp_py {

// Returns an owned tensor on the CPU. For BP_DTYPE_NONE its dtype is bool, int64, the default dtype
// or the complex one to that, by the numbers that are in o.
bp_tensor* tensor_of_nested(PyObject* o, bp_dtype dtype);
// Returns lists of lists of numbers, or a number for a 0-d tensor.
nb::object nested_of_tensor(bp_tensor* t);

}  // namespace bp_py
