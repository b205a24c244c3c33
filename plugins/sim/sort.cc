// SPDX-License-Identifier: Apache-2.0
// sort.cc: pairs sorted by the stream's worker, digit by digit, so that what calls a card's own
// sort runs here too. It exchanges the arrays as often as a card's may, and looks at no bit above
// those that count.
#include <algorithm>
#include <utility>

#include "sim.h"

namespace bp_sim {
namespace {

using bp_gpu::SortPairs;

constexpr int32_t kDigit = 8;
constexpr uint64_t kDigits = uint64_t{1} << kDigit;

template <class Key>
void sort_by_digit(const SortPairs& s, int32_t shift) {
  const auto* keys = static_cast<const Key*>(s.keys);
  auto* to_keys = static_cast<Key*>(s.other_keys);
  auto* before = static_cast<uint64_t*>(s.temporary);
  const uint64_t mask = (uint64_t{1} << std::min(kDigit, s.bits - shift)) - 1;
  const auto digit = [&](int64_t i) { return keys[i] >> shift & mask; };
  std::fill(before, before + kDigits, 0);
  for (int64_t i = 0; i < s.n; ++i) ++before[digit(i)];
  uint64_t sum = 0;
  for (uint64_t d = 0; d < kDigits; ++d) sum += std::exchange(before[d], sum);
  for (int64_t i = 0; i < s.n; ++i) {
    const uint64_t to = before[digit(i)]++;
    to_keys[to] = keys[i];
    s.other_values[to] = s.values[i];
  }
}

void exchange(SortPairs* s) {
  std::swap(s->keys, s->other_keys);
  std::swap(s->values, s->other_values);
}

void sort(const void* pairs, const bp_gpu::Place& at) {
  if (at.index() != 0) return;
  SortPairs s = *static_cast<const SortPairs*>(pairs);
  for (int32_t shift = s.first_bit; shift < s.bits; shift += kDigit) {
    s.key_bytes == 4 ? sort_by_digit<uint32_t>(s, shift) : sort_by_digit<uint64_t>(s, shift);
    exchange(&s);
  }
}

}  // namespace

bp_status sort_pairs(const bp_launch& l, SortPairs* s, bp_error** err) {
  if (!l.stream->device->plugin->options.sort) return BP_UNSUPPORTED;
  if (!s->temporary) {
    s->temporary_bytes = kDigits * sizeof(uint64_t);
    return BP_OK;
  }
  const bp_status status = bp_gpu::enqueue_kernel(l.stream, {}, sort, s, sizeof *s, err);
  for (int32_t shift = s->first_bit; shift < s->bits; shift += kDigit) exchange(s);
  return status;
}

}  // namespace bp_sim
