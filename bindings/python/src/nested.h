// nested.h: a tensor of Python numbers in nested sequences, and the way back.
#pragma once
#include "tensor_object.h"

namespace bp_py {

// On the CPU; owned. dtype BP_DTYPE_NONE: bool, int64, the default dtype or its complex one, by
// what is in it.
bp_tensor* tensor_of_nested(PyObject* o, bp_dtype dtype);
// Lists of lists of numbers; a number for a 0-d tensor.
nb::object nested_of_tensor(bp_tensor* t);

}  // namespace bp_py
