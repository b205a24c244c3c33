// SPDX-License-Identifier: Apache-2.0
// profile.h: ops in Python's profilers. cProfile and sys.setprofile hear of calls from the
// interpreter, which knows functions in C and not this package's ops and operators; so these tell
// the profiler themselves, as a call of a function of C named backplane.ops.<op>.
//
//   const Profiled told(op);              // in cProfile's table: {backplane.ops.add}
//   return told.ended(bp_invoke(...));
//
// This is for Python 3.11. Later ones have no such entry for functions outside of the interpreter.
#pragma once
#include "error.h"

namespace bp_py {

#if PY_VERSION_HEX >= 0x030B0000 && PY_VERSION_HEX < 0x030C0000

// Tells the thread's profiler of the beginning or the end of an op.
[[gnu::cold]] void tell_profiler(uint32_t op, int event);

class Profiled {
 public:
  // Whether this thread has a profiler.
  static bool is_on() { return _PyThreadState_UncheckedGet()->c_profilefunc != nullptr; }
  explicit Profiled(uint32_t op) : op_(op), on_(is_on()) {
    if (on_) [[unlikely]]
      tell_profiler(op_, PyTrace_C_CALL);
  }
  bp_status ended(bp_status status) const {
    if (on_) [[unlikely]]
      tell_profiler(op_, status < 0 ? PyTrace_C_EXCEPTION : PyTrace_C_RETURN);
    return status;
  }

 private:
  uint32_t op_;
  bool on_;
};

#else

class Profiled {
 public:
  static bool is_on() { return false; }
  explicit Profiled(uint32_t) {}
  bp_status ended(bp_status status) const { return status; }
};

#endif

}  // namespace bp_py
