// SPDX-License-Identifier: Apache-2.0
#include "device/memory.h"

#include <sys/mman.h>

#include <cstdlib>

#include "device/machine.h"

namespace bp_cpu {
namespace {
constexpr uint64_t kHuge = uint64_t{2} << 20;
}

void* allocate_block(uint64_t bytes) {
  if (bytes > physical_memory_bytes()) return nullptr;
  const uint64_t alignment = bytes >= kHuge ? kHuge : 64;
  const uint64_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void* p = std::aligned_alloc(alignment, rounded ? rounded : alignment);
  if (p && bytes >= kHuge) madvise(p, rounded, MADV_HUGEPAGE);
  return p;
}

void free_block(void* p, uint64_t) { std::free(p); }

}  // namespace bp_cpu
