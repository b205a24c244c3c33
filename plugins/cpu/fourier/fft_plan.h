// SPDX-License-Identifier: Apache-2.0
// fft_plan.h: what a discrete Fourier transform of one length needs besides its data: factors and
// roots of unity. It is made once for each length and kept while it is in use and, within a bound,
// for later calls. Roots are computed in long double and rounded.
//
// Three ways, by the length n:
//   columns     n of small primes and short: passes over all of it, on many transforms at once (columns.n == n)
//   split       n = rows * cols, both of small primes: transforms of `rows`, a factor each, transforms of `cols`
//               (D. Bailey, "FFTs in external or hierarchical memory", 1990)
//   Bluestein   n with a large prime: a convolution with a chirp, by transforms of a longer, smooth length
//               (L. Bluestein, "A linear filtering approach ...", 1970)
#pragma once
#include <cstdint>

#include "c_plugin.h"

namespace bp_cpu {

// Stockham's decimation in frequency: m groups of `radix` numbers that lie m * stride apart become
// m groups of neighbours. re and im are the parts of the roots w^(p * k) for p in 0 .. m-1 and k in
// 1 .. radix-1, where w is the root of order m * radix.
template <class T>
struct FftPass {
  int64_t radix, m, stride;
  const T *re, *im;
  const T *cosine, *sine;  // of 2 pi j / radix, for radices without a pass of their own
};

template <class T>
struct FftColumns {
  int64_t n = 0;  // 0 when this way is not taken
  int passes = 0;
  FftPass<T> pass[40];
};

template <class T>
struct FftPlan {
  int64_t n;
  FftColumns<T> columns;
  FftColumns<T> rows, cols;            // the split: n == rows.n * cols.n
  const T *cross_re, *cross_im;        // w^(i * j), [rows.n, cols.n]
  const FftPlan* longer;               // Bluestein's length
  const T *chirp_re, *chirp_im;        // exp(-i pi j^2 / n), n of them
  const T *spectrum_re, *spectrum_im;  // of the conjugate chirp, over the longer length
  // w^j of order 2n, j in 0 .. n, where a real transform of length 2n asked for it
  const T *half_re, *half_im;
};

// Transforms split arrays in place, forward and unscaled, to make a plan's own spectrum. Returns
// false when memory is exhausted.
using FftRun = bool (*)(const FftPlan<double>& plan, double* re, double* im,
                        const bp_launch& launch);

// Returns nullptr when memory is exhausted. Each plan is given back by release_fft_plan.
template <class T>
const FftPlan<T>* acquire_fft_plan(int64_t n, bool half, FftRun run, const bp_launch& launch);
template <class T>
void release_fft_plan(const FftPlan<T>* plan);

}  // namespace bp_cpu
