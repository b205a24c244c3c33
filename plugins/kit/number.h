// SPDX-License-Identifier: Apache-2.0
// number.h: one number of one dtype as another, the rules of the row `cast`: a float becomes an
// integer by truncation, NaN becomes 0, what is out of range saturates; integers wrap; anything but
// zero is true. Narrow floats go through f32, rounded to nearest, halves to even; NaN stays NaN.
// Internal linkage throughout, because each instruction set of the cpu compiles its own; constexpr
// throughout, because a constexpr function may be called on any device.
#pragma once
#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "c_types.h"

namespace bp_kit {

// Narrow floats: distinct types for their bits, so that overloads and tables can tell them apart.
// They are computed in f32. kLargest has the bits of the largest magnitude, infinity where there is
// one; magnitudes above it are NaNs.
struct F16 {
  static constexpr uint16_t kLargest = 0x7c00;
  uint16_t bits;
};
struct BF16 {
  static constexpr uint16_t kLargest = 0x7f80;
  uint16_t bits;
};

static constexpr float to_float(BF16 x) {
  return std::bit_cast<float>(static_cast<uint32_t>(x.bits) << 16);
}

static constexpr float to_float(F16 x) {
  // Shifts the fields into place, then lets a multiplication by 2^112 set the exponent right,
  // subnormals included; what was infinite or NaN lands at 2^16 or above and gets f32's largest.
  const uint32_t sign = static_cast<uint32_t>(x.bits & 0x8000u) << 16;
  const uint32_t rest = static_cast<uint32_t>(x.bits & 0x7fffu) << 13;
  const float scaled = std::bit_cast<float>(rest) * 0x1p112f;
  const uint32_t bits = std::bit_cast<uint32_t>(scaled);
  return std::bit_cast<float>(sign | (scaled >= 65536.0f ? bits | 0x7f800000u : bits));
}

static constexpr void from_float(float x, BF16* out) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
  out->bits = static_cast<uint16_t>(x == x ? rounded : (bits >> 16) | 0x40u);
}

static constexpr void from_float(float x, F16* out) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7fffffffu;
  // Normal results: drop 13 bits with rounding and change the bias. Subnormal ones: adding 0.5
  // aligns the bits, and the addition rounds.
  const uint32_t normal = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
  const uint32_t small =
      std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000u;
  uint32_t result = magnitude < 0x38800000u ? small : normal;
  result = magnitude >= 0x477ff000u ? 0x7c00u : result;
  result = magnitude > 0x7f800000u ? 0x7e00u : result;
  out->bits = static_cast<uint16_t>(sign | result);
}

template <class T>
constexpr bool kIsNarrow = requires(T x) {
  to_float(x);
};
// The type that an element is computed in.
template <class T>
using Calc = std::conditional_t<kIsNarrow<T>, float, T>;

// bool in memory: one byte. 0 is false; 1 is written, and any other byte is read as true.
struct Bool {
  uint8_t byte;
};
template <class T>
struct Complex {
  T re, im;
};
template <class T>
constexpr bool kIsComplex = false;
template <class T>
constexpr bool kIsComplex<Complex<T>> = true;

template <class To, class From>
static constexpr To convert(From x) {
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (std::is_same_v<From, Bool>) {
    return convert<To>(static_cast<uint8_t>(x.byte != 0));
  } else if constexpr (kIsNarrow<From>) {
    return convert<To>(to_float(x));
  } else if constexpr (kIsComplex<From> && kIsComplex<To>) {
    return {static_cast<decltype(To::re)>(x.re), static_cast<decltype(To::re)>(x.im)};
  } else if constexpr (kIsComplex<From> && std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(x.re != 0 || x.im != 0)};
  } else if constexpr (kIsComplex<From>) {
    return convert<To>(x.re);
  } else if constexpr (kIsComplex<To>) {
    return {convert<decltype(To::re)>(x), 0};
  } else if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(x != 0)};
  } else if constexpr (kIsNarrow<To>) {
    To y;
    from_float(static_cast<float>(x), &y);
    return y;
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    // Both bounds are powers of two, or zero, and so exact in From; kBelow is one past the largest.
    constexpr From kLow = static_cast<From>(std::numeric_limits<To>::min());
    constexpr To kHalf = std::numeric_limits<To>::max() / 2 + 1;
    constexpr From kBelow = static_cast<From>(kHalf) * 2;
    const bool fits = x > kLow - (kLow == 0 || sizeof(To) < 4 ? From{1} : From{0}) && x < kBelow;
    const To inside = static_cast<To>(fits ? x : From{0});
    const To outside = x >= kBelow ? std::numeric_limits<To>::max()
                       : x <= kLow ? std::numeric_limits<To>::min()
                                   : To{0};
    return fits ? inside : outside;
  } else {
    return static_cast<To>(x);
  }
}

// The value of a number operand of kind BP_ARG_SCALAR_C128.
static constexpr Complex<double> complex_number(const bp_arg& a) {
  return {a.f64, std::bit_cast<double>(a.i64)};
}

}  // namespace bp_kit
