// SPDX-License-Identifier: Apache-2.0
#include "memory/exhausted.h"

#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

// What is left of a plan: so many calls are granted, so many are then refused. One object serves
// the threads of Exhausted::kAllThreads.
struct Plan {
  std::atomic<bool> counts{false}, was_struck{false};  // `counts`: some test asks for something
  std::atomic<long> granted_left{0}, refused_left{0};

  void start(long granted, long refused) {
    granted_left = granted;
    refused_left = refused;
    was_struck = false;
    counts = true;
  }
  bool refuses() {
    if (!counts) return false;
    if (granted_left > 0 && granted_left-- > 0) return false;
    if (refused_left <= 0 || refused_left-- <= 0) return false;
    was_struck = true;
    return true;
  }
};

thread_local constinit Plan here;
constinit Plan everywhere, threads;
constinit std::atomic<bool> last_was_everywhere{false};
constinit std::atomic<long> blocks{0};

bool refuses() {
  if (!here.refuses() && !everywhere.refuses()) return false;
  errno = ENOMEM;
  return true;
}
void* counted(void* p) {
  if (p) blocks.fetch_add(1, std::memory_order_relaxed);
  return p;
}

}  // namespace

Exhausted::Exhausted(long granted, long refused, Threads which) {
  last_was_everywhere = which == kAllThreads;
  (which == kAllThreads ? everywhere : here).start(granted, refused);
}
Exhausted::~Exhausted() { here.counts = everywhere.counts = false; }
bool Exhausted::struck() { return (last_was_everywhere ? everywhere : here).was_struck; }

long blocks_held() { return blocks; }

NoThreads::NoThreads(long granted, long refused) { threads.start(granted, refused); }
NoThreads::~NoThreads() { threads.counts = false; }
bool NoThreads::struck() { return threads.was_struck; }

extern "C" {

void* malloc(size_t bytes) { return refuses() ? nullptr : counted(__libc_malloc(bytes)); }
void* calloc(size_t n, size_t bytes) {
  return refuses() ? nullptr : counted(__libc_calloc(n, bytes));
}
void* realloc(void* p, size_t bytes) {
  if (refuses()) return nullptr;
  void* moved = __libc_realloc(p, bytes);
  if (!p) counted(moved);
  return moved;
}
void* memalign(size_t alignment, size_t bytes) {
  return refuses() ? nullptr : counted(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* p = memalign(alignment, bytes);
  if (p) *out = p;
  return p ? 0 : ENOMEM;
}
void free(void* p) {
  if (p) blocks.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(p);
}

int pthread_create(pthread_t* out, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  if (threads.refuses()) return EAGAIN;
  static const auto real =
      reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  return real(out, attributes, run, argument);
}

}  // extern "C"
