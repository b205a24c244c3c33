// softmax.cc: softmax, log_softmax. A row is cut into chunks whose length depends on nothing; a chunk gives its largest
// number and the sum of e^(x - that), the parts are combined pairwise, and a second pass writes. So a row of any length
// is read twice and written once, and the result does not depend on the number of threads. Exponentials are summed 16
// to a register, then in f64. Halves are worked on in f32. The second pass never reads what was rounded to the output.
//
// Rows that lie across memory (the axis is not the dense dimension) are done many at a time, one in each lane.
#include "elements.h"
#include "exponential.h"
#include "parallel.h"
#include "registry.h"
#include "scratch.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kChunk = 8192;        // elements: in f32 a first-level cache
constexpr int64_t kLocalChunks = 128;   // rows up to this long may be one task
constexpr int64_t kManyRows = 16;       // enough of them to share among threads whole
constexpr int64_t kGrainElements = 8192;
constexpr int64_t kAddsInLane = 16;     // before a sum goes on in f64
constexpr int kUnroll = 4;

inline float lib_exp(float x) { return expf(x); }
inline double lib_exp(double x) { return ::exp(x); }

// What e^(x - max) needs of max. x - max itself would lose up to 64 ULP of the result; it is exact only if max is far
// from zero. Near zero, max = k ln 2 + m, and x - n ln 2 - m is formed in one go.
template <class V>
struct Shift {
  V low, far, m, m_log2e, k;
};

template <class D, class V>
HWY_INLINE Shift<V> make_shift(D d, V max) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  // All -inf: the sum is 0 then, and what is made of it NaN.
  const V top = hn::IfThenZeroElse(hn::Eq(max, hn::Set(d, -static_cast<T>(INFINITY))), max);
  const V low = hn::Add(top, hn::Set(d, C::kSmallest - 1));
  if constexpr (!kVectorMath) return {low, top, top, top, top};
  const auto is_near = hn::Lt(hn::Abs(top), hn::Set(d, T(2048)));
  const V near = hn::IfThenElseZero(is_near, top);
  const V k = hn::Round(hn::Mul(near, hn::Set(d, C::kLog2E)));
  const V m = hn::NegMulAdd(k, hn::Set(d, C::kLn2Low), hn::NegMulAdd(k, hn::Set(d, C::kLn2High), near));
  return {low, hn::IfThenZeroElse(is_near, top), m, hn::Mul(m, hn::Set(d, C::kLog2E)), k};
}

// Without fused multiply-add: the library's, times 1 + what the difference lost.
template <class T>
T exp_of_difference(T x, T low, T max) {
  x = x < low ? low : x;
  const T difference = x - max, part = difference - x;
  const T lost = (x - (difference - part)) - (max + part);
  const T y = lib_exp(difference);
  return y + y * lost;
}

// e^(x - max) for x <= max.
template <class D, class V>
HWY_INLINE V exp_shifted(D d, V x, const Shift<V>& s) {
  using T = hn::TFromD<D>;
  using C = ExpConstants<T>;
  if constexpr (!kVectorMath) {
    HWY_ALIGN T v[kMaxLanes<T>], low[kMaxLanes<T>], max[kMaxLanes<T>];
    hn::Store(x, d, v);
    hn::Store(s.low, d, low);
    hn::Store(s.far, d, max);
    for (size_t i = 0; i < hn::Lanes(d); ++i) v[i] = exp_of_difference(v[i], low[i], max[i]);
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
  if (i == n) return;
  HWY_ALIGN A rest[kMaxLanes<A>] = {};
  for (int64_t j = i; j < n; ++j) rest[j - i] = x[j];
  hn::Store(f(hn::Load(d, rest)), d, rest);
  for (int64_t j = i; j < n; ++j) y[j] = rest[j - i];
}

// The largest; NaN may be passed over, since the sum becomes NaN.
template <class A>
A largest(const A* x, int64_t n) {
  const Tag<A> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  A top = -static_cast<A>(INFINITY);
  int64_t i = 0;
  if (n >= lanes) {
    auto a = hn::Set(d, top), b = a, c = a, e = a;
    for (; i + kUnroll * lanes <= n; i += kUnroll * lanes) {
      a = hn::Max(hn::LoadU(d, x + i), a);
      b = hn::Max(hn::LoadU(d, x + i + lanes), b);
      c = hn::Max(hn::LoadU(d, x + i + 2 * lanes), c);
      e = hn::Max(hn::LoadU(d, x + i + 3 * lanes), e);
    }
    for (; i + lanes <= n; i += lanes) a = hn::Max(hn::LoadU(d, x + i), a);
    b = hn::Max(hn::LoadU(d, x + n - lanes), b);  // the rest, and some again
    return hn::GetLane(hn::MaxOfLanes(d, hn::Max(hn::Max(a, b), hn::Max(c, e))));
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

// The sum of e^(x - max); kKeep: y becomes the exponentials.
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
    V a = hn::Zero(d), b = a, c = a, e = a;
    for (; i + step <= end; i += step) {
      a = hn::Add(a, take(i));
      b = hn::Add(b, take(i + lanes));
      c = hn::Add(c, take(i + 2 * lanes));
      e = hn::Add(e, take(i + 3 * lanes));
    }
    for (; i + lanes <= end; i += lanes) a = hn::Add(a, take(i));
    add_lanes(d, hn::Add(hn::Add(a, b), hn::Add(c, e)), total);
  }
  if (i < n) {
    HWY_ALIGN A rest[kMaxLanes<A>];
    for (A& r : rest) r = -static_cast<A>(INFINITY);
    for (int64_t j = i; j < n; ++j) rest[j - i] = x[j];
    const V e = exp_shifted(d, hn::Load(d, rest), shift);
    add_lanes(d, e, total);
    hn::Store(e, d, rest);
    if constexpr (kKeep)
      for (int64_t j = i; j < n; ++j) y[j] = rest[j - i];
  }
  for (int64_t half = lanes / 2; half > 0; half /= 2)
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
    if (parts[i].sum != 0) parts[i].sum *= ::exp(static_cast<double>(parts[i].max) - static_cast<double>(max));
  for (int64_t step = 1; step < n; step *= 2)
    for (int64_t i = 0; i + step < n; i += 2 * step) parts[i].sum += parts[i + step].sum;
  return {max, parts[0].sum};
}

// One operand, its rows numbered row-major.
struct Side {
  explicit Side(const bp_arg& arg)
      : data(static_cast<char*>(arg.data)), shape(arg.shape), strides(arg.strides), outer(arg.rank - 1) {}
  int64_t n() const { return shape[outer]; }
  int64_t stride() const { return strides[outer]; }
  // Element 0 of row `row`, the first `dims` outer dimensions counted.
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

template <class T, bool kLog>
struct Softmax {
  using A = Widened<T>;
  using V = hn::Vec<Tag<A>>;
  static constexpr bool kPlain = std::is_same_v<T, A>;
  Side in, out;
  int64_t n, chunks;

  explicit Softmax(const bp_launch& l)
      : in(l.args[0]), out(l.args[1]), n(in.n()), chunks((n + kChunk - 1) / kChunk) {}

  int64_t begin(int64_t chunk) const { return chunk * kChunk; }
  int64_t length(int64_t chunk) const { return smaller(kChunk, n - chunk * kChunk); }
  const A* fetch(const T* row, int64_t chunk, A* buffer) const {
    const T* x = row + begin(chunk) * in.stride();
    if constexpr (kPlain)
      if (in.stride() == 1) return x;
    load_elements<T, A>(buffer, x, length(chunk), in.stride());
    return buffer;
  }
  // Where a chunk's results go before they are put in their place.
  A* place(T* row, int64_t chunk, A* buffer) const {
    if constexpr (kPlain)
      if (out.stride() == 1) return row + begin(chunk);
    return buffer;
  }
  void put(T* row, int64_t chunk, const A* y, const A* buffer) const {
    if (y == buffer) store_elements<T, A>(row + begin(chunk) * out.stride(), y, length(chunk), out.stride());
  }
  const T* in_row(int64_t row) const { return reinterpret_cast<const T*>(in.data) + in.offset(row, in.outer); }
  T* out_row(int64_t row) const { return reinterpret_cast<T*>(out.data) + out.offset(row, out.outer); }

  Part<A> measure(const T* row, int64_t chunk, A* buffer) const {
    const A* x = fetch(row, chunk, buffer);
    const A max = largest(x, length(chunk));
    const Tag<A> d;
    return {max, sum_exp<false>(x, static_cast<A*>(nullptr), length(chunk), make_shift(d, hn::Set(d, max)))};
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
      map(x, y, length(chunk), [&](V v) HWY_ATTR { return hn::Mul(exp_shifted(d, v, shift), factor); });
    }
    put(to, chunk, y, buffer);
  }

  // A row of one chunk: the exponentials are kept.
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
      for (int64_t i = first; i < last; ++i) parts[i] = measure(in_row(i / chunks), i % chunks, buffer);
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
