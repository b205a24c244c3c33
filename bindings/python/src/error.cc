// SPDX-License-Identifier: Apache-2.0
#define PY_SSIZE_T_CLEAN
#include "error.h"

#include <algorithm>
#include <cstdarg>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

#include "callback.h"

namespace bp_py {
namespace {

struct Class {
  bp_status status;  // 0 in the base of all
  const char* name;
  PyObject** builtin;  // a second base, or NULL
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

// An exception of a callback on its way out, and the text that the library knows it by.
struct Waiting {
  nb::python_error exception;
  std::string text;
};
thread_local std::unique_ptr<Waiting> waiting;

// The latest exceptions of the library's own threads, few because nobody may ever ask for them. The
// interpreter's lock guards the list, which is never destroyed: it outlives the interpreter.
std::deque<std::unique_ptr<Waiting>>& of_other_threads() {
  static auto* all = new std::deque<std::unique_ptr<Waiting>>;
  return *all;
}
constexpr size_t kMostWaiting = 16;

bool tells_of(std::string_view text, const Waiting& w) {
  return text.find(w.text) != std::string_view::npos;
}

// Takes the exception that an error of this text stands for from where it waits, if there is one.
std::unique_ptr<Waiting> taken(std::string_view text) {
  if (std::unique_ptr<Waiting> mine = std::move(waiting); mine && tells_of(text, *mine))
    return mine;
  auto& others = of_other_threads();
  const auto found =
      std::find_if(others.begin(), others.end(), [&](const auto& w) { return tells_of(text, *w); });
  if (found == others.end()) return nullptr;
  auto w = std::move(*found);
  others.erase(found);
  return w;
}

}  // namespace

std::string utf8_of(PyObject* text) {
  // A surrogate without its pair has no UTF-8; it is written as Python's repr writes it.
  nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace"));
  if (!bytes) {
    PyErr_Clear();
    return "";
  }
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

bp_status keep_exception(nb::python_error& e, bool foreign, bp_error** err) {
  // The text is made one line, as the library's are.
  std::string text = Py_TYPE(e.value().ptr())->tp_name;
  nb::object shown = nb::steal(PyObject_Str(e.value().ptr()));
  if (shown)
    text += ": " + utf8_of(shown.ptr());
  else
    PyErr_Clear();
  std::replace(text.begin(), text.end(), '\n', ' ');
  std::unique_ptr<Waiting> kept(new Waiting{std::move(e), text});
  if (foreign) {
    auto& others = of_other_threads();
    if (others.size() == kMostWaiting) others.pop_front();
    others.push_back(std::move(kept));
  } else {
    waiting = std::move(kept);
  }
  return bp_error_set(err, BP_CALLBACK, text.c_str());
}

std::nullptr_t raise(bp_status status, bp_error* err) {
  uint64_t length = 0;
  const char* text = bp_error_message(err, &length);
  std::unique_ptr<Waiting> mine;
  if (status == BP_CALLBACK)
    mine = taken(std::string_view(text, length));
  else
    waiting.reset();
  if (mine) {
    bp_error_release(err);
    mine->exception.restore();
    return nullptr;
  }
  PyObject* type = class_of(status);
  PyObject* error = PyObject_CallFunction(type, "s#", text, static_cast<Py_ssize_t>(length));
  const bool in_module = bp_error_flags(err) & BP_ERROR_IN_MODULE;
  bp_error_release(err);
  if (!error) return nullptr;
  if (in_module) PyObject_SetAttrString(error, "in_module", Py_True);
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

void refuse_zero_byte(std::string_view text, const char* what) {
  if (text.find('\0') == std::string_view::npos) return;
  const auto n = static_cast<Py_ssize_t>(text.size());
  const nb::object shown = nb::steal(PyUnicode_DecodeUTF8(text.data(), n, "surrogateescape"));
  fail(PyExc_ValueError, "embedded null byte in %s: %R", what, shown.ptr());
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
