// SPDX-License-Identifier: Apache-2.0
// Training in several processes beside one that has the whole of each batch. Run by mpirun: every
// member also makes the run of one process, by itself, and compares.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "group/learning.h"

namespace bp_test {
namespace {

class Training : public testing::TestWithParam<const char*> {
 protected:
  bp::ProcessGroup group = bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), true});
};

TEST_P(Training, EqualsThatOfOneProcess) {
  for (const double clip : {0.0, 0.5}) {
    const Settings s{{GetParam()}, clip};
    const Learned alone = learned(std::nullopt, s), together = learned(group, s);
    expect_near(together.weights, alone.weights, 1e-5f);
    expect_same_everywhere(group, together.weights);
    ASSERT_EQ(together.losses.size(), alone.losses.size());
    for (std::size_t i = 0; i < alone.losses.size(); ++i) {
      EXPECT_NEAR(together.losses[i], alone.losses[i], 1e-5);
      EXPECT_NEAR(together.val_losses[i], alone.val_losses[i], 1e-5);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(On, Training, testing::Values("cpu", "sim:0"),
                         [](const auto& info) { return std::string(info.param).substr(0, 3); });

TEST_P(Training, OfTheDigitsEqualsThatOfOneProcess) {
  Settings s{{GetParam()}, 0, 1, false, "AdamW"};
  s.task = &kDigits;
  const Learned alone = learned(std::nullopt, s), together = learned(group, s);
  expect_near(together.weights, alone.weights, 1e-4f);
  expect_same_everywhere(group, together.weights);
  EXPECT_NEAR(together.val_losses[0], alone.val_losses[0], 1e-4);
  s.sharded = true;
  EXPECT_EQ(learned(group, s).weights, together.weights);
}

// What is averaged before an evaluation is what modules keep beside their parameters: the mean of
// three equal numbers may be another one.
TEST_P(Training, EvaluationAveragesBuffersAlone) {
  const bp::Device device(GetParam());
  bp::Module m = bp::nn::Sequential(net(), bp::nn::BatchNorm1d(3));
  m.to(device);
  const Data d = data();
  const bp::Loader all(bp::Dataset({d.x, d.y}), bp::LoaderOptions{kBatch, false, false, device});
  bp::TrainerOptions what{{m}, {bp::Optimizer("SGD", m.parameters())}, all};
  what.loss = bp::Module("cross_entropy_loss");
  what.group = group;
  bp::Trainer trainer(what);
  const auto before = weights_of(m);
  bp::Tensor mean = m.state_dict().get("1.running_mean");
  mean.fill_(static_cast<float>(group.rank()));
  trainer.evaluate(all);
  EXPECT_EQ(weights_of(m), before);
  EXPECT_EQ(mean.cpu().read<float>(),
            std::vector<float>(3, static_cast<float>(group.size() - 1) / 2));
}

// The members tell each other about their parameters and their modules, and rank 0 gives out each.
TEST_P(Training, BeginsWithNoExchangeAboutDevicesThatExchangeNothing) {
  const bp::Module m = net();
  const Settings s{{GetParam()}};
  const std::uint64_t before = group.info().n_exchanges;
  const Learner learner(group, s);
  EXPECT_EQ(group.info().n_exchanges - before, 2 + 2 * m.parameters().size());
}

// By the stand-in for a vendor's library, which the trainer finds by itself.
TEST(DeviceTraining, EqualsThatThroughTheHosts) {
  if (!std::getenv("SIM_NCCL")) GTEST_SKIP() << "SIM_NCCL names no library";
  const auto join = [] { return bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), false}); };
  for (const double clip : {0.0, 0.5}) {
    const bp::ProcessGroup group = join(), hosts = join();
    const Settings s{{"sim:" + std::to_string(group.rank())}, clip};
    const Learned by_library = learned(group, s);
    EXPECT_EQ(std::string(group.info().device_library).substr(0, 5), "NCCL ");
    EXPECT_GT(group.info().n_exchanges, 0u);
    ::setenv("BACKPLANE_COLLECTIVES", "ring", 1);
    const Learned by_hosts = learned(hosts, s);
    ::unsetenv("BACKPLANE_COLLECTIVES");
    EXPECT_STREQ(hosts.info().device_library, "");
    expect_near(by_library.weights, by_hosts.weights, 1e-5f);
    expect_same_everywhere(group, by_library.weights);
    ASSERT_EQ(by_library.losses.size(), by_hosts.losses.size());
    for (std::size_t i = 0; i < by_hosts.losses.size(); ++i)
      EXPECT_NEAR(by_library.losses[i], by_hosts.losses[i], 1e-5);
  }
}

TEST(DeviceTraining, OfMembersOnSeveralKindsGoesThroughTheHosts) {
  const bp::ProcessGroup group = bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), true});
  const std::uint32_t rank = group.rank();
  const Settings s{{rank ? "sim:" + std::to_string(rank) : "cpu"}};
  const Learned together = learned(group, s);
  EXPECT_STREQ(group.info().device_library, "");
  expect_near(together.weights, learned(std::nullopt, s).weights, 1e-5f);
}

using Stopped = Training;
TEST_P(Stopped, ByOneMemberStopsAllAfterTheSameBatchAndGoesOn) {
  bp::Module m = net();
  const Data d = data();
  // Members have data of their own, of other lengths.
  const std::int64_t rows = 20 + 10 * static_cast<std::int64_t>(group.rank());
  bp::LoaderOptions how{4};
  bp::TrainerOptions what{
      {m},
      {bp::Optimizer("SGD", m.parameters(), {{"lr", 1e-2}})},
      bp::Loader(bp::Dataset({d.x.narrow(0, 0, rows), d.y.narrow(0, 0, rows)}), how)};
  what.loss = bp::Module("cross_entropy_loss");
  what.group = group;
  int n = 0;
  what.on_batch = [&](bp::Trainer& t, const bp::TrainFigures&) {
    if (++n == 3 && group.rank() + 1 == group.size()) t.stop();
  };
  bp::Trainer trainer(what);
  EXPECT_FALSE(trainer.fit({2}));
  EXPECT_EQ(n, 3);
  EXPECT_TRUE(trainer.fit({2}));
  EXPECT_EQ(n, 2 * ((rows + 3) / 4));
  expect_same_everywhere(group, weights_of(m));
}
INSTANTIATE_TEST_SUITE_P(On, Stopped, testing::Values("cpu"));

using Failing = Training;
TEST_P(Failing, MemberFailsAllAndTheySayWhy) {
  if (group.size() == 1) GTEST_SKIP() << "one member alone";
  bp::Module m = net();
  const Data d = data();
  bp::LoaderOptions how{4};
  how.part = group.rank(), how.n_parts = group.size();
  bp::TrainerOptions what{{m},
                          {bp::Optimizer("SGD", m.parameters(), {{"lr", 1e-2}})},
                          bp::Loader(bp::Dataset({d.x, d.y}), how)};
  what.loss = bp::Module("cross_entropy_loss");
  what.group = group;
  int n = 0;
  what.on_batch = [&](bp::Trainer&, const bp::TrainFigures&) {
    if (++n == 3 && group.rank() == 1) throw std::runtime_error("the disk is full");
  };
  try {
    bp::Trainer(what).fit({2});
    FAIL() << "it did not fail";
  } catch (const bp::Error& e) {
    EXPECT_NE(group.rank(), 1u);
    EXPECT_EQ(e.status(), BP_UNAVAILABLE);
    EXPECT_NE(std::string(e.what()).find("rank 1: "), std::string::npos) << e.what();
  } catch (const std::runtime_error& e) {
    EXPECT_EQ(group.rank(), 1u) << e.what();
  }
}
INSTANTIATE_TEST_SUITE_P(On, Failing, testing::Values("cpu"));

// A step with replicas by hand, over several backwards.
TEST(Replicas, OfAGroupAddUpWhatIsHeld) {
  const bp::ProcessGroup group = bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), true});
  const auto rank = static_cast<float>(group.rank());
  bp::Tensor used = bp::ones({3}), unused = bp::ones({2});
  used.set_requires_grad(), unused.set_requires_grad();
  bp::Replicas replicas({{used, unused}}, 4);
  replicas.join(group);
  replicas.hold(true);
  bp::sum(used * rank).backward();
  replicas.hold(false);
  bp::sum(used * 2).backward();
  replicas.finish();
  const float mean = 2 + static_cast<float>(group.size() - 1) / 2;
  EXPECT_EQ(used.grad().read<float>(), std::vector<float>(3, mean));
  EXPECT_FALSE(unused.grad().defined()) << "nobody has a gradient of it";
  bp::sum(group.rank() == 0 ? unused : used).backward();  // one member has one
  replicas.finish();
  EXPECT_EQ(unused.grad().read<float>(),
            std::vector<float>(2, 1.0f / static_cast<float>(group.size())));
}

}  // namespace
}  // namespace bp_test
