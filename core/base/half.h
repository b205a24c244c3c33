// SPDX-License-Identifier: Apache-2.0
// half.h: f16 and bf16 on the host, one value at a time. Conversion rounds to nearest even and
// keeps NaN, infinities and subnormals.
#pragma once
#include <bit>
#include <cstdint>

namespace bp {

inline float bf16_to_float(uint16_t h) {
  return std::bit_cast<float>(static_cast<uint32_t>(h) << 16);
}

inline uint16_t float_to_bf16(float f) {
  const auto u = std::bit_cast<uint32_t>(f);
  if ((u & 0x7fffffff) > 0x7f800000) return static_cast<uint16_t>(u >> 16 | 0x40);
  return static_cast<uint16_t>((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

inline float f16_to_float(uint16_t h) {
  const uint32_t sign = static_cast<uint32_t>(h & 0x8000) << 16, body = h & 0x7fff;
  if (body >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | (body & 0x3ff) << 13);
  // Scaling by 2^112 moves the exponent's bias and normalises subnormals.
  const float scaled = std::bit_cast<float>(body << 13) * 0x1p112f;
  return std::bit_cast<float>(std::bit_cast<uint32_t>(scaled) | sign);
}

inline uint16_t float_to_f16(float f) {
  const auto u = std::bit_cast<uint32_t>(f);
  const auto sign = static_cast<uint16_t>(u >> 16 & 0x8000);
  const uint32_t body = u & 0x7fffffff;
  if (body > 0x7f800000) return static_cast<uint16_t>(sign | 0x7e00);
  if (body >= 0x477ff000) return static_cast<uint16_t>(sign | 0x7c00);
  if (body < 0x38800000) {  // subnormal: adding 0.5 leaves the rounded mantissa in the low bits
    const float shifted = std::bit_cast<float>(body) + 0.5f;
    return static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3f000000));
  }
  return static_cast<uint16_t>(sign | ((body - 0x38000000 + 0xfff + (body >> 13 & 1)) >> 13));
}

}  // namespace bp
