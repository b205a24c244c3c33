// SPDX-License-Identifier: Apache-2.0
#include "memory/exhausted.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "kit/refusals.h"

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
}

namespace {

// One object serves the threads of Exhausted::kAllThreads.
thread_local constinit Refusals here;
constinit Refusals everywhere, threads;
constinit std::atomic<bool> last_was_everywhere{false};
constinit std::atomic<long> blocks{0};

// libgomp, which OpenMP's threads of the cpu backend and of libraries beside it come from, ends the
// process when it gets no memory or no thread. That is not ours to mend, so what it asks for is
// granted and not counted. _dl_find_object takes no lock and allocates nothing.
bool is_libgomp(void* caller) {
  dl_find_object found;
  return ::_dl_find_object(caller, &found) == 0 && found.dlfo_link_map &&
         std::strstr(found.dlfo_link_map->l_name, "libgomp");
}

// Whether pthread_create now runs for libgomp; it allocates a thread's own data.
thread_local constinit bool starts_libgomp = false;

bool refuses(void* caller) {
  if (!here.counts() && !everywhere.counts()) return false;
  if (starts_libgomp || is_libgomp(caller)) return false;
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
Exhausted::~Exhausted() { here.stop(), everywhere.stop(); }
bool Exhausted::struck() { return (last_was_everywhere ? everywhere : here).struck(); }

long blocks_held() { return blocks; }

NoThreads::NoThreads(long granted, long refused) { threads.start(granted, refused); }
NoThreads::~NoThreads() { threads.stop(); }
bool NoThreads::struck() { return threads.struck(); }

extern "C" {

void* malloc(size_t bytes) {
  return refuses(__builtin_return_address(0)) ? nullptr : counted(__libc_malloc(bytes));
}
void* calloc(size_t n, size_t bytes) {
  return refuses(__builtin_return_address(0)) ? nullptr : counted(__libc_calloc(n, bytes));
}
void* realloc(void* p, size_t bytes) {
  if (refuses(__builtin_return_address(0))) return nullptr;
  void* moved = __libc_realloc(p, bytes);
  if (!p) counted(moved);
  if (p && !moved && bytes == 0) blocks.fetch_sub(1, std::memory_order_relaxed);
  return moved;
}
void* memalign(size_t alignment, size_t bytes) {
  return refuses(__builtin_return_address(0)) ? nullptr
                                              : counted(__libc_memalign(alignment, bytes));
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  return refuses(__builtin_return_address(0)) ? nullptr
                                              : counted(__libc_memalign(alignment, bytes));
}
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  if (refuses(__builtin_return_address(0))) return ENOMEM;
  void* p = counted(__libc_memalign(alignment, bytes));
  if (p) *out = p;
  return p ? 0 : ENOMEM;
}
void free(void* p) {
  if (p) blocks.fetch_sub(1, std::memory_order_relaxed);
  __libc_free(p);
}

int pthread_create(pthread_t* out, const pthread_attr_t* attributes, void* (*run)(void*),
                   void* argument) {
  static const auto real =
      reinterpret_cast<decltype(&pthread_create)>(::dlsym(RTLD_NEXT, "pthread_create"));
  if (is_libgomp(__builtin_return_address(0))) {
    starts_libgomp = true;
    const int failed = real(out, attributes, run, argument);
    starts_libgomp = false;
    return failed;
  }
  return threads.refuses() ? EAGAIN : real(out, attributes, run, argument);
}

}  // extern "C"
