#define PY_SSIZE_T_CLEAN
#include "error.h"

#include <cstdarg>

namespace bp_py {
namespace {

struct Class {
  bp_status status;  // 0: the base of all
  const char* name;
  PyObject** builtin;  // a second base; NULL: none
  const char* doc;
  PyObject* type;
};

Class classes[] = {
    {BP_OK, "Error", nullptr, "Any failure that Backplane reports. code is its status.", nullptr},
    {BP_INVALID_ARGUMENT, "InvalidArgumentError", &PyExc_ValueError, "A value or a shape is wrong.",
     nullptr},
    {BP_NOT_FOUND, "NotFoundError", &PyExc_LookupError, "No op, attribute or option has that name.",
     nullptr},
    {BP_UNSUPPORTED, "UnsupportedError", &PyExc_NotImplementedError,
     "This backend or dtype cannot do it.", nullptr},
    {BP_OUT_OF_HOST_MEMORY, "OutOfHostMemoryError", &PyExc_MemoryError, "Host memory is exhausted.",
     nullptr},
    {BP_OUT_OF_DEVICE_MEMORY, "OutOfMemoryError", &PyExc_MemoryError,
     "A device's memory is exhausted.", nullptr},
    {BP_DEVICE_LOST, "DeviceLostError", nullptr, "A device failed.", nullptr},
    {BP_UNAVAILABLE, "UnavailableError", nullptr,
     "A backend or device is not there; the text says why.", nullptr},
    {BP_BAD_STATE, "BadStateError", nullptr, "The right call at the wrong time.", nullptr},
    {BP_DEVICE_MISMATCH, "DeviceMismatchError", nullptr, "Operands live on different devices.",
     nullptr},
    {BP_DTYPE_MISMATCH, "DTypeMismatchError", &PyExc_TypeError,
     "A dtype that the op does not take.", nullptr},
    {BP_INDEX_OUT_OF_RANGE, "IndexOutOfRangeError", &PyExc_IndexError,
     "An index or dimension beyond its bound.", nullptr},
};

PyObject* class_of(bp_status status) {
  for (const Class& c : classes)
    if (c.status == status) return c.type;
  return classes[0].type;
}

}  // namespace

std::nullptr_t raise(bp_status status, bp_error* err) {
  uint64_t length = 0;
  const char* text = bp_error_message(err, &length);
  PyObject* type = class_of(status);
  PyObject* error = PyObject_CallFunction(type, "s#", text, static_cast<Py_ssize_t>(length));
  bp_error_release(err);
  if (!error) return nullptr;
  PyObject* code = PyUnicode_FromString(bp_status_name(status));
  if (code && PyObject_SetAttrString(error, "code", code) == 0) PyErr_SetObject(type, error);
  Py_XDECREF(code);
  Py_DECREF(error);
  return nullptr;
}

void fail(PyObject* type, const char* format, ...) {
  va_list args;
  va_start(args, format);
  PyErr_FormatV(type, format, args);
  va_end(args);
  throw nb::python_error();
}

void bind_errors(nb::module_& m) {
  for (Class& c : classes) {
    nb::object bases = nb::borrow(c.status == BP_OK ? PyExc_RuntimeError : classes[0].type);
    if (c.builtin) bases = nb::make_tuple(bases, nb::borrow(*c.builtin));
    const std::string name = std::string("backplane.") + c.name;
    c.type = PyErr_NewExceptionWithDoc(name.c_str(), c.doc, bases.ptr(), nullptr);
    if (!c.type) throw nb::python_error();
    m.attr(c.name) = nb::borrow(c.type);
  }
}

}  // namespace bp_py
