// SPDX-License-Identifier: Apache-2.0
#include "driver/walk.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "device/parallel.h"
#include "driver/scalar.h"

namespace bp_cpu {
namespace {

// From this inner length on, blocks end with rows, and dense rows are read where they lie.
constexpr int64_t kLongRow = 32;

}  // namespace

Walk::Walk(const bp_launch& launch, const Loops& loops)
    : loops_(loops), n_in_(static_cast<int>(launch.n_in)) {
  const bp_arg& out = launch.args[n_in_];
  space_.rank = out.rank;
  for (int d = 0; d < out.rank; ++d) count_ *= space_.size[d] = out.shape[d];
  for (int i = 0; i <= n_in_; ++i) {
    const bp_arg& arg = launch.args[i];
    Operand& o = operand_[i];
    o.bytes = kItemBytes[arg.dtype];
    o.widened = bp_kit::is_narrow(arg.dtype) &&
                (i == n_in_ ? loops.store != nullptr : loops.load != nullptr);
    if (arg.kind == BP_ARG_TENSOR) {
      o.data = static_cast<char*>(arg.data);
      std::copy_n(arg.strides, out.rank, o.stride);
      continue;
    }
    store_scalar(arg, arg.dtype, o.widened, number_[i]);
    // Comparisons take the number rounded to the narrow dtype, other ops take it as it is.
    if (o.widened && loops.load && !loops.store) {
      char rounded[16];
      store_scalar(arg, arg.dtype, /*wide=*/false, rounded);
      float wide;
      loops.load(&wide, rounded, 1);
      std::memcpy(number_[i], &wide, sizeof wide);
    }
    if (o.widened) o.bytes = 4;
    o.widened = false;
    o.data = number_[i];
    std::fill_n(o.stride, out.rank, 0);
  }
  if (!(out.flags & BP_ARG_CONTIGUOUS)) follow_output();
  merge_dimensions();
  choose_ways();
  choose_tiles();
}

// Reorders the dims to the order in which the output lies in memory.
void Walk::follow_output() {
  int order[BP_MAX_RANK];
  for (int d = 0; d < space_.rank; ++d) order[d] = d;
  std::stable_sort(order, order + space_.rank, [&](int a, int b) {
    return std::abs(out().stride[a]) > std::abs(out().stride[b]);
  });
  const Space before = space_;
  for (int d = 0; d < space_.rank; ++d) space_.size[d] = before.size[order[d]];
  bool flipped[BP_MAX_RANK];
  for (int d = 0; d < space_.rank; ++d) flipped[d] = out().stride[order[d]] < 0;
  for (int i = 0; i <= n_in_; ++i) {
    Operand& o = operand_[i];
    int64_t stride[BP_MAX_RANK];
    std::copy_n(o.stride, space_.rank, stride);
    for (int d = 0; d < space_.rank; ++d) {
      o.stride[d] = stride[order[d]];
      if (!flipped[d]) continue;
      o.data += (space_.size[d] - 1) * o.stride[d] * o.bytes;
      o.stride[d] = -o.stride[d];
    }
  }
}

void Walk::merge_dimensions() {
  int kept = 0;
  for (int d = 0; d < space_.rank; ++d) {
    if (space_.size[d] == 1 && (kept > 0 || d + 1 < space_.rank)) continue;
    bool merges = kept > 0;
    for (int i = 0; merges && i <= n_in_; ++i)
      merges = operand_[i].stride[kept - 1] == operand_[i].stride[d] * space_.size[d];
    if (merges)
      space_.size[kept - 1] *= space_.size[d];
    else
      space_.size[kept++] = space_.size[d];
    for (int i = 0; i <= n_in_; ++i) operand_[i].stride[kept - 1] = operand_[i].stride[d];
  }
  space_.rank = kept;
}

bool Walk::row_major(const Operand& o) const {
  int64_t expected = 1;
  for (int d = space_.rank - 1; d >= 0; --d) {
    if (space_.size[d] != 1 && o.stride[d] != expected) return false;
    expected *= space_.size[d];
  }
  return true;
}

void Walk::choose_ways() {
  rows_ = space_.inner() >= kLongRow;
  for (int i = 0; i <= n_in_; ++i) {
    Operand& o = operand_[i];
    const unsigned bit = i < n_in_ ? mask_bit(n_in_, i) : 0;
    const bool may_be_single = bit && loops_.dense[mask_ | bit];
    const int64_t inner = o.stride[space_.rank - 1];
    const bool all_zero =
        std::all_of(o.stride, o.stride + space_.rank, [](int64_t s) { return s == 0; });
    if (all_zero && may_be_single) {
      o.way = Way::kSingle;
    } else if (!all_zero && row_major(o)) {
      o.way = Way::kDense;
    } else if (rows_ && inner == 1) {
      o.way = Way::kRow;
    } else if (rows_ && inner == 0 && may_be_single) {
      o.way = Way::kRowSingle;
    } else {
      o.way = Way::kBlock;
    }
    if (o.single()) mask_ |= bit;
    buffered_ |= o.way == Way::kBlock || (o.widened && o.way != Way::kSingle);
  }
  const auto by_row = [](const Operand& o) {
    return o.way == Way::kRow || o.way == Way::kRowSingle;
  };
  rows_ = std::any_of(operand_, operand_ + n_in_ + 1, by_row);
}

// ---- blocks ----

const void* Walk::input(int i, int64_t first, int64_t n, Buffers& b) const {
  const Operand& o = operand_[i];
  const void* from = o.data;
  if (o.way == Way::kDense) from = o.data + first * o.bytes;
  if (o.way == Way::kBlock) {
    gather(space_, o, first, n, b.raw[i]);
    from = b.raw[i];
  }
  if (!o.widened) return from;
  loops_.load(b.wide[i], from, o.single() ? 1 : n);
  return b.wide[i];
}

void Walk::run_blocks(int64_t begin, int64_t end) const {
  const Operand& out = this->out();
  Buffers buffers;
  const Loop loop = loops_.dense[mask_];
  int64_t n = 0;
  for (int64_t first = begin; first < end; first += n) {
    n = end - first;
    if (buffered_) n = std::min(n, kBlock);
    const void* in[kMaxInputs];
    for (int i = 0; i < n_in_; ++i) in[i] = input(i, first, n, buffers);
    char* to = out.way == Way::kBlock ? buffers.raw[n_in_] : out.data + first * out.bytes;
    if (out.widened) {
      loop(buffers.wide[n_in_], in, n);
      loops_.store(to, buffers.wide[n_in_], n);
    } else {
      loop(to, in, n);
    }
    if (out.way == Way::kBlock) scatter(space_, out, first, n, to);
  }
}

// Returns false unless one side of a move is dense, so that it is a block itself.
bool Walk::move(int64_t begin, int64_t end) const {
  const Operand &in = operand_[0], &out = this->out();
  // What a row repeats is done better by loops of the instruction set at hand.
  const bool repeats =
      in.single() || (in.way == Way::kRow && space_.rank > 1 && in.stride[space_.last() - 1] == 0);
  if (!loops_.moves || repeats) return false;
  if (out.way == Way::kDense)
    gather(space_, in, begin, end - begin, out.data + begin * out.bytes);
  else if (in.way == Way::kDense)
    scatter(space_, out, begin, end - begin, in.data + begin * in.bytes);
  else
    return false;
  return true;
}

// ---- rows ----

// How many elements of a long dense row come before its first whole cache line: registers that are
// stored across two lines take a row of a few kilobytes a tenth longer.
int64_t to_line(const char* row, int64_t step, int64_t length) {
  constexpr int64_t kLine = 64, kLong = 1024;  // bytes
  const auto past = static_cast<int64_t>(reinterpret_cast<uintptr_t>(row) % kLine);
  return past == 0 || length * step < kLong ? 0 : (kLine - past) / step;
}

// Elements [column, column + length) of the row that begins in operand i at place[i].
inline void Walk::run_row(char* const* place, int64_t column, int64_t length, Buffers& b) const {
  const int last = space_.last();
  const void* in[kMaxInputs];
  char* const to = place[n_in_] + column * out().step(last);
  for (int i = 0; i < n_in_; ++i) in[i] = place[i] + column * operand_[i].step(last);
  if (!buffered_) {
    const int64_t head = to_line(to, out().step(last), length);
    if (head == 0) return loops_.dense[mask_](to, in, length);
    loops_.dense[mask_](to, in, head);
    for (int i = 0; i < n_in_; ++i)
      in[i] = static_cast<const char*>(in[i]) + head * operand_[i].step(last);
    return loops_.dense[mask_](to + head * out().bytes, in, length - head);
  }
  for (int64_t n = 0; length > 0; length -= n, column += n) {
    n = std::min(kBlock, length);
    run_buffered(place, column, n, b);
  }
}

void Walk::run_buffered(char* const* place, int64_t column, int64_t n, Buffers& b) const {
  const int last = space_.last();
  const void* in[kMaxInputs];
  for (int i = 0; i < n_in_; ++i) {
    const Operand& o = operand_[i];
    const char* from = place[i] + column * o.step(last);
    in[i] = from;
    if (!o.single() && o.stride[last] != 1) {
      gather_row(from, o.bytes, n, o.stride[last], b.raw[i]);
      in[i] = b.raw[i];
    }
    if (!o.widened) continue;
    loops_.load(b.wide[i], in[i], o.single() ? 1 : n);
    in[i] = b.wide[i];
  }
  const Operand& out = this->out();
  const bool direct = out.stride[last] == 1;
  char* const result = place[n_in_] + column * out.step(last);
  char* const to = direct ? result : b.raw[n_in_];
  if (out.widened) {
    loops_.dense[mask_](b.wide[n_in_], in, n);
    loops_.store(to, b.wide[n_in_], n);
  } else {
    loops_.dense[mask_](to, in, n);
  }
  if (!direct) scatter_row(result, out.bytes, n, out.stride[last], to);
}

// Calls run(places, rows) for rows that follow each other along the next dimension, of which the
// first begins at `places`. It counts the outer dimensions up instead of dividing at every row.
template <class F>
void Walk::each_run_of_rows(int64_t row, int64_t end, const F& run) const {
  const int next = space_.last() - 1;
  int64_t at[BP_MAX_RANK];
  char* place[kMaxInputs + 1];
  for (int i = 0; i <= n_in_; ++i) place[i] = operand_[i].data;
  int64_t left = row;
  for (int d = next; d >= 0; --d) {
    at[d] = left % space_.size[d];
    left /= space_.size[d];
    for (int i = 0; i <= n_in_; ++i) place[i] += at[d] * operand_[i].step(d);
  }
  while (row < end) {
    int64_t rows = next < 0 ? 1 : std::min(end - row, space_.size[next] - at[next]);
    run(place, rows);
    row += rows;
    for (int d = next; d >= 0; --d, rows = 1) {
      at[d] += rows;
      const bool wraps = at[d] == space_.size[d];
      for (int i = 0; i <= n_in_; ++i)
        place[i] += (wraps ? rows - at[d] : rows) * operand_[i].step(d);
      if (!wraps) break;
      at[d] = 0;
    }
  }
}

void Walk::run_rows(int64_t begin, int64_t end) const {
  Buffers buffers;
  const int64_t inner = space_.inner();
  const int next = space_.last() - 1;
  int64_t step[kMaxInputs + 1];
  for (int i = 0; i <= n_in_; ++i) step[i] = next < 0 ? 0 : operand_[i].step(next);
  int64_t column = begin % inner;  // the part may begin and end within a row
  each_run_of_rows(begin / inner, (end + inner - 1) / inner, [&](char* const* first, int64_t rows) {
    char* place[kMaxInputs + 1];
    std::copy_n(first, n_in_ + 1, place);
    for (int64_t r = 0; r < rows; ++r) {
      const int64_t length = std::min(inner - column, end - begin);
      run_row(place, column, length, buffers);
      begin += length;
      column = 0;
      for (int i = 0; i <= n_in_; ++i) place[i] += step[i];
    }
  });
}

// ---- tiles ----

void Walk::choose_tiles() {
  constexpr int64_t kLeast = 16;
  const int last = space_.last();
  if (space_.rank < 2 || space_.inner() < kLeast) return;
  for (int i = 0; i < n_in_; ++i) {
    if (operand_[i].way != Way::kBlock) continue;
    for (int d = 0; d < last; ++d)
      if (std::abs(operand_[i].stride[d]) == 1 && space_.size[d] >= kLeast) tile_dim_ = d;
  }
  int64_t widest = 0;
  for (int i = 0; i <= n_in_; ++i) widest = std::max<int64_t>(widest, operand_[i].bytes);
  tile_columns_ =
      static_cast<int64_t>(sizeof Buffers::raw[0]) / kTileRows / std::max<int64_t>(widest, 8);
}

void Walk::run() const {
  if (tile_dim_ < 0)
    return parallel_for(count_, loops_.grain, [this](int64_t begin, int64_t end) {
      if (move(begin, end)) return;
      rows_ ? run_rows(begin, end) : run_blocks(begin, end);
    });
  const int64_t rows = space_.size[tile_dim_], columns = space_.inner();
  const int64_t tiles = count_ / (rows * columns) * ((rows + kTileRows - 1) / kTileRows) *
                        ((columns + tile_columns_ - 1) / tile_columns_);
  parallel_for(tiles, std::max<int64_t>(1, loops_.grain / (kTileRows * tile_columns_)),
               [this](int64_t begin, int64_t end) {
                 Buffers buffers;
                 for (int64_t i = begin; i < end; ++i) run_tile(place_tile(i), buffers);
               });
}

// Neighbouring tiles lie along the rows' dimension, because they share the cache lines of the
// transposed operand.
Walk::Tile Walk::place_tile(int64_t index) const {
  const int last = space_.last();
  const int64_t across = (space_.size[tile_dim_] + kTileRows - 1) / kTileRows;
  const int64_t along = (space_.inner() + tile_columns_ - 1) / tile_columns_;
  const int64_t row = index % across * kTileRows;
  index /= across;
  const int64_t column = index % along * tile_columns_;
  index /= along;
  Tile t{std::min(kTileRows, space_.size[tile_dim_] - row),
         std::min(tile_columns_, space_.inner() - column),
         {}};
  int64_t offset[kMaxInputs + 1];
  for (int i = 0; i <= n_in_; ++i)
    offset[i] = row * operand_[i].stride[tile_dim_] + column * operand_[i].stride[last];
  for (int d = last - 1; d >= 0; --d) {
    if (d == tile_dim_) continue;
    for (int i = 0; i <= n_in_; ++i) offset[i] += index % space_.size[d] * operand_[i].stride[d];
    index /= space_.size[d];
  }
  for (int i = 0; i <= n_in_; ++i) t.base[i] = operand_[i].data + offset[i] * operand_[i].bytes;
  return t;
}

void Walk::run_tile(const Tile& t, Buffers& b) const {
  const int last = space_.last();
  // From here on, row r of input i begins at from[i] + r * step[i].
  const char* from[kMaxInputs];
  int64_t step[kMaxInputs];
  for (int i = 0; i < n_in_; ++i) {
    const Operand& o = operand_[i];
    from[i] = t.base[i];
    step[i] = o.stride[tile_dim_] * o.bytes;
    if (o.single() || o.stride[last] == 1) continue;
    gather_tile(t.base[i], o.bytes, t.rows, o.stride[tile_dim_], t.columns, o.stride[last],
                b.raw[i]);
    from[i] = b.raw[i];
    step[i] = t.columns * o.bytes;
  }
  const Operand& out = this->out();
  const bool direct = out.stride[last] == 1;
  const Loop loop = loops_.dense[mask_];
  for (int64_t r = 0; r < t.rows; ++r) {
    const void* in[kMaxInputs];
    for (int i = 0; i < n_in_; ++i) {
      in[i] = from[i] + r * step[i];
      if (!operand_[i].widened) continue;
      loops_.load(b.wide[i], in[i], operand_[i].single() ? 1 : t.columns);
      in[i] = b.wide[i];
    }
    char* place = t.base[n_in_] + r * out.stride[tile_dim_] * out.bytes;
    char* to = direct ? place : b.raw[n_in_];
    if (out.widened) {
      loop(b.wide[n_in_], in, t.columns);
      loops_.store(to, b.wide[n_in_], t.columns);
    } else {
      loop(to, in, t.columns);
    }
    if (!direct) scatter_row(place, out.bytes, t.columns, out.stride[last], to);
  }
}

}  // namespace bp_cpu
