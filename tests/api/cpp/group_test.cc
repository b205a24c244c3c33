// SPDX-License-Identifier: Apache-2.0
// backplane_group.hpp: each exchange, in a group of one member (group/lone.c). What several
// processes do is tested in tests/group.
#include <gtest/gtest.h>

#include <backplane.hpp>
#include <chrono>
#include <optional>
#include <vector>

#include "kit/session.h"

namespace {

namespace bp = backplane;
using std::chrono::seconds;

class CppGroup : public testing::Test {
 protected:
  bp_test::Session session{bp_test::Start{.plugin_dirs = LONE, .flags = 0}};
  std::optional<bp::ProcessGroup> group = bp::ProcessGroup::join("lone", {seconds(20), true});
};

TEST_F(CppGroup, OfOneProcessSaysWhatItIs) {
  EXPECT_EQ(group->rank(), 0u);
  EXPECT_EQ(group->size(), 1u);
  EXPECT_EQ(group->local_rank(), 0u);
  EXPECT_EQ(group->local_size(), 1u);
  group->set_timeout(seconds(7));
  group->barrier();
  group->barrier_async(seconds(5)).wait();
  const bp_group_info info = group->info();
  EXPECT_STREQ(info.kind, "lone");
  EXPECT_EQ(info.timeout_ns, 7'000'000'000);
  EXPECT_EQ(info.n_exchanges, 2u);
  EXPECT_EQ(info.checks, 1u);
  EXPECT_THROW(group->set_timeout({}), bp::Error);
  EXPECT_THROW(group->use_device("cpu"), bp::Error) << "it has no library for that";
  EXPECT_STREQ(group->info().device_library, "");
  EXPECT_THROW(bp::ProcessGroup::join("nothing"), bp::Error);
}

TEST_F(CppGroup, OfOneProcessGivesEachExchangeBack) {
  const bp::Tensor t = bp::tensor<float>({1, 2, 3, 4}, {1, 4});
  const std::vector<float> same = {1, 2, 3, 4};
  group->broadcast(t);
  group->all_reduce(t, bp::Reduce::kMean);
  group->reduce(t, bp::Reduce::kMax);
  EXPECT_EQ(t.read<float>(), same);
  const bp::Tensor all = group->all_gather(t);
  EXPECT_EQ(all.shape(), (bp::Shape{1, 1, 4}));
  EXPECT_EQ(all.read<float>(), same);
  const bp::Tensor part = group->reduce_scatter(t, bp::Reduce::kProduct);
  EXPECT_EQ(part.shape(), bp::Shape{4});
  EXPECT_EQ(part.read<float>(), same);
  EXPECT_EQ(group->all_to_all(t).read<float>(), same);
  EXPECT_EQ(group->gather(t).shape(), (bp::Shape{1, 1, 4}));
  const bp::Tensor out = bp::zeros({4});
  group->scatter(t, out);
  EXPECT_EQ(out.read<float>(), same);
  EXPECT_THROW(group->broadcast(t, 1), bp::Error) << "there is no such member";
  EXPECT_THROW(group->reduce_scatter(bp::ones({2})), bp::Error) << "not one part for each member";
}

TEST_F(CppGroup, LetsTheProgramGoOnWhileItExchanges) {
  const bp::Tensor t = bp::tensor<float>({1, 2}, {1, 2}), got = bp::zeros({1, 2});
  const bp::Tensor all = bp::zeros({1, 1, 2}), part = bp::zeros({2});
  std::vector<bp::Work> works = {
      group->broadcast_async(t),       group->all_reduce_async(t),
      group->reduce_async(t),          group->all_gather_async(t, all),
      group->all_to_all_async(t, got), group->reduce_scatter_async(t, part),
      group->gather_async(t, all),     group->scatter_async(t, part),
      group->receive_async(got, 0, 3), group->send_async(t, 0, 3),
  };
  for (const bp::Work& work : works) work.wait();
  for (const bp::Work& work : works) EXPECT_TRUE(work.done());
  EXPECT_EQ(got.read<float>(), (std::vector<float>{1, 2}));
  EXPECT_EQ(part.read<float>(), (std::vector<float>{1, 2}));
  const bp::Work sent = group->send_async(t, 0);
  group->receive(got, 0);
  sent.wait();
  const bp::Work received = group->receive_async(got, 0);
  group->send(t, 0);
  received.wait();
}

TEST_F(CppGroup, ExchangesBytes) {
  std::vector<unsigned char> bytes = {1, 2, 3}, all(3);
  group->broadcast_bytes(bytes.data(), bytes.size());
  group->all_gather_bytes(bytes.data(), bytes.size(), all.data());
  EXPECT_EQ(all, bytes);
#ifdef __cpp_lib_span
  std::vector<std::byte> own(5, std::byte{7});
  group->broadcast_bytes(own);
  EXPECT_EQ(group->all_gather_bytes(own), own);
#endif
}

TEST_F(CppGroup, AveragesTheGradientsOfReplicas) {
  const bp::Tensor w = bp::tensor<float>({1, 2}).set_requires_grad();
  bp::Replicas replicas(std::vector<std::vector<bp::Tensor>>{{w}});
  replicas.join(*group);
  replicas.hold(true);
  bp::sum(w * 3).backward();
  replicas.hold(false);
  bp::sum(w).backward();
  replicas.finish();
  EXPECT_EQ(w.grad().read<float>(), (std::vector<float>{4, 4}));
}

TEST_F(CppGroup, IsSplit) {
  const std::optional<bp::ProcessGroup> part = group->split(3, 1);
  ASSERT_TRUE(part.has_value());
  EXPECT_EQ(part->size(), 1u);
  part->barrier();
  EXPECT_FALSE(group->split(-1).has_value());
}

}  // namespace
