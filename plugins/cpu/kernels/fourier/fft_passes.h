// SPDX-License-Identifier: Apache-2.0
// fft_passes.h: the passes of a transform over kLanes transforms at once: element j of transform l
// lies at [j * kLanes + l], real and imaginary parts in arrays of their own, so that a vector is
// the same element of neighbouring transforms. fft_plan.h says what a pass does. All go forward:
// the inverse is the forward transform with the two parts exchanged.
#pragma once
#include <cstdint>

#include "fourier/fft_plan.h"
#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {
namespace {

// A multiple of every vector and cache line.
constexpr int64_t kLanes = 16;

template <class T>
struct Parts {
  T *re, *im;
  Parts exchanged() const { return {im, re}; }
  Parts operator+(int64_t at) const { return {re + at, im + at}; }
};

// Complex numbers, one a lane.
template <class T>
struct Numbers {
  typename Lanes<T>::V re, im;

  static Numbers load(Parts<T> p, int64_t at) {
    return {Lanes<T>::load(p.re + at), Lanes<T>::load(p.im + at)};
  }
  void store(Parts<T> p, int64_t at) const {
    Lanes<T>::store(p.re + at, re);
    Lanes<T>::store(p.im + at, im);
  }
  friend Numbers operator+(Numbers a, Numbers b) { return {a.re + b.re, a.im + b.im}; }
  friend Numbers operator-(Numbers a, Numbers b) { return {a.re - b.re, a.im - b.im}; }
  Numbers times_minus_i() const { return {im, -re}; }
};

// a + factor * b
template <class T>
inline Numbers<T> add_scaled(Numbers<T> a, typename Lanes<T>::V factor, Numbers<T> b) {
  return {multiply_add(factor, b.re, a.re), multiply_add(factor, b.im, a.im)};
}
template <class T>
inline Numbers<T> times(Numbers<T> a, Numbers<T> w) {
  return {multiply_add(a.re, w.re, -(a.im * w.im)), multiply_add(a.re, w.im, a.im * w.re)};
}
template <class T>
inline __attribute__((always_inline)) void turn(T &re, T &im, T w_re, T w_im) {
  const T x = re * w_re - im * w_im;
  im = re * w_im + im * w_re;
  re = x;
}

// ---- transforms of a few numbers, in place ----

template <class T>
inline __attribute__((always_inline)) void butterfly(Numbers<T> (&x)[2]) {
  const Numbers<T> a = x[0], b = x[1];
  x[0] = a + b, x[1] = a - b;
}

template <class T>
inline __attribute__((always_inline)) void butterfly(Numbers<T> (&x)[3]) {
  using L = Lanes<T>;
  const auto half = L::set(T(-0.5)), sine = L::set(T(0.866025403784438646763723170752936183L));
  const Numbers<T> sum = x[1] + x[2], gap = (x[1] - x[2]).times_minus_i(),
                   middle = add_scaled(x[0], half, sum);
  x[0] = x[0] + sum;
  x[1] = add_scaled(middle, sine, gap);
  x[2] = add_scaled(middle, -sine, gap);
}

template <class T>
inline __attribute__((always_inline)) void butterfly(Numbers<T> (&x)[4]) {
  const Numbers<T> a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3],
                   d = (x[1] - x[3]).times_minus_i();
  x[0] = a + c, x[1] = b + d, x[2] = a - c, x[3] = b - d;
}

template <class T>
inline __attribute__((always_inline)) void butterfly(Numbers<T> (&x)[5]) {
  using L = Lanes<T>;
  const auto c1 = L::set(T(0.309016994374947424102293417182819059L)),
             c2 = L::set(T(-0.809016994374947424102293417182819059L)),
             s1 = L::set(T(0.951056516295153572116439333379382143L)),
             s2 = L::set(T(0.587785252292473129168705954639072769L));
  const Numbers<T> b = x[1] + x[4], c = (x[1] - x[4]).times_minus_i(), d = x[2] + x[3],
                   e = (x[2] - x[3]).times_minus_i();
  const Numbers<T> f = add_scaled(add_scaled(x[0], c1, b), c2, d),
                   g = add_scaled(add_scaled(x[0], c2, b), c1, d);
  const Numbers<T> h = add_scaled(Numbers<T>{s1 * c.re, s1 * c.im}, s2, e),
                   k = add_scaled(Numbers<T>{s2 * c.re, s2 * c.im}, -s1, e);
  x[0] = x[0] + (b + d);
  x[1] = f + h, x[4] = f - h;
  x[2] = g + k, x[3] = g - k;
}

// Two of four, of even and of odd numbers.
template <class T>
inline __attribute__((always_inline)) void butterfly(Numbers<T> (&x)[8]) {
  const auto root = Lanes<T>::set(T(0.707106781186547524400844362104849039L));
  Numbers<T> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
  butterfly(even);
  butterfly(odd);
  const Numbers<T> a = odd[1], b = odd[3];
  odd[1] = {root * (a.re + a.im), root * (a.im - a.re)};
  odd[2] = odd[2].times_minus_i();
  odd[3] = {root * (b.im - b.re), root * (-b.re - b.im)};
  unroll<4>([&](auto k) {
    x[k] = even[k] + odd[k];
    x[k + 4] = even[k] - odd[k];
  });
}

// ---- passes ----

template <int kRadix, bool kTurn, class T>
void pass_group(Parts<T> in, Parts<T> out, int64_t in_step, int64_t span, const T *w_re,
                const T *w_im) {
  using L = Lanes<T>;
  for (int64_t q = 0; q < span; q += L::kCount) {
    Numbers<T> x[kRadix];
    unroll<kRadix>([&](auto j) { x[j] = Numbers<T>::load(in, q + j * in_step); });
    butterfly(x);
    unroll<kRadix>([&](auto k) {
      if constexpr (kTurn && k > 0)
        x[k] = times(x[k], Numbers<T>{L::set(w_re[k - 1]), L::set(w_im[k - 1])});
      x[k].store(out, q + k * span);
    });
  }
}

// The roots of group 0 are 1.
template <int kRadix, class T>
void run_pass(const FftPass<T> &pass, Parts<T> in, Parts<T> out) {
  const int64_t span = pass.stride * kLanes, step = pass.m * span;
  pass_group<kRadix, false>(in, out, step, span, pass.re, pass.im);
  for (int64_t p = 1; p < pass.m; ++p)
    pass_group<kRadix, true>(in + p * span, out + kRadix * p * span, step, span,
                             pass.re + p * (kRadix - 1), pass.im + p * (kRadix - 1));
}

// A pass of any odd radix: inputs j and radix - j are taken as sum and difference, and outputs k
// and radix - k are made of the same products.
template <class T>
void run_odd_pass(const FftPass<T> &pass, Parts<T> from, Parts<T> to) {
  using L = Lanes<T>;
  constexpr int64_t kMostPairs = 30;
  const int64_t radix = pass.radix, pairs = radix / 2, span = pass.stride * kLanes,
                step = pass.m * span;
  Numbers<T> sum[kMostPairs], gap[kMostPairs];
  for (int64_t at = 0; at < step; at += L::kCount) {
    const int64_t p = at / span, q = at % span;
    const Parts<T> in = from + at, out = to + (radix * p * span + q);
    const T *w_re = pass.re + p * (radix - 1), *w_im = pass.im + p * (radix - 1);
    const Numbers<T> first = Numbers<T>::load(in, 0);
    Numbers<T> all = first;
    for (int64_t j = 0; j < pairs; ++j) {
      const Numbers<T> one = Numbers<T>::load(in, (j + 1) * step),
                       other = Numbers<T>::load(in, (radix - 1 - j) * step);
      sum[j] = one + other;
      gap[j] = (one - other).times_minus_i();
      all = all + sum[j];
    }
    all.store(out, 0);
    for (int64_t k = 1; k <= pairs; ++k) {
      Numbers<T> even = first, odd{L::zero(), L::zero()};
      for (int64_t j = 0, angle = k; j < pairs;
           ++j, angle = angle + k < radix ? angle + k : angle + k - radix) {
        even = add_scaled(even, L::set(pass.cosine[angle]), sum[j]);
        odd = add_scaled(odd, L::set(pass.sine[angle]), gap[j]);
      }
      const auto put = [&](int64_t result, Numbers<T> x) {
        times(x, Numbers<T>{L::set(w_re[result - 1]), L::set(w_im[result - 1])})
            .store(out, result * span);
      };
      put(k, even + odd);
      put(radix - k, even - odd);
    }
  }
}

// Runs all passes, from a to b and back; returns where the result is.
template <class T>
Parts<T> run_columns(const FftColumns<T> &columns, Parts<T> a, Parts<T> b) {
  for (int i = 0; i < columns.passes; ++i) {
    const FftPass<T> &pass = columns.pass[i];
    switch (pass.radix) {
      case 2: run_pass<2>(pass, a, b); break;
      case 3: run_pass<3>(pass, a, b); break;
      case 4: run_pass<4>(pass, a, b); break;
      case 5: run_pass<5>(pass, a, b); break;
      case 8: run_pass<8>(pass, a, b); break;
      default: run_odd_pass(pass, a, b);
    }
    const Parts<T> t = a;
    a = b;
    b = t;
  }
  return a;
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
