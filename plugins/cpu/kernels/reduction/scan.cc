// SPDX-License-Identifier: Apache-2.0
// scan.cc: cumsum. Integers and bools go modulo 2^64, which is the i64 or the u64 result; f32 and
// halves are summed in f64, f64 in two numbers (Knuth's two-sum). A row is cut into chunks of a
// fixed length: each is summed from zero, and what came before it is added to its results; so the
// result does not depend on the number of threads.
#include <math.h>

#include "device/parallel.h"
#include "device/registry.h"
#include "device/scratch.h"
#include "kernels/reduction/elements.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kChunk = 16384;  // elements
constexpr int64_t kBlock = 2048;   // elements that are converted at a time
constexpr int64_t kTile = 256;     // rows that are done at a time where they lie across memory
constexpr int64_t kFewRows = 16;   // fewer rows are cut among threads
constexpr int64_t kGrainElements = 16384;

// A running sum. It adds elements of type L, and its values are L until they are stored.
struct Words {
  using L = uint64_t;
  uint64_t sum = 0;
  void add(uint64_t x) { sum += x; }
  uint64_t value(const Words& before) const { return before.sum + sum; }
};
struct Doubles {
  using L = float;
  double sum = 0;
  void add(float x) { sum += static_cast<double>(x); }
  float value(const Doubles& before) const { return static_cast<float>(before.sum + sum); }
};
struct Pairs {
  using L = double;
  double sum = 0, rest = 0;  // rest is NaN once sum is not finite
  void add(double x) {
    const double next = sum + x, part = next - sum;
    rest += (sum - (next - part)) + (x - part);
    sum = next;
  }
  double value(const Pairs& before) const {
    const double small = rest + before.rest;
    const double all = before.sum + sum;
    return small == small ? before.sum + (sum + small) : all;
  }
};

// `before` becomes the sum of both.
inline void join(Words& before, const Words& s) { before.sum += s.sum; }
inline void join(Doubles& before, const Doubles& s) { before.sum += s.sum; }
inline void join(Pairs& before, const Pairs& s) {
  before.add(s.sum);
  before.rest += s.rest;
}

// Adds x to sum; y[i] becomes before + sum + x[0] + ... + x[i], unless y is nullptr.
template <class S>
void scan(const typename S::L* x, typename S::L* y, int64_t n, S& sum, const S& before) {
  S s = sum;
  const S b = before;
  for (int64_t i = 0; i < n; ++i) {
    s.add(x[i]);
    if (y) y[i] = s.value(b);
  }
  sum = s;
}
// The chain from one sum to the next is one addition for four elements.
void scan(const float* x, float* y, int64_t n, Doubles& sum, const Doubles& before) {
  double s = sum.sum;
  const double b = before.sum;
  int64_t i = 0;
  for (; i + 4 <= n; i += 4) {
    const double x0 = static_cast<double>(x[i]), x1 = x0 + static_cast<double>(x[i + 1]);
    const double x2 = static_cast<double>(x[i + 2]), pair = x2 + static_cast<double>(x[i + 3]),
                 x3 = x1 + pair;
    if (y) {
      y[i] = static_cast<float>(b + (s + x0));
      y[i + 1] = static_cast<float>(b + (s + x1));
      y[i + 2] = static_cast<float>(b + (s + (x1 + x2)));
      y[i + 3] = static_cast<float>(b + (s + x3));
    }
    s += x3;
  }
  for (; i < n; ++i) {
    s += static_cast<double>(x[i]);
    if (y) y[i] = static_cast<float>(b + s);
  }
  sum.sum = s;
}

// One operand, whose rows are numbered in row-major order.
struct Side {
  explicit Side(const bp_arg& arg)
      : data(static_cast<char*>(arg.data)),
        shape(arg.shape),
        strides(arg.strides),
        outer(arg.rank - 1) {}
  int64_t n() const { return shape[outer]; }
  int64_t stride() const { return strides[outer]; }
  // The offset of the first element of row `row`, counted over the first `dims` dimensions.
  int64_t offset(int64_t row, int dims) const {
    int64_t at = 0;
    for (int i = dims - 1; i > 0; --i) {
      at += row % shape[i] * strides[i];
      row /= shape[i];
    }
    return dims > 0 ? at + row * strides[0] : 0;
  }
  int64_t rows(int dims) const {
    int64_t count = 1;
    for (int i = 0; i < dims; ++i) count *= shape[i];
    return count;
  }
  char* data;
  const int64_t *shape, *strides;
  int outer;
};

template <class T, class O, class S>
struct Cumsum {
  using L = typename S::L;
  static constexpr bool kPlainIn = std::is_same_v<T, L>, kPlainOut = std::is_same_v<O, L>;
  Side in, out;
  int64_t n, chunks;

  explicit Cumsum(const bp_launch& l)
      : in(l.args[0]), out(l.args[1]), n(in.n()), chunks((n + kChunk - 1) / kChunk) {}

  const T* in_row(int64_t row) const {
    return reinterpret_cast<const T*>(in.data) + in.offset(row, in.outer);
  }
  O* out_row(int64_t row) const {
    return reinterpret_cast<O*>(out.data) + out.offset(row, out.outer);
  }

  // Returns the sum of a chunk, and writes its results where there is a row to write to.
  S chunk(const T* row, O* to, int64_t index, const S& before) const {
    S sum;
    L from[kBlock], results[kBlock];
    const int64_t end = smaller(n, (index + 1) * kChunk);
    for (int64_t at = index * kChunk; at < end; at += kBlock) {
      const int64_t count = smaller(kBlock, end - at);
      const L* x = from;
      L* y = to ? results : nullptr;
      if constexpr (kPlainIn)
        if (in.stride() == 1) x = row + at;
      if constexpr (kPlainOut)
        if (to && out.stride() == 1) y = to + at;
      if (x == from) load_elements<T, L>(from, row + at * in.stride(), count, in.stride());
      scan(x, y, count, sum, before);
      if (y == results) store_elements<O, L>(to + at * out.stride(), y, count, out.stride());
    }
    return sum;
  }

  void whole_rows(int64_t rows) const {
    parallel_for(rows, kGrainElements / n + 1, [&](int64_t first, int64_t last) {
      for (int64_t r = first; r < last; ++r) {
        S before;
        for (int64_t c = 0; c < chunks; ++c) join(before, chunk(in_row(r), out_row(r), c, before));
      }
    });
  }

  bp_status cut_rows(const bp_launch& launch, int64_t rows, bp_error** err) const {
    Scratch scratch(launch, static_cast<uint64_t>(rows * chunks) * sizeof(S));
    S* sums = scratch.as<S>();
    if (!sums) return scratch.fail(err);
    parallel_for(rows * chunks, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        sums[i] = chunk(in_row(i / chunks), nullptr, i % chunks, S{});
    });
    for (int64_t r = 0; r < rows; ++r) {
      S before;
      for (int64_t c = 0; c < chunks; ++c) {
        const S own = sums[r * chunks + c];
        sums[r * chunks + c] = before;
        join(before, own);
      }
    }
    parallel_for(rows * chunks, 1, [&](int64_t first, int64_t last) {
      for (int64_t i = first; i < last; ++i)
        chunk(in_row(i / chunks), out_row(i / chunks), i % chunks, sums[i]);
    });
    return BP_OK;
  }

  // Does `width` rows that lie across memory, from x and y on.
  void tile(const T* x, O* y, int64_t width, int64_t in_step, int64_t out_step) const {
    S sums[kTile];
    const S nothing;
    L from[kTile], results[kTile];
    for (int64_t i = 0; i < n; ++i) {
      load_elements<T, L>(from, x + i * in.stride(), width, in_step);
#pragma omp simd
      for (int64_t j = 0; j < width; ++j) {
        sums[j].add(from[j]);
        results[j] = sums[j].value(nothing);
      }
      store_elements<O, L>(y + i * out.stride(), results, width, out_step);
    }
  }

  // Whether the last outer dimension lies denser than the axis, so that tiles are worth it.
  bool across() const {
    if (in.outer == 0 || in.stride() == 1 || in.shape[in.outer - 1] < 4) return false;
    const int64_t step = in.strides[in.outer - 1], along = in.stride();
    return (step < 0 ? -step : step) < (along < 0 ? -along : along);
  }
  void tiles() const {
    const int dims = in.outer - 1;
    const int64_t columns = in.shape[dims], per_group = (columns + kTile - 1) / kTile;
    parallel_for(
        in.rows(dims) * per_group, kGrainElements / (n * kTile) + 1,
        [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) {
            const int64_t group = i / per_group, at = i % per_group * kTile;
            const int64_t in_step = in.strides[dims], out_step = out.strides[dims];
            tile(reinterpret_cast<const T*>(in.data) + in.offset(group, dims) + at * in_step,
                 reinterpret_cast<O*>(out.data) + out.offset(group, dims) + at * out_step,
                 smaller(kTile, columns - at), in_step, out_step);
          }
        });
  }
};

template <class T, class O, class S>
bp_status run(const bp_launch* launch, bp_error** err) {
  const Cumsum<T, O, S> c(*launch);
  const int64_t rows = c.in.rows(c.in.outer);
  if (rows == 0 || c.n == 0) return BP_OK;
  if (c.across()) {
    c.tiles();
  } else if (c.chunks > 1 && rows < kFewRows && max_threads() > 1) {
    return c.cut_rows(*launch, rows, err);
  } else {
    c.whole_rows(rows);
  }
  return BP_OK;
}

}  // namespace

void add_scan(Registry& r) {
  each_type<bit(BP_BOOL) | (kIntegers & ~bit(BP_I64))>(
      [&](auto t, bp_dtype d) { r.add(BP_OP_CUMSUM, bit(d), run<decltype(t), uint64_t, Words>); });
  r.add(BP_OP_CUMSUM, bit(BP_I64), run<uint64_t, uint64_t, Words>);
  each_type<kFloats & ~bit(BP_F64)>([&](auto t, bp_dtype d) {
    r.add(BP_OP_CUMSUM, bit(d), run<decltype(t), decltype(t), Doubles>);
  });
  r.add(BP_OP_CUMSUM, bit(BP_F64), run<double, double, Pairs>);
}

}  // namespace bp_cpu::BP_ISA
