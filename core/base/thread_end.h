// SPDX-License-Identifier: Apache-2.0
// thread_end.h: what a thread has of its own is given back when the thread ends. The thread of
// main() ends with the process, and is not asked. A thread_local variable with a destructor would
// do the same, but the C library aborts the process when it has no memory to note one.
//
//   constinit thread_local int* mine = nullptr;
//   static const ThreadEnd at_end([](void* p) { delete static_cast<int*>(p); });
//   auto made = std::make_unique<int>(1);
//   if (!at_end.note(made.get())) throw std::bad_alloc();
//   mine = made.release();
#pragma once
#include <pthread.h>

namespace bp {

// It lives as long as the process. `end` is called with what the thread noted last.
class ThreadEnd {
 public:
  explicit ThreadEnd(void (*end)(void*)) noexcept : made_(::pthread_key_create(&key_, end) == 0) {}
  ThreadEnd(const ThreadEnd&) = delete;
  ThreadEnd& operator=(const ThreadEnd&) = delete;

  // Returns false when memory is exhausted: nothing is called then.
  bool note(void* of_thread) const noexcept {
    return made_ && ::pthread_setspecific(key_, of_thread) == 0;
  }

 private:
  pthread_key_t key_{};
  bool made_;
};

}  // namespace bp
