// SPDX-License-Identifier: Apache-2.0
#include "driver/operand.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kit/element.h"

namespace bp_cpu {
namespace {

template <class T>
void copy_run(T* dst, int64_t dst_stride, const T* src, int64_t src_stride, int64_t n) {
  constexpr int64_t kWorthACall = 32;
  if (dst_stride == 1 && src_stride == 1 && n >= kWorthACall)
    std::memcpy(dst, src, static_cast<size_t>(n) * sizeof(T));
  else
    for (int64_t i = 0; i < n; ++i) dst[i * dst_stride] = src[i * src_stride];
}

// Calls move(place, elements done, length) for each run along the innermost dimension.
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
    const int64_t run = std::min(n - done, s.size[last] - at[last]);
    move(base, done, run);
    done += run;
    base -= at[last] * o.stride[last];
    at[last] = 0;
    for (int d = last - 1; d >= 0; --d) {
      base += o.stride[d];
      if (++at[d] < s.size[d]) break;
      base -= s.size[d] * o.stride[d];
      at[d] = 0;
    }
  }
}

}  // namespace

void gather(const Space& s, const Operand& o, int64_t first, int64_t n, void* block) {
  bp_kit::with_bytes(o.bytes, [&](auto element) {
    using T = decltype(element);
    const int64_t stride = o.stride[s.last()];
    for_each_run<T>(s, o, first, n, [&](const T* from, int64_t done, int64_t run) {
      copy_run(static_cast<T*>(block) + done, 1, from, stride, run);
    });
  });
}

void scatter(const Space& s, const Operand& o, int64_t first, int64_t n, const void* block) {
  bp_kit::with_bytes(o.bytes, [&](auto element) {
    using T = decltype(element);
    const int64_t stride = o.stride[s.last()];
    for_each_run<T>(s, o, first, n, [&](T* to, int64_t done, int64_t run) {
      copy_run(to, stride, static_cast<const T*>(block) + done, 1, run);
    });
  });
}

char* locate(const Space& s, const Operand& o, int64_t first) {
  int64_t offset = 0;
  for (int d = s.last(); d >= 0; --d) {
    offset += first % s.size[d] * o.stride[d];
    first /= s.size[d];
  }
  return o.data + offset * o.bytes;
}

void gather_tile(const char* from, int32_t bytes, int64_t rows, int64_t row_stride, int64_t columns,
                 int64_t column_stride, void* block) {
  bp_kit::with_bytes(bytes, [&](auto element) {
    using T = decltype(element);
    const T* x = reinterpret_cast<const T*>(from);
    T* y = static_cast<T*>(block);
    if (std::abs(row_stride) < std::abs(column_stride))
      for (int64_t c = 0; c < columns; ++c)
        copy_run(y + c, columns, x + c * column_stride, row_stride, rows);
    else
      for (int64_t r = 0; r < rows; ++r)
        copy_run(y + r * columns, 1, x + r * row_stride, column_stride, columns);
  });
}

void scatter_row(char* to, int32_t bytes, int64_t n, int64_t stride, const void* block) {
  bp_kit::with_bytes(bytes, [&](auto element) {
    using T = decltype(element);
    copy_run(reinterpret_cast<T*>(to), stride, static_cast<const T*>(block), 1, n);
  });
}

}  // namespace bp_cpu
