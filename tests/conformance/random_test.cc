// SPDX-License-Identifier: Apache-2.0
// Random ops draw from their device's generator: one stream per seed, the same whatever the shape,
// the dtype or the number of threads.
#include <gtest/gtest.h>

#include "judge.h"
#include "kit/handles.h"

namespace conformance {
namespace {

class Random : public testing::Test {
 protected:
  void SetUp() override {
    for (bp_device d : all_devices())
      if (supported(op_named("uniform").id, BP_F32, d)) devices_.push_back(d);
    ASSERT_FALSE(devices_.empty());
  }
  static Call uniform(const Shape& shape, bp_dtype t = BP_F32) {
    return {{}, {ints_attr("shape", shape), dtype_attr("dtype", t)}};
  }
  static Call at(Call call, int64_t seed, int64_t offset) {
    call.attrs.push_back(int_attr("seed", seed));
    call.attrs.push_back(int_attr("offset", offset));
    return call;
  }
  std::vector<bp_device> devices_;
  const Op& op_ = op_named("uniform");
  const Spec& spec_ = *oracle_of("uniform");
};

TEST_F(Random, CallsContinueTheStreamInStepsOfFour) {
  for (bp_device d : devices_) {
    const Session session(d);
    ASSERT_EQ(bp_manual_seed(99, nullptr), BP_OK);
    int64_t offset = 0;
    for (const Shape& shape : {Shape{5}, Shape{2, 3}, Shape{}, Shape{0}, Shape{8}}) {
      const Outcome o = session.run(op_.id, uniform(shape));
      ASSERT_EQ(o.status, BP_OK) << o.message;
      const Call fixed = at(uniform(shape), 99, offset);
      EXPECT_TRUE(judge_results(op_, spec_, fixed, spec_.answer(fixed), o.results))
          << text_of(shape);
      offset += (count_of(shape) + 3) / 4 * 4;
    }
    bp_generator* raw = nullptr;
    ASSERT_EQ(bp_generator_default(d, &raw, nullptr), BP_OK);
    const bp_test::Generator g(raw);
    uint64_t seed = 0, now = 0;
    ASSERT_EQ(bp_generator_get_state(g.get(), &seed, &now, nullptr), BP_OK);
    EXPECT_EQ(seed, 99u);
    EXPECT_EQ(now, static_cast<uint64_t>(offset));
  }
}

TEST_F(Random, TheStreamDoesNotDependOnTheNumberOfThreads) {
  const Session session(bp_device_make(BP_KIND_CPU, -1));
  const int32_t before = bp_get_num_threads();
  std::vector<Array> results;
  for (int32_t threads : {1, 2, 5}) {
    ASSERT_EQ(bp_set_num_threads(threads, nullptr), BP_OK);
    for (const char* op : {"uniform", "normal"}) {
      const Outcome o = session.run(op_named(op).id, at(uniform({100003}), 5, 12));
      ASSERT_EQ(o.status, BP_OK) << o.message;
      results.push_back(o.results[0]);
    }
  }
  ASSERT_EQ(bp_set_num_threads(before, nullptr), BP_OK);
  for (size_t i = 2; i < results.size(); ++i) EXPECT_EQ(results[i].re, results[i % 2].re);
}

TEST_F(Random, AStreamFillsAnyLayoutInRowMajorOrder) {
  for (bp_device d : devices_) {
    const Session session(d);
    for (Layout layout :
         {Layout::kContiguous, Layout::kTransposed, Layout::kSliced, Layout::kFlipped}) {
      const Call call = at(uniform({37, 41}), 3, 4);
      const Handle out = scratch({37, 41}, BP_F32, layout, d);
      const Outcome o = session.run(op_.id, call, {}, {out.get()});
      ASSERT_EQ(o.status, BP_OK) << o.message;
      EXPECT_TRUE(judge_results(op_, spec_, call, spec_.answer(call), o.results))
          << name_of(layout);
    }
  }
}

TEST_F(Random, WrongParametersAreRefused) {
  const Session session(bp_device_make(BP_KIND_CPU, -1));
  const Attribute shape = ints_attr("shape", {4});
  EXPECT_TRUE(refused(op_named("randint"), session,
                      {{}, {shape, int_attr("low", 5), int_attr("high", 5)}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op_named("bernoulli"), session, {{}, {shape, float_attr("p", 1.5)}},
                      BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op_named("uniform"), session,
                      {{}, {shape, float_attr("low", 2), float_attr("high", 1)}},
                      BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op_named("normal"), session, {{}, {shape, float_attr("std", -1)}},
                      BP_INVALID_ARGUMENT));
  EXPECT_TRUE(
      refused(op_named("uniform"), session, {{}, {ints_attr("shape", {-2})}}, BP_INVALID_ARGUMENT));
}

}  // namespace
}  // namespace conformance
