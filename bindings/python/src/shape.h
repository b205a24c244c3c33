// SPDX-License-Identifier: Apache-2.0
// shape.h: parameters that are integers, or lists of them such as a shape or dimensions. An integer
// alone is a list of one.
#pragma once
#include "error.h"

namespace bp_py {

struct Shape {
  int64_t sizes[BP_MAX_RANK];
  uint32_t count = 0;
  int32_t rank() const { return static_cast<int32_t>(count); }
};

// Refuses a bool, which is an int in Python and a mistake here.
inline bool parse_integer(PyObject* o, int64_t& out) {
  if (PyBool_Check(o)) {
    PyErr_SetString(PyExc_TypeError, "expected an int, not bool");
    return false;
  }
  nb::object v = nb::steal(PyNumber_Index(o));
  if (!v) return false;
  out = PyLong_AsLongLong(v.ptr());
  return out != -1 || !PyErr_Occurred();
}

// A parameter that is one integer, such as a dimension.
struct Integer {
  int64_t value = 0;
  operator int64_t() const { return value; }  // NOLINT: implicit by design
};

inline bool parse_shape(PyObject* o, Shape& out) {
  const bool single = PyIndex_Check(o) && !PySequence_Check(o);
  nb::object sequence =
      nb::steal(single ? PyTuple_Pack(1, o)
                       : PySequence_Fast(o, "expected an integer or a sequence of integers"));
  if (!sequence) return false;
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(sequence.ptr());
  if (n > BP_MAX_RANK) {
    PyErr_Format(PyExc_ValueError, "%zd dimensions, at most %d are possible", n, +BP_MAX_RANK);
    return false;
  }
  out.count = static_cast<uint32_t>(n);
  for (Py_ssize_t i = 0; i < n; ++i) {
    if (!parse_integer(PySequence_Fast_GET_ITEM(sequence.ptr(), i), out.sizes[i])) return false;
  }
  return true;
}

inline Shape shape_of(nb::handle o) {
  Shape s;
  if (!parse_shape(o.ptr(), s)) throw nb::python_error();
  return s;
}

}  // namespace bp_py

namespace nanobind::detail {
template <>
struct type_caster<bp_py::Integer> {
  NB_TYPE_CASTER(bp_py::Integer, const_name("int"))
  bool from_python(handle src, uint32_t, cleanup_list*) noexcept {
    if (bp_py::parse_integer(src.ptr(), value.value)) return true;
    PyErr_Clear();  // nanobind says which arguments it was called with
    return false;
  }
};
}  // namespace nanobind::detail
