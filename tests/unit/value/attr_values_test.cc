// SPDX-License-Identifier: Apache-2.0
// Attributes as callers give them: by name, in any order, some left out, some of a kind that
// stands for another; and each way in which they are refused.
#include "core/value/attr_values.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "core/base/error.h"

namespace bp {
namespace {

constexpr AttrSpecs kAccepted{required_int_attr("n"),
                              float_attr("p", 2),
                              flag_attr("keepdims", false),
                              ints_attr("axes"),
                              or_text(ints_attr("padding", 0, "")),
                              str_attr("mode", "mean"),
                              any_length(ints_attr("milestones"))};

bp_attr whole(const char* name, int64_t v, bp_attr_kind kind = BP_ATTR_I64) {
  return {name, kind, 1, {.i64 = v}, 0};
}
bp_attr real(const char* name, double v) { return {name, BP_ATTR_F64, 1, {.f64 = v}, 0}; }
bp_attr text(const char* name, const char* v) {
  const auto size = static_cast<uint32_t>(v ? std::string_view(v).size() : 3);
  return {name, BP_ATTR_STR, size, {.str = v}, 0};
}
bp_attr list(const char* name, const int64_t* v, uint32_t count) {
  return {name, BP_ATTR_INTS, count, {.ints = v}, 0};
}

TEST(AttrValues, AreTakenByNameInAnyOrderAndTheRestAreDefaults) {
  const int64_t axes[] = {1, -1};
  const bp_attr given[] = {list("axes", axes, 2), text("mode", "sum"), whole("n", 7)};
  const AttrValues v("op", kAccepted, given);
  EXPECT_EQ(v.i64(kAccepted["n"]), 7);
  EXPECT_EQ(v.f64(kAccepted["p"]), 2.0);
  EXPECT_FALSE(v.flag(kAccepted["keepdims"]));
  EXPECT_EQ(v.ints(kAccepted["axes"]).data(), axes);
  EXPECT_EQ(v.ints(kAccepted["axes"]).size(), 2u);
  EXPECT_EQ(v.str(kAccepted["mode"]), "sum");
  EXPECT_EQ(v.ints(kAccepted["padding"])[0], 0);
  EXPECT_TRUE(v.ints(kAccepted["milestones"]).empty());
}

TEST(AttrValues, WholeNumbersStandForNumbersFlagsAndLists) {
  const bp_attr given[] = {whole("n", 1, BP_ATTR_BOOL), whole("p", 3), whole("keepdims", 4),
                           whole("axes", -2), text("padding", "same")};
  const AttrValues v("op", kAccepted, given);
  EXPECT_EQ(v.i64(kAccepted["n"]), 1);
  EXPECT_EQ(v.f64(kAccepted["p"]), 3.0);
  EXPECT_EQ(v.attrs[kAccepted["keepdims"]].value.i64, 1);
  ASSERT_EQ(v.ints(kAccepted["axes"]).size(), 1u);
  EXPECT_EQ(v.ints(kAccepted["axes"])[0], -2);
  EXPECT_EQ(v.attrs[kAccepted["padding"]].kind, BP_ATTR_STR);
}

TEST(AttrValues, MayBeLongerThanAShapeWhereTheListSaysSo) {
  std::vector<int64_t> many(BP_MAX_RANK + 1);
  std::iota(many.begin(), many.end(), 1);
  const auto count = static_cast<uint32_t>(many.size());
  const bp_attr given[] = {whole("n", 0), list("milestones", many.data(), count)};
  EXPECT_EQ(AttrValues("op", kAccepted, given).ints(kAccepted["milestones"]).size(), many.size());
}

TEST(TakeAttrs, ChangesWhatIsGivenAndSaysWhich) {
  std::vector<bp_attr> values;
  for (const AttrSpec& s : kAccepted) values.push_back(default_attr(s));
  const bp_attr given[] = {real("p", 0.5), whole("n", 3)};
  EXPECT_EQ(take_attrs("op", kAccepted, given, values), 3u);
  EXPECT_EQ(values[1].value.f64, 0.5);
  EXPECT_EQ(values[2].value.i64, 0);
}

struct Refusal {
  std::vector<bp_attr> given;
  bp_status status;
  const char* message;
};
TEST(AttrValues, AreRefusedWithASentence) {
  static const std::vector<int64_t> many(BP_MAX_RANK + 1);
  const Refusal refusals[] = {
      {{}, BP_INVALID_ARGUMENT, "op: attribute 'n' must be given"},
      {{whole("m", 1)},
       BP_NOT_FOUND,
       "op has no attribute 'm'; it has n, p, keepdims, axes, padding, mode, milestones"},
      {{whole("n", 1), whole("n", 2)}, BP_INVALID_ARGUMENT, "op: attribute 'n' is given twice"},
      {{whole(nullptr, 1)}, BP_INVALID_ARGUMENT, "op: an attribute has no name"},
      {{real("n", 1.5)}, BP_INVALID_ARGUMENT, "op: n is a number, expected an integer"},
      {{text("axes", "all")},
       BP_INVALID_ARGUMENT,
       "op: axes is a text, expected a list of integers"},
      {{whole("mode", 1)}, BP_INVALID_ARGUMENT, "op: mode is an integer, expected a text"},
      {{whole("n", 1, 99)}, BP_INVALID_ARGUMENT, "op: n is unknown, expected an integer"},
      {{list("axes", nullptr, 2)}, BP_INVALID_ARGUMENT, "op: axes points nowhere"},
      {{text("mode", nullptr)}, BP_INVALID_ARGUMENT, "op: mode points nowhere"},
      {{list("axes", many.data(), BP_MAX_RANK + 1)},
       BP_INVALID_ARGUMENT,
       "op: axes has 65 values, at most 64 are possible"}};
  for (const Refusal& r : refusals) {
    SCOPED_TRACE(r.message);
    try {
      const AttrValues taken("op", kAccepted, r.given);
      ADD_FAILURE() << "taken";
    } catch (const Error& e) {
      EXPECT_EQ(e.status(), r.status);
      EXPECT_STREQ(e.what(), r.message);
    }
  }
}

}  // namespace
}  // namespace bp
