// SPDX-License-Identifier: Apache-2.0
// strided.h: loops that move elements between strided and dense memory. A step that is common is a
// constant of its loop, so that the compiler makes shuffles of it; a block of a transposed operand
// is turned around in registers.
//
//   read_rows(to, from, rows, row_stride, columns, /*step=*/2);  // every second element
#pragma once
#include <cstdint>
#include <cstring>
#include <utility>

namespace bp_cpu {

template <int64_t kStep>
struct FixedStep {
  constexpr operator int64_t() const { return kStep; }
};

// Calls fn(step), where a common step is a constant.
template <class F>
inline void with_step(int64_t step, const F& fn) {
  switch (step) {
    case -1: return fn(FixedStep<-1>{});
    case 0: return fn(FixedStep<0>{});
    case 1: return fn(FixedStep<1>{});
    case 2: return fn(FixedStep<2>{});
    default: return fn(step);
  }
}

// ---- in registers ----

constexpr int64_t kRegister = 16, kLine = 64;  // bytes
template <class T>
constexpr bool kFitsRegister = sizeof(T) < kRegister;

// A register's worth of elements, and how many of them a block has in each row and column.
template <class T>
struct Turn {
  static constexpr int kBytes = kRegister, kCount = kBytes / static_cast<int>(sizeof(T));
  typedef T V __attribute__((vector_size(kBytes)));

  // Returns the elements of a and b in turns, of their lower or upper halves.
  template <int kFirst, int... I>
  static V interleave(V a, V b, std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(a, b, (kFirst + I / 2 + (I % 2) * kCount)...);
  }
  using All = std::make_integer_sequence<int, kCount>;
  template <int... I>
  static V backwards(V v, std::integer_sequence<int, I...>) {
    return __builtin_shufflevector(v, v, (kCount - 1 - I)...);
  }
  static V low(V a, V b) { return interleave<0>(a, b, All{}); }
  static V high(V a, V b) { return interleave<kCount / 2>(a, b, All{}); }

  // Interleaving the upper half of the rows with the lower one rotates the bits of an element's
  // place (row, column) by one; after log2(kCount) times rows and columns are exchanged.
  static void block(T* to, int64_t to_stride, const T* from, int64_t from_stride) {
    V rows[kCount], next[kCount];
    for (int i = 0; i < kCount; ++i) std::memcpy(&rows[i], from + i * from_stride, kBytes);
    for (int done = 1; done < kCount; done *= 2) {
      for (int i = 0; i < kCount / 2; ++i) {
        next[2 * i] = low(rows[i], rows[i + kCount / 2]);
        next[2 * i + 1] = high(rows[i], rows[i + kCount / 2]);
      }
      for (int i = 0; i < kCount; ++i) rows[i] = next[i];
    }
    for (int i = 0; i < kCount; ++i) std::memcpy(to + i * to_stride, &rows[i], kBytes);
  }
};

// Copies n elements from `from` on downwards.
template <class T>
void read_backwards(T* __restrict to, const T* __restrict from, int64_t n) {
  int64_t i = 0;
  if constexpr (kFitsRegister<T>) {
    constexpr int64_t kCount = Turn<T>::kCount, kAtOnce = 4;
    for (; i + kAtOnce * kCount <= n; i += kAtOnce * kCount) {
      typename Turn<T>::V v[kAtOnce];
      for (int64_t k = 0; k < kAtOnce; ++k)
        std::memcpy(&v[k], from - i - (k + 1) * kCount + 1, sizeof v[k]);
      for (int64_t k = 0; k < kAtOnce; ++k) {
        v[k] = Turn<T>::backwards(v[k], typename Turn<T>::All{});
        std::memcpy(to + i + k * kCount, &v[k], sizeof v[k]);
      }
    }
  }
  for (; i < n; ++i) to[i] = from[-i];
}

// ---- rows and columns ----

constexpr int64_t kWorthACall = 32;  // elements from which on memcpy is

// Copies a row; the two are apart. Where their offsets within a page are nearly the same, memcpy
// takes half as long again for rows of a few kilobytes, because its loads seem to wait for stores
// that lie a page away. Here several loads come before their stores. It has internal linkage,
// because kernels of each instruction set have their own.
static inline void copy_row(void* to, const void* from, int64_t bytes) {
#if defined(__AVX2__)
  constexpr int64_t kWidth = 32;  // registers of 64 bytes would cross a line with each load
#else
  constexpr int64_t kWidth = 16;
#endif
  typedef char V __attribute__((vector_size(kWidth)));
  constexpr int64_t kAtOnce = 8, kLong = 2048;
  char* y = static_cast<char*>(to);
  const char* x = static_cast<const char*>(from);
  int64_t i = 0;
  if (bytes >= kLong) {
    std::memcpy(y, x, kWidth);  // so that no store crosses a line
    i = kWidth - static_cast<int64_t>(reinterpret_cast<uintptr_t>(y) % kWidth);
    for (; i + kAtOnce * kWidth <= bytes; i += kAtOnce * kWidth) {
      V v[kAtOnce];
      for (int64_t k = 0; k < kAtOnce; ++k) std::memcpy(&v[k], x + i + k * kWidth, kWidth);
      for (int64_t k = 0; k < kAtOnce; ++k) std::memcpy(y + i + k * kWidth, &v[k], kWidth);
    }
  }
  std::memcpy(y + i, x + i, static_cast<size_t>(bytes - i));
}

// Copies `rows` by `columns` elements, whose rows lie row_stride apart and columns `step`, to a
// dense block. From and to are apart.
template <class T>
void read_rows(T* __restrict to, const T* __restrict from, int64_t rows, int64_t row_stride,
               int64_t columns, int64_t step) {
  if (step == 1 && columns >= kWorthACall) {
    for (int64_t r = 0; r < rows; ++r)
      copy_row(to + r * columns, from + r * row_stride, columns * int64_t{sizeof(T)});
    return;
  }
  if (step == -1) {
    for (int64_t r = 0; r < rows; ++r)
      read_backwards(to + r * columns, from + r * row_stride, columns);
    return;
  }
  with_step(step, [=](auto s) {
    for (int64_t r = 0; r < rows; ++r) {
      T* __restrict y = to + r * columns;
      const T* __restrict x = from + r * row_stride;
      for (int64_t c = 0; c < columns; ++c) y[c] = x[c * s];
    }
  });
}

// Copies a dense block to `rows` by `columns` elements that lie so.
template <class T>
void write_rows(T* __restrict to, const T* __restrict from, int64_t rows, int64_t row_stride,
                int64_t columns, int64_t step) {
  if (step == 1 && columns >= kWorthACall) {
    for (int64_t r = 0; r < rows; ++r)
      copy_row(to + r * row_stride, from + r * columns, columns * int64_t{sizeof(T)});
    return;
  }
  with_step(step, [=](auto s) {
    for (int64_t r = 0; r < rows; ++r) {
      T* __restrict y = to + r * row_stride;
      const T* __restrict x = from + r * columns;
      for (int64_t c = 0; c < columns; ++c) y[c * s] = x[c];
    }
  });
}

// Copies `columns` dense runs of `rows` elements, column_stride apart, to a dense block of rows.
// The next block's lines are fetched ahead, as these are too many runs for a processor to follow.
template <class T>
void read_columns(T* __restrict to, const T* __restrict from, int64_t rows, int64_t columns,
                  int64_t column_stride) {
  int64_t column = 0;
  if constexpr (kFitsRegister<T>) {
    const int64_t n = Turn<T>::kCount;
    for (; column + n <= columns; column += n) {
      for (int64_t c = column; c < column + n; ++c)
        for (int64_t ahead = 0; ahead < rows; ahead += kLine / int64_t{sizeof(T)})
          __builtin_prefetch(from + c * column_stride + rows + ahead);
      int64_t row = 0;
      for (; row + n <= rows; row += n)
        Turn<T>::block(to + row * columns + column, columns, from + column * column_stride + row,
                       column_stride);
      for (; row < rows; ++row)
        for (int64_t c = column; c < column + n; ++c)
          to[row * columns + c] = from[c * column_stride + row];
    }
  }
  for (; column < columns; ++column)
    for (int64_t row = 0; row < rows; ++row)
      to[row * columns + column] = from[column * column_stride + row];
}

}  // namespace bp_cpu
