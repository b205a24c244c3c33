// SPDX-License-Identifier: Apache-2.0
// quiet_thread.h: a thread of the library's that takes no signals which are for the program. Those
// that a thread's own fault raises stay as they are.
//
//   const WithoutSignals here;
//   std::thread([] {}).detach();   // begins with the signals of this scope
#pragma once
#include <pthread.h>

#include <csignal>

namespace bp {

class WithoutSignals {
 public:
  WithoutSignals() noexcept {
    sigset_t most;
    sigfillset(&most);
    for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS})
      sigdelset(&most, own);
    ::pthread_sigmask(SIG_SETMASK, &most, &before_);
  }
  ~WithoutSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  WithoutSignals(const WithoutSignals&) = delete;
  WithoutSignals& operator=(const WithoutSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace bp
