// SPDX-License-Identifier: Apache-2.0
// fft_lines.h: the transform of one line, or of a few at once, in its plan's way (fft_plan.h).
//
// A line is n complex numbers whose parts lie `step` elements apart; a missing part is read as 0
// and not written.
#pragma once
#include "device/parallel.h"
#include "device/scratch.h"
#include "kernels/fourier/fft_passes.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T>
struct Line {
  T *re, *im;
  int64_t step;
  Line exchanged() const { return {im, re, step}; }
};

// How many lines go through the passes together: a multiple of every vector and cache line.
constexpr int64_t kLanes = 16;

// The four arrays that passes read and write.
template <class T>
struct Blocks {
  Parts<T> a, b;
  Blocks(T* memory, int64_t length) {
    const int64_t n = length * kLanes;
    a = {memory, memory + n};
    b = {memory + 2 * n, memory + 3 * n};
  }
  static int64_t room(int64_t length) { return 4 * length * kLanes; }
};

// Copies one part of each line, so that to[j * lanes + l] is element j of line l.
template <class T>
void load_part(T* to, const T* const* from, int64_t n, int64_t step, int64_t lanes) {
  for (int64_t l = 0; l < lanes; ++l) {
    const T* p = from[l];
    if (!p)
      for (int64_t j = 0; j < n; ++j) to[j * lanes + l] = 0;
    else
      for (int64_t j = 0; j < n; ++j) to[j * lanes + l] = p[j * step];
  }
}

template <class T>
void store_part(T* const* to, const T* from, int64_t n, int64_t step, int64_t lanes, T scale) {
  for (int64_t l = 0; l < lanes; ++l) {
    T* p = to[l];
    for (int64_t j = 0; p && j < n; ++j) p[j * step] = from[j * lanes + l] * scale;
  }
}

// Transforms short lines, all of them in one block, and keeps out_n results of each.
template <class T>
void transform_lanes(const FftPlan<T>& plan, const Line<T>* in, const Line<T>* out, int64_t lanes,
                     int64_t out_n, T scale, T* memory) {
  const T *in_re[kLanes], *in_im[kLanes];
  T *out_re[kLanes], *out_im[kLanes];
  for (int64_t l = 0; l < lanes; ++l) {
    in_re[l] = in[l].re, in_im[l] = in[l].im;
    out_re[l] = out[l].re, out_im[l] = out[l].im;
  }
  const Blocks<T> blocks(memory, plan.n);
  load_part(blocks.a.re, in_re, plan.n, in->step, lanes);
  load_part(blocks.a.im, in_im, plan.n, in->step, lanes);
  const Parts<T> r = run_columns(plan.columns, blocks.a, blocks.b, lanes);
  store_part(out_re, r.re, out_n, out->step, lanes, scale);
  store_part(out_im, r.im, out_n, out->step, lanes, scale);
}

// Alone and Together run the parts of a long line: in this thread with memory that it has, or in
// all threads, each with memory of its own.
template <class T>
struct Alone {
  T* memory;
  template <class F>
  bool operator()(int64_t n, int64_t, const F& f) const {
    f(int64_t{0}, n, memory);
    return true;
  }
};
template <class T>
struct Together {
  const bp_launch& launch;
  template <class F>
  bool operator()(int64_t n, int64_t room, const F& f) const {
    bool exhausted = false;  // threads only ever set it
    parallel_for(n, 1, [&](int64_t begin, int64_t end) {
      const Scratch scratch(launch, static_cast<uint64_t>(room) * sizeof(T));
      if (T* memory = scratch.as<T>())
        f(begin, end, memory);
      else
        __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    });
    return !exhausted;
  }
};

// Loads `lanes` neighbouring columns of [rows, cols] numbers, whose element (i, j) is at (i * cols
// + j) * step, or zeros when `from` is NULL.
template <class T>
void load_columns(T* to, const T* from, int64_t rows, int64_t cols, int64_t lanes, int64_t step) {
  for (int64_t i = 0; i < rows; ++i, to += lanes) {
    if (!from) {
      for (int64_t l = 0; l < lanes; ++l) to[l] = 0;
      continue;
    }
    const T* p = from + i * cols * step;
    if (step == 1)
      for (int64_t l = 0; l < lanes; ++l) to[l] = p[l];
    else
      for (int64_t l = 0; l < lanes; ++l) to[l] = p[l * step];
  }
}

// Transforms the columns of the line seen as [rows, cols], multiplies them by the cross factors and
// transposes them into middle [cols, rows].
template <class T, class Who>
bool split_first(const FftPlan<T>& plan, const Line<T>& in, Parts<T> middle, const Who& who) {
  const int64_t rows = plan.rows.n, cols = plan.cols.n;
  return who((cols + kLanes - 1) / kLanes, Blocks<T>::room(rows),
             [&](int64_t begin, int64_t end, T* memory) {
               const Blocks<T> blocks(memory, rows);
               for (int64_t j = begin * kLanes; j < end * kLanes && j < cols; j += kLanes) {
                 const int64_t lanes = cols - j < kLanes ? cols - j : kLanes;
                 load_columns(blocks.a.re, in.re ? in.re + j * in.step : nullptr, rows, cols, lanes,
                              in.step);
                 load_columns(blocks.a.im, in.im ? in.im + j * in.step : nullptr, rows, cols, lanes,
                              in.step);
                 const Parts<T> r = run_columns(plan.rows, blocks.a, blocks.b, lanes);
                 for (int64_t i = 0; i < rows; ++i) {
                   const T *w_re = plan.cross_re + i * cols + j,
                           *w_im = plan.cross_im + i * cols + j;
                   T* __restrict re = r.re + i * lanes, * __restrict im = r.im + i * lanes;
#pragma omp simd
                   for (int64_t l = 0; l < lanes; ++l) turn(re[l], im[l], w_re[l], w_im[l]);
                 }
                 for (int64_t l = 0; l < lanes; ++l)
                   for (int64_t i = 0; i < rows; ++i) {
                     middle.re[(j + l) * rows + i] = r.re[i * lanes + l];
                     middle.im[(j + l) * rows + i] = r.im[i * lanes + l];
                   }
               }
             });
}

// Transforms the columns of middle [cols, rows]; element k of column i is result k * rows + i.
template <class T, class Who>
bool split_second(const FftPlan<T>& plan, Parts<T> middle, const Line<T>& out, int64_t out_n,
                  T scale, const Who& who) {
  const int64_t rows = plan.rows.n, cols = plan.cols.n;
  const auto store = [&](T* to, const T* from, int64_t k, int64_t i, int64_t lanes) {
    const int64_t at = k * rows + i, kept = out_n - at < lanes ? out_n - at : lanes;
    for (int64_t l = 0; to && l < kept; ++l) to[(at + l) * out.step] = from[l] * scale;
  };
  return who((rows + kLanes - 1) / kLanes, Blocks<T>::room(cols),
             [&](int64_t begin, int64_t end, T* memory) {
               const Blocks<T> blocks(memory, cols);
               for (int64_t i = begin * kLanes; i < end * kLanes && i < rows; i += kLanes) {
                 const int64_t lanes = rows - i < kLanes ? rows - i : kLanes;
                 load_columns(blocks.a.re, middle.re + i, cols, rows, lanes, 1);
                 load_columns(blocks.a.im, middle.im + i, cols, rows, lanes, 1);
                 const Parts<T> r = run_columns(plan.cols, blocks.a, blocks.b, lanes);
                 for (int64_t k = 0; k < cols; ++k) {
                   store(out.re, r.re + k * lanes, k, i, lanes);
                   store(out.im, r.im + k * lanes, k, i, lanes);
                 }
               }
             });
}

// Whether the columns hold the whole line, which is short enough for many lines in the caches.
template <class T>
bool fits_lanes(const FftPlan<T>& plan) {
  constexpr int64_t kCacheBytes = 256 << 10;
  return plan.columns.n &&
         (!plan.rows.n || Blocks<T>::room(plan.n) * static_cast<int64_t>(sizeof(T)) <= kCacheBytes);
}

// How many elements of memory transform_line needs besides what `Who` has.
template <class T>
int64_t line_room(const FftPlan<T>& plan) {
  if (plan.longer) return 2 * plan.longer->n + line_room(*plan.longer);
  return plan.rows.n ? 2 * plan.n : Blocks<T>::room(plan.n);
}
template <class T>
int64_t block_room(const FftPlan<T>& plan) {
  if (plan.longer) return block_room(*plan.longer);
  const int64_t longest = plan.rows.n > plan.cols.n ? plan.rows.n : plan.cols.n;
  return Blocks<T>::room(longest);
}

template <class T, class Who>
bool transform_line(const FftPlan<T>& plan, const Line<T>& in, const Line<T>& out, int64_t out_n,
                    T scale, T* memory, const Who& who);

template <class T, class Who>
bool transform_by_chirp(const FftPlan<T>& plan, const Line<T>& in, const Line<T>& out,
                        int64_t out_n, T scale, T* memory, const Who& who) {
  const int64_t n = plan.n, length = plan.longer->n;
  T *re = memory, *im = memory + length, *rest = memory + 2 * length;
  for (int64_t j = 0; j < n; ++j) {
    T x = in.re ? in.re[j * in.step] : 0, y = in.im ? in.im[j * in.step] : 0;
    turn(x, y, plan.chirp_re[j], plan.chirp_im[j]);
    re[j] = x, im[j] = y;
  }
  for (int64_t j = n; j < length; ++j) re[j] = im[j] = 0;
  const Line<T> whole{re, im, 1};
  if (!transform_line(*plan.longer, whole, whole, length, T{1}, rest, who)) return false;
  for (int64_t j = 0; j < length; ++j) turn(re[j], im[j], plan.spectrum_re[j], plan.spectrum_im[j]);
  if (!transform_line(*plan.longer, whole.exchanged(), whole.exchanged(), length, T{1}, rest, who))
    return false;
  for (int64_t k = 0; k < out_n; ++k) {
    T x = re[k], y = im[k];
    turn(x, y, plan.chirp_re[k], plan.chirp_im[k]);
    if (out.re) out.re[k * out.step] = x * scale;
    if (out.im) out.im[k * out.step] = y * scale;
  }
  return true;
}

template <class T, class Who>
bool transform_line(const FftPlan<T>& plan, const Line<T>& in, const Line<T>& out, int64_t out_n,
                    T scale, T* memory, const Who& who) {
  if (plan.longer) return transform_by_chirp(plan, in, out, out_n, scale, memory, who);
  if (!plan.rows.n) {
    transform_lanes(plan, &in, &out, 1, out_n, scale, memory);
    return true;
  }
  const Parts<T> middle{memory, memory + plan.n};
  return split_first(plan, in, middle, who) && split_second(plan, middle, out, out_n, scale, who);
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
