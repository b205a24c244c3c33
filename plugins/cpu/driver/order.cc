// SPDX-License-Identifier: Apache-2.0
#include "driver/order.h"

#include <atomic>
#include <cstdlib>

#include "device/error.h"
#include "device/parallel.h"
#include "device/scratch.h"
#include "driver/elementwise.h"
#include "driver/operand.h"
#include "driver/order_items.h"

namespace bp_cpu {
namespace {

enum { kX, kValues, kIndices, kArgs };

// Rows are taken in groups that are neighbours along the innermost outer dimension. Where that is
// the dimension along which memory is dense, a group goes through dense blocks, so that whole cache
// lines are read and written.
struct Rows {
  explicit Rows(const bp_launch& launch, int64_t rank = -1);
  // Writes the offset, in elements, of a row's first element in each operand.
  void locate(int64_t row, int64_t offset[kArgs]) const;

  const bp_arg* args;
  int last;                              // the axis
  int64_t n, k;                          // along the axis: of x, of the outputs
  int64_t rank;                          // of the one element that is asked for; -1: the first k
  int64_t rows = 1, run;                 // number of rows, and of those along the innermost dim
  int64_t group;                         // rows that are taken at once
  bool copied;                           // x goes through a block
  bool tiled;                            // the outputs go through blocks too
  int64_t along[kArgs], between[kArgs];  // strides of the axis and of the innermost outer dimension
};

Rows::Rows(const bp_launch& launch, int64_t rank)
    : args(launch.args), last(args[kX].rank - 1), rank(rank) {
  n = args[kX].shape[last];
  k = args[kValues].shape[last];
  for (int d = 0; d < last; ++d) rows *= args[kX].shape[d];
  run = last > 0 ? args[kX].shape[last - 1] : 1;
  bool crosswise = false;
  for (int a = 0; a < kArgs; ++a) {
    along[a] = args[a].strides[last];
    between[a] = last > 0 ? args[a].strides[last - 1] : 0;
    crosswise |= between[a] != 0 && std::llabs(between[a]) < std::llabs(along[a]);
  }
  tiled = crosswise && run > 1;
  copied = tiled || along[kX] != 1;
  constexpr int64_t kLine = 64, kMostElements = 1 << 20;
  group = std::min(run, kLine / (tiled ? kItemBytes[args[kX].dtype] : 1));
  if (copied) group = std::clamp<int64_t>(kMostElements / n, 1, group);
}

void Rows::locate(int64_t row, int64_t offset[kArgs]) const {
  for (int a = 0; a < kArgs; ++a) offset[a] = 0;
  for (int d = last - 1; d >= 0; --d) {
    const int64_t at = row % args[kX].shape[d];
    row /= args[kX].shape[d];
    for (int a = 0; a < kArgs; ++a) offset[a] += at * args[a].strides[d];
  }
}

template <class U>
constexpr int kKeyBits = 8 * static_cast<int>(sizeof(U));

// One thread's memory. It is made twice: without memory, to know the size, and then over it.
template <class U, class Item>
struct Buffers {
  Buffers(const Rows& r, char* memory)
      : next(memory),
        selecting(worth_selecting(r.n, r.k)),
        room(r.rank >= 0 ? few_of(r.n)
             : selecting ? room_for(r.n, r.k)
                         : r.n) {
    const bool radix = r.rank < 0 && !selecting && worth_radix(r.n, kKeyBits<U>);
    take(items, room);
    take(spare, radix ? r.n : 0);
    take(counts, r.rank >= 0 ? kDigitCounts : radix ? kCounts : 0);
    take(x, r.copied ? r.group * r.n : 0);
    take(values, r.tiled ? r.group * r.k : 0);
    take(indices, r.tiled ? r.group * r.k : 0);
  }
  template <class T>
  void take(T*& p, int64_t count) {
    constexpr uint64_t kAlign = 64;
    const uint64_t bytes =
        (static_cast<uint64_t>(count) * sizeof(T) + kAlign - 1) / kAlign * kAlign;
    p = reinterpret_cast<T*>(next);
    if (next) next += bytes;
    size += bytes;
  }
  char* next;
  uint64_t size = 0;
  bool selecting;
  int64_t room;
  Item *items, *spare;
  int64_t* counts;
  U *x, *values;
  int64_t* indices;
};

template <class T>
void scatter_tile(T* to, int64_t rows, int64_t between, int64_t columns, int64_t along,
                  const T* block) {
  for (int64_t j = 0; j < columns; ++j)
    for (int64_t i = 0; i < rows; ++i) to[i * between + j * along] = block[i * columns + j];
}

template <class U, class Item>
void order_row(const Rows& r, const KeyRule<U>& rule, const Buffers<U, Item>& b, const U* x,
               U* values, int64_t value_stride, int64_t* indices, int64_t index_stride) {
  if (r.rank >= 0) {
    *indices = position_of_rank(x, r.n, r.rank, rule, b.items, b.counts);
    *values = x[*indices];
    return;
  }
  const auto write = [&](const auto* items) {
    for (int64_t j = 0; j < r.k; ++j) {
      const int64_t at = position_of(items[j]);
      values[j * value_stride] = x[at];
      indices[j * index_stride] = at;
    }
  };
  if (b.selecting) {
    select_items(x, r.n, r.k, rule, b.items, b.room);
    return write(b.items);
  }
  if constexpr (sizeof(U) == 8) {
    auto* halves = reinterpret_cast<Narrow*>(b.items);  // there is room for two in each
    if (const Narrow* sorted = sort_by_highest_bits(x, r.n, rule, halves, halves + r.n, b.counts))
      return write(sorted);
  }
  load_items(x, r.n, rule, b.items);
  write(sort_items(b.items, b.spare, r.n, kKeyBits<U>, b.counts));
}

template <class U, class Item>
void order_group(const Rows& r, const KeyRule<U>& rule, const Buffers<U, Item>& b, int64_t first,
                 int64_t count) {
  int64_t offset[kArgs];
  r.locate(first, offset);
  const U* x = static_cast<const U*>(r.args[kX].data) + offset[kX];
  U* values = static_cast<U*>(r.args[kValues].data) + offset[kValues];
  int64_t* indices = static_cast<int64_t*>(r.args[kIndices].data) + offset[kIndices];
  int64_t row = r.between[kX];
  if (r.copied) {
    gather_tile(reinterpret_cast<const char*>(x), sizeof(U), count, row, r.n, r.along[kX], b.x);
    x = b.x;
    row = r.n;
  }
  for (int64_t i = 0; i < count; ++i) {
    if (r.tiled)
      order_row(r, rule, b, x + i * row, b.values + i * r.k, 1, b.indices + i * r.k, 1);
    else
      order_row(r, rule, b, x + i * row, values + i * r.between[kValues], r.along[kValues],
                indices + i * r.between[kIndices], r.along[kIndices]);
  }
  if (!r.tiled) return;
  scatter_tile(values, count, r.between[kValues], r.k, r.along[kValues], b.values);
  scatter_tile(indices, count, r.between[kIndices], r.k, r.along[kIndices], b.indices);
}

template <class U, class Item>
bp_status order_rows(const bp_launch& launch, const Rows& r, bool descending, bp_error** err) {
  const KeyRule<U> rule = key_rule<U>(launch.args[kX].dtype, descending);
  const uint64_t bytes = Buffers<U, Item>(r, nullptr).size;
  constexpr int64_t kElementsWorthAThread = 4096;
  std::atomic<bool> exhausted{false};
  parallel_for(r.rows, std::max<int64_t>(1, kElementsWorthAThread / r.n),
               [&](int64_t begin, int64_t end) {
                 Scratch scratch(launch, bytes);
                 if (!scratch.as<char>()) return exhausted.store(true, std::memory_order_relaxed);
                 const Buffers<U, Item> buffers(r, scratch.as<char>());
                 while (begin < end) {
                   const int64_t count = std::min({r.group, end - begin, r.run - begin % r.run});
                   order_group(r, rule, buffers, begin, count);
                   begin += count;
                 }
               });
  if (!exhausted.load(std::memory_order_relaxed)) return BP_OK;
  return fail(&launch, err, BP_OUT_OF_HOST_MEMORY, "cpu: cannot allocate %llu bytes to sort in",
              static_cast<unsigned long long>(bytes));
}

template <class U>
bp_status order_width(const bp_launch& launch, const Rows& r, bool descending, bp_error** err) {
  if constexpr (sizeof(U) <= 4)
    if (r.n <= int64_t{1} << 32) return order_rows<U, Narrow>(launch, r, descending, err);
  return order_rows<U, Wide>(launch, r, descending, err);
}

bp_status run_rows(const bp_launch& launch, const Rows& r, bool descending, bp_error** err) {
  switch (kItemBytes[launch.args[kX].dtype]) {
    case 1: return order_width<uint8_t>(launch, r, descending, err);
    case 2: return order_width<uint16_t>(launch, r, descending, err);
    case 4: return order_width<uint32_t>(launch, r, descending, err);
    default: return order_width<uint64_t>(launch, r, descending, err);
  }
}

}  // namespace

bp_status run_order(const bp_launch& launch, bool descending, bp_error** err) {
  return run_rows(launch, Rows(launch), descending, err);
}

bp_status run_select(const bp_launch& launch, int64_t rank, bp_error** err) {
  return run_rows(launch, Rows(launch, rank), /*descending=*/false, err);
}

}  // namespace bp_cpu
