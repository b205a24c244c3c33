// SPDX-License-Identifier: Apache-2.0
// locks.h: locks that a forked child never finds held by a thread that it does not have. Every
// other mutex of the core is locked by the fork handlers (c_api/lifecycle.cc) or said in
// tests/abi/locks.txt to need nothing.
//
//   std::vector<int> list;
//   const std::lock_guard few_lines(leaf_mutexes.of(&list));   // which call nobody
//   CallMutex of_an_optimizer;
//   const std::lock_guard whole_call(of_an_optimizer);         // callbacks too
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

namespace bp {

// Mutexes for many objects, chosen by their address. The fork handlers lock them all. A thread
// holds one of a pool at a time, for two objects may share it.
class MutexPool {
 public:
  std::mutex& of(const void* object) noexcept {
    return all_[(reinterpret_cast<uintptr_t>(object) >> 6) % all_.size()];
  }
  void lock_all() noexcept {
    for (std::mutex& m : all_) m.lock();
  }
  void unlock_all() noexcept {
    for (std::mutex& m : all_) m.unlock();
  }

 private:
  // A fork holds both pools, and ThreadSanitizer knows 64 locks of a thread.
  std::array<std::mutex, 13> all_;
};

// For short sections that lock nothing else but a device's list of streams.
extern MutexPool leaf_mutexes;
// For what backward adds up and calls. Sections may run ops, and destroy nothing of a program's.
extern MutexPool gradient_mutexes;

// How many forks lie between the process that loaded the library and this one.
extern std::atomic<uint32_t> n_forks;

// A recursive mutex of an object whose calls are long. A call in a forked child throws BP_BAD_STATE
// when another thread of the parent was within one at the fork, because what the mutex guards is
// then half done.
class CallMutex {
 public:
  void lock();
  void unlock() noexcept { mutex_.unlock(); }

 private:
  std::recursive_mutex mutex_;
  std::atomic<uint32_t> held_since_{0};  // n_forks of the latest holder
};

}  // namespace bp
