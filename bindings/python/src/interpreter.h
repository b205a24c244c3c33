// SPDX-License-Identifier: Apache-2.0
// interpreter.h: letting other Python threads run, and coming back. Python ends a thread that comes
// back while the interpreter is shutting down (a daemon thread) by unwinding its stack, which C++
// answers with terminate(): here such a thread sleeps until the process is gone, as Python 3.14 has
// it.
//
//   { const Unlocked others_run; bp_synchronize(d, &err); }
//   const Locked python;  if (!python) return;      // on any thread; false: Python is ending
#pragma once
#include <Python.h>
#include <unistd.h>

#include <atomic>

namespace bp_py {

// How many threads are in the library without the interpreter's lock, where they may change tensors
// and what made them. The garbage collector looks at these only while there are none.
inline std::atomic<int> n_unlocked{0};

inline bool is_ending() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

class Unlocked {
 public:
  Unlocked() {
    n_unlocked.fetch_add(1);
    state_ = PyEval_SaveThread();
  }
  ~Unlocked() {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {  // the unwinding must not go on through the callers
      for (;;) pause();
    }
    n_unlocked.fetch_sub(1);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_;
};

// Locks the interpreter for callbacks on threads that may be the library's own. These must not
// sleep for ever, so where Python is ending it is false.
class Locked {
 public:
  Locked() : held_(Py_IsInitialized() && !is_ending()), foreign_(!PyGILState_GetThisThreadState()) {
    if (held_) state_ = PyGILState_Ensure();
  }
  ~Locked() {
    if (held_) PyGILState_Release(state_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  explicit operator bool() const { return held_; }
  bool is_foreign() const { return foreign_; }  // true on a thread that Python has not seen before

 private:
  bool held_, foreign_;
  PyGILState_STATE state_{};
};

}  // namespace bp_py
