// SPDX-License-Identifier: Apache-2.0
// memory.h: raw blocks from the system. The core's pool sits above and reuses them, so a block is
// asked for rarely and may be large.
#pragma once
#include <cstdint>

namespace bp_cpu {

// A block is 64-byte aligned; from 2 MiB on it is 2 MiB aligned and backed by huge pages where the
// kernel has them. Returns NULL when memory is exhausted or the machine has less than `bytes`:
// Linux would promise it, and kill a process when it is touched.
void* allocate_block(uint64_t bytes);
void free_block(void* p, uint64_t bytes);

}  // namespace bp_cpu
