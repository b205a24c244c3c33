// SPDX-License-Identifier: Apache-2.0
// elements.h: strided elements to and from accumulators, for reductions and for rows.
#pragma once
#include "driver/narrow.h"
#include "kernels/reduction/cascade.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T, class A>
void load_elements(A* out, const void* in, int64_t n, int64_t stride) {
  const T* x = static_cast<const T*>(in);
  if constexpr (kIsNarrow<T> && std::is_same_v<A, float>)
    if (stride == 1) return load_narrow<T>(out, in, n);
  if (stride == 1) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) out[i] = convert<A>(x[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = convert<A>(x[i * stride]);
  }
}

template <class T, class A>
void store_elements(void* out, const A* in, int64_t n, int64_t stride) {
  T* y = static_cast<T*>(out);
  if constexpr (kIsNarrow<T> && std::is_same_v<A, float>)
    if (stride == 1) return store_narrow<T>(out, in, n);
  if (stride == 1) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) y[i] = convert<T>(in[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) y[i * stride] = convert<T>(in[i]);
  }
}

// The same with the signatures of a reduction's load and store.
template <class T, class A>
void load_plain(A* out, const void* in, int64_t n, int64_t stride, const A*) {
  load_elements<T, A>(out, in, n, stride);
}
template <class T, class A>
void store_plain(void* out, const A* in, int64_t n, int64_t stride, const bp_launch&, int64_t) {
  store_elements<T, A>(out, in, n, stride);
}

}  // namespace
}  // namespace bp_cpu::BP_ISA
