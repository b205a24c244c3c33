// SPDX-License-Identifier: Apache-2.0
#include "value.h"

#include <cstring>

#include "buffer.h"
#include "nested.h"

namespace bp_py {

bool is_numpy_bool(PyObject* o) { return std::strncmp(Py_TYPE(o)->tp_name, "numpy.bool", 10) == 0; }

namespace {

Took take_int(PyObject* o, bp_value& out) {
  int overflow = 0;
  out.kind = BP_VALUE_I64;
  out.as.i64 = PyLong_AsLongLongAndOverflow(o, &overflow);
  if (overflow) PyErr_Format(PyExc_OverflowError, "%R does not fit a 64-bit integer", o);
  return PyErr_Occurred() ? Took::kError : Took::kYes;
}

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
  if (has_dlpack(o)) return Took::kNo;  // an array, of whatever rank
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

bool has_dlpack(PyObject* o) {
  static PyObject* const name = PyUnicode_InternFromString("__dlpack__");
  return _PyType_Lookup(Py_TYPE(o), name) != nullptr;
}

Took to_operand(PyObject* o, bp_value& out, Held& kept) {
  const Took took = to_value(o, out);
  return took == Took::kNo ? foreign_array(o, out, kept) : took;
}

Took foreign_array(PyObject* o, bp_value& out, Held& kept) {
  const bool numpys = std::strcmp(Py_TYPE(o)->tp_name, "numpy.ndarray") == 0;
  if (!numpys && !has_dlpack(o)) return Took::kNo;
  try {
    if (numpys)
      kept.handle = tensor_of_buffer(o, Sharing::kIfPossible);
    else
      kept.handle = bp_tensor_retain(handle_of(
          nb::module_::import_("backplane.standard").attr("from_dlpack")(nb::borrow(o)).ptr()));
  } catch (nb::python_error& e) {
    e.restore();
    return Took::kError;
  }
  out.kind = BP_VALUE_TENSOR;
  out.as.tensor = kept.handle;
  return Took::kYes;
}

Took sequence_beside(PyObject* o, bp_tensor* beside, bp_value& out, Held& kept) {
  if (!PyList_Check(o) && !PyTuple_Check(o)) return Took::kNo;
  try {
    kept.handle = tensor_of_nested(o, BP_DTYPE_NONE);
    // Floats take the tensor's own precision, as a single one does.
    const bp_dtype own = bp_tensor_dtype(beside);
    if (bp_dtype_kind(bp_tensor_dtype(kept.handle)) == BP_DTYPE_KIND_FLOAT &&
        bp_dtype_kind(own) == BP_DTYPE_KIND_FLOAT)
      kept.replace(tensor_of_nested(o, own));
    bp_tensor* there = nullptr;
    call_unlocked([&](bp_error** err) {
      return bp_tensor_to(kept.handle, bp_tensor_device(beside), BP_DTYPE_NONE, 0, 0, &there, err);
    });
    kept.replace(there);
  } catch (nb::python_error& e) {
    e.restore();
    return Took::kError;
  }
  out.kind = BP_VALUE_TENSOR;
  out.as.tensor = kept.handle;
  return Took::kYes;
}

bool beyond_int64(PyObject* o, const bp_tensor* beside, bp_value& out, Held& kept) {
  if (!beside || !PyErr_ExceptionMatches(PyExc_OverflowError) || !PyIndex_Check(o)) return false;
  const bp_dtype dtype = bp_tensor_dtype(beside);
  if (bp_dtype_kind(dtype) < BP_DTYPE_KIND_FLOAT && dtype != BP_U64) return false;
  const nb::python_error refused;  // takes the exception
  const nb::object i = nb::steal(PyNumber_Index(o));
  if (!i) return false;
  out = {};
  if (dtype != BP_U64) {
    out.kind = BP_VALUE_F64;
    out.as.f64 = PyLong_AsDouble(i.ptr());
    return !PyErr_Occurred();
  }
  const unsigned long long v = PyLong_AsUnsignedLongLong(i.ptr());
  if (PyErr_Occurred()) {
    PyErr_Format(PyExc_OverflowError, "%R does not fit uint64", o);
    return false;
  }
  bp_error* err = nullptr;
  bp_status status =
      bp_tensor_empty(0, nullptr, BP_U64, bp_device_make(BP_KIND_CPU, -1), &kept.handle, &err);
  if (status >= 0) status = bp_tensor_write(kept.handle, &v, sizeof v, &err);
  if (status < 0) raise(status, err);
  out.kind = BP_VALUE_TENSOR;
  out.as.tensor = kept.handle;
  return status >= 0;
}

bp_value number_of(nb::handle o) {
  bp_value v;
  Held made;
  const Took took = to_operand(o.ptr(), v, made);
  if (took == Took::kError) throw nb::python_error();
  if (took == Took::kYes && v.kind == BP_VALUE_TENSOR) {
    bp_tensor* t = v.as.tensor;
    call_unlocked([&](bp_error** err) { return bp_tensor_item(t, &v, err); });
  }
  if (took == Took::kNo) fail(PyExc_TypeError, "expected a number, got %R", o.ptr());
  return v;
}

}  // namespace bp_py
