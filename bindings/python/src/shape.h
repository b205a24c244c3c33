// SPDX-License-Identifier: Apache-2.0
// shape.h: a parameter that is a list of integers, such as a shape or dimensions. An integer alone
// is a list of one.
#pragma once
#include "error.h"

namespace bp_py {

struct Shape {
  int64_t sizes[BP_MAX_RANK];
  uint32_t count = 0;
  int32_t rank() const { return static_cast<int32_t>(count); }
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
    nb::object v = nb::steal(PyNumber_Index(PySequence_Fast_GET_ITEM(sequence.ptr(), i)));
    if (!v) return false;
    out.sizes[i] = PyLong_AsLongLong(v.ptr());
    if (out.sizes[i] == -1 && PyErr_Occurred()) return false;
  }
  return true;
}

inline Shape shape_of(nb::handle o) {
  Shape s;
  if (!parse_shape(o.ptr(), s)) throw nb::python_error();
  return s;
}

}  // namespace bp_py
