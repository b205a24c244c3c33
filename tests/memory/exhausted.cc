// SPDX-License-Identifier: Apache-2.0
#include "memory/exhausted.h"

#include <cerrno>
#include <cstddef>
#include <cstdlib>

extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
}

namespace {

// Of this thread. `counts` is false while no test asks for anything.
thread_local bool counts = false;
thread_local long granted_left = 0, refused_left = 0;
thread_local bool was_struck = false;

bool refuses() {
  if (!counts) return false;
  if (granted_left > 0) {
    --granted_left;
    return false;
  }
  if (refused_left <= 0) return false;
  --refused_left;
  was_struck = true;
  errno = ENOMEM;
  return true;
}

}  // namespace

Exhausted::Exhausted(long granted, long refused) {
  granted_left = granted;
  refused_left = refused;
  was_struck = false;
  counts = true;
}
Exhausted::~Exhausted() { counts = false; }
bool Exhausted::struck() { return was_struck; }

extern "C" {

void* malloc(size_t bytes) { return refuses() ? nullptr : __libc_malloc(bytes); }
void* calloc(size_t n, size_t bytes) { return refuses() ? nullptr : __libc_calloc(n, bytes); }
void* realloc(void* p, size_t bytes) { return refuses() ? nullptr : __libc_realloc(p, bytes); }
void* memalign(size_t alignment, size_t bytes) {
  return refuses() ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** out, size_t alignment, size_t bytes) {
  void* p = memalign(alignment, bytes);
  if (p) *out = p;
  return p ? 0 : ENOMEM;
}

}  // extern "C"
