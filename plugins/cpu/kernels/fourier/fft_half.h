// SPDX-License-Identifier: Apache-2.0
// fft_half.h: what a real transform does before or after a complex one, for kLanes lines at once
// ([n, kLanes], fft_passes.h). Half a spectrum has n / 2 + 1 numbers, of which the first is real,
// and the last too where n is even.
#pragma once
#include "kernels/fourier/fft_passes.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T>
Numbers<T> conjugate_of(Numbers<T> x) {
  return {x.re, -x.im};
}
template <class T>
Numbers<T> half_root(const FftPlan<T>& plan, int64_t k) {
  return {Lanes<T>::set(plan.half_re[k]), Lanes<T>::set(plan.half_im[k])};
}

// The transform of pairs of real numbers, plan.n long, becomes half a spectrum of twice the length:
// the spectra of even and odd elements are made of it and joined.
template <class T>
void take_apart_lanes(const FftPlan<T>& plan, Parts<T> pairs, Parts<T> half) {
  using L = Lanes<T>;
  const int64_t h = plan.n;
  const auto one_half = L::set(T(0.5));
  for (int64_t l = 0; l < kLanes; l += L::kCount) {
    const Numbers<T> x = Numbers<T>::load(pairs, l);
    Numbers<T>{x.re + x.im, L::zero()}.store(half, l);
    Numbers<T>{x.re - x.im, L::zero()}.store(half, h * kLanes + l);
  }
  for (int64_t k = 1; k <= h / 2; ++k)
    for (int64_t l = 0; l < kLanes; l += L::kCount) {
      const int64_t left = k * kLanes + l, right = (h - k) * kLanes + l;
      const Numbers<T> a = Numbers<T>::load(pairs, left),
                       b = conjugate_of(Numbers<T>::load(pairs, right));
      const Numbers<T> sum = a + b, gap = (a - b).times_minus_i();
      const Numbers<T> even{sum.re * one_half, sum.im * one_half},
          odd = times(Numbers<T>{gap.re * one_half, gap.im * one_half}, half_root(plan, k));
      (even + odd).store(half, left);
      conjugate_of(even - odd).store(half, right);
    }
}

// Undoes take_apart_lanes, but for a factor of 2.
template <class T>
void join_lanes(const FftPlan<T>& plan, Parts<T> half, Parts<T> pairs, bool conjugate) {
  using L = Lanes<T>;
  const int64_t h = plan.n;
  const auto sign = L::set(conjugate ? T(-1) : T(1));
  for (int64_t k = 0; k < h; ++k) {
    const Numbers<T> root = conjugate_of(half_root(plan, k));
    for (int64_t l = 0; l < kLanes; l += L::kCount) {
      Numbers<T> a = Numbers<T>::load(half, k * kLanes + l),
                 b = Numbers<T>::load(half, (h - k) * kLanes + l);
      a.im = k ? sign * a.im : L::zero();
      b.im = k ? sign * -b.im : L::zero();
      // i q, where q is twice the spectrum of odd elements.
      const Numbers<T> q = times(a - b, root);
      (a + b - q.times_minus_i()).store(pairs, k * kLanes + l);
    }
  }
}

// From half a spectrum of odd n, whose other half is the conjugate.
template <class T>
void mirror_lanes(int64_t n, Parts<T> half, Parts<T> whole, bool conjugate) {
  using L = Lanes<T>;
  for (int64_t k = 0; k <= n / 2; ++k)
    for (int64_t l = 0; l < kLanes; l += L::kCount) {
      Numbers<T> x = Numbers<T>::load(half, k * kLanes + l);
      if (k == 0) x.im = L::zero();
      if (conjugate) x = conjugate_of(x);
      x.store(whole, k * kLanes + l);
      if (k) conjugate_of(x).store(whole, (n - k) * kLanes + l);
    }
}

template <class T>
void negate_lanes(T* x, int64_t n) {
  for (int64_t i = 0; i < n * kLanes; i += Lanes<T>::kCount)
    Lanes<T>::store(x + i, -Lanes<T>::load(x + i));
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
