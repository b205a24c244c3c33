// value.h: a Python operand as a bp_value: a tensor, or a number that joins promotion without
// becoming a tensor.
#pragma once
#include "tensor_object.h"

namespace bp_py {

enum class Took { kYes, kNo, kError };  // kError: an exception is set

// Any number outside the fast types: complex ones, NumPy's scalars and whatever else has __index__,
// __complex__ or __float__ but is no container.
Took foreign_number(PyObject* o, bp_value& out);

// The tensor is borrowed. bool, int, float and complex are numbers.
inline Took to_value(PyObject* o, bp_value& out) {
  out = {};
  if (is_tensor(o)) {
    out.kind = BP_VALUE_TENSOR;
    out.as.tensor = handle_of(o);
    return Took::kYes;
  }
  if (PyFloat_CheckExact(o)) {
    out.kind = BP_VALUE_F64;
    out.as.f64 = PyFloat_AS_DOUBLE(o);
    return Took::kYes;
  }
  return foreign_number(o, out);
}

// The same for a parameter that must be a number.
bp_value number_of(nb::handle o);

}  // namespace bp_py
