// SPDX-License-Identifier: Apache-2.0
// f16 and bf16 against their definitions: value = (-1)^s 2^(e - bias) 1.f, subnormals below.
#include "core/base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace bp {
namespace {

struct Format {
  const char* name;
  int mantissa_bits, bias;
  float (*to_float)(uint16_t);
  uint16_t (*from_float)(float);
};
const Format kFormats[] = {{"f16", 10, 15, f16_to_float, float_to_f16},
                           {"bf16", 7, 127, bf16_to_float, float_to_bf16}};

double defined(const Format& f, uint16_t h) {
  const int bits = f.mantissa_bits, exponent = (h & 0x7fff) >> bits;
  const double mantissa = std::ldexp(h & ((1 << bits) - 1), -bits);
  const double sign = h & 0x8000 ? -1 : 1;
  if (exponent == (0x7fff >> bits)) return mantissa ? NAN : sign * INFINITY;
  return exponent ? sign * std::ldexp(1 + mantissa, exponent - f.bias)
                  : sign * std::ldexp(mantissa, 1 - f.bias);
}

TEST(Half, OfEveryPatternIsItsValueAndComesBack) {
  for (const Format& f : kFormats)
    for (uint32_t h = 0; h < 65536; ++h) {
      const auto pattern = static_cast<uint16_t>(h);
      const double wanted = defined(f, pattern);
      const float got = f.to_float(pattern);
      if (std::isnan(wanted)) {
        ASSERT_TRUE(std::isnan(got) && std::isnan(f.to_float(f.from_float(got)))) << f.name << h;
      } else {
        ASSERT_EQ(got, wanted) << f.name << " " << h;
        ASSERT_EQ(std::signbit(got), std::signbit(wanted)) << f.name << " " << h;
        ASSERT_EQ(f.from_float(got), pattern) << f.name << " " << h;
      }
    }
}

// Between each two neighbours: just below the middle, the middle (to the even one), just above.
TEST(Half, RoundsToTheNearestAndTiesToTheEvenOne) {
  for (const Format& f : kFormats) {
    const auto infinity = f.from_float(INFINITY);
    for (uint16_t low = 0; low + 1 < infinity; ++low) {
      const auto high = static_cast<uint16_t>(low + 1);
      const auto middle = static_cast<float>((defined(f, low) + defined(f, high)) / 2);
      ASSERT_EQ(f.from_float(middle), low & 1 ? high : low) << f.name << " " << low;
      ASSERT_EQ(f.from_float(std::nextafter(middle, 0.0f)), low) << f.name << " " << low;
      ASSERT_EQ(f.from_float(std::nextafter(middle, INFINITY)), high) << f.name << " " << low;
    }
  }
}

TEST(Half, BeyondTheLargestIsInfinity) {
  EXPECT_EQ(float_to_f16(65519), 0x7bff);
  EXPECT_EQ(float_to_f16(65520), 0x7c00);
  EXPECT_EQ(float_to_f16(-1e30f), 0xfc00);
  EXPECT_EQ(float_to_bf16(std::numeric_limits<float>::max()), 0x7f80);
}

}  // namespace
}  // namespace bp
