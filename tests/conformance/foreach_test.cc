// SPDX-License-Identifier: Apache-2.0
// Ops over lists of tensors (foreach.h), on every device that serves them.
#include "foreach.h"

#include <gtest/gtest.h>

#include <cmath>

namespace conformance {
namespace {

bool serves(bp_device d) { return is_cpu(d) || kind_of(d) == "sim"; }

class Foreach : public testing::TestWithParam<size_t> {};

TEST_P(Foreach, StepsAreWhatTheFormulaSays) {
  const ListStep step = all_steps()[GetParam()];
  for (const bp_device d : all_devices()) {
    if (!serves(d)) continue;
    for (const bp_dtype t : kFloatDtypes)
      for (const Layout layout :
           {Layout::kContiguous, Layout::kTransposed, Layout::kSliced, Layout::kFlipped})
        EXPECT_TRUE(judge_step(step, {{5, 7}, {}, {3}, {33, 41}, {2, 3, 4}}, t, layout, d));
  }
}
INSTANTIATE_TEST_SUITE_P(, Foreach, testing::Range(size_t{0}, all_steps().size()),
                         [](const auto& info) {
                           return all_steps()[info.param].op + std::to_string(info.param);
                         });

// More tensors than one launch of a card takes, empty ones among them, and one larger than a
// thread's share.
TEST(ForeachLists, MayBeLongAndUneven) {
  std::vector<Shape> shapes;
  for (int64_t k = 0; k < 150; ++k) shapes.push_back({k % 7, 3});
  shapes.push_back({50001});
  for (const bp_device d : all_devices())
    if (serves(d)) {
      EXPECT_TRUE(judge_step(adam_step(), shapes, BP_F32, Layout::kContiguous, d));
    }
}

TEST(ForeachLists, AreScaledByATensor) {
  for (const bp_device d : all_devices())
    for (const bp_dtype t : kFloatDtypes)
      if (serves(d)) {
        EXPECT_TRUE(judge_scale(t, d));
      }
}

TEST(ForeachLists, AreClamped) {
  for (const bp_device d : all_devices())
    for (const bp_dtype t : kFloatDtypes)
      if (serves(d)) {
        EXPECT_TRUE(judge_clamp(t, d));
      }
}

TEST(ForeachLists, HaveANorm) {
  std::vector<Shape> shapes{{5, 7}, {0}, {}, {9001}};
  for (int64_t k = 0; k < 80; ++k) shapes.push_back({k + 1});
  for (const bp_device d : all_devices()) {
    if (!serves(d)) continue;
    for (const bp_dtype t : kFloatDtypes)
      for (const double ord :
           {2.0, 1.0, 3.0, 0.0, static_cast<double>(INFINITY), static_cast<double>(-INFINITY)})
        EXPECT_TRUE(judge_norm(ord, shapes, t, d));
  }
}

TEST(ForeachLists, OfNothingHaveTheNormZero) {
  for (const bp_device d : all_devices()) {
    if (!serves(d)) continue;
    const Lists l = made_lists("foreach_norm", 1, {{0}}, BP_F32, Layout::kContiguous, d);
    bp_tensor* out = nullptr;
    std::string message;
    ASSERT_EQ(invoked(id_of("foreach_norm"), l.values(), {}, &out, &message), BP_OK) << message;
    EXPECT_EQ(get(Handle(out).get()).re[0], 0);
  }
}

// What a call of one operand too few, of other shapes, dtypes or devices says.
TEST(ForeachLists, ThatDoNotFitAreRefusedWithTheirShapes) {
  const bp_device cpu = bp_device_make(BP_KIND_CPU, -1);
  const std::vector<Attribute> two{int_attr("count", 2)};
  std::string message;
  const uint32_t op = id_of("foreach_sgd");
  Lists l = made_lists("foreach_sgd", 2, {{3}, {4}}, BP_F32, Layout::kContiguous, cpu);
  std::vector<bp_value> in = l.values();
  std::swap(in[2], in[3]);
  EXPECT_EQ(invoked(op, in, two, nullptr, &message), BP_INVALID_ARGUMENT);
  EXPECT_EQ(message, "foreach_sgd: tensor 0 has shape [4] in list 1, expected [3]");
  in.pop_back();
  EXPECT_EQ(invoked(op, in, two, nullptr, &message), BP_INVALID_ARGUMENT);
  EXPECT_EQ(message, "foreach_sgd: 3 tensors are no lists of 2");
  EXPECT_EQ(invoked(op, {}, two, nullptr, &message), BP_INVALID_ARGUMENT);
  in = l.values();
  in[2] = in[0];
  EXPECT_EQ(invoked(op, in, two, nullptr, &message), BP_INVALID_ARGUMENT);
  EXPECT_EQ(message, "foreach_sgd: tensor 0 of shape [3] is in two lists");
  EXPECT_EQ(invoked(op, l.values(), {int_attr("count", 2), float_attr("momentum", 0.5)}, nullptr,
                    &message),
            BP_INVALID_ARGUMENT);
  EXPECT_EQ(message, "foreach_sgd: expected 3 lists of 2 tensors, got 2");
  const Lists halves = made_lists("foreach_sgd", 2, {{3}, {4}}, BP_F16, Layout::kContiguous, cpu);
  in = l.values();
  in[2] = halves.values()[2];
  EXPECT_EQ(invoked(op, in, two, nullptr, &message), BP_DTYPE_MISMATCH);
  const Lists whole = made_lists("foreach_sgd", 2, {{3}, {4}}, BP_I32, Layout::kContiguous, cpu);
  EXPECT_EQ(invoked(op, whole.values(), two, nullptr, &message), BP_DTYPE_MISMATCH);
  for (const bp_device d : all_devices()) {
    if (is_cpu(d)) continue;
    const Lists there = made_lists("foreach_sgd", 2, {{3}, {4}}, BP_F32, Layout::kContiguous, d);
    in[2] = there.values()[2];
    EXPECT_EQ(invoked(op, in, two, nullptr, &message), BP_DEVICE_MISMATCH);
  }
}

}  // namespace
}  // namespace conformance
