// SPDX-License-Identifier: Apache-2.0
// narrow.h: narrow floats as f32, in blocks; kit/number.h has them one by one. Everything here has
// internal linkage, because each instruction set compiles its own. The scalar forms are branch-free
// integer code that compilers vectorise; F16C does f16 where the machine has it.
#pragma once
#include "kit/element.h"
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace bp_cpu {

using namespace bp_kit;

template <class T>
static void load_narrow(float* out, const void* in, int64_t n) {
  const T* x = static_cast<const T*>(in);
  int64_t done = 0;
#if defined(__F16C__)
  if constexpr (std::is_same_v<T, F16>)
    for (; done + 8 <= n; done += 8)
      _mm256_storeu_ps(
          out + done, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + done))));
#endif
#pragma omp simd
  for (int64_t i = done; i < n; ++i) out[i] = to_float(x[i]);
}
template <class T>
static void store_narrow(void* out, const float* in, int64_t n) {
  T* y = static_cast<T*>(out);
  int64_t done = 0;
#if defined(__F16C__)
  if constexpr (std::is_same_v<T, F16>)
    for (; done + 8 <= n; done += 8)
      _mm_storeu_si128(reinterpret_cast<__m128i*>(y + done),
                       _mm256_cvtps_ph(_mm256_loadu_ps(in + done), _MM_FROUND_TO_NEAREST_INT));
#endif
#pragma omp simd
  for (int64_t i = done; i < n; ++i) from_float(in[i], &y[i]);
}

// These are found for narrow dtypes, and are nullptr for every other.
using NarrowLoad = void (*)(float* out, const void* in, int64_t n);
using NarrowStore = void (*)(void* out, const float* in, int64_t n);
static constexpr NarrowLoad narrow_loader(bp_dtype d) {
  return with_type(d, [](auto t) -> NarrowLoad {
    if constexpr (kIsNarrow<decltype(t)>)
      return load_narrow<decltype(t)>;
    else
      return nullptr;
  });
}
static constexpr NarrowStore narrow_storer(bp_dtype d) {
  return with_type(d, [](auto t) -> NarrowStore {
    if constexpr (kIsNarrow<decltype(t)>)
      return store_narrow<decltype(t)>;
    else
      return nullptr;
  });
}

}  // namespace bp_cpu
