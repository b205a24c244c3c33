// SPDX-License-Identifier: Apache-2.0
// lanes.h: a register of the instruction set, as matrix products need it: load, store, broadcast,
// multiply-add, and the first few lanes alone. A lane is float, double, uint32_t or uint64_t; each
// storage type has one (Lane<S>), and integers are multiplied in unsigned lanes, where wrapping is
// defined and equals two's complement.
//
//   auto acc = Lanes<float>::zero();
//   acc = multiply_add(Lanes<float>::set(2), Lanes<float>::load(p), acc);
#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "driver/narrow.h"

namespace bp_cpu::BP_ISA {

constexpr int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif

template <class T>
struct Lanes {
  typedef T V __attribute__((vector_size(kVectorBytes)));
  static constexpr int64_t kCount = kVectorBytes / sizeof(T);

  static V zero() { return V{}; }
  static V set(T x) { return x - V{}; }  // + would lose the sign of -0
  static V load(const T* p) {
    V v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static void store(T* p, V v) { std::memcpy(p, &v, sizeof v); }

  // The first n lanes, 0 <= n <= kCount; memory beyond them is not touched. load_part fills the
  // rest with zeros.
#if defined(__AVX512F__)
  using Part = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;
  static Part part(int64_t n) { return static_cast<Part>((uint32_t{1} << n) - 1); }
  static V load_part(Part m, const T* p) {
    if constexpr (sizeof(T) == 4)
      return (V)_mm512_maskz_loadu_epi32(m, p);
    else
      return (V)_mm512_maskz_loadu_epi64(m, p);
  }
  static void store_part(Part m, T* p, V v) {
    if constexpr (sizeof(T) == 4)
      _mm512_mask_storeu_epi32(p, m, (__m512i)v);
    else
      _mm512_mask_storeu_epi64(p, m, (__m512i)v);
  }
#elif defined(__AVX2__)
  using Part = __m256i;
  static Part part(int64_t n) {
    if constexpr (sizeof(T) == 4)
      return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)),
                                _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    else
      return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
  }
  static V load_part(Part m, const T* p) {
    if constexpr (sizeof(T) == 4)
      return (V)_mm256_maskload_epi32(reinterpret_cast<const int*>(p), m);
    else
      return (V)_mm256_maskload_epi64(reinterpret_cast<const long long*>(p), m);
  }
  static void store_part(Part m, T* p, V v) {
    if constexpr (sizeof(T) == 4)
      _mm256_maskstore_epi32(reinterpret_cast<int*>(p), m, (__m256i)v);
    else
      _mm256_maskstore_epi64(reinterpret_cast<long long*>(p), m, (__m256i)v);
  }
#else
  using Part = int64_t;
  static Part part(int64_t n) { return n; }
  static V load_part(Part n, const T* p) {
    V v{};
    for (Part i = 0; i < n && i < kCount; ++i) v[i] = p[i];
    return v;
  }
  static void store_part(Part n, T* p, V v) {
    for (Part i = 0; i < n && i < kCount; ++i) p[i] = v[i];
  }
#endif
};

// a * b + c, rounded once where the machine can.
template <class V>
inline V multiply_add(V a, V b, V c) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<V, Lanes<float>::V>) return (V)_mm512_fmadd_ps(a, b, c);
  if constexpr (std::is_same_v<V, Lanes<double>::V>) return (V)_mm512_fmadd_pd(a, b, c);
#elif defined(__FMA__) && defined(__AVX2__)
  if constexpr (std::is_same_v<V, Lanes<float>::V>) return (V)_mm256_fmadd_ps(a, b, c);
  if constexpr (std::is_same_v<V, Lanes<double>::V>) return (V)_mm256_fmadd_pd(a, b, c);
#endif
  return a * b + c;
}

template <class T>
inline T sum_lanes(typename Lanes<T>::V v) {
  T parts[Lanes<T>::kCount];
  Lanes<T>::store(parts, v);
  for (int64_t half = Lanes<T>::kCount / 2; half > 0; half /= 2)
    for (int64_t i = 0; i < half; ++i) parts[i] = static_cast<T>(parts[i] + parts[i + half]);
  return parts[0];
}

// Calls fn with integral_constant<int, 0> to <N - 1>: a loop that leaves its arrays in registers
// with every compiler.
template <class F, int... I>
__attribute__((always_inline)) inline void unroll(std::integer_sequence<int, I...>, const F& fn) {
  (fn(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
__attribute__((always_inline)) inline void unroll(const F& fn) {
  unroll(std::make_integer_sequence<int, N>{}, fn);
}

// ---- storage types and their lanes; of bools a product is `and`, a sum is `or` ----

template <class S>
using Lane = std::conditional_t<std::is_floating_point_v<Calc<S>>, Calc<S>,
                                std::conditional_t<sizeof(S) == 8, uint64_t, uint32_t>>;

template <class S>
inline Lane<S> to_lane(S x) {
  if constexpr (std::is_same_v<S, Bool>)
    return x.byte != 0;
  else if constexpr (kIsNarrow<S>)
    return to_float(x);
  else
    return static_cast<Lane<S>>(x);
}

// Writes x, or out + x to continue a sum. Halves are stored only once, or they would round twice.
template <class S>
inline void from_lane(Lane<S> x, bool add, S* out) {
  if constexpr (std::is_same_v<S, Bool>)
    out->byte = static_cast<uint8_t>((add && out->byte) || x != 0);
  else if constexpr (kIsNarrow<S>)
    from_float(x, out);
  else
    *out = static_cast<S>(add ? static_cast<Lane<S>>(*out) + x : x);
}

// Returns a register of lanes of what is stored in half their size.
#if defined(__AVX512F__)
inline Lanes<float>::V load_lanes(const BF16* p) {
  return (Lanes<float>::V)_mm512_slli_epi32(
      _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))), 16);
}
inline Lanes<float>::V load_lanes(const F16* p) {
  return (Lanes<float>::V)_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)));
}
#elif defined(__AVX2__)
inline Lanes<float>::V load_lanes(const BF16* p) {
  return (Lanes<float>::V)_mm256_slli_epi32(
      _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))), 16);
}
inline Lanes<float>::V load_lanes(const F16* p) {
  return (Lanes<float>::V)_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}
#else
template <class S>
inline Lanes<float>::V load_lanes(const S* p) {
  float lanes[Lanes<float>::kCount];
  for (int64_t i = 0; i < Lanes<float>::kCount; ++i) lanes[i] = to_lane(p[i]);
  return Lanes<float>::load(lanes);
}
#endif

}  // namespace bp_cpu::BP_ISA
