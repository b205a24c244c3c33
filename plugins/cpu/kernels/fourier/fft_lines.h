// SPDX-License-Identifier: Apache-2.0
// fft_lines.h: the transform of one line, or of a few at once, in its plan's way (fft_plan.h).
#pragma once
#include "device/parallel.h"
#include "device/scratch.h"
#include "kernels/fourier/fft_move.h"

namespace bp_cpu::BP_ISA {
namespace {

// The four arrays that passes read and write, with room for a number more: half a spectrum has it.
template <class T>
struct Blocks {
  Parts<T> a, b;
  Blocks(T* memory, int64_t length) {
    const int64_t n = (length + 1) * kLanes;
    a = {memory, memory + n};
    b = {memory + 2 * n, memory + 3 * n};
  }
  static int64_t room(int64_t length) { return 4 * (length + 1) * kLanes; }
  Parts<T> other(Parts<T> p) const { return p.re == a.re ? b : a; }
};

// How many numbers to transform are worth a thread.
constexpr int64_t kWorthAThread = 1 << 13;

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
    bool exhausted = false;            // threads only ever set it
    const int64_t numbers = room / 4;  // of a part, which has four arrays
    parallel_for(n, 1 + kWorthAThread / numbers, [&](int64_t begin, int64_t end) {
      const Scratch scratch(launch, static_cast<uint64_t>(room) * sizeof(T));
      if (T* memory = scratch.as<T>())
        f(begin, end, memory);
      else
        __atomic_store_n(&exhausted, true, __ATOMIC_RELAXED);
    });
    return !exhausted;
  }
};

// The line seen as a matrix whose rows are `across` numbers: its columns from j on.
template <class T>
LineGroup<T> columns_of(const Line<T>& line, int64_t across, int64_t j, int64_t count) {
  LineGroup<T> g;
  g.count = count;
  for (int64_t l = 0; l < count; ++l) {
    const int64_t at = (j + l) * line.step;
    g.line[l] = {line.re ? line.re + at : nullptr, line.im ? line.im + at : nullptr,
                 across * line.step};
  }
  return g;
}

// A group of columns of a matrix that has n. The last group begins early, to be whole, and `done`
// of its columns belong to the group before it.
struct ColumnGroup {
  int64_t first, count, done;
  ColumnGroup(int64_t number, int64_t n) {
    const int64_t begin = number * kLanes;
    count = n < kLanes ? n : kLanes;
    first = begin + kLanes <= n || n < kLanes ? begin : n - kLanes;
    done = begin - first;
  }
};

// Transforms the columns of the line seen as [rows, cols], multiplies them by the cross factors and
// transposes them into middle [cols, rows].
template <class T, class Who>
bool split_first(const FftPlan<T>& plan, const Line<T>& in, Parts<T> middle, const Who& who) {
  using L = Lanes<T>;
  const int64_t rows = plan.rows.n, cols = plan.cols.n;
  return who(
      (cols + kLanes - 1) / kLanes, Blocks<T>::room(rows),
      [&](int64_t begin, int64_t end, T* memory) {
        const Blocks<T> blocks(memory, rows);
        for (int64_t number = begin; number < end; ++number) {
          const ColumnGroup g(number, cols);
          load_lines(columns_of(in, cols, g.first, g.count), rows, blocks.a);
          const Parts<T> r = run_columns(plan.rows, blocks.a, blocks.b), spare = blocks.other(r);
          for (int64_t i = 0; i < rows; ++i)
            for (int64_t l = 0; l < kLanes; l += L::kCount) {
              const int64_t at = i * cols + g.first + l;
              times(Numbers<T>::load(r, i * kLanes + l),
                    Numbers<T>{L::load(plan.cross_re + at), L::load(plan.cross_im + at)})
                  .store(r, i * kLanes + l);
            }
          LineGroup<T> to = columns_of(Line<T>{middle.re, middle.im, rows}, 1, g.first, g.count);
          for (int64_t l = 0; l < g.count; ++l) {
            to.line[l].step = 1;
            if (l < g.done) to.line[l].re = spare.re, to.line[l].im = spare.im;
          }
          store_lines(r, to, rows, T{1});
        }
      });
}

// Transforms the columns of middle [cols, rows]; element k of column i is result k * rows + i.
template <class T, class Who>
bool split_second(const FftPlan<T>& plan, Parts<T> middle, const Line<T>& out, int64_t out_n,
                  T scale, const Who& who) {
  const int64_t rows = plan.rows.n, cols = plan.cols.n;
  return who((rows + kLanes - 1) / kLanes, Blocks<T>::room(cols),
             [&](int64_t begin, int64_t end, T* memory) {
               const Blocks<T> blocks(memory, cols);
               for (int64_t number = begin; number < end; ++number) {
                 const ColumnGroup g(number, rows);
                 load_lines(columns_of(Line<T>{middle.re, middle.im, 1}, rows, g.first, g.count),
                            cols, blocks.a);
                 const Parts<T> r = run_columns(plan.cols, blocks.a, blocks.b) + g.done;
                 const LineGroup<T> to = columns_of(out, rows, g.first + g.done, g.count - g.done);
                 const int64_t whole = out_n / rows;
                 store_lines(r, to, whole, scale);
                 for (int64_t l = 0; l < to.count && g.first + g.done + l < out_n % rows; ++l) {
                   const Line<T>& line = to.line[l];
                   if (line.re) line.re[whole * line.step] = r.re[whole * kLanes + l] * scale;
                   if (line.im) line.im[whole * line.step] = r.im[whole * kLanes + l] * scale;
                 }
               }
             });
}

// Lines that are no more gain nothing from going together.
constexpr int64_t kFewLines = 4;

// Whether lines go through the passes together: the columns hold a whole line, and the lines are
// many and short enough for the caches, or have no other way.
template <class T>
bool fits_lanes(const FftPlan<T>& plan, int64_t lines) {
  constexpr int64_t kCacheBytes = 256 << 10;
  return plan.columns.n &&
         (!plan.rows.n ||
          (lines > kFewLines &&
           Blocks<T>::room(plan.n) * static_cast<int64_t>(sizeof(T)) <= kCacheBytes));
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
    const Blocks<T> blocks(memory, plan.n);
    load_lines(LineGroup<T>{{in}, 1}, plan.n, blocks.a);
    store_lines(run_columns(plan.columns, blocks.a, blocks.b), LineGroup<T>{{out}, 1}, out_n,
                scale);
    return true;
  }
  const Parts<T> middle{memory, memory + plan.n};
  return split_first(plan, in, middle, who) && split_second(plan, middle, out, out_n, scale, who);
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
