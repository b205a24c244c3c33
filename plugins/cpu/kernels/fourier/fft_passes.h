// SPDX-License-Identifier: Apache-2.0
// fft_passes.h: the passes of a transform over `lanes` transforms at once: element j of transform l
// lies at [j * lanes + l], real and imaginary parts in arrays of their own, so that the innermost
// loop runs over neighbours. fft_plan.h says what a pass does. All go forward: the inverse is the
// forward transform with the two parts exchanged.
#pragma once
#include <cstdint>

#include "fourier/fft_plan.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T>
struct Parts {
  T *re, *im;
};

// Group p of a pass: inputs j and outputs k of `span` neighbours each.
template <class T>
struct Group {
  const T *in_re, *in_im;
  T *out_re, *out_im;
  int64_t in_step, span;  // outputs are neighbours: they lie span apart
  const T *w_re, *w_im;   // the roots of outputs 1 .. radix-1
};

template <class T>
inline __attribute__((always_inline)) void turn(T &re, T &im, T w_re, T w_im) {
  const T x = re * w_re - im * w_im;
  im = re * w_im + im * w_re;
  re = x;
}

template <class T>
void pass2(const Group<T> &g) {
  const T *__restrict ar = g.in_re, *__restrict ai = g.in_im, *__restrict br = ar + g.in_step,
                      *__restrict bi = ai + g.in_step;
  T *__restrict xr = g.out_re, *__restrict xi = g.out_im, *__restrict yr = xr + g.span,
                *__restrict yi = xi + g.span;
  const T wr = g.w_re[0], wi = g.w_im[0];
#pragma omp simd
  for (int64_t q = 0; q < g.span; ++q) {
    T re = ar[q] - br[q], im = ai[q] - bi[q];
    xr[q] = ar[q] + br[q];
    xi[q] = ai[q] + bi[q];
    turn(re, im, wr, wi);
    yr[q] = re;
    yi[q] = im;
  }
}

template <class T>
void pass3(const Group<T> &g) {
  const T *__restrict in_re = g.in_re, *__restrict in_im = g.in_im;
  T *__restrict out_re = g.out_re, *__restrict out_im = g.out_im;
  const int64_t step = g.in_step, n = g.span;
  const T half = T(0.5), sine = T(0.866025403784438646763723170752936183L);
  const T w1r = g.w_re[0], w1i = g.w_im[0], w2r = g.w_re[1], w2i = g.w_im[1];
#pragma omp simd
  for (int64_t q = 0; q < n; ++q) {
    const T ar = in_re[q], ai = in_im[q];
    const T sr = in_re[q + step] + in_re[q + 2 * step], si = in_im[q + step] + in_im[q + 2 * step];
    const T dr = sine * (in_re[q + step] - in_re[q + 2 * step]),
            di = sine * (in_im[q + step] - in_im[q + 2 * step]);
    const T mr = ar - half * sr, mi = ai - half * si;
    T r1 = mr + di, i1 = mi - dr, r2 = mr - di, i2 = mi + dr;
    turn(r1, i1, w1r, w1i);
    turn(r2, i2, w2r, w2i);
    out_re[q] = ar + sr, out_im[q] = ai + si;
    out_re[q + n] = r1, out_im[q + n] = i1;
    out_re[q + 2 * n] = r2, out_im[q + 2 * n] = i2;
  }
}

template <class T>
void pass4(const Group<T> &g) {
  const T *__restrict in_re = g.in_re, *__restrict in_im = g.in_im;
  T *__restrict out_re = g.out_re, *__restrict out_im = g.out_im;
  const int64_t step = g.in_step, n = g.span;
  const T w1r = g.w_re[0], w1i = g.w_im[0], w2r = g.w_re[1], w2i = g.w_im[1], w3r = g.w_re[2],
          w3i = g.w_im[2];
#pragma omp simd
  for (int64_t q = 0; q < n; ++q) {
    const T ar = in_re[q] + in_re[q + 2 * step], ai = in_im[q] + in_im[q + 2 * step];
    const T br = in_re[q] - in_re[q + 2 * step], bi = in_im[q] - in_im[q + 2 * step];
    const T cr = in_re[q + step] + in_re[q + 3 * step], ci = in_im[q + step] + in_im[q + 3 * step];
    const T dr = in_re[q + step] - in_re[q + 3 * step], di = in_im[q + step] - in_im[q + 3 * step];
    T r1 = br + di, i1 = bi - dr, r2 = ar - cr, i2 = ai - ci, r3 = br - di, i3 = bi + dr;
    turn(r1, i1, w1r, w1i);
    turn(r2, i2, w2r, w2i);
    turn(r3, i3, w3r, w3i);
    out_re[q] = ar + cr, out_im[q] = ai + ci;
    out_re[q + n] = r1, out_im[q + n] = i1;
    out_re[q + 2 * n] = r2, out_im[q + 2 * n] = i2;
    out_re[q + 3 * n] = r3, out_im[q + 3 * n] = i3;
  }
}

template <class T>
void pass5(const Group<T> &g) {
  const T *__restrict in_re = g.in_re, *__restrict in_im = g.in_im;
  T *__restrict out_re = g.out_re, *__restrict out_im = g.out_im;
  const int64_t step = g.in_step, n = g.span;
  const T c1 = T(0.309016994374947424102293417182819059L),
          c2 = T(-0.809016994374947424102293417182819059L);
  const T s1 = T(0.951056516295153572116439333379382143L),
          s2 = T(0.587785252292473129168705954639072769L);
  const T *w_re = g.w_re, *w_im = g.w_im;
  const T w1r = w_re[0], w1i = w_im[0], w2r = w_re[1], w2i = w_im[1], w3r = w_re[2], w3i = w_im[2],
          w4r = w_re[3], w4i = w_im[3];
#pragma omp simd
  for (int64_t q = 0; q < n; ++q) {
    const T ar = in_re[q], ai = in_im[q];
    const T br = in_re[q + step] + in_re[q + 4 * step], bi = in_im[q + step] + in_im[q + 4 * step];
    const T cr = in_re[q + step] - in_re[q + 4 * step], ci = in_im[q + step] - in_im[q + 4 * step];
    const T dr = in_re[q + 2 * step] + in_re[q + 3 * step],
            di = in_im[q + 2 * step] + in_im[q + 3 * step];
    const T er = in_re[q + 2 * step] - in_re[q + 3 * step],
            ei = in_im[q + 2 * step] - in_im[q + 3 * step];
    const T fr = ar + (c1 * br + c2 * dr), fi = ai + (c1 * bi + c2 * di), hr = s1 * cr + s2 * er,
            hi = s1 * ci + s2 * ei;
    const T gr = ar + (c2 * br + c1 * dr), gi = ai + (c2 * bi + c1 * di), kr = s2 * cr - s1 * er,
            ki = s2 * ci - s1 * ei;
    T r1 = fr + hi, i1 = fi - hr, r4 = fr - hi, i4 = fi + hr, r2 = gr + ki, i2 = gi - kr,
      r3 = gr - ki, i3 = gi + kr;
    turn(r1, i1, w1r, w1i);
    turn(r2, i2, w2r, w2i);
    turn(r3, i3, w3r, w3i);
    turn(r4, i4, w4r, w4i);
    out_re[q] = ar + (br + dr), out_im[q] = ai + (bi + di);
    out_re[q + n] = r1, out_im[q + n] = i1;
    out_re[q + 2 * n] = r2, out_im[q + 2 * n] = i2;
    out_re[q + 3 * n] = r3, out_im[q + 3 * n] = i3;
    out_re[q + 4 * n] = r4, out_im[q + 4 * n] = i4;
  }
}

// A pass of any odd radix: inputs j and radix - j are taken as sum and difference, and outputs k
// and radix - k are made of the same products.
template <class T>
void pass_odd(const Group<T> &g, const FftPass<T> &pass) {
  constexpr int64_t kMostPairs = 30, kChunk = 16;
  const int64_t radix = pass.radix, pairs = radix / 2;
  T sum_re[kMostPairs][kChunk], sum_im[kMostPairs][kChunk], gap_re[kMostPairs][kChunk],
      gap_im[kMostPairs][kChunk];
  for (int64_t at = 0; at < g.span; at += kChunk) {
    const int64_t n = g.span - at < kChunk ? g.span - at : kChunk;
    const T *re = g.in_re + at, *im = g.in_im + at;
    T all_re[kChunk], all_im[kChunk];
    for (int64_t q = 0; q < n; ++q) all_re[q] = re[q], all_im[q] = im[q];
    for (int64_t j = 0; j < pairs; ++j) {
      const int64_t one = (j + 1) * g.in_step, other = (radix - 1 - j) * g.in_step;
      for (int64_t q = 0; q < n; ++q) {
        sum_re[j][q] = re[one + q] + re[other + q], gap_re[j][q] = re[one + q] - re[other + q];
        sum_im[j][q] = im[one + q] + im[other + q], gap_im[j][q] = im[one + q] - im[other + q];
        all_re[q] += sum_re[j][q], all_im[q] += sum_im[j][q];
      }
    }
    for (int64_t q = 0; q < n; ++q) g.out_re[at + q] = all_re[q], g.out_im[at + q] = all_im[q];
    for (int64_t k = 1; k <= pairs; ++k) {
      T even_re[kChunk], even_im[kChunk], odd_re[kChunk] = {}, odd_im[kChunk] = {};
      for (int64_t q = 0; q < n; ++q) even_re[q] = re[q], even_im[q] = im[q];
      for (int64_t j = 0, angle = k; j < pairs;
           ++j, angle = angle + k < radix ? angle + k : angle + k - radix) {
        const T c = pass.cosine[angle], s = pass.sine[angle];
        for (int64_t q = 0; q < n; ++q) {
          even_re[q] += c * sum_re[j][q], even_im[q] += c * sum_im[j][q];
          odd_re[q] += s * gap_re[j][q], odd_im[q] += s * gap_im[j][q];
        }
      }
      const int64_t other = radix - k;
      for (int64_t q = 0; q < n; ++q) {
        T r1 = even_re[q] + odd_im[q], i1 = even_im[q] - odd_re[q], r2 = even_re[q] - odd_im[q],
          i2 = even_im[q] + odd_re[q];
        turn(r1, i1, g.w_re[k - 1], g.w_im[k - 1]);
        turn(r2, i2, g.w_re[other - 1], g.w_im[other - 1]);
        g.out_re[k * g.span + at + q] = r1, g.out_im[k * g.span + at + q] = i1;
        g.out_re[other * g.span + at + q] = r2, g.out_im[other * g.span + at + q] = i2;
      }
    }
  }
}

// Runs all passes, from a to b and back; returns where the result is.
template <class T>
Parts<T> run_columns(const FftColumns<T> &columns, Parts<T> a, Parts<T> b, int64_t lanes) {
  for (int i = 0; i < columns.passes; ++i) {
    const FftPass<T> &pass = columns.pass[i];
    const int64_t span = pass.stride * lanes, r = pass.radix;
    for (int64_t p = 0; p < pass.m; ++p) {
      const Group<T> g{a.re + p * span,       a.im + p * span,      b.re + r * p * span,
                       b.im + r * p * span,   pass.m * span,        span,
                       pass.re + p * (r - 1), pass.im + p * (r - 1)};
      if (r == 4)
        pass4(g);
      else if (r == 2)
        pass2(g);
      else if (r == 3)
        pass3(g);
      else if (r == 5)
        pass5(g);
      else
        pass_odd(g, pass);
    }
    const Parts<T> t = a;
    a = b;
    b = t;
  }
  return a;
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
