// SPDX-License-Identifier: Apache-2.0
// layer_norm.cc: layer_norm, rms_norm and their gradients: x [rows, n], each row normalized by its
// own moments, with a weight and a bias for each of n. The gradients of these are sums over rows:
// of blocks of rows, the same ones with any number of threads, whose sums are then added.
#include "device/registry.h"
#include "kernels/network/moments.h"
#include "kernels/network/operands.h"

namespace bp_cpu::BP_ISA {
namespace {

// The number of elements in the dims that are normalized, which are the last ones.
int64_t row_length(const bp_arg& x, const bp_attr& shape) {
  int64_t n = 1;
  for (uint32_t d = 0; d < shape.count; ++d) n *= x.shape[x.rank - 1 - static_cast<int32_t>(d)];
  return n;
}

template <class T, bool kCentred>
struct Rows {
  using A = Calc<T>;
  const T* x;
  int64_t n, rows;
  How how;

  Rows(const bp_launch& l, const bp_arg& in)
      : x(static_cast<const T*>(in.data)), n(row_length(in, l.attrs[0])), rows(0) {
    if (n) rows = count_of(in) / n;
    const double eps = l.attrs[1].value.f64;
    how = {kCentred, std::isnan(eps) ? std::is_same_v<A, double> ? 0x1p-52 : 0x1p-23 : eps};
  }
  Group<T> row(int64_t r) const { return {x + r * n, n, n, n}; }
};

template <class T, bool kCentred>
bp_status forward(const bp_launch* launch, bp_error** err) {
  using A = Calc<T>;
  const Rows<T, kCentred> s(*launch, launch->args[0]);
  const T* weight = data_of<T>(launch->args[1]);
  const T* bias = kCentred ? data_of<T>(launch->args[2]) : nullptr;
  T* y = static_cast<T*>(launch->args[launch->n_in].data);
  const auto write = [&](int64_t row, int64_t begin, int64_t end, const Moments& m) {
    const Tag<A> d;
    const auto mean = hn::Set(d, static_cast<A>(m.mean)),
               scale = hn::Set(d, static_cast<A>(m.scale));
    const T* from = s.x + row * s.n + begin;
    T* to = y + row * s.n + begin;
    each_register<A>(end - begin, [&](const auto& r, int64_t at) {
      Register<A> v = r.load(from + at);
      if constexpr (kCentred) v = hn::Sub(v, mean);
      v = hn::Mul(v, scale);
      if (weight) v = hn::Mul(v, r.load(weight + begin + at));
      if (bias) v = hn::Add(v, r.load(bias + begin + at));
      r.store(v, to + at);
    });
  };
  return each_group<T>(
      *launch, s.rows, s.how, [&](int64_t r) { return s.row(r); }, write, err);
}

constexpr int64_t kRowsAtOnce = 16;  // that are summed in A, before sums go on in f64
constexpr int64_t kMostBlocks = 64;  // of rows, each with sums of its own

template <class T, bool kCentred>
struct Backward {
  using A = Calc<T>;
  Rows<T, kCentred> s;
  const T *grad, *weight;
  T* dx;

  explicit Backward(const bp_launch& l)
      : s(l, l.args[1]),
        grad(static_cast<const T*>(l.args[0].data)),
        weight(data_of<T>(l.args[2])),
        dx(static_cast<T*>(l.args[3].data)) {}

  // Writes a row's dx, and adds to the sums of grad * normal and of grad.
  void run_row(int64_t row, A* products, A* sums) const {
    const Tag<A> d;
    const T *x = s.x + row * s.n, *g = grad + row * s.n;
    T* to = dx + row * s.n;
    const Moments m = moments_of(s.row(row), s.how);
    const auto mean = hn::Set(d, static_cast<A>(m.mean)),
               scale = hn::Set(d, static_cast<A>(m.scale));
    const auto normal = [&](const auto& r, int64_t at) {
      return hn::Mul(hn::Sub(r.load(x + at), mean), scale);
    };
    const auto weighed = [&](const auto& r, int64_t at) {
      return weight ? hn::Mul(r.load(g + at), r.load(weight + at)) : r.load(g + at);
    };
    LaneSums<2, A> both;
    add_run(both, 0, s.n, [&](const auto& r, int64_t at, Register<A>* t) {
      t[0] = weighed(r, at);
      t[1] = hn::Mul(t[0], normal(r, at));
    });
    const auto count = static_cast<double>(s.n);
    const auto shift = hn::Set(d, static_cast<A>(kCentred ? both.total(0) / count : 0)),
               slope = hn::Set(d, static_cast<A>(both.total(1) / count));
    each_register<A>(s.n, [&](const auto& r, int64_t at) {
      const Register<A> v = normal(r, at), given = r.load(g + at);
      r.store(hn::Add(r.load(products + at), hn::Mul(given, v)), products + at);
      if constexpr (kCentred) r.store(hn::Add(r.load(sums + at), given), sums + at);
      const Register<A> towards = hn::Sub(hn::Sub(weighed(r, at), shift), hn::Mul(v, slope));
      r.store(hn::Mul(towards, scale), to + at);
    });
  }

  // A block's sums go to `total`, 2 n numbers, by way of `part`.
  void run_block(int64_t begin, int64_t end, A* part, double* total) const {
    for (int64_t i = 0; i < 2 * s.n; ++i) total[i] = 0;
    for (int64_t first = begin; first < end; first += kRowsAtOnce) {
      for (int64_t i = 0; i < 2 * s.n; ++i) part[i] = 0;
      for (int64_t row = first; row < smaller(end, first + kRowsAtOnce); ++row)
        run_row(row, part, part + s.n);
      for (int64_t i = 0; i < 2 * s.n; ++i) total[i] += part[i];
    }
  }

  bp_status run(const bp_launch& launch, bp_error** err) const {
    if (s.n == 0) return BP_OK;
    int64_t length = kRowsAtOnce;
    while ((s.rows + length - 1) / length > kMostBlocks) length *= 2;
    const int64_t blocks = s.rows <= length ? 1 : (s.rows + length - 1) / length;
    Scratch scratch(launch, static_cast<uint64_t>(blocks * 2 * s.n) * (sizeof(double) + sizeof(A)));
    auto* totals = scratch.as<double>();
    if (!totals) return scratch.fail(err);
    A* parts = reinterpret_cast<A*>(totals + blocks * 2 * s.n);
    parallel_for(blocks, kGrain / (s.n * length) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b)
        run_block(b * length, smaller(s.rows, (b + 1) * length), parts + b * 2 * s.n,
                  totals + b * 2 * s.n);
    });
    for (int64_t step = 1; step < blocks; step *= 2)
      for (int64_t b = 0; b + step < blocks; b += 2 * step)
        for (int64_t i = 0; i < 2 * s.n; ++i)
          totals[b * 2 * s.n + i] += totals[(b + step) * 2 * s.n + i];
    for (uint32_t o = 1; o < launch.n_out; ++o) {
      T* out = static_cast<T*>(launch.args[launch.n_in + o].data);
      for (int64_t i = 0; i < s.n; ++i)
        out[i] = convert<T>(static_cast<A>(totals[(o - 1) * s.n + i]));
    }
    return BP_OK;
  }
};

template <class T, bool kCentred>
bp_status backward(const bp_launch* launch, bp_error** err) {
  return Backward<T, kCentred>(*launch).run(*launch, err);
}

}  // namespace

void add_layer_norm(Registry& r) {
  constexpr uint32_t kFlags = BP_KERNEL_CONTIGUOUS | BP_KERNEL_TAKES_NONE;
  each_type<kFloats>([&](auto t, bp_dtype d) {
    r.add(BP_OP_LAYER_NORM, bit(d), forward<decltype(t), true>, kFlags);
    r.add(BP_OP_RMS_NORM, bit(d), forward<decltype(t), false>, kFlags);
    r.add(BP_OP_LAYER_NORM_GRAD, bit(d), backward<decltype(t), true>, kFlags);
    r.add(BP_OP_RMS_NORM_GRAD, bit(d), backward<decltype(t), false>, kFlags);
  });
}

}  // namespace bp_cpu::BP_ISA
