// SPDX-License-Identifier: Apache-2.0
// half.h: f16 and bf16 as f32, in blocks; one by one: kit/number.h.
// Everything here has internal linkage, because each instruction set compiles its own. The scalar
// forms are branch-free integer code that compilers vectorise; F16C does f16 where there is such a
// thing.
#pragma once
#include "kit/number.h"
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace bp_cpu {

using namespace bp_kit;

static inline void load_bf16(float* out, const void* in, int64_t n) {
  const BF16* x = static_cast<const BF16*>(in);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) out[i] = to_float(x[i]);
}
static inline void store_bf16(void* out, const float* in, int64_t n) {
  BF16* y = static_cast<BF16*>(out);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) from_float(in[i], &y[i]);
}

static inline void load_f16(float* out, const void* in, int64_t n) {
  const F16* x = static_cast<const F16*>(in);
  int64_t done = 0;
#if defined(__F16C__)
  for (; done + 8 <= n; done += 8)
    _mm256_storeu_ps(out + done,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(x + done))));
#endif
#pragma omp simd
  for (int64_t i = done; i < n; ++i) out[i] = to_float(x[i]);
}
static inline void store_f16(void* out, const float* in, int64_t n) {
  F16* y = static_cast<F16*>(out);
  int64_t done = 0;
#if defined(__F16C__)
  for (; done + 8 <= n; done += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i*>(y + done),
                     _mm256_cvtps_ph(_mm256_loadu_ps(in + done), _MM_FROUND_TO_NEAREST_INT));
#endif
#pragma omp simd
  for (int64_t i = done; i < n; ++i) from_float(in[i], &y[i]);
}

// nullptr for every other dtype.
using HalfLoad = void (*)(float* out, const void* in, int64_t n);
using HalfStore = void (*)(void* out, const float* in, int64_t n);
static inline HalfLoad half_loader(bp_dtype d) {
  return d == BP_F16 ? load_f16 : d == BP_BF16 ? load_bf16 : nullptr;
}
static inline HalfStore half_storer(bp_dtype d) {
  return d == BP_F16 ? store_f16 : d == BP_BF16 ? store_bf16 : nullptr;
}

}  // namespace bp_cpu
