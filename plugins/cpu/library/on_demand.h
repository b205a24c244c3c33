// SPDX-License-Identifier: Apache-2.0
// on_demand.h: another library, opened by the first call that wants it.
//
//   struct Blas { bool open(); ... };   // opens the first of some files, by open_library()
//   OnDemand<Blas> blas;
//   if (const Blas* b = blas.get()) b->dgemm(...);
//
// OpenBLAS, and the Fortran runtime that it brings, end the process when the system refuses them
// memory or a thread while they are opened. So both are asked for first, and where one is refused
// the library stays closed for this call; the next call tries again.
#pragma once
#include <atomic>
#include <memory>

namespace bp_cpu {

// Returns a handle for dlsym, or nullptr when there is no such file. Throws std::bad_alloc when
// memory ran out.
void* open_library(const char* file);
// Returns the address of a routine, or nullptr. Some builds of OpenBLAS, PyPI's scipy-openblas32
// among them, put `scipy_` before every name, so that two of them agree in one process.
void* find_routine(void* library, const char* name);
// Returns whether the system now gives memory and a thread.
bool has_room_for_library();

// No lock is held while a library is opened, for a forked child would find it held for ever. Of
// threads that come at once each opens it, and the first one's is kept.
template <class Library>
class OnDemand {
 public:
  // Returns nullptr when there is no such library, or no room to open one.
  const Library* get() {
    const Library* opened = opened_.load(std::memory_order_acquire);
    return opened || is_absent() ? opened : open();
  }
  // Whether it was looked for and is not there.
  bool is_absent() const { return absent_.load(std::memory_order_acquire); }

 private:
  const Library* open() {
    if (!has_room_for_library()) return nullptr;
    auto made = std::make_unique<Library>();
    if (!made->open()) {
      absent_.store(true, std::memory_order_release);
      return nullptr;
    }
    const Library* first = nullptr;
    if (!opened_.compare_exchange_strong(first, made.get(), std::memory_order_acq_rel))
      return first;
    return made.release();
  }

  std::atomic<const Library*> opened_{nullptr};
  std::atomic<bool> absent_{false};
};

}  // namespace bp_cpu
