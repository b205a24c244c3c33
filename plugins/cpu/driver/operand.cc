// SPDX-License-Identifier: Apache-2.0
#include "driver/operand.h"

#include <algorithm>
#include <cstdlib>

#include "driver/strided.h"
#include "kit/element.h"

namespace bp_cpu {
namespace {

// Calls move(place, elements done, runs, length) for runs along the innermost dimension, as many at
// once as follow each other along the next one.
template <class T, class F>
void for_each_run(const Space& s, const Operand& o, int64_t first, int64_t n, const F& move) {
  T* base = reinterpret_cast<T*>(o.data);
  int64_t at[BP_MAX_RANK];
  const int last = s.last();
  for (int d = last; d >= 0; --d) {
    at[d] = first % s.size[d];
    first /= s.size[d];
    base += at[d] * o.stride[d];
  }
  for (int64_t done = 0; done < n;) {
    int64_t run = std::min(n - done, s.size[last] - at[last]), runs = 1;
    if (last > 0 && run == s.size[last])
      runs = std::min((n - done) / run, s.size[last - 1] - at[last - 1]);
    move(base, done, runs, run);
    done += runs * run;
    base -= at[last] * o.stride[last];
    at[last] = 0;
    for (int d = last - 1; d >= 0; --d) {
      base += runs * o.stride[d];
      if ((at[d] += runs) < s.size[d]) break;
      base -= s.size[d] * o.stride[d];
      at[d] = 0;
      runs = 1;
    }
  }
}

}  // namespace

void gather(const Space& s, const Operand& o, int64_t first, int64_t n, void* block) {
  bp_kit::with_bytes(o.bytes, [&](auto element) {
    using T = decltype(element);
    const int64_t step = o.stride[s.last()], apart = s.rank > 1 ? o.stride[s.last() - 1] : 0;
    for_each_run<T>(s, o, first, n, [&](const T* from, int64_t done, int64_t runs, int64_t run) {
      read_rows(static_cast<T*>(block) + done, from, runs, apart, run, step);
    });
  });
}

void scatter(const Space& s, const Operand& o, int64_t first, int64_t n, const void* block) {
  bp_kit::with_bytes(o.bytes, [&](auto element) {
    using T = decltype(element);
    const int64_t step = o.stride[s.last()], apart = s.rank > 1 ? o.stride[s.last() - 1] : 0;
    for_each_run<T>(s, o, first, n, [&](T* to, int64_t done, int64_t runs, int64_t run) {
      write_rows(to, static_cast<const T*>(block) + done, runs, apart, run, step);
    });
  });
}

void gather_tile(const char* from, int32_t bytes, int64_t rows, int64_t row_stride, int64_t columns,
                 int64_t column_stride, void* block) {
  bp_kit::with_bytes(bytes, [&](auto element) {
    using T = decltype(element);
    const T* x = reinterpret_cast<const T*>(from);
    T* y = static_cast<T*>(block);
    if (row_stride == 1 && column_stride != 1)
      read_columns(y, x, rows, columns, column_stride);
    else if (std::abs(row_stride) < std::abs(column_stride))
      for (int64_t c = 0; c < columns; ++c)
        for (int64_t r = 0; r < rows; ++r)
          y[r * columns + c] = x[c * column_stride + r * row_stride];
    else
      read_rows(y, x, rows, row_stride, columns, column_stride);
  });
}

void gather_row(const char* from, int32_t bytes, int64_t n, int64_t stride, void* block) {
  bp_kit::with_bytes(bytes, [&](auto element) {
    using T = decltype(element);
    read_rows(static_cast<T*>(block), reinterpret_cast<const T*>(from), 1, 0, n, stride);
  });
}

void scatter_row(char* to, int32_t bytes, int64_t n, int64_t stride, const void* block) {
  bp_kit::with_bytes(bytes, [&](auto element) {
    using T = decltype(element);
    write_rows(reinterpret_cast<T*>(to), static_cast<const T*>(block), 1, 0, n, stride);
  });
}

}  // namespace bp_cpu
