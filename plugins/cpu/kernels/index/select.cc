// SPDX-License-Identifier: Apache-2.0
// select.cc: flat_nonzero and index_copy. Elements are moved by their size; an index out of range
// is found before anything is written.
#include <cstddef>

#include "device/registry.h"
#include "kernels/index/bounds.h"

namespace bp_cpu::BP_ISA {
namespace {

// ---- flat_nonzero ----

constexpr int64_t kWord = 8;
constexpr int64_t kMostChunks = 512, kLeastChunk = 65536;

// Sets the top bit of each byte that is not 0 and clears the others.
inline uint64_t true_bits(const uint8_t* mask) {
  uint64_t w;
  __builtin_memcpy(&w, mask, sizeof w);
  constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
  return (((w & kLow) + kLow) | w) & ~kLow;
}

int64_t count_true(const uint8_t* mask, int64_t begin, int64_t end) {
  int64_t n = 0, i = begin;
  for (; i + kWord <= end; i += kWord) n += __builtin_popcountll(true_bits(mask + i));
  for (; i < end; ++i) n += mask[i] != 0;
  return n;
}

// Writes at most `room` positions.
void write_true(const uint8_t* mask, int64_t begin, int64_t end, int64_t* out, int64_t room) {
  int64_t i = begin, n = 0;
  for (; i + kWord <= end && n + kWord <= room; i += kWord)
    for (uint64_t bits = true_bits(mask + i); bits; bits &= bits - 1)
      out[n++] = i + __builtin_ctzll(bits) / 8;
  for (; i < end && n < room; ++i)
    if (mask[i]) out[n++] = i;
}

bp_status run_flat_nonzero(const bp_launch* launch, bp_error**) {
  const bp_arg &x = launch->args[0], &y = launch->args[1];
  int64_t n = 1;
  for (int32_t d = 0; d < x.rank; ++d) n *= x.shape[d];
  const auto* mask = static_cast<const uint8_t*>(x.data);
  auto* out = static_cast<int64_t*>(y.data);
  const int64_t size = y.shape[0];
  const int64_t least = (n + kMostChunks - 1) / kMostChunks,
                chunk = least > kLeastChunk ? least : kLeastChunk;
  int64_t before[kMostChunks + 1] = {};  // true elements of a chunk, later of all chunks before it
  parallel_chunks(n, chunk, 1, [&](int64_t i, int64_t begin, int64_t end) {
    before[i + 1] = count_true(mask, begin, end);
  });
  const int64_t chunks = (n + chunk - 1) / chunk;
  for (int64_t i = 0; i < chunks; ++i) before[i + 1] += before[i];
  parallel_chunks(n, chunk, 1, [&](int64_t i, int64_t begin, int64_t end) {
    const int64_t last = before[i + 1] < size ? before[i + 1] : size;
    if (before[i] < last) write_true(mask, begin, end, out + before[i], last - before[i]);
  });
  for (int64_t i = before[chunks]; i < size; ++i) out[i] = -1;
  return BP_OK;
}

// ---- index_copy ----

constexpr int64_t kGrain = 16384;

// Dense x is seen as [outer, size, inner]. A thread owns places of out and takes all indices in
// order, so that of equal ones the last wins.
bp_status run_index_copy(const bp_launch* launch, bp_error** err) {
  const bp_arg &x = launch->args[0], &index = launch->args[1], &out = launch->args[3];
  int64_t axis = launch->attrs[BP_ATTR_INDEX_COPY_AXIS].value.i64;
  if (axis < 0) axis += x.rank;
  int64_t outer = 1, inner = kItemBytes[x.dtype];
  for (int32_t d = 0; d < x.rank; ++d)
    if (d != axis) (d < axis ? outer : inner) *= x.shape[d];
  const int64_t size = x.shape[axis], n = index.shape[0];
  const auto* where = static_cast<const int64_t*>(index.data);
  if (const bp_status s = check_indices(launch, where, n, axis, size, err)) return s;
  const auto* from = static_cast<const char*>(launch->args[2].data);
  auto* to = static_cast<char*>(out.data);
  if (x.data != out.data)
    parallel_for(outer * size * inner, 1 << 20, [&](int64_t begin, int64_t end) {
      __builtin_memcpy(to + begin, static_cast<const char*>(x.data) + begin,
                       static_cast<std::size_t>(end - begin));
    });
  const int64_t work = outer * n * (inner / 8 + 1);
  parallel_for(
      size, work < kGrain ? size : size / (work / kGrain + 1) + 1, [&](int64_t begin, int64_t end) {
        for (int64_t o = 0; o < outer; ++o)
          for (int64_t j = 0; j < n; ++j)
            if (where[j] >= begin && where[j] < end)
              __builtin_memcpy(to + (o * size + where[j]) * inner, from + (o * n + j) * inner,
                               static_cast<std::size_t>(inner));
      });
  return BP_OK;
}

}  // namespace

void add_select(Registry& r) {
  r.add(BP_OP_FLAT_NONZERO, bit(BP_BOOL), run_flat_nonzero, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_INDEX_COPY, kAllDtypes, run_index_copy, BP_KERNEL_CONTIGUOUS);
}

}  // namespace bp_cpu::BP_ISA
