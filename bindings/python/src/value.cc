#include "value.h"

#include <cstring>

namespace bp_py {
namespace {

Took take_int(PyObject* o, bp_value& out) {
  int overflow = 0;
  out.kind = BP_VALUE_I64;
  out.as.i64 = PyLong_AsLongLongAndOverflow(o, &overflow);
  if (overflow) PyErr_Format(PyExc_OverflowError, "%R does not fit a 64-bit integer", o);
  return PyErr_Occurred() ? Took::kError : Took::kYes;
}

// bool of NumPy has neither __index__ nor __float__.
bool is_numpy_bool(PyObject* o) { return std::strncmp(Py_TYPE(o)->tp_name, "numpy.bool", 10) == 0; }

// NumPy's real scalars have __complex__ too.
bool is_numpy_complex(PyObject* o) {
  return std::strncmp(Py_TYPE(o)->tp_name, "numpy.complex", 13) == 0 ||
         std::strncmp(Py_TYPE(o)->tp_name, "numpy.clongdouble", 17) == 0;
}

Took take_complex(PyObject* o, bp_value& out) {
  const Py_complex z = PyComplex_AsCComplex(o);
  if (PyErr_Occurred()) return Took::kError;
  out.kind = BP_VALUE_C128;
  out.as.c128[0] = z.real;
  out.as.c128[1] = z.imag;
  return Took::kYes;
}

}  // namespace

Took foreign_number(PyObject* o, bp_value& out) {
  if (PyBool_Check(o) || is_numpy_bool(o)) {
    out.kind = BP_VALUE_BOOL;
    out.as.i64 = PyObject_IsTrue(o);
    return Took::kYes;
  }
  if (PyLong_Check(o)) return take_int(o, out);
  if (PyComplex_Check(o)) return take_complex(o, out);
  const PyNumberMethods* number = Py_TYPE(o)->tp_as_number;
  if (!number || PySequence_Check(o)) return Took::kNo;
  if (number->nb_index) {
    PyObject* i = PyNumber_Index(o);
    if (!i) return Took::kError;
    const Took took = take_int(i, out);
    Py_DECREF(i);
    return took;
  }
  if (is_numpy_complex(o)) return take_complex(o, out);
  if (!number->nb_float) return Took::kNo;
  out.kind = BP_VALUE_F64;
  out.as.f64 = PyFloat_AsDouble(o);
  return PyErr_Occurred() ? Took::kError : Took::kYes;
}

bp_value number_of(nb::handle o) {
  bp_value v;
  const Took took = to_value(o.ptr(), v);
  if (took == Took::kError) throw nb::python_error();
  if (took == Took::kYes && v.kind == BP_VALUE_TENSOR) {
    bp_tensor* t = v.as.tensor;
    call_unlocked([&](bp_error** err) { return bp_tensor_item(t, &v, err); });
  }
  if (took == Took::kNo) fail(PyExc_TypeError, "expected a number, got %R", o.ptr());
  return v;
}

}  // namespace bp_py
