// SPDX-License-Identifier: Apache-2.0
// softmax.cc: softmax, log_softmax. A row is cut into chunks of a fixed length; a chunk gives its
// largest number and the sum of e^(x - that), the parts are combined pairwise, and a second pass
// writes. So a row of any length is read twice and written once, and the result does not depend on
// the number of threads. Exponentials are summed 16 to a register, then in f64. Halves are worked
// on in f32. The second pass never reads what was rounded to the output.
//
// Rows that lie across memory (the axis is not the dense dimension) are done many at a time, one in
// each lane; so are very short ones. Few enough elements stay in a buffer until they are written.
#include <cstring>

#include "device/parallel.h"
#include "device/registry.h"
#include "device/scratch.h"
#include "kernels/reduction/elements.h"
#include "kernels/shuffles.h"
#include "math/exponential.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kChunk = 8192;       // elements: in f32 a first-level cache
constexpr int64_t kLocalChunks = 128;  // rows of so many chunks may be one task
constexpr int64_t kHeldRow = 64;       // elements of rows side by side that a buffer holds whole
constexpr int64_t kManyRows = 16;      // so many are shared among threads whole
constexpr int64_t kGrainElements = 8192;
constexpr int64_t kAddsInLane = 16;  // additions before a sum goes on in f64
constexpr int kUnroll = 4;

[[maybe_unused]] inline double lib_exp(double x) { return ::exp(x); }
[[maybe_unused]] inline long double lib_exp(long double x) { return expl(x); }

// What e^(x - max) needs of max. x - max itself would lose up to 64 ULP of the result; it is exact
// only if max is far from zero. Near zero, max = k ln 2 + m, and x - n ln 2 - m is formed at once.
template <class V>
struct Shift {
  V low, far, m, m_log2e, k;
};

template <class D, class V>
HWY_INLINE Shift<V> make_shift(D d, V max) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  // If all are -inf, the sum becomes 0 and what is made of it NaN.
  const V top = hn::IfThenZeroElse(hn::Eq(max, hn::Set(d, -static_cast<T>(INFINITY))), max);
  const V low = hn::Add(top, hn::Set(d, C::kSmallest - 1));
  if constexpr (!kVectorMath) return {low, top, top, top, top};
  const auto is_near = hn::Lt(hn::Abs(top), hn::Set(d, T(2048)));
  const V near = hn::IfThenElseZero(is_near, top);
  const V k = hn::Round(hn::Mul(near, hn::Set(d, C::kLog2E)));
  const V m =
      hn::NegMulAdd(k, hn::Set(d, C::kLn2Low), hn::NegMulAdd(k, hn::Set(d, C::kLn2High), near));
  return {low, hn::IfThenZeroElse(is_near, top), m, hn::Mul(m, hn::Set(d, C::kLog2E)), k};
}

// e^(x - max) for x <= max. Without fused multiply-add it is the library's, in the next wider type.
template <class D, class V>
HWY_INLINE V exp_shifted(D d, V x, const Shift<V>& s) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  if constexpr (!kVectorMath) {
    using Wider = std::conditional_t<sizeof(T) == 4, double, long double>;
    HWY_ALIGN T v[kMaxLanes<T>], max[kMaxLanes<T>];
    hn::Store(x, d, v);
    hn::Store(s.far, d, max);
    for (size_t i = 0; i < hn::Lanes(d); ++i)
      v[i] = static_cast<T>(lib_exp(Wider{v[i]} - Wider{max[i]}));
    return hn::Load(d, v);
  } else {
    const V v = hn::Sub(hn::Max(s.low, x), s.far);  // NaN stays: see clamp
    const V n = hn::Round(hn::MulSub(v, hn::Set(d, C::kLog2E), s.m_log2e));
    V r = hn::NegMulAdd(n, hn::Set(d, C::kLn2High), v);
    r = hn::Sub(hn::NegMulAdd(n, hn::Set(d, C::kLn2Low), r), s.m);
    return scale(d, hn::Add(exp_minus_one(d, r), hn::Set(d, T(1))), hn::Sub(n, s.k));
  }
}

// y[i] = f(x[i]), a register at a time.
template <class A, class F>
HWY_INLINE void map(const A* x, A* y, int64_t n, const F& f) {
  const Tag<A> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) hn::StoreU(f(hn::LoadU(d, x + i)), d, y + i);
  if (i < n) store_part(d, f(load_part(d, x + i, n - i)), y + i, n - i);
}

// The largest number. NaN may be passed over, since the sum becomes NaN.
template <class A>
A largest(const A* x, int64_t n) {
  const Tag<A> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  A top = -static_cast<A>(INFINITY);
  int64_t i = 0;
  if (n >= lanes) {
    const auto low = hn::Set(d, top);
    hn::Vec<Tag<A>> best[kUnroll] = {low, low, low, low};
    for (; i + kUnroll * lanes <= n; i += kUnroll * lanes)
      unroll<kUnroll>([&](auto k) { best[k] = hn::Max(hn::LoadU(d, x + i + k * lanes), best[k]); });
    for (; i + lanes <= n; i += lanes) best[0] = hn::Max(hn::LoadU(d, x + i), best[0]);
    best[1] = hn::Max(hn::LoadU(d, x + n - lanes), best[1]);  // the rest, and some a second time
    return hn::GetLane(
        hn::MaxOfLanes(d, hn::Max(hn::Max(best[0], best[1]), hn::Max(best[2], best[3]))));
  }
  for (; i < n; ++i) top = x[i] > top ? x[i] : top;
  return top;
}

template <class D, class V>
HWY_INLINE void add_lanes(D d, V sums, double* total) {
  using T = hn::TFromD<D>;
  HWY_ALIGN T lane[kMaxLanes<T>];
  hn::Store(sums, d, lane);
  for (size_t j = 0; j < hn::Lanes(d); ++j) total[j] += lane[j];
}

// Returns the sum of e^(x - max); with kKeep y becomes the exponentials.
template <bool kKeep, class A, class V>
double sum_exp(const A* x, A* y, int64_t n, const Shift<V>& shift) {
  const Tag<A> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d)), step = kUnroll * lanes;
  double total[kMaxLanes<A>] = {};
  const auto take = [&](int64_t at) HWY_ATTR {
    const V e = exp_shifted(d, hn::LoadU(d, x + at), shift);
    if constexpr (kKeep) hn::StoreU(e, d, y + at);
    return e;
  };
  int64_t i = 0;
  while (i + lanes <= n) {
    const int64_t end = smaller(n, i + kAddsInLane * step);
    V sum[kUnroll] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    for (; i + step <= end; i += step)
      unroll<kUnroll>([&](auto k) { sum[k] = hn::Add(sum[k], take(i + k * lanes)); });
    for (; i + lanes <= end; i += lanes) sum[0] = hn::Add(sum[0], take(i));
    add_lanes(d, hn::Add(hn::Add(sum[0], sum[1]), hn::Add(sum[2], sum[3])), total);
  }
  if (i < n) {
    const V rest =
        hn::IfThenElse(hn::FirstN(d, static_cast<size_t>(n - i)), load_part(d, x + i, n - i),
                       hn::Set(d, -static_cast<A>(INFINITY)));
    const V e = exp_shifted(d, rest, shift);
    add_lanes(d, e, total);
    if constexpr (kKeep) store_part(d, e, y + i, n - i);
  }
  for (int64_t half = kMaxLanes<A> / 2; half > 0; half /= 2)
    for (int64_t j = 0; j < half; ++j) total[j] += total[j + half];
  return total[0];
}

// What is known of a chunk, and then of its row.
template <class A>
struct Part {
  A max;
  double sum;
};

template <class A>
Part<A> combine(Part<A>* parts, int64_t n) {
  A max = parts[0].max;
  for (int64_t i = 1; i < n; ++i) max = parts[i].max > max ? parts[i].max : max;
  for (int64_t i = 0; i < n; ++i)
    if (parts[i].sum != 0)
      parts[i].sum *= ::exp(static_cast<double>(parts[i].max) - static_cast<double>(max));
  for (int64_t step = 1; step < n; step *= 2)
    for (int64_t i = 0; i + step < n; i += 2 * step) parts[i].sum += parts[i + step].sum;
  return {max, parts[0].sum};
}

// Writes from[c * from_step + r] to to[r * to_step + c], for 16 bytes of both.
template <class T>
HWY_INLINE void turn_block(T* to, int64_t to_step, const T* from, int64_t from_step) {
  constexpr int kSide = 16 / sizeof(T);
  typedef T Row __attribute__((vector_size(16)));
  const std::make_integer_sequence<int, kSide> all{};
  Row row[kSide], turned[kSide];
  for (int i = 0; i < kSide; ++i) std::memcpy(&row[i], from + i * from_step, sizeof(Row));
  if constexpr (kSide == 2) {
    turned[0] = zip_lower(row[0], row[1], all);
    turned[1] = zip_upper(row[0], row[1], all);
  } else {
    const Row low[] = {zip_lower(row[0], row[2], all), zip_lower(row[1], row[3], all)},
              high[] = {zip_upper(row[0], row[2], all), zip_upper(row[1], row[3], all)};
    turned[0] = zip_lower(low[0], low[1], all);
    turned[1] = zip_upper(low[0], low[1], all);
    turned[2] = zip_lower(high[0], high[1], all);
    turned[3] = zip_upper(high[0], high[1], all);
  }
  for (int i = 0; i < kSide; ++i) std::memcpy(to + i * to_step, &turned[i], sizeof(Row));
}
// The same for `rows` by `columns` elements.
template <class T>
void turn(T* to, int64_t to_step, const T* from, int64_t from_step, int64_t rows, int64_t columns) {
  constexpr int64_t kSide = 16 / sizeof(T);
  int64_t r = 0;
  for (; r + kSide <= rows; r += kSide) {
    int64_t c = 0;
    for (; c + kSide <= columns; c += kSide)
      turn_block(to + r * to_step + c, to_step, from + c * from_step + r, from_step);
    for (; c < columns; ++c)
      for (int64_t i = r; i < r + kSide; ++i) to[i * to_step + c] = from[c * from_step + i];
  }
  for (; r < rows; ++r)
    for (int64_t c = 0; c < columns; ++c) to[r * to_step + c] = from[c * from_step + r];
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
  // The first element of row `row`, counted over the first `dims` dimensions.
  template <class T>
  T* at(int64_t row, int dims) const {
    int64_t offset = 0;
    for (int i = dims - 1; i >= 0; row /= shape[i--])
      offset += (i ? row % shape[i] : row) * strides[i];
    return reinterpret_cast<T*>(data) + offset;
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

template <class T, bool kLog>
struct Softmax {
  using A = Calc<T>;
  using V = hn::Vec<Tag<A>>;
  static constexpr bool kPlain = std::is_same_v<T, A>;
  Side in, out;
  int64_t n, chunks;

  explicit Softmax(const bp_launch& l)
      : in(l.args[0]), out(l.args[1]), n(in.n()), chunks((n + kChunk - 1) / kChunk) {}

  int64_t length(int64_t chunk) const { return smaller(kChunk, n - chunk * kChunk); }
  const A* fetch(const T* row, int64_t chunk, A* buffer) const {
    const T* x = row + chunk * kChunk * in.stride();
    if constexpr (kPlain)
      if (in.stride() == 1) return x;
    load_elements<T, A>(buffer, x, length(chunk), in.stride());
    return buffer;
  }
  // Where a chunk's results are computed: in their place, or in the buffer.
  A* place(T* row, int64_t chunk, A* buffer) const {
    if constexpr (kPlain)
      if (out.stride() == 1) return row + chunk * kChunk;
    return buffer;
  }
  void put(T* row, int64_t chunk, const A* y, const A* buffer) const {
    if (y == buffer)
      store_elements<T, A>(row + chunk * kChunk * out.stride(), y, length(chunk), out.stride());
  }
  const T* in_row(int64_t row) const { return in.at<T>(row, in.outer); }
  T* out_row(int64_t row) const { return out.at<T>(row, out.outer); }

  Part<A> measure(const T* row, int64_t chunk, A* buffer) const {
    const A* x = fetch(row, chunk, buffer);
    const A max = largest(x, length(chunk));
    const Tag<A> d;
    return {max, sum_exp<false>(x, static_cast<A*>(nullptr), length(chunk),
                                make_shift(d, hn::Set(d, max)))};
  }

  void finish(const T* row, T* to, int64_t chunk, const Part<A>& whole, A* buffer) const {
    const A* x = fetch(row, chunk, buffer);
    A* y = place(to, chunk, buffer);
    const Tag<A> d;
    const V max = hn::Set(d, whole.max);
    if constexpr (kLog) {
      const V log_sum = hn::Set(d, static_cast<A>(::log(whole.sum)));
      map(x, y, length(chunk), [&](V v) HWY_ATTR { return hn::Sub(hn::Sub(v, max), log_sum); });
    } else {
      const Shift<V> shift = make_shift(d, max);
      const V factor = hn::Set(d, static_cast<A>(1 / whole.sum));
      map(x, y, length(chunk),
          [&](V v) HWY_ATTR { return hn::Mul(exp_shifted(d, v, shift), factor); });
    }
    put(to, chunk, y, buffer);
  }

  // A row of one chunk, for which the exponentials are kept.
  void short_row(const T* row, T* to, A* buffer) const {
    if constexpr (kLog) return finish(row, to, 0, measure(row, 0, buffer), buffer);
    const A* x = fetch(row, 0, buffer);
    A* y = place(to, 0, buffer);
    const Tag<A> d;
    const double sum = sum_exp<true>(x, y, n, make_shift(d, hn::Set(d, largest(x, n))));
    const V factor = hn::Set(d, static_cast<A>(1 / sum));
    map<A>(y, y, n, [&](V v) HWY_ATTR { return hn::Mul(v, factor); });
    put(to, 0, y, buffer);
  }

  void whole_rows(int64_t rows) const {
    parallel_for(rows, kGrainElements / n + 1, [&](int64_t first, int64_t last) {
      alignas(64) A buffer[kChunk];
      Part<A> parts[kLocalChunks];
      for (int64_t r = first; r < last; ++r) {
        const T* x = in_row(r);
        T* y = out_row(r);
        if (chunks == 1) {
          short_row(x, y, buffer);
          continue;
        }
        for (int64_t c = 0; c < chunks; ++c) parts[c] = measure(x, c, buffer);
        const Part<A> whole = combine(parts, chunks);
        for (int64_t c = 0; c < chunks; ++c) finish(x, y, c, whole, buffer);
      }
    });
  }

  bp_status cut_rows(const bp_launch& launch, int64_t rows, bp_error** err) const {
    Scratch scratch(launch, static_cast<uint64_t>(rows * chunks) * sizeof(Part<A>));
    Part<A>* parts = scratch.as<Part<A>>();
    if (!parts) return scratch.fail(err);
    parallel_for(rows * chunks, 1, [&](int64_t first, int64_t last) {
      alignas(64) A buffer[kChunk];
      for (int64_t i = first; i < last; ++i)
        parts[i] = measure(in_row(i / chunks), i % chunks, buffer);
    });
    for (int64_t r = 0; r < rows; ++r) parts[r * chunks] = combine(parts + r * chunks, chunks);
    parallel_for(rows * chunks, 1, [&](int64_t first, int64_t last) {
      alignas(64) A buffer[kChunk];
      for (int64_t i = first; i < last; ++i) {
        const int64_t r = i / chunks;
        finish(in_row(r), out_row(r), i % chunks, parts[r * chunks], buffer);
      }
    });
    return BP_OK;
  }

  // ---- many rows at a time: a tile of them, in blocks of positions, through a buffer ----
  static constexpr int64_t kMaxTile = kUnroll * kMaxLanes<A>;
  struct Tile {
    const T* x;
    T* y;
    int64_t width, in_step, out_step;
  };

  // Calls fn(count, x, at): `count` positions in x, kMaxTile apart, for a register at `at`.
  template <class F>
  HWY_INLINE void each_block(const Tile& t, A* buffer, T* y, const F& fn) const {
    for (int64_t first = 0; first < n; first += kAddsInLane) {
      const int64_t count = smaller(kAddsInLane, n - first);
      for (int64_t r = 0; r < count; ++r)
        load_elements<T, A>(buffer + r * kMaxTile, t.x + (first + r) * in.stride(), t.width,
                            t.in_step);
      for (int64_t at = 0; at < t.width; at += static_cast<int64_t>(hn::Lanes(Tag<A>())))
        fn(count, buffer + at, at);
      for (int64_t r = 0; y && r < count; ++r)
        store_elements<T, A>(y + (first + r) * out.stride(), buffer + r * kMaxTile, t.width,
                             t.out_step);
    }
  }

  void load_held(const Tile& t, A* buffer) const {
    if constexpr (kPlain)
      if (in.stride() == 1) return turn(buffer, kMaxTile, t.x, t.in_step, n, t.width);
    for (int64_t r = 0; r < n; ++r)
      load_elements<T, A>(buffer + r * kMaxTile, t.x + r * in.stride(), t.width, t.in_step);
  }
  void store_held(const Tile& t, const A* buffer) const {
    if constexpr (kPlain)
      if (out.stride() == 1) return turn(t.y, t.out_step, buffer, kMaxTile, t.width, n);
    for (int64_t r = 0; r < n; ++r)
      store_elements<T, A>(t.y + r * out.stride(), buffer + r * kMaxTile, t.width, t.out_step);
  }

  // Of rows that the buffer holds: they are read once, and an exponential is computed once.
  void run_held_tile(const Tile& t) const {
    const Tag<A> d;
    HWY_ALIGN A buffer[kHeldRow * kMaxTile];
    for (int64_t r = 0; t.width < kMaxTile && r < n; ++r)  // what a last register has beside it
      for (int64_t j = t.width; j < kMaxTile; ++j) buffer[r * kMaxTile + j] = 0;
    load_held(t, buffer);
    for (int64_t at = 0; at < t.width; at += static_cast<int64_t>(hn::Lanes(d))) {
      A* const x = buffer + at;
      V top = hn::Set(d, -static_cast<A>(INFINITY));
      for (int64_t r = 0; r < n; ++r) top = hn::Max(hn::Load(d, x + r * kMaxTile), top);
      const Shift<V> shift = make_shift(d, top);
      double sum[kMaxLanes<A>] = {};
      for (int64_t first = 0; first < n; first += kAddsInLane) {
        V total = hn::Zero(d);
        for (int64_t r = first; r < smaller(first + kAddsInLane, n); ++r) {
          const V e = exp_shifted(d, hn::Load(d, x + r * kMaxTile), shift);
          if constexpr (!kLog) hn::Store(e, d, x + r * kMaxTile);
          total = hn::Add(total, e);
        }
        add_lanes(d, total, sum);
      }
      HWY_ALIGN A last[kMaxLanes<A>];
      for (int64_t j = 0; j < kMaxLanes<A>; ++j)
        last[j] = static_cast<A>(kLog ? ::log(sum[j]) : 1 / sum[j]);
      const V by = hn::Load(d, last);
      for (int64_t r = 0; r < n; ++r) {
        const V v = hn::Load(d, x + r * kMaxTile);
        hn::Store(kLog ? hn::Sub(hn::Sub(v, top), by) : hn::Mul(v, by), d, x + r * kMaxTile);
      }
    }
    store_held(t, buffer);
  }

  void run_tile(const Tile& t) const {
    if (n <= kHeldRow) return run_held_tile(t);
    const Tag<A> d;
    HWY_ALIGN A buffer[kAddsInLane * kMaxTile] = {}, max[kMaxTile], last[kMaxTile];
    double sum[kMaxTile] = {};
    for (A& m : max) m = -static_cast<A>(INFINITY);
    each_block(t, buffer, nullptr, [&](int64_t count, const A* x, int64_t at) HWY_ATTR {
      V top = hn::Load(d, max + at);
      for (int64_t r = 0; r < count; ++r) top = hn::Max(hn::Load(d, x + r * kMaxTile), top);
      hn::Store(top, d, max + at);
    });
    each_block(t, buffer, nullptr, [&](int64_t count, const A* x, int64_t at) HWY_ATTR {
      const Shift<V> shift = make_shift(d, hn::Load(d, max + at));
      V total = hn::Zero(d);
      for (int64_t r = 0; r < count; ++r)
        total = hn::Add(total, exp_shifted(d, hn::Load(d, x + r * kMaxTile), shift));
      add_lanes(d, total, sum + at);
    });
    for (int64_t j = 0; j < kMaxTile; ++j)
      last[j] = static_cast<A>(kLog ? ::log(sum[j]) : 1 / sum[j]);
    each_block(t, buffer, t.y, [&](int64_t count, A* x, int64_t at) HWY_ATTR {
      const V top = hn::Load(d, max + at), by = hn::Load(d, last + at);
      const Shift<V> shift = make_shift(d, top);
      for (int64_t r = 0; r < count; ++r, x += kMaxTile) {
        const V v = hn::Load(d, x);
        hn::Store(kLog ? hn::Sub(hn::Sub(v, top), by) : hn::Mul(exp_shifted(d, v, shift), by), d,
                  x);
      }
    });
  }

  // Whether tiles are worth it: the last outer dimension lies denser than the axis, or rows are so
  // short that their ends cost more than their middle.
  bool across() const {
    if (in.outer == 0 || in.shape[in.outer - 1] < 4) return false;
    if (in.stride() == 1) return n <= kHeldRow && in.shape[in.outer - 1] >= kMaxTile;
    const int64_t step = in.strides[in.outer - 1], along = in.stride();
    return (step < 0 ? -step : step) < (along < 0 ? -along : along);
  }
  void tiles() const {
    const int dims = in.outer - 1;
    const int64_t columns = in.shape[dims],
                  width = kUnroll * static_cast<int64_t>(hn::Lanes(Tag<A>()));
    const int64_t per_group = (columns + width - 1) / width, in_step = in.strides[dims],
                  out_step = out.strides[dims];
    parallel_for(
        in.rows(dims) * per_group, kGrainElements / (n * width) + 1,
        [&](int64_t first, int64_t last) {
          for (int64_t i = first; i < last; ++i) {
            const int64_t group = i / per_group, at = i % per_group * width;
            run_tile({in.at<T>(group, dims) + at * in_step, out.at<T>(group, dims) + at * out_step,
                      smaller(width, columns - at), in_step, out_step});
          }
        });
  }
};

template <class T, bool kLog>
bp_status run(const bp_launch* launch, bp_error** err) {
  const Softmax<T, kLog> s(*launch);
  const int64_t rows = s.in.rows(s.in.outer);
  if (rows == 0 || s.n == 0) return BP_OK;
  if (s.across())
    s.tiles();
  else if (s.chunks == 1 || (rows >= kManyRows && s.chunks <= kLocalChunks))
    s.whole_rows(rows);
  else
    return s.cut_rows(*launch, rows, err);
  return BP_OK;
}

}  // namespace

void add_softmax(Registry& r) {
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_SOFTMAX, bit(d), run<decltype(t), false>);
    r.add(BP_OP_LOG_SOFTMAX, bit(d), run<decltype(t), true>);
  });
}

}  // namespace bp_cpu::BP_ISA
