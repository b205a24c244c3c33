// half.h: f16 and bf16 as f32, in blocks. Rounding is to nearest, halves to even; NaN stays NaN.
// Everything here has internal linkage, because each instruction set compiles its own. The scalar forms are branch-free integer code that compilers vectorise; F16C does f16 where there is such a thing.
#pragma once
#include <bit>
#include <cstdint>

#include "c_types.h"
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace bp_cpu {

// Distinct types for their 16 bits, so that overloads and tables can tell them apart.
struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

static inline float to_float(BF16 x) { return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16); }

static inline float to_float(F16 x) {
  // Shift the fields into place, then let a multiplication by 2^112 set the exponent right, subnormals included; what
  // was infinite or NaN lands at 2^16 or above and gets f32's largest exponent.
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000u) << 16;
  const uint32_t rest = static_cast<uint32_t>(x.bits & 0x7fffu) << 13;
  const float scaled = std::bit_cast<float>(rest) * 0x1p112f;
  const uint32_t bits = std::bit_cast<uint32_t>(scaled);
  return std::bit_cast<float>(sign | (scaled >= 65536.0f ? bits | 0x7f800000u : bits));
}

static inline void from_float(float x, BF16* out) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  out->bits = static_cast<uint16_t>(x == x ? rounded : (bits >> 16) | 0x40u);
}

static inline void from_float(float x, F16* out) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Normal results: drop 13 bits with rounding and change the bias. Subnormal ones: adding 0.5 aligns the bits, and the
  // addition rounds.
  const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  const uint32_t small = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? small : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? 0x7e00u : result;
  out->bits = static_cast<uint16_t>(sign | result);
}

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
