// SPDX-License-Identifier: Apache-2.0
// recycled.h: operator new and delete that keep the last few freed objects of a type per thread,
// for handles that come and go with every call. A thread that ends gives its objects back.
//
//   struct Handle : Recycled<Handle, Shelves::kStorage> {};
#pragma once
#include <cstdint>
#include <new>

#include "core/base/thread_end.h"

namespace bp {

// What a thread keeps of all such types. It is one variable, because a loaded library reaches a
// thread's variable by a call, and an op that makes and frees a tensor of few elements feels each
// of these calls.
struct Shelves {
  enum Place { kTensor, kStorage, kPlaces };
  static constexpr uint32_t kRoom = 32;
  struct Shelf {
    uint32_t n = 0;
    void* slot[kRoom];
  };
  Shelf of[kPlaces];

  // nullptr before the thread's first delete and again at its end. The variable is trivial, so that
  // reading it needs no guard.
  static inline constinit thread_local Shelves* of_thread = nullptr;

  // Keeps p as the thread's first object. Frees it when its shelf is full, the thread is ending, or
  // there is no memory for shelves.
  [[gnu::noinline]] static void put_away(Place place, void* p) noexcept {
    static constinit thread_local bool ended = false;
    static const ThreadEnd at_end([](void* shelves) {
      of_thread = nullptr;
      ended = true;
      for (Shelf& s : static_cast<Shelves*>(shelves)->of)
        while (s.n) ::operator delete(s.slot[--s.n]);
      delete static_cast<Shelves*>(shelves);
    });
    Shelves* made = of_thread || ended ? nullptr : new (std::nothrow) Shelves{};
    if (!made || !at_end.note(made)) {
      delete made;
      return ::operator delete(p);
    }
    of_thread = made;
    Shelf& s = made->of[place];
    s.slot[s.n++] = p;
  }
};

#ifdef BP_SANITIZED
// A sanitizer sees a use after free only when freed memory stays free.
template <class T, Shelves::Place>
class Recycled {};
#else
template <class T, Shelves::Place kPlace>
class Recycled {
 public:
  static void* operator new(size_t bytes) {
    if (Shelves* all = Shelves::of_thread) [[likely]]
      if (Shelves::Shelf& s = all->of[kPlace]; s.n) [[likely]]
        return s.slot[--s.n];
    return ::operator new(bytes);
  }
  static void operator delete(void* p) noexcept {
    Shelves* all = Shelves::of_thread;
    if (all && all->of[kPlace].n < Shelves::kRoom) [[likely]] {
      Shelves::Shelf& s = all->of[kPlace];
      s.slot[s.n++] = p;
    } else {
      Shelves::put_away(kPlace, p);
    }
  }
};
#endif

}  // namespace bp
