// SPDX-License-Identifier: Apache-2.0
// callback.h: Python functions that the library calls. An exception that one raises waits until the
// call that led to it comes back with an error: then it is raised itself, not its text. One that is
// raised on a thread of the library's waits for whichever thread is told of it.
//
//   nb::object f; bp_tensor_register_hook(t, &hook, new Callback(f), &Callback::destroy, &id, err);
//   bp_status hook(void* user, ...) { return run_python(err, [&] { ... Callback::of(user)(...) ... }); }
#pragma once
#include "error.h"

namespace bp_py {

// Keeps the exception in flight for raise(), and returns its text as the library's error. If
// foreign is true, raise() finds the exception on any thread.
bp_status keep_exception(nb::python_error& e, bool foreign, bp_error** err);

// Calls f() with the interpreter locked.
template <class F>
bp_status run_python(bp_error** err, F&& f) {
  const Locked python(For::kCalling);
  if (!python) return bp_error_set(err, BP_CALLBACK, "Python is ending");
  try {
    f();
    return BP_OK;
  } catch (nb::python_error& e) {
    return keep_exception(e, python.is_foreign(), err);
  } catch (const std::exception& e) {
    return bp_error_set(err, BP_CALLBACK, e.what());
  }
}

// A Python object that the library keeps.
struct Kept {
  nb::object object;
  static nb::handle of(void* user) { return static_cast<Kept*>(user)->object; }
  static void destroy(void* user) {
    const Locked python;
    if (python) delete static_cast<Kept*>(user);  // or it stays until the process ends
  }
};

}  // namespace bp_py
