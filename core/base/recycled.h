// recycled.h: operator new and delete that keep the last few freed objects of a type per thread, for handles that come
// and go with every call. A thread that ends gives its objects back.
//
//   struct Storage : Object, Recycled<Storage> { ... };
#pragma once
#include <cstdint>
#include <new>

namespace bp {

#ifdef BP_SANITIZED
// A sanitizer sees a use after free only when freed memory stays free.
template <class T>
class Recycled {};
#else
template <class T>
class Recycled {
 public:
  static void* operator new(size_t bytes) {
    Shelf& s = shelf;
    return s.n ? s.slot[--s.n] : ::operator new(bytes);
  }
  static void operator delete(void* p) noexcept {
    Shelf& s = shelf;
    if (s.n < s.room) s.slot[s.n++] = p;
    else put_away(s, p);
  }

 private:
  static constexpr uint32_t kRoom = 32;
  // Constant-initialised and trivially destroyed, so that reading it costs no guard; room is 0 before the thread's first
  // delete and again after its end.
  struct Shelf {
    uint32_t n = 0, room = 0;
    bool ended = false;
    void* slot[kRoom] = {};
  };
  struct Reaper {
    void watch() noexcept {}
    ~Reaper() {
      Shelf& s = shelf;
      s.room = 0;
      s.ended = true;
      while (s.n) ::operator delete(s.slot[--s.n]);
    }
  };
  static void put_away(Shelf& s, void* p) noexcept {
    if (s.room == 0 && !s.ended) {
      static thread_local Reaper reaper;
      reaper.watch();
      s.room = kRoom;
      s.slot[s.n++] = p;
      return;
    }
    ::operator delete(p);
  }

  static inline constinit thread_local Shelf shelf{};
};
#endif

}  // namespace bp
