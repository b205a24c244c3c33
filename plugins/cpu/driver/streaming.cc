// SPDX-License-Identifier: Apache-2.0
#include "driver/streaming.h"

#include <algorithm>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "device/machine.h"

namespace bp_cpu {

#if defined(__SSE2__)

bool worth_streaming(int64_t bytes) {
  constexpr int64_t kNever = int64_t{4} << 20;  // so that small calls ask nothing of the machine
  if (bytes < kNever) return false;
  static const int64_t cache = last_level_cache_bytes();
  return bytes >= cache;
}

void stream_block(void* to, const void* block, int64_t bytes) {
  char* y = static_cast<char*>(to);
  const char* x = static_cast<const char*>(block);
  const int64_t head = std::min(bytes, static_cast<int64_t>(-reinterpret_cast<uintptr_t>(y) & 15));
  std::memcpy(y, x, static_cast<size_t>(head));
  int64_t i = head;
  for (; i + 16 <= bytes; i += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(y + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(x + i)));
  std::memcpy(y + i, x + i, static_cast<size_t>(bytes - i));
}

void stream_done() { _mm_sfence(); }

#else

bool worth_streaming(int64_t) { return false; }
void stream_block(void* to, const void* block, int64_t bytes) {
  std::memcpy(to, block, static_cast<size_t>(bytes));
}
void stream_done() {}

#endif

}  // namespace bp_cpu
