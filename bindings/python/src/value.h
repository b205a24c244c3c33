// SPDX-License-Identifier: Apache-2.0
// value.h: a Python operand as a bp_value: a tensor, or a number that joins promotion without
// becoming a tensor.
#pragma once
#include <utility>

#include "tensor_object.h"

namespace bp_py {

// A tensor handle that is released at the end.
struct Held {
  bp_tensor* handle = nullptr;
  Held() = default;
  explicit Held(bp_tensor* owned) : handle(owned) {}
  Held(Held&& other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  ~Held() {
    if (handle) bp_tensor_release(handle);
  }
  void replace(bp_tensor* next) {
    bp_tensor_release(handle);
    handle = next;
  }
};

enum class Took { kYes, kNo, kError };  // kError: an exception is set

// NumPy's bool has no __float__, and from NumPy 2.3 on no __index__.
bool is_numpy_bool(PyObject* o);

// Takes any number outside the fast types: complex ones, NumPy's scalars and whatever else has
// __index__, __complex__ or __float__ but is no container.
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

// Converts an o whose conversion failed because no int64_t holds it. Beside a tensor of uint64 it
// becomes a tensor without dimensions, which `kept` holds, and beside one of floats or complex
// numbers the nearest double. Otherwise returns false, and the exception stays.
bool beyond_int64(PyObject* o, const bp_tensor* beside, bp_value& out, Held& kept);

// Whether o's class has __dlpack__. It makes no exception, which a lookup in o would.
bool has_dlpack(PyObject* o);

// Takes NumPy's arrays, and whatever else has __dlpack__: `kept` holds the tensor over their
// memory.
Took foreign_array(PyObject* o, bp_value& out, Held& kept);

// As to_value, and takes other libraries' arrays too.
Took to_operand(PyObject* o, bp_value& out, Held& kept);

// Takes a list or tuple of numbers for a tensor on the device of `beside`, which `kept` holds.
Took sequence_beside(PyObject* o, bp_tensor* beside, bp_value& out, Held& kept);

// Returns a parameter that must be a number, or throws.
bp_value number_of(nb::handle o);

}  // namespace bp_py
