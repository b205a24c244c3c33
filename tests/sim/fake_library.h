// SPDX-License-Identifier: Apache-2.0
// fake_library.h: what the vendors' libraries of these tests have in common: streams that take
// work, handles and descriptors that are counted, and what tests ask of them (fake.h). Included
// once, by the file that is such a library.
#pragma once
#include <cstdint>

#define EXPORT extern "C" __attribute__((visibility("default")))

namespace {

// As plugins/sim says.
struct Port {
  int (*enqueue)(Port* self, void (*run)(const void* data), const void* data, uint64_t bytes);
  void* stream;
};

int handles = 0, descriptors = 0, choices = 0, calls = 0, next_answer = 0;

int answer() {
  const int status = next_answer;
  next_answer = 0;
  return status;
}

template <class T>
[[maybe_unused]] int make(T** out, int* count, const T& what = {}) {
  ++*count;
  *out = new T(what);
  return 0;
}
template <class T>
[[maybe_unused]] int drop(T* what, int* count) {
  --*count;
  delete what;
  return 0;
}

}  // namespace

EXPORT int fake_handles() { return handles; }
EXPORT int fake_descriptors() { return descriptors; }
EXPORT int fake_choices() { return choices; }
EXPORT int fake_calls() { return calls; }
EXPORT void fake_answer(int status) { next_answer = status; }
