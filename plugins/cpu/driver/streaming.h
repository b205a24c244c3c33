// SPDX-License-Identifier: Apache-2.0
// streaming.h: stores that pass the caches by. A result too large for a cache is written without
// reading the lines that it replaces first, which saves a third of an addition's memory traffic.
#pragma once
#include <cstdint>

namespace bp_cpu {

// Whether a call that touches so many bytes leaves nothing of use in the last-level cache.
bool worth_streaming(int64_t bytes);

// Copies to memory from a small block in the first-level cache. After the last one, stream_done
// orders these stores before what follows.
void stream_block(void* to, const void* block, int64_t bytes);
void stream_done();

}  // namespace bp_cpu
