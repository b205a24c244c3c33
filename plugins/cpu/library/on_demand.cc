// SPDX-License-Identifier: Apache-2.0
#include "library/on_demand.h"

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <cstdlib>
#include <new>
#include <string>

namespace bp_cpu {

void* open_library(const char* file) {
  errno = 0;
  void* handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!handle && errno == ENOMEM) throw std::bad_alloc();
  return handle;
}

void* find_routine(void* library, const char* name) {
  if (void* routine = dlsym(library, name)) return routine;
  return dlsym(library, (std::string("scipy_") + name).c_str());
}

bool has_room_for_library() {
  constexpr size_t kBytes = size_t{1} << 20;    // more than their constructors ask for
  void* volatile memory = std::malloc(kBytes);  // volatile: a compiler may leave out such a pair
  if (!memory) return false;
  std::free(memory);
  pthread_t thread;
  if (pthread_create(
          &thread, nullptr, [](void* p) { return p; }, nullptr) != 0)
    return false;
  return pthread_join(thread, nullptr) == 0;
}

}  // namespace bp_cpu
