// SPDX-License-Identifier: Apache-2.0
#include "gpu/sort_pairs.h"

#include "gpu/plugin.h"

namespace bp_gpu {
namespace {

// Each array begins where a card reads whole lines.
uint64_t padded(int64_t n, int32_t item_bytes) {
  constexpr uint64_t kLine = 256;
  return (static_cast<uint64_t>(n) * static_cast<uint64_t>(item_bytes) + kLine - 1) / kLine * kLine;
}
uint64_t keys_bytes(const SortPairs& s) { return padded(s.n, s.key_bytes); }
uint64_t values_bytes(const SortPairs& s) { return padded(s.n, sizeof(uint32_t)); }

}  // namespace

uint64_t pairs_workspace(const bp_launch& l, SortPairs* s) {
  const auto sort = vendor().sort_pairs;
  s->temporary = nullptr;
  if (!sort || sort(l, s, nullptr) != BP_OK) return 0;
  return 2 * keys_bytes(*s) + 2 * values_bytes(*s) + s->temporary_bytes;
}

void place_pairs(void* workspace, SortPairs* s) {
  char* at = static_cast<char*>(workspace);
  const auto take = [&at](uint64_t bytes) {
    char* const taken = at;
    at += bytes;
    return static_cast<void*>(taken);
  };
  s->keys = take(keys_bytes(*s));
  s->other_keys = take(keys_bytes(*s));
  s->values = static_cast<uint32_t*>(take(values_bytes(*s)));
  s->other_values = static_cast<uint32_t*>(take(values_bytes(*s)));
  s->temporary = at;
}

bp_status sort_pairs(const bp_launch& l, SortPairs* s, bp_error** err) {
  return vendor().sort_pairs(l, s, err);
}

}  // namespace bp_gpu
