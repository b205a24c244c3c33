// SPDX-License-Identifier: Apache-2.0
// scan.cu: cumsum. Integers and bools go modulo 2^64, which is the i64 or the u64 result; f32 and
// halves are summed in f64, f64 in pairs of them (gpu/sum.h).
//   Along   the axis lies dense, or rows are few: a block takes a segment of a row, each lane eight elements of it, and
//           the lanes' sums are scanned; it goes on to the next segment with what came before
//   Across  neighbouring rows lie closer: a lane takes a row
// Long rows, when there are few, are cut into chunks: one launch sums them, a second scans the
// sums, and a third starts every chunk with what came before it. Segments and chunks depend on
// shape and strides alone.
#include "gpu/block.h"
#include "gpu/sum.h"
#include "gpu/walk.h"

namespace bp_gpu {
namespace {

struct PlusOp {
  template <class S>
  GPU_FN S operator()(const S& a, const S& b) const {
    return plus(a, b);
  }
};

// How elements of type T are added: what they and the results are read as, and the sum.
template <class T>
using ScanItem =
    std::conditional_t<std::is_integral_v<T> || std::is_same_v<T, Bool>, uint64_t, Calc<T>>;
template <class T>
using ScanSum = std::conditional_t<std::is_same_v<ScanItem<T>, uint64_t>, uint64_t, SumAcc<T>>;
template <class T>
using ScanOut = std::conditional_t<std::is_same_v<ScanItem<T>, uint64_t>, uint64_t, T>;

constexpr int32_t kLaneItems = 8;
constexpr int64_t kSegment = kLanes * kLaneItems;
constexpr int64_t kLeastAcross = 64;     // elements of a chunk of a row that one lane takes
constexpr int64_t kManyRows = 2048;      // so many blocks need no chunks
constexpr int64_t kManyLanes = 1 << 16;  // nor do so many lanes
constexpr int64_t kMostChunks = 2048;

struct ScanPlan {
  Walk walk;
  int64_t n, rows;
  bool across;
  int32_t each;  // elements of a lane, a power of two
  int64_t chunk, chunks;
};

ScanPlan plan_scan(const bp_launch& l) {
  const bp_arg &x = l.args[0], &out = l.args[1];
  ScanPlan p{};
  p.walk = walk_of(x, out, x.rank - 1);
  p.n = x.shape[x.rank - 1];
  p.rows = 1;
  for (int32_t d = 0; d < x.rank - 1; ++d) p.rows *= x.shape[d];
  p.across = turn_across(&p.walk) && (p.rows >= kLanes || p.walk.shape[p.walk.kept - 1] >= 16);
  p.each = kLaneItems;
  while (p.each > 1 && p.n <= p.each / 2 * kLanes) p.each /= 2;
  const int64_t unit = p.across ? kLeastAcross : 4 * kSegment,
                enough = p.across ? kManyLanes : kManyRows;
  const int64_t rows = p.rows ? p.rows : 1;
  int64_t most = enough / rows < kMostChunks ? enough / rows : kMostChunks;
  if (most < 1) most = 1;
  p.chunk = ((p.n + most - 1) / most + unit - 1) / unit * unit;
  p.chunks = p.chunk ? (p.n + p.chunk - 1) / p.chunk : 0;
  return p;
}

// A launch's work, in pieces: chunk after chunk, the rows of each side by side.
template <class T>
struct Scan {
  using Item = ScanItem<T>;
  using Sum = ScanSum<T>;
  // What is added to a sum.
  using Term = std::conditional_t<std::is_same_v<Sum, uint64_t>, uint64_t, double>;
  using Out = ScanOut<T>;
  ScanPlan plan;
  const T* in;
  Out* out;
  // [chunks][rows]: each chunk's sum, then that of all before it; nullptr when rows are whole.
  Sum* sums;

  struct Piece {
    int64_t begin, end;
    Walk::At first;
    Sum* sum;
  };
  GPU_FN int64_t pieces() const { return plan.rows * plan.chunks; }
  GPU_FN Piece piece(int64_t i) const {
    const int64_t begin = i / plan.rows * plan.chunk, end = begin + plan.chunk;
    return {begin, end < plan.n ? end : plan.n, plan.walk.output(i % plan.rows),
            sums ? sums + i : nullptr};
  }
  GPU_FN Item load(const Piece& w, int64_t p) const {
    return convert<Item>(in[w.first.in + p * plan.walk.in[plan.walk.kept]]);
  }
  GPU_FN void store(const Piece& w, int64_t p, Item y) const {
    out[w.first.out + p * plan.walk.out[plan.walk.kept]] = convert<Out>(y);
  }
};

// Writes results with kWrite, and the sums of chunks without it.
template <class T, bool kWrite>
struct ScanAcross {
  using S = Scan<T>;
  using Sum = typename S::Sum;
  S s;

  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < s.pieces(); i += at.count()) {
      const typename S::Piece w = s.piece(i);
      Sum sum = kWrite && w.sum ? *w.sum : Sum{};
      for (int64_t p = w.begin; p < w.end; ++p) {
        sum = plus(sum, static_cast<typename S::Term>(s.load(w, p)));
        if constexpr (kWrite) s.store(w, p, static_cast<typename S::Item>(value(sum)));
      }
      if (!kWrite && w.sum) *w.sum = sum;
    }
  }
};

// The sums of chunks: lanes take elements side by side, eight at a time.
template <class T>
struct SumChunks {
  using S = Scan<T>;
  using Sum = typename S::Sum;
  S s;

  GPU_FN void operator()(const Place& at) const {
    Sum* lanes = at.shared<Sum>();
    for (int64_t i = at.block(); i < s.pieces(); i += at.blocks()) {
      const typename S::Piece w = s.piece(i);
      for_lanes(at, kLanes, [&](int32_t lane) {
        Sum sum{};
        int64_t p = w.begin + lane;
        for (; p + (kLaneItems - 1) * kLanes < w.end; p += kSegment) {
          typename S::Item item[kLaneItems];
          unrolled<kLaneItems>([&](int32_t k) { item[k] = s.load(w, p + k * kLanes); });
          unrolled<kLaneItems>(
              [&](int32_t k) { sum = plus(sum, static_cast<typename S::Term>(item[k])); });
        }
        for (; p < w.end; p += kLanes) sum = plus(sum, static_cast<typename S::Term>(s.load(w, p)));
        lanes[lane] = sum;
      });
      block_fold(at, lanes, kLanes, 1, PlusOp{});
      if (w.sum && at.thread() == 0) *w.sum = lanes[0];
      at.barrier();
    }
  }
};

template <class T>
struct ScanAlong {
  using S = Scan<T>;
  using Sum = typename S::Sum;
  using Item = typename S::Item;
  static constexpr int32_t kTogether = 4;
  S s;

  // The place of an element in shared memory; gaps between lanes spread them over memory banks.
  GPU_FN static int32_t slot(int32_t i) { return i + i / kLaneItems; }
  static constexpr int64_t kItemBytes = (kSegment + kLanes) * static_cast<int64_t>(sizeof(Item));
  static constexpr int64_t kSharedBytes =
      kItemBytes + 2 * kLanes * static_cast<int64_t>(sizeof(Sum));
  static_assert(kItemBytes % 16 == 0 && kSharedBytes <= 48 * 1024);

  GPU_FN void operator()(const Place& at) const {
    Item* items = at.shared<Item>();
    Sum* lanes = reinterpret_cast<Sum*>(at.shared<char>() + kItemBytes);
    for (int64_t i = at.block(); i < s.pieces(); i += at.blocks()) {
      const typename S::Piece w = s.piece(i);
      Sum before = w.sum ? *w.sum : Sum{};
      for (int64_t p = w.begin; p < w.end; p += kLanes * s.plan.each)
        before = segment(at, w, p, before, items, lanes);
    }
  }

  // Returns the sum of all up to the segment's end.
  GPU_FN Sum segment(const Place& at, const typename S::Piece& w, int64_t p, const Sum& before,
                     Item* items, Sum* lanes) const {
    const int32_t each = s.plan.each, all = kLanes * each;
    const int32_t n = w.end - p < all ? static_cast<int32_t>(w.end - p) : all;
    for_lanes(at, kLanes, [&](int32_t lane) {
      Item item[kLaneItems];  // all are under way before the first one is stored
      unrolled<kLaneItems>([&](int32_t k) {
        const int32_t i = k * kLanes + lane;
        item[k] = i < n ? s.load(w, p + i) : Item{};
      });
      unrolled<kLaneItems>([&](int32_t k) {
        if (k < each) items[slot(k * kLanes + lane)] = item[k];
      });
    });
    at.barrier();
    for_lanes(at, kLanes, [&](int32_t lane) {
      Sum sum{};
      for (int32_t k = 0; k < each; ++k)
        sum = plus(sum, static_cast<typename S::Term>(items[slot(lane * each + k)]));
      lanes[lane] = sum;
    });
    const Sum* sums = block_scan(at, lanes, PlusOp{});
    for_lanes(at, kLanes, [&](int32_t lane) {
      Sum sum = lane ? plus(before, sums[lane - 1]) : before;
      for (int32_t k = 0; k < each; ++k) {
        Item& item = items[slot(lane * each + k)];
        sum = plus(sum, static_cast<typename S::Term>(item));
        item = static_cast<Item>(value(sum));
      }
    });
    at.barrier();
    for_lanes(at, n, [&](int32_t i) { s.store(w, p + i, items[slot(i)]); });
    const Sum total = plus(before, sums[kLanes - 1]);
    at.barrier();  // before the next segment is read into items
    return total;
  }
};

// sums[chunk][row] becomes the sum of the chunks before it: a block for each row.
template <class Sum>
struct ScanChunks {
  int64_t chunks, rows;
  Sum* sums;
  GPU_FN void operator()(const Place& at) const {
    Sum* lanes = at.shared<Sum>();
    const int64_t share = (chunks + kLanes - 1) / kLanes;
    for (int64_t row = at.block(); row < rows; row += at.blocks()) {
      for_lanes(at, kLanes, [&](int32_t lane) {
        Sum sum{};
        for (int64_t c = lane * share; c < (lane + 1) * share && c < chunks; ++c)
          sum = plus(sum, sums[c * rows + row]);
        lanes[lane] = sum;
      });
      const Sum* before = block_scan(at, lanes, PlusOp{});
      for_lanes(at, kLanes, [&](int32_t lane) {
        Sum sum = lane ? before[lane - 1] : Sum{};
        for (int64_t c = lane * share; c < (lane + 1) * share && c < chunks; ++c) {
          const Sum own = sums[c * rows + row];
          sums[c * rows + row] = sum;
          sum = plus(sum, own);
        }
      });
      at.barrier();
    }
  }
};

int64_t blocks_for(int64_t work) { return work < kMostBlocks ? work : kMostBlocks; }

template <class T, bool kWrite>
bp_status launch_scan(const bp_launch& l, const Scan<T>& s, bp_error** err) {
  const int64_t pieces = s.plan.rows * s.plan.chunks;
  if (s.plan.across) return launch(l, cover(pieces), ScanAcross<T, kWrite>{s}, err);
  Shape shape{.blocks = blocks_for(pieces), .shared_bytes = ScanAlong<T>::kSharedBytes};
  if constexpr (kWrite) return launch(l, shape, ScanAlong<T>{s}, err);
  shape.shared_bytes = kLanes * static_cast<int64_t>(sizeof(typename Scan<T>::Sum));
  return launch(l, shape, SumChunks<T>{s}, err);
}

template <class T>
bp_status run(const bp_launch& l, bp_error** err) {
  using S = Scan<T>;
  using Sum = typename S::Sum;
  const ScanPlan p = plan_scan(l);
  if (p.n == 0 || p.rows == 0) return BP_OK;
  auto* sums = p.chunks > 1 ? static_cast<Sum*>(l.workspace) : nullptr;
  const S s{p, static_cast<const T*>(l.args[0].data), static_cast<typename S::Out*>(l.args[1].data),
            sums};
  if (sums) {
    if (const bp_status status = launch_scan<T, false>(l, s, err)) return status;
    const Shape shape{.blocks = blocks_for(p.rows),
                      .shared_bytes = 2 * kLanes * static_cast<int64_t>(sizeof(Sum))};
    if (const bp_status status = launch(l, shape, ScanChunks<Sum>{p.chunks, p.rows, sums}, err))
      return status;
  }
  return launch_scan<T, true>(l, s, err);
}
template <class T>
bp_status workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const ScanPlan p = plan_scan(*l);
  *bytes = p.chunks > 1 ? static_cast<uint64_t>(p.chunks * p.rows) * sizeof(ScanSum<T>) : 0;
  return BP_OK;
}
template <class T>
void add_type(Registry& r, uint64_t dtypes) {
  r.add(BP_OP_CUMSUM, dtypes, entry<run<T>>, /*flags=*/0, workspace<T>);
}

}  // namespace

void add_scan(Registry& r) {
  add_type<uint64_t>(r, bit(BP_I64));
  each_type<bit(BP_BOOL) | (kReals & ~bit(BP_I64))>(
      [&](auto t, bp_dtype d) { add_type<decltype(t)>(r, bit(d)); });
}

}  // namespace bp_gpu
