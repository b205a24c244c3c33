// SPDX-License-Identifier: Apache-2.0
// fourier.h: transforms of 2, 4, 8 and 16 numbers within a thread, and the roots of one that join
// several of them. All of them go forward, by e^(-2 pi i / n): conjugated numbers go back.
//
//   Number<float> v[16];
//   transform(v);                                        // result k is v[spot<16>(k)]
//   const Roots<float> roots(order);                     // on the host, in a kernel's fields
//   with_powers<16>(roots, p, [&](int32_t k, Number<float> w) { ... });  // e^(-2 pi i k p / order)
#pragma once
#include "gpu/turn.h"
#include "kit/complex.h"

namespace bp_gpu {

// A complex number that moves in one piece.
template <class T>
struct alignas(2 * sizeof(T)) Number {
  T re, im;

  GPU_FN friend Number operator+(Number a, Number b) { return {a.re + b.re, a.im + b.im}; }
  GPU_FN friend Number operator-(Number a, Number b) { return {a.re - b.re, a.im - b.im}; }
  GPU_FN friend Number operator*(Number a, Number b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
};

// The powers of e^(-2 pi i / order).
template <class T>
struct Roots;
template <>
struct Roots<float> {
  uint64_t part = 0;  // of a turn of 2^64

  Roots() = default;
  explicit Roots(int64_t order)
      : part(order == 1 ? 0 : ~uint64_t{0} / static_cast<uint64_t>(order) + 1) {}
  GPU_FN Number<float> of(int64_t k) const {  // 0 <= k < order, which is 2^31 at most
    const Complex<float> w =
        on_circle(static_cast<uint32_t>(static_cast<uint64_t>(k) * part >> 32));
    return {w.re, -w.im};
  }
};
template <>
struct Roots<double> {
  int64_t order = 1;
  double part = 0;

  Roots() = default;
  explicit Roots(int64_t n)
      : order(n), part(6.283185307179586476925286766559 / static_cast<double>(n)) {}
  GPU_FN Number<double> of(int64_t k) const {
    const double angle = static_cast<double>(2 * k > order ? k - order : k) * part;
    return {cos(angle), -sin(angle)};
  }
};

// Calls fn(k, w^k) for w the p-th root and 0 < k < N. Two roots are computed, their products are
// the others: an error grows with the number of factors, which are six at most.
template <int32_t N, class T, class F>
GPU_FN void with_powers(const Roots<T>& roots, int64_t p, const F& fn) {
  Number<T> low[4] = {}, high[4] = {};
  low[1] = roots.of(p);
  if constexpr (N > 2) low[2] = low[1] * low[1], low[3] = low[2] * low[1];
  if constexpr (N > 4) high[1] = roots.of(4 * p);
  if constexpr (N > 8) high[2] = high[1] * high[1], high[3] = high[2] * high[1];
  unrolled<N>([&](int32_t k) {
    if (k == 0) return;
    fn(k, k < 4 ? low[k] : k % 4 == 0 ? high[k / 4] : high[k / 4] * low[k % 4]);
  });
}

// Where a transform of N leaves its result k.
template <int32_t N>
GPU_FN constexpr int32_t spot(int32_t k) {
  return N <= 4 ? k : N / 4 * (k % 4) + k / 4;
}

template <class T>
GPU_FN Number<T> quarter_back(Number<T> v) {  // v e^(-i pi / 2)
  return {v.im, -v.re};
}
template <class T>
GPU_FN Number<T> eighth_back(Number<T> v) {  // v e^(-i pi / 4)
  constexpr T kHalf = static_cast<T>(0.70710678118654752440);
  return {kHalf * (v.re + v.im), kHalf * (v.im - v.re)};
}

template <class T>
GPU_FN void transform_4(Number<T>& a, Number<T>& b, Number<T>& c, Number<T>& d) {
  const Number<T> sum = a + c, rest = a - c, even = b + d, odd = quarter_back(b - d);
  a = sum + even, b = rest + odd, c = sum - even, d = rest - odd;
}

template <class T>
GPU_FN void transform(Number<T> (&)[1]) {}
template <class T>
GPU_FN void transform(Number<T> (&v)[2]) {
  const Number<T> a = v[0];
  v[0] = a + v[1], v[1] = a - v[1];
}
template <class T>
GPU_FN void transform(Number<T> (&v)[4]) {
  transform_4(v[0], v[1], v[2], v[3]);
}
template <class T>
GPU_FN void transform(Number<T> (&v)[8]) {
  unrolled<2>([&](int32_t j) { transform_4(v[j], v[j + 2], v[j + 4], v[j + 6]); });
  v[3] = eighth_back(v[3]), v[5] = quarter_back(v[5]), v[7] = eighth_back(quarter_back(v[7]));
  unrolled<4>([&](int32_t k) {
    const Number<T> a = v[2 * k];
    v[2 * k] = a + v[2 * k + 1], v[2 * k + 1] = a - v[2 * k + 1];
  });
}
template <class T>
GPU_FN void transform(Number<T> (&v)[16]) {
  constexpr T kC = static_cast<T>(0.92387953251128675613),  // cos and sin of pi / 8
      kS = static_cast<T>(0.38268343236508977173);
  constexpr Number<T> kW1{kC, -kS}, kW3{kS, -kC};
  unrolled<4>([&](int32_t j) { transform_4(v[j], v[j + 4], v[j + 8], v[j + 12]); });
  v[5] = v[5] * kW1, v[6] = eighth_back(v[6]), v[7] = v[7] * kW3;
  v[9] = eighth_back(v[9]), v[10] = quarter_back(v[10]), v[11] = eighth_back(quarter_back(v[11]));
  v[13] = v[13] * kW3, v[14] = eighth_back(quarter_back(v[14]));
  const Number<T> last = v[15] * kW1;  // w^9 = -w
  v[15] = {-last.re, -last.im};
  unrolled<4>([&](int32_t k) { transform_4(v[4 * k], v[4 * k + 1], v[4 * k + 2], v[4 * k + 3]); });
}

}  // namespace bp_gpu
