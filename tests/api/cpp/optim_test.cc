// SPDX-License-Identifier: Apache-2.0
// Optimisers, clipping and schedules of the C++ binding.
#include <gtest/gtest.h>

#include "backplane.hpp"

namespace bp = backplane;

namespace {

bp::Tensor leaf(const std::vector<double>& v) {
  bp::Tensor t = bp::tensor<double>(v, {static_cast<std::int64_t>(v.size())});
  EXPECT_EQ(bp_tensor_set_requires_grad(t.get(), 1, nullptr), BP_OK);
  return t;
}
void set_grad(const bp::Tensor& t, const std::vector<double>& v) {
  const bp::Tensor g = bp::tensor<double>(v, {static_cast<std::int64_t>(v.size())});
  ASSERT_EQ(bp_tensor_set_grad(t.get(), g.get(), nullptr), BP_OK);
}
std::vector<double> values(const bp::Tensor& t) {
  std::vector<double> v(static_cast<std::size_t>(bp_tensor_numel(t.get())));
  EXPECT_EQ(bp_tensor_read(t.get(), v.data(), v.size() * sizeof(double), nullptr), BP_OK);
  return v;
}

TEST(CppOptimizer, StepsAndKeepsItsState) {
  const bp::Tensor p = leaf({1, 2}), q = leaf({3});
  bp::Optimizer sgd("SGD", {p}, {{"lr", 0.5}, {"momentum", 0.5}, {"nesterov", false}});
  sgd.add_group({q}, {{"lr", 1}});
  EXPECT_EQ(sgd.kind(), "SGD");
  EXPECT_EQ(sgd.group_count(), 2u);
  set_grad(p, {1, 1});
  set_grad(q, {1});
  sgd.step();
  const bp::Dict state = sgd.state_dict();
  EXPECT_EQ(state.size(), 4u);  // a step and a buffer of each
  sgd.step();
  EXPECT_EQ(values(p), (std::vector<double>{-0.25, 0.75}));
  EXPECT_EQ(values(q), (std::vector<double>{0.5}));
  sgd.load_state_dict(state);
  sgd.set_attribute({"lr", 0.25}, 1);
  EXPECT_EQ(sgd.attribute("lr", 1), 0.25);
  sgd.zero_grad(false);
  EXPECT_EQ(values(bp::clip_grad_norm({p, q}, 1)), (std::vector<double>{0}));
  sgd.zero_grad();
  sgd.step();
  EXPECT_EQ(values(q), (std::vector<double>{0.5}));
  try {
    sgd.set_attribute({"lr", -1.0});
    FAIL();
  } catch (const bp::Error& e) {
    EXPECT_STREQ(e.what(), "Invalid learning rate: -1.0");
  }
}

TEST(CppSchedule, WorksAloneTogetherAndInSequence) {
  const bp::Tensor p = leaf({1});
  const bp::Optimizer sgd("SGD", {p}, {{"lr", 1.0}});
  bp::Schedule half =
      bp::Schedule::lambda(sgd, [](std::int64_t epoch) { return epoch < 2 ? 1.0 : 0.5; });
  const bp::Schedule steps("multi_step", sgd,
                           {{"milestones", std::vector<std::int64_t>{1}}, {"gamma", 0.5}});
  bp::Schedule all = bp::Schedule::chained({half, steps});
  all.step();
  EXPECT_EQ(sgd.attribute("lr"), 0.5);
  EXPECT_EQ(all.epoch(), 1);
  bp::Schedule row = bp::Schedule::sequential({half, steps}, {2});
  EXPECT_EQ(row.last_lr(), 1);
  row.load_state_dict(row.state_dict());
  row.step();
  EXPECT_EQ(row.epoch(), 1);
  bp::Schedule wrong = bp::Schedule::lambda(sgd, [](std::int64_t epoch) {
    if (epoch) throw std::runtime_error("mine");
    return 1.0;
  });
  try {
    wrong.step();
    FAIL();
  } catch (const bp::Error& e) {
    EXPECT_STREQ(e.what(), "mine");
  }
}

TEST(CppClip, BoundsGradients) {
  const bp::Tensor p = leaf({0, 0});
  set_grad(p, {3, 4});
  EXPECT_EQ(values(bp::clip_grad_norm({p}, 100)), (std::vector<double>{5}));
  bp::clip_grad_value({p}, 0.5);
  EXPECT_EQ(values(bp::clip_grad_norm({p}, 100, 1)), (std::vector<double>{1}));
}

}  // namespace
