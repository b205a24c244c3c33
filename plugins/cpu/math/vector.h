// SPDX-License-Identifier: Apache-2.0
// vector.h: Highway's full register of a lane type, and loops of vector functions over dense data.
//
// A function is a struct with
//   static V of(D d, V x)            for any lanes, of right value except where bad() says otherwise
//   static hn::Mask<D> bad(D d, V x) optional: the lanes that the library function computes instead
//   static T scalar(T x)             the library function
// The error bounds of our polynomials need fused multiply-add; without it the library function
// serves every lane. Highway 1.0.3's own contrib/math is not used: it is wrong outside its domain
// (exp(NaN) is 0) and lacks erf, pow, tan.
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "hwy/highway.h"

namespace bp_cpu::BP_ISA {
namespace hn = hwy::HWY_NAMESPACE;

template <class T>
using Tag = hn::ScalableTag<T>;
template <class T>
constexpr int64_t kMaxLanes = static_cast<int64_t>(HWY_MAX_BYTES / sizeof(T));

#if HWY_NATIVE_FMA
constexpr bool kVectorMath = true;
#else
constexpr bool kVectorMath = false;
#endif

// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule.
template <class D, class V, class T, size_t N>
HWY_INLINE V polynomial(D d, V x, const T (&c)[N]) {
  V y = hn::Set(d, c[N - 1]);
  for (size_t i = N - 1; i-- > 0;) y = hn::MulAdd(static_cast<V&&>(y), x, hn::Set(d, c[i]));
  return y;
}

// The first n lanes, fewer than a register has, and zeros; memory beyond them is not touched.
template <class D, class T>
HWY_INLINE hn::Vec<D> load_part(D d, const T* p, int64_t n) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  return hn::MaskedLoad(hn::FirstN(d, static_cast<size_t>(n)), d, p);
#else
  HWY_ALIGN T lanes[kMaxLanes<T>] = {};
  std::memcpy(lanes, p, static_cast<size_t>(n) * sizeof(T));
  return hn::Load(d, lanes);
#endif
}
template <class D, class V, class T>
HWY_INLINE void store_part(D d, V v, T* p, int64_t n) {
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  hn::BlendedStore(v, hn::FirstN(d, static_cast<size_t>(n)), d, p);
#else
  HWY_ALIGN T lanes[kMaxLanes<T>];
  hn::Store(v, d, lanes);
  std::memcpy(p, lanes, static_cast<size_t>(n) * sizeof(T));
#endif
}

namespace {

template <class F, class D, class V>
concept HasBadLanes = requires(D d, V x) {
  F::bad(d, x);
};

template <class F, class D, class V>
HWY_INLINE V call_unary(D d, V x) {
  using T = hn::TFromD<D>;
  V y = F::of(d, x);
  if constexpr (HasBadLanes<F, D, V>) {
    const auto bad = F::bad(d, x);
    if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) {
      HWY_ALIGN T in[kMaxLanes<T>], out[kMaxLanes<T>], wrong[kMaxLanes<T>];
      hn::Store(x, d, in);
      hn::Store(y, d, out);
      hn::Store(hn::IfThenElseZero(bad, hn::Set(d, T{1})), d, wrong);
      for (size_t i = 0; i < hn::Lanes(d); ++i)
        if (wrong[i] != 0) out[i] = F::scalar(in[i]);
      y = hn::Load(d, out);
    }
  }
  return y;
}

template <class F, class T>
void unary_math(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T* x = static_cast<const T*>(in[0]);
  if constexpr (!kVectorMath) {
    for (int64_t i = 0; i < n; ++i) y[i] = F::scalar(x[i]);
    return;
  } else {
    const Tag<T> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) hn::StoreU(call_unary<F>(d, hn::LoadU(d, x + i)), d, y + i);
    if (i < n) store_part(d, call_unary<F>(d, load_part(d, x + i, n - i)), y + i, n - i);
  }
}

// A function with parameters, which are operands of one element: F::of(d, x, p) and scalar(x, p),
// or the same with two of them.
template <class F, class T, int kParameters>
void unary_math_with(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T* x = static_cast<const T*>(in[0]);
  const T p = *static_cast<const T*>(in[1]), q = *static_cast<const T*>(in[kParameters]);
  if constexpr (!kVectorMath) {
    for (int64_t i = 0; i < n; ++i) {
      if constexpr (kParameters == 1)
        y[i] = F::scalar(x[i], p);
      else
        y[i] = F::scalar(x[i], p, q);
    }
    return;
  } else {
    const Tag<T> d;
    const auto all_p = hn::Set(d, p), all_q = hn::Set(d, q);
    const auto of = [&](auto v) {
      if constexpr (kParameters == 1)
        return F::of(d, v, all_p);
      else
        return F::of(d, v, all_p, all_q);
    };
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) hn::StoreU(of(hn::LoadU(d, x + i)), d, y + i);
    if (i < n) store_part(d, of(load_part(d, x + i, n - i)), y + i, n - i);
  }
}

// The library function computes the lanes that bad() names.
template <class F, class D, class V>
HWY_INLINE V mend_binary(D d, V a, V b, V y) {
  using T = hn::TFromD<D>;
  const auto bad = F::bad(d, a, b);
  if (HWY_UNLIKELY(!hn::AllFalse(d, bad))) {
    HWY_ALIGN T left[kMaxLanes<T>], right[kMaxLanes<T>], out[kMaxLanes<T>], wrong[kMaxLanes<T>];
    hn::Store(a, d, left);
    hn::Store(b, d, right);
    hn::Store(y, d, out);
    hn::Store(hn::IfThenElseZero(bad, hn::Set(d, T{1})), d, wrong);
    for (size_t i = 0; i < hn::Lanes(d); ++i)
      if (wrong[i] != 0) out[i] = F::scalar(left[i], right[i]);
    y = hn::Load(d, out);
  }
  return y;
}

template <class F, class D, class V>
concept HasBadPairs = requires(D d, V x) {
  F::bad(d, x, x);
};

template <class F, class D, class V>
HWY_INLINE V call_binary(D d, V a, V b) {
  if constexpr (HasBadPairs<F, D, V>)
    return mend_binary<F>(d, a, b, F::of(d, a, b));
  else
    return F::of(d, a, b);
}

// With kOneA or kOneB that operand is one element.
template <class F, class T, bool kOneA, bool kOneB>
void binary_math(void* out, const void* const* in, int64_t n) {
  T* y = static_cast<T*>(out);
  const T* a = static_cast<const T*>(in[0]);
  const T* b = static_cast<const T*>(in[1]);
  const T first = a[0], second = b[0];  // read before the first write: they may be y[0]
  if constexpr (!kVectorMath) {
    for (int64_t i = 0; i < n; ++i) y[i] = F::scalar(kOneA ? first : a[i], kOneB ? second : b[i]);
    return;
  } else {
    const Tag<T> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const auto all_a = hn::Set(d, first), all_b = hn::Set(d, second);
    int64_t i = 0;
    for (; i + lanes <= n; i += lanes) {
      const auto va = kOneA ? all_a : hn::LoadU(d, a + i);
      const auto vb = kOneB ? all_b : hn::LoadU(d, b + i);
      hn::StoreU(call_binary<F>(d, va, vb), d, y + i);
    }
    if (i == n) return;
    // Lanes beyond the end hold 1, which is nowhere a special case.
    const auto live = hn::FirstN(d, static_cast<size_t>(n - i));
    const auto one = hn::Set(d, T{1});
    const auto va = kOneA ? all_a : hn::IfThenElse(live, load_part(d, a + i, n - i), one);
    const auto vb = kOneB ? all_b : hn::IfThenElse(live, load_part(d, b + i, n - i), one);
    store_part(d, call_binary<F>(d, va, vb), y + i, n - i);
  }
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
