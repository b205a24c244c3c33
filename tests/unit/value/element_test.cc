// SPDX-License-Identifier: Apache-2.0
// Elements of every dtype against their definitions: of narrow floats every pattern of bits,
// (-1)^s 2^(e - bias) 1.f, and subnormals below.
#include "core/value/element.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <limits>

#include "core/value/dtype.h"

namespace bp {
namespace {

struct Format {
  bp_dtype dtype;
  int fraction, bias;
};
double defined(const Format& f, uint32_t h) {
  const uint32_t sign_bit = 1u << (8 * dtype_bytes(f.dtype) - 1);
  const auto exponent = static_cast<int>((h & (sign_bit - 1)) >> f.fraction);
  const double fraction = std::ldexp(h & ((1u << f.fraction) - 1), -f.fraction);
  const double sign = h & sign_bit ? -1 : 1;
  if (exponent == static_cast<int>((sign_bit - 1) >> f.fraction))
    return fraction != 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? std::ldexp(1 + fraction, exponent - f.bias)
                          : std::ldexp(fraction, 1 - f.bias));
}

TEST(NarrowElements, OfEveryPatternAreItsValue) {
  for (const Format& f : {Format{BP_F16, 10, 15}, Format{BP_BF16, 7, 127}})
    for (uint32_t h = 0; h >> (8 * dtype_bytes(f.dtype)) == 0; ++h) {
      const auto bits = static_cast<uint16_t>(h);
      const bp_value got = read_element(f.dtype, &bits);
      const double wanted = defined(f, h);
      ASSERT_EQ(got.kind, BP_VALUE_F64);
      if (std::isnan(wanted)) {
        ASSERT_TRUE(std::isnan(got.as.f64)) << f.dtype << " " << h;
      } else {
        ASSERT_EQ(got.as.f64, wanted) << f.dtype << " " << h;
        ASSERT_EQ(std::signbit(got.as.f64), std::signbit(wanted)) << f.dtype << " " << h;
      }
    }
}

TEST(WholeElements, KeepTheirSign) {
  const uint64_t ones = std::numeric_limits<uint64_t>::max();
  for (const bp_dtype t : {BP_I8, BP_I16, BP_I32, BP_I64}) {
    const bp_value v = read_element(t, &ones);
    EXPECT_EQ(v.kind, BP_VALUE_I64);
    EXPECT_EQ(v.as.i64, -1) << t;
  }
  EXPECT_EQ(read_element(BP_U8, &ones).as.i64, 0xff);
  EXPECT_EQ(read_element(BP_U16, &ones).as.i64, 0xffff);
  EXPECT_EQ(read_element(BP_U32, &ones).as.i64, 0xffffffff);
  EXPECT_EQ(read_element(BP_U64, &ones).as.i64, -1);  // its bits
}

TEST(Elements, NeedNoAlignment) {
  char room[17] = {};
  const std::complex<double> z{1.5, -2.5};
  std::memcpy(room + 1, &z, sizeof z);
  const bp_value v = read_element(BP_C128, room + 1);
  EXPECT_EQ(v.kind, BP_VALUE_C128);
  EXPECT_EQ(v.as.c128[0], 1.5);
  EXPECT_EQ(v.as.c128[1], -2.5);
  room[1] = 1;
  EXPECT_EQ(read_element(BP_BOOL, room + 1).kind, BP_VALUE_BOOL);
  EXPECT_EQ(read_element(BP_BOOL, room + 1).as.i64, 1);
  room[1] = 2;  // as other programs may write it
  EXPECT_EQ(read_element(BP_BOOL, room + 1).as.i64, 1);
}

}  // namespace
}  // namespace bp
