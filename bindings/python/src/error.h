// SPDX-License-Identifier: Apache-2.0
// error.h: a bp_error becomes a Python exception. Every class derives from backplane.Error, which
// is a RuntimeError (what PyTorch raises), and from the built-in that Python people expect: an
// index out of range is an IndexError too.
//
//   call([&](bp_error** err) { return bp_synchronize(d, err); });      // throws nb::python_error
//   if (status < 0) return raise(status, err);   // in a slot: NULL, with the exception set
#pragma once
#include <nanobind/nanobind.h>

#include <string>
#include <string_view>
#include <utility>

#include "c_api.h"
#include "interpreter.h"

namespace bp_py {

namespace nb = nanobind;

// Sets the Python exception of a failed call and releases err.
std::nullptr_t raise(bp_status status, bp_error* err);

inline void check(bp_status status, bp_error* err) {
  if (status >= 0) return;
  raise(status, err);
  throw nb::python_error();
}

template <class F>
bp_status call(F&& f) {
  bp_error* err = nullptr;
  const bp_status status = f(&err);
  check(status, err);
  return status;
}

// Calls f while other Python threads run, where it may wait for a device or for a lot of memory.
template <class F>
bp_status call(bool unlocked, F&& f) {
  bp_error* err = nullptr;
  bp_status status;
  {
    const Unlocked others_run(unlocked);
    status = f(&err);
  }
  check(status, err);
  return status;
}
template <class F>
bp_status call_unlocked(F&& f) {
  return call(true, std::forward<F>(f));
}

// Calls f, which takes from tensors or modules what other threads may be using in the library, when
// these have come out. No other thread of Python's runs meanwhile.
template <class F>
bp_status call_alone(F&& f) {
  if (!await_others()) throw nb::python_error();
  return call(std::forward<F>(f));
}

[[noreturn, gnu::cold]] void fail(PyObject* type, const char* format, ...);

// Throws a ValueError for a text with a zero byte, where C would see its end. `what` names the
// text.
void refuse_zero_byte(std::string_view text, const char* what);
inline const char* c_text(const std::string& text, const char* what) {
  refuse_zero_byte(text, what);
  return text.c_str();
}

void bind_errors(nb::module_& m);

}  // namespace bp_py
