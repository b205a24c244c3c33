// SPDX-License-Identifier: Apache-2.0
// interpreter.h: letting other Python threads run, and coming back. Python ends a thread that comes
// back while the interpreter is shutting down (a daemon thread) by unwinding its stack, which C++
// answers with terminate(): here such a thread sleeps until the process is gone, as Python 3.14 has
// it.
//
//   { const Unlocked others_run; bp_synchronize(d, &err); }
//   { const Unlocked others_run(may_block(t)); bp_tensor_clone(t, &out, &err); }   // or only if so
//   const Locked python;  if (!python) return;      // on any thread; false: Python is ending
//   if (await_others()) bp_tensor_set_data(t, from, &err);   // no other thread reads t meanwhile
#pragma once
#include <Python.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace bp_py {

// How many threads are in the library without the interpreter's lock, where they may change tensors
// and what made them (kInside), and how many of these work with tensors just now: not those that
// a function of Python's called back (kWorking). One number, so that a call writes it once.
inline std::atomic<uint64_t> others{0};
inline constexpr uint64_t kInside = 1, kWorking = uint64_t{1} << 32;
// Whether this thread is among those that work.
[[gnu::tls_model("initial-exec")]] inline thread_local bool is_working = false;

// The garbage collector looks at tensors only while no thread is inside.
inline bool is_any_inside() { return static_cast<uint32_t>(others.load()) != 0; }

inline bool is_ending() {
#if PY_VERSION_HEX >= 0x030d0000
  return Py_IsFinalizing();
#else
  return _Py_IsFinalizing();
#endif
}

class Unlocked {
 public:
  explicit Unlocked(bool wanted = true) {
    if (!wanted) return;
    others.fetch_add(kInside + kWorking);  // with the lock, so that its next holder sees it
    is_working = true;
    state_ = PyEval_SaveThread();
  }
  ~Unlocked() {
    if (!state_) return;
    is_working = false;
    others.fetch_sub(kInside + kWorking);  // before the lock, for which await_others() keeps it
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {  // the unwinding must not go on through the callers
      for (;;) pause();
    }
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  PyThreadState* state_ = nullptr;
};

// What the interpreter is locked for: to give memory back, or to call a function of Python's. That
// may move any tensor, so that the thread does not count as working until the function returns.
enum class For : bool { kFreeing, kCalling };

// Locks the interpreter for callbacks on threads that may be the library's own. These must not
// sleep for ever, so where Python is ending it is false.
class Locked {
 public:
  explicit Locked(For what = For::kFreeing)
      : held_(Py_IsInitialized() && !is_ending()),
        foreign_(!PyGILState_GetThisThreadState()),
        rests_(held_ && what == For::kCalling && is_working) {
    if (rests_) {
      is_working = false;
      others.fetch_sub(kWorking);
    }
    if (held_) state_ = PyGILState_Ensure();
  }
  ~Locked() {
    if (rests_) {
      others.fetch_add(kWorking);  // with the lock, as in Unlocked
      is_working = true;
    }
    if (held_) PyGILState_Release(state_);
  }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;
  explicit operator bool() const { return held_; }
  bool is_foreign() const { return foreign_; }  // true on a thread that Python has not seen before

 private:
  bool held_, foreign_, rests_;
  PyGILState_STATE state_{};
};

// Waits until no other thread works with tensors in the library. As long as the caller keeps the
// interpreter's lock none begins, so that it may give tensors other memory. A thread that frees
// memory may itself want the lock before it can go on: it gets it between two rounds, each of which
// is twice as long as the one before. Returns false, with the exception set, when a signal's
// handler raised one.
inline bool await_others() {
  const uint64_t own = is_working ? 1 : 0;
  const auto are_working = [own] { return others.load() / kWorking > own; };
  for (std::chrono::microseconds round{100}; are_working(); round *= 2) {
    const auto end = std::chrono::steady_clock::now() + round;
    while (are_working() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    if (!are_working()) break;
    if (PyErr_CheckSignals() != 0) return false;
    Py_BEGIN_ALLOW_THREADS;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    Py_END_ALLOW_THREADS;
  }
  return true;
}

}  // namespace bp_py
