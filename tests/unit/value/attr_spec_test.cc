// SPDX-License-Identifier: Apache-2.0
// Lists of attributes: places found by name while a list compiles, and defaults.
#include "core/value/attr_spec.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "core/value/attr_values.h"

namespace bp {
namespace {

constexpr AttrSpecs kSpecs{required_int_attr("n"),   ints_attr("axes"),
                           float_attr("p", 2),       flag_attr("keepdims", true),
                           str_attr("mode", "mean"), ints_attr("stride", 3, "steps")};

TEST(AttrSpecs, FindPlacesByNameWhileTheyCompile) {
  static_assert(kSpecs["n"] == 0 && kSpecs["stride"] == 5 && kSpecs.size() == 6);
  static_assert(FloatAttr(kSpecs["p"]).index == 2 && IntsAttr(kSpecs["axes"]).index == 1);
  static_assert(std::is_constructible_v<FloatAttr, size_t>);
  static_assert(!std::is_constructible_v<FloatAttr, int>);  // a literal place
  EXPECT_EQ(kSpecs.find("mode"), 4);
  EXPECT_EQ(kSpecs.find("modes"), -1);
}

TEST(AttrSpecs, TakeBracesOfOneOrTwoLevels) {
  constexpr AttrSpecs kOne{{int_attr("axis", 0)}},
      kTwo{{int_attr("axis", 0), flag_attr("a", true)}};
  static_assert(kOne.size() == 1 && kTwo.size() == 2 && AttrSpecs{}.empty());
}

TEST(AttrSpecs, HaveDefaultsOfTheirKinds) {
  EXPECT_EQ(default_attr(kSpecs.at(2)).value.f64, 2.0);
  EXPECT_EQ(default_attr(kSpecs.at(3)).value.i64, 1);
  const bp_attr axes = default_attr(kSpecs.at(1)), mode = default_attr(kSpecs.at(4)),
                stride = default_attr(kSpecs.at(5));
  EXPECT_EQ(axes.count, 0u);
  EXPECT_EQ(axes.value.ints, nullptr);
  EXPECT_EQ(std::string_view(mode.value.str, mode.count), "mean");
  ASSERT_EQ(stride.count, 1u);
  EXPECT_EQ(*stride.value.ints, 3);
  EXPECT_STREQ(stride.name, "stride");
}

}  // namespace
}  // namespace bp
