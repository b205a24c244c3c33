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
    Shelf* s = shelf;
    if (s && s->n) [[likely]] return s->slot[--s->n];
    return ::operator new(bytes);
  }
  static void operator delete(void* p) noexcept {
    Shelf* s = shelf;
    if (s && s->n < kRoom) [[likely]] s->slot[s->n++] = p;
    else put_away(s, p);
  }

 private:
  static constexpr uint32_t kRoom = 32;
  struct Shelf {
    uint32_t n = 0;
    void* slot[kRoom];
  };
  struct Owner {
    Shelf shelf_of_thread;
    bool ended = false;
    ~Owner() {
      shelf = nullptr;
      ended = true;
      while (shelf_of_thread.n) ::operator delete(shelf_of_thread.slot[--shelf_of_thread.n]);
    }
  };
  [[gnu::noinline]] static void put_away(const Shelf* full, void* p) noexcept {
    static thread_local Owner owner;
    if (full || owner.ended) return ::operator delete(p);
    shelf = &owner.shelf_of_thread;
    shelf->slot[shelf->n++] = p;
  }

  // A pointer alone, so that it fits where loaded libraries' variables are reached without a call (initial-exec): that
  // call, four times in an op, would cost as much as the op's arithmetic. nullptr: nothing was put away yet, or the thread ends.
  [[gnu::tls_model("initial-exec")]] static inline constinit thread_local Shelf* shelf = nullptr;
};
#endif

}  // namespace bp
