// SPDX-License-Identifier: Apache-2.0
// learning.h: a small net, data and a run of a trainer, for tests of training in several processes.
//
//   const Learned alone = learned(std::nullopt, {{"cpu"}});
//   const Learned together = learned(group, {{"cpu"}});
//   expect_near(together.weights, alone.weights, 1e-5f);
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backplane.hpp"
#include "images.h"

namespace bp_test {

namespace bp = backplane;

inline constexpr std::int64_t kRows = 70,
                              kBatch = 16;  // the last batch has 6 rows: uneven, and small

inline bp::Module net() {
  bp::manual_seed(7);
  return bp::nn::Sequential(bp::nn::Linear(5, 16), bp::nn::Tanh(), bp::nn::Linear(16, 3));
}

struct Data {
  bp::Tensor x, y;
};
inline Data data() {
  std::vector<float> x;
  std::vector<std::int64_t> y;
  for (std::int64_t i = 0; i < kRows; ++i) {
    float sum = 0;
    for (std::int64_t k = 0; k < 5; ++k) {
      x.push_back(static_cast<float>(std::sin(static_cast<double>(i * 5 + k) * 1.7)));
      sum += x.back();
    }
    y.push_back(sum > 0.5f ? 2 : sum > -0.5f ? 1 : 0);
  }
  return {bp::tensor(x, {kRows, 5}, "cpu"), bp::tensor(y, "cpu")};
}

// What is learned: the small net, or the digits by a convolutional one, without what each process
// draws or counts for itself.
struct Task {
  bp::Module (*net)();
  Data (*data)();
  std::int64_t batch;
};
inline constexpr Task kSmall{net, data, kBatch};
inline bp::Module digits_net() {
  bp::manual_seed(7);
  const bp::nn::Conv2dOptions how{.padding = 1};
  return bp::nn::Sequential(bp::nn::Conv2d(1, 8, 3, how), bp::nn::ReLU(), bp::nn::MaxPool2d(2),
                            bp::nn::Conv2d(8, 16, 3, how), bp::nn::ReLU(), bp::nn::MaxPool2d(2),
                            bp::nn::Flatten(), bp::nn::Linear(64, 10));
}
inline Data digits_data() {
  const digits::Images all = digits::load_images(BP_DIGITS);
  return {bp::tensor(all.pixels, {all.count(), 1, 8, 8}, "cpu").to(BP_F32) / 16,
          bp::tensor(all.labels, "cpu")};
}
inline constexpr Task kDigits{digits_net, digits_data, 64};

struct Settings {
  std::vector<std::string> devices = {"cpu"};
  double clip = 0;
  std::uint64_t epochs = 3;
  bool sharded = false;
  std::string optimizer = "AdamW", checkpoint = "", resume = "";
  const Task* task = &kSmall;
};
struct Learned {
  std::vector<float> weights;
  std::vector<double> losses, val_losses;
};

inline std::vector<float> weights_of(const bp::Module& m) {
  std::vector<float> all;
  for (const bp::Tensor& p : m.parameters()) {
    const auto some = p.detach().cpu().read<float>();
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

// A trainer with its model, on all data or on this member's part of each batch.
struct Learner {
  std::vector<bp::Module> models;
  Learned out;
  bp::Trainer trainer;

  Learner(const std::optional<bp::ProcessGroup>& group, const Settings& s)
      : models(models_of(s)), trainer(options(group, s)) {
    if (!s.resume.empty()) trainer.load_state_dict(bp::load_checkpoint(s.resume));
  }
  Learned run(const Settings& s) {
    trainer.fit({s.epochs, s.clip, s.checkpoint});
    out.weights = weights_of(models[0]);
    return out;
  }

 private:
  static std::vector<bp::Module> models_of(const Settings& s) {
    std::vector<bp::Module> all;
    for (const std::string& d : s.devices) all.push_back(s.task->net().to(bp::Device(d)));
    return all;
  }
  bp::TrainerOptions options(const std::optional<bp::ProcessGroup>& group, const Settings& s) {
    const Data d = s.task->data();
    bp::LoaderOptions how{s.task->batch, /*shuffle=*/true};
    how.device = bp::Device(s.devices.size() > 1 ? "cpu" : s.devices[0]);
    how.seed = 3;
    if (group) how.part = group->rank(), how.n_parts = group->size();
    bp::TrainerOptions what{models, {}, bp::Loader(bp::Dataset({d.x, d.y}), how)};
    for (const bp::Module& m : models)
      what.optimizers.emplace_back(s.optimizer, m.parameters(), bp::Attrs{{"lr", 1e-2}});
    what.val_loader = bp::Loader(bp::Dataset({d.x, d.y}), how);
    what.loss = bp::Module("cross_entropy_loss");
    what.accuracy = true;
    what.shard_states = s.sharded;
    what.group = group;
    what.on_epoch = [this](bp::Trainer&, const bp::TrainFigures& f) {
      out.losses.push_back(f.train_loss);
      out.val_losses.push_back(f.val_loss);
    };
    return what;
  }
};

inline Learned learned(const std::optional<bp::ProcessGroup>& group, const Settings& s) {
  return Learner(group, s).run(s);
}

inline void expect_near(const std::vector<float>& a, const std::vector<float>& b, float bound) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    ASSERT_NEAR(a[i], b[i], bound * (1 + std::abs(b[i]))) << "weight " << i;
}

// All members have the same bits.
inline void expect_same_everywhere(const bp::ProcessGroup& group, const std::vector<float>& mine) {
  const bp::Tensor all = group.all_gather(bp::tensor(mine, "cpu"));
  for (std::uint32_t r = 0; r < group.size(); ++r)
    EXPECT_EQ(all.select(0, r).read<float>(), mine) << "of rank " << r;
}

}  // namespace bp_test
