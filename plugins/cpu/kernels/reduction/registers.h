// SPDX-License-Identifier: Apache-2.0
// registers.h: dense floats of any dtype, a register at a time: halves are widened to f32 as they
// are read and rounded as they are written.
//
//   each_register<float>(n, [&](const auto& r, int64_t at) { r.store(hn::Mul(r.load(x + at), by), y + at); });
#pragma once
#include <bit>
#include <cstring>

#include "driver/narrow.h"
#include "kernels/lanes.h"
#include "math/vector.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class A>
using Register = hn::Vec<Tag<A>>;
template <class A>
HWY_INLINE int64_t register_lanes() {
  return static_cast<int64_t>(hn::Lanes(Tag<A>()));
}

#if defined(__AVX2__)
// Writes a register of lanes as narrow floats, as from_float does.
inline void store_lanes(Register<float> v, F16* p) {
#if defined(__AVX512F__)
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p),
                      _mm512_cvtps_ph(v.raw, _MM_FROUND_TO_NEAREST_INT));
#else
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p),
                   _mm256_cvtps_ph(v.raw, _MM_FROUND_TO_NEAREST_INT));
#endif
}
inline void store_lanes(Register<float> v, BF16* p) {
  const hn::RebindToUnsigned<Tag<float>> d;
  const auto bits = hn::BitCast(d, v), high = hn::ShiftRight<16>(bits);
  const auto half = hn::Add(hn::Set(d, 0x7fffu), hn::And(high, hn::Set(d, 1u)));
  const auto rounded = hn::ShiftRight<16>(hn::Add(bits, half));
  const auto quiet = hn::Or(high, hn::Set(d, 0x40u));
  const auto words = hn::IfThenElse(hn::RebindMask(d, hn::IsNaN(v)), quiet, rounded);
  const hn::Rebind<uint16_t, Tag<float>> narrow;
  hn::StoreU(hn::TruncateTo(narrow, words), narrow, &p->bits);
}
#endif

// Reads and writes whole registers of accumulators A.
template <class A>
struct Whole {
  Register<A> load(const A* p) const { return hn::LoadU(Tag<A>(), p); }
  void store(Register<A> v, A* p) const { hn::StoreU(v, Tag<A>(), p); }
  template <class T>
  Register<A> load(const T* p) const {
    if constexpr (sizeof(Register<A>) == kVectorBytes) {
      return std::bit_cast<Register<A>>(load_lanes(p));
    } else {
      HWY_ALIGN A lanes[kMaxLanes<A>];
      load_narrow<T>(lanes, p, register_lanes<A>());
      return hn::Load(Tag<A>(), lanes);
    }
  }
  template <class T>
  void store(Register<A> v, T* p) const {
#if defined(__AVX2__)
    store_lanes(v, p);
#else
    HWY_ALIGN A lanes[kMaxLanes<A>];
    hn::Store(v, Tag<A>(), lanes);
    store_narrow<T>(p, lanes, register_lanes<A>());
#endif
  }
  Register<A> keep(Register<A> v) const { return v; }
};

// The same for the first n lanes alone; the others are read as zeros, and keep() makes them so.
template <class A>
struct Part {
  int64_t n;
  Register<A> load(const A* p) const { return load_part(Tag<A>(), p, n); }
  void store(Register<A> v, A* p) const { store_part(Tag<A>(), v, p, n); }
  template <class T>
  Register<A> load(const T* p) const {
    T lanes[kMaxLanes<A>] = {};
    std::memcpy(lanes, p, static_cast<size_t>(n) * sizeof(T));
    return Whole<A>{}.load(lanes);
  }
  template <class T>
  void store(Register<A> v, T* p) const {
    HWY_ALIGN A lanes[kMaxLanes<A>];
    hn::Store(v, Tag<A>(), lanes);
    for (int64_t i = 0; i < n; ++i) from_float(lanes[i], p + i);
  }
  Register<A> keep(Register<A> v) const {
    const Tag<A> d;
    return hn::IfThenElseZero(hn::FirstN(d, static_cast<size_t>(n)), v);
  }
};

// Calls fn(reader, at) for the registers of n elements.
template <class A, class F>
HWY_INLINE void each_register(int64_t n, const F& fn) {
  const int64_t lanes = register_lanes<A>();
  int64_t at = 0;
  for (; at + lanes <= n; at += lanes) fn(Whole<A>{}, at);
  if (at < n) fn(Part<A>{n - at}, at);
}

constexpr int64_t kAddsInLane = 16;  // additions in A before a sum goes on in f64
constexpr int kUnroll = 4;

// A register in f64: its lower lanes, and the upper ones where there are twice as many.
template <class A>
constexpr int kWide = static_cast<int>(hn::MaxLanes(Tag<A>()) / hn::MaxLanes(Tag<double>()));
template <class A, class F>
HWY_INLINE void each_wide(Register<A> v, const F& fn) {
  const Tag<double> d;
  if constexpr (std::is_same_v<A, double>) {
    fn(0, v);
#if HWY_TARGET != HWY_SCALAR
  } else if constexpr (kWide<A> == 2) {
    const hn::Half<Tag<A>> half;
    fn(0, hn::PromoteTo(d, hn::LowerHalf(half, v)));
    fn(1, hn::PromoteTo(d, hn::UpperHalf(half, v)));
#endif
  } else {
    fn(0, hn::PromoteTo(d, v));
  }
}

// Combines all lanes: the upper half onto the lower one, again and again.
template <class D, class F>
HWY_INLINE double fold_register([[maybe_unused]] D d, hn::Vec<D> v, [[maybe_unused]] const F& of) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (hn::MaxLanes(D()) > 1) {
    const hn::Half<D> half;
    return fold_register(half, of(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), of);
  }
#endif
  return hn::GetLane(v);
}

// K sums lane by lane, in f64.
template <int K, class A>
struct LaneSums {
  Register<double> wide[K][kWide<A>];

  HWY_INLINE LaneSums() {
    for (auto& sum : wide)
      for (auto& w : sum) w = hn::Zero(Tag<double>());
  }
  HWY_INLINE void add(int k, Register<A> v) {
    each_wide<A>(v, [&](int i, Register<double> w) { wide[k][i] = hn::Add(wide[k][i], w); });
  }
  HWY_INLINE void store(int k, double* lanes) const {
    for (const auto& w : wide[k]) {
      hn::StoreU(w, Tag<double>(), lanes);
      lanes += register_lanes<double>();
    }
  }
  // The sum of all lanes.
  HWY_INLINE double total(int k) const {
    Register<double> sum = wide[k][0];
    if constexpr (kWide<A> == 2) sum = hn::Add(sum, wide[k][1]);
    return fold_register(Tag<double>(), sum, [](auto a, auto b) { return hn::Add(a, b); });
  }
};

// Adds the terms of `count` registers, `step` elements apart: terms(reader, at, t) gives K of them.
template <int K, class A, class R, class F>
HWY_INLINE void add_terms(LaneSums<K, A>& sums, const R& reader, int64_t at, int64_t count,
                          int64_t step, const F& terms) {
  const Tag<A> d;
  for (int64_t i = 0; i < count;) {
    const int64_t end = smaller(count, i + kUnroll * kAddsInLane);
    Register<A> sum[K][kUnroll];
    unroll<K>([&](auto k) { unroll<kUnroll>([&](auto u) { sum[k][u] = hn::Zero(d); }); });
    const auto take = [&](auto u, int64_t from) {
      Register<A> t[K];
      terms(reader, from, t);
      unroll<K>([&](auto k) { sum[k][u] = hn::Add(sum[k][u], reader.keep(t[k])); });
    };
    for (; i + kUnroll <= end; i += kUnroll, at += kUnroll * step)
      unroll<kUnroll>([&](auto u) { take(u, at + u * step); });
    for (; i < end; ++i, at += step) take(std::integral_constant<int, 0>{}, at);
    unroll<K>([&](auto k) {
      sums.add(k, hn::Add(hn::Add(sum[k][0], sum[k][1]), hn::Add(sum[k][2], sum[k][3])));
    });
  }
}

// Adds the terms of a dense run: the elements from `at` on.
template <int K, class A, class F>
HWY_INLINE void add_run(LaneSums<K, A>& sums, int64_t at, int64_t n, const F& terms) {
  const int64_t lanes = register_lanes<A>(), whole = n / lanes;
  add_terms(sums, Whole<A>{}, at, whole, lanes, terms);
  if (n == whole * lanes) return;
  const Part<A> part{n - whole * lanes};
  Register<A> t[K];
  terms(part, at + whole * lanes, t);
  unroll<K>([&](auto k) { sums.add(k, part.keep(t[k])); });
}

// f(first) + f(first + 1) + ... over n, pairwise.
template <class F>
double pairwise(int64_t first, int64_t n, const F& f) {
  if (n == 1) return f(first);
  int64_t half = 1;
  while (half * 2 < n) half *= 2;
  return pairwise(first, half, f) + pairwise(first + half, n - half, f);
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
