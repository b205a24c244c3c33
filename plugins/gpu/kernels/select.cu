// SPDX-License-Identifier: Apache-2.0
// select.cu: flat_nonzero and index_copy. Nobody is told of an index out of range, as the host
// would have to wait for the device: nothing is written for it.
#include "gpu/block.h"
#include "gpu/fill.h"

namespace bp_gpu {
namespace {

// ---- flat_nonzero: count chunks, scan the counts, write each chunk behind those before it ----

constexpr int64_t kLaneItems = 8, kSegment = kLanes * kLaneItems;
constexpr int64_t kMostChunks = 4 * kLanes;

struct Sum {
  GPU_FN int64_t operator()(int64_t a, int64_t b) const { return a + b; }
};

// Any byte but 0 is true.
struct Mask {
  const uint8_t* data;
  int64_t n, chunk, chunks;
  GPU_FN int64_t end(int64_t i) const { return (i + 1) * chunk < n ? (i + 1) * chunk : n; }

  // The eight elements from p on, a byte each, as far as they come before `end`: 0x80 where true.
  GPU_FN uint64_t eight(int64_t p, int64_t end) const {
    uint64_t word = 0;
    if (p + kLaneItems <= end && reinterpret_cast<uintptr_t>(data + p) % 8 == 0)
      word = *reinterpret_cast<const uint64_t*>(data + p);
    else
      for (int64_t k = 0; k < kLaneItems && p + k < end; ++k)
        word |= static_cast<uint64_t>(data[p + k]) << 8 * k;
    constexpr uint64_t kLow = 0x7f7f7f7f7f7f7f7f;
    return (((word & kLow) + kLow) | word) & ~kLow;
  }
  GPU_FN static int64_t count(uint64_t eight) {
    return static_cast<int64_t>((eight >> 7) * 0x0101010101010101 >> 56);
  }
};

Mask mask_of(const bp_launch& l) {
  const int64_t n = numel(l.args[0]);
  const int64_t segments = (n + kSegment - 1) / kSegment,
                each = (segments + kMostChunks - 1) / kMostChunks;
  const int64_t chunk = each * kSegment;
  return {static_cast<const uint8_t*>(l.args[0].data), n, chunk,
          chunk ? (n + chunk - 1) / chunk : 0};
}

struct CountTrue {
  Mask mask;
  int64_t* counts;
  GPU_FN void operator()(const Place& at) const {
    int64_t* lanes = at.shared<int64_t>();
    for (int64_t i = at.block(); i < mask.chunks; i += at.blocks()) {
      const int64_t begin = i * mask.chunk, end = mask.end(i);
      for_lanes(at, kLanes, [&](int32_t lane) {
        int64_t n = 0;
        for (int64_t p = begin + lane * kLaneItems; p < end; p += kSegment)
          n += Mask::count(mask.eight(p, end));
        lanes[lane] = n;
      });
      block_fold(at, lanes, kLanes, 1, Sum{});
      if (at.thread() == 0) counts[i] = lanes[0];
      at.barrier();
    }
  }
};

// counts[i] becomes the sum of those before it, and counts[chunks] that of all; one block does
// this.
struct ScanCounts {
  int64_t chunks;
  int64_t* counts;
  GPU_FN void operator()(const Place& at) const {
    if (at.block() != 0) return;
    int64_t* lanes = at.shared<int64_t>();
    constexpr int64_t kShare = kMostChunks / kLanes;
    for_lanes(at, kLanes, [&](int32_t lane) {
      int64_t n = 0;
      for (int64_t i = lane * kShare; i < (lane + 1) * kShare && i < chunks; ++i) n += counts[i];
      lanes[lane] = n;
    });
    const int64_t* before = block_scan(at, lanes, Sum{});
    for_lanes(at, kLanes, [&](int32_t lane) {
      int64_t sum = lane ? before[lane - 1] : 0;
      for (int64_t i = lane * kShare; i < (lane + 1) * kShare && i < chunks; ++i) {
        const int64_t own = counts[i];
        counts[i] = sum;
        sum += own;
      }
      if (lane == kLanes - 1) counts[chunks] = sum;
    });
  }
};

// What has no element is -1.
struct FillRest {
  const int64_t* n;
  int64_t* out;
  int64_t size;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = *n + at.index(); i < size; i += at.count()) out[i] = -1;
  }
};

struct WriteTrue {
  Mask mask;
  const int64_t* before;
  int64_t* out;
  int64_t size;
  GPU_FN void operator()(const Place& at) const {
    int64_t* lanes = at.shared<int64_t>();
    for (int64_t i = at.block(); i < mask.chunks; i += at.blocks()) {
      int64_t done = before[i];
      for (int64_t p = i * mask.chunk; p < mask.end(i); p += kSegment)
        done += segment(at, p, mask.end(i), done, lanes);
    }
  }
  // Returns how many are true.
  GPU_FN int64_t segment(const Place& at, int64_t p, int64_t end, int64_t done,
                         int64_t* lanes) const {
    for_lanes(at, kLanes, [&](int32_t lane) {
      lanes[lane] = Mask::count(mask.eight(p + lane * kLaneItems, end));
    });
    const int64_t* sums = block_scan(at, lanes, Sum{});
    for_lanes(at, kLanes, [&](int32_t lane) {
      const int64_t first = p + lane * kLaneItems;
      const uint64_t all = mask.eight(first, end);
      int64_t to = done + (lane ? sums[lane - 1] : 0);
      for (int32_t k = 0; k < kLaneItems; ++k)
        if ((all >> 8 * k & 0x80) != 0 && to < size) out[to++] = first + k;
    });
    const int64_t all = sums[kLanes - 1];
    at.barrier();
    return all;
  }
};

constexpr int64_t kScanBytes = 2 * kLanes * static_cast<int64_t>(sizeof(int64_t));

bp_status run_flat_nonzero(const bp_launch& l, bp_error** err) {
  const Mask mask = mask_of(l);
  auto* out = static_cast<int64_t*>(l.args[1].data);
  const int64_t size = l.args[1].shape[0];
  if (mask.n == 0) return launch(l, cover(size), FillAll<int64_t>{out, -1, size}, err);
  auto* counts = static_cast<int64_t*>(l.workspace);
  const Shape shape{.blocks = mask.chunks, .shared_bytes = kScanBytes};
  if (const bp_status s = launch(l, shape, CountTrue{mask, counts}, err)) return s;
  if (const bp_status s = launch(l, {.blocks = 1, .shared_bytes = kScanBytes},
                                 ScanCounts{mask.chunks, counts}, err))
    return s;
  if (const bp_status s = launch(l, shape, WriteTrue{mask, counts, out, size}, err)) return s;
  return launch(l, cover(size), FillRest{counts + mask.chunks, out, size}, err);
}
bp_status flat_nonzero_workspace(const bp_launch*, uint64_t* bytes, bp_error**) {
  *bytes = (kMostChunks + 1) * sizeof(int64_t);
  return BP_OK;
}

// ---- index_copy: of equal indices the last one is found first ----

struct Claim {
  const int64_t* index;
  uint64_t* last;  // 1 + the last j whose index is this place; 0: none
  int64_t n, size;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t j = at.index(); j < n; j += at.count())
      if (static_cast<uint64_t>(index[j]) < static_cast<uint64_t>(size))
        atomic_max(last + index[j], static_cast<uint64_t>(j) + 1);
  }
};

// Dense x is seen as [outer, size, inner].
template <class T>
struct IndexCopy {
  const T *x, *source;
  const uint64_t* last;
  T* out;
  int64_t outer, size, n, inner;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < outer * size * inner; i += at.count()) {
      const int64_t row = i / inner, o = row / size;
      const uint64_t from = last[row - o * size];
      if (from)
        out[i] = source[(o * n + static_cast<int64_t>(from) - 1) * inner + (i - row * inner)];
      else if (x != out)
        out[i] = x[i];
    }
  }
};

bp_status run_index_copy(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &index = l.args[1], &source = l.args[2], &out = l.args[3];
  int64_t axis = l.attrs[BP_ATTR_INDEX_COPY_AXIS].value.i64;
  if (axis < 0) axis += x.rank;
  int64_t outer = 1, inner = 1;
  for (int32_t d = 0; d < x.rank; ++d)
    if (d != axis) (d < axis ? outer : inner) *= x.shape[d];
  const int64_t size = x.shape[axis], n = index.shape[0];
  auto* last = static_cast<uint64_t*>(l.workspace);
  if (const bp_status s = launch(l, cover(size), FillAll<uint64_t>{last, 0, size}, err)) return s;
  if (const bp_status s =
          launch(l, cover(n), Claim{static_cast<const int64_t*>(index.data), last, n, size}, err))
    return s;
  return with_size(x.dtype, [&](auto t) {
    using T = decltype(t);
    const IndexCopy<T> kernel{static_cast<const T*>(x.data),
                              static_cast<const T*>(source.data),
                              last,
                              static_cast<T*>(out.data),
                              outer,
                              size,
                              n,
                              inner};
    return launch(l, cover(outer * size * inner), kernel, err);
  });
}
bp_status index_copy_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const bp_arg& x = l->args[0];
  int64_t axis = l->attrs[BP_ATTR_INDEX_COPY_AXIS].value.i64;
  if (axis < 0) axis += x.rank;
  *bytes = static_cast<uint64_t>(x.shape[axis]) * sizeof(uint64_t);
  return BP_OK;
}

}  // namespace

void add_select(Registry& r) {
  r.add(BP_OP_FLAT_NONZERO, bit(BP_BOOL), entry<run_flat_nonzero>, BP_KERNEL_CONTIGUOUS,
        flat_nonzero_workspace);
  r.add(BP_OP_INDEX_COPY, kAllDtypes, entry<run_index_copy>, BP_KERNEL_CONTIGUOUS,
        index_copy_workspace);
}

}  // namespace bp_gpu
