// SPDX-License-Identifier: Apache-2.0
// Data, metrics and the training loop of the C++ binding.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <numeric>

#include "backplane.hpp"

namespace bp = backplane;

namespace {

std::vector<bp::Tensor> columns(std::int64_t n) {
  std::vector<float> x;
  std::vector<std::int64_t> y;
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(static_cast<float>(i % 7) - 3), x.push_back(static_cast<float>(i % 5) - 2);
    y.push_back(x[x.size() - 2] + x.back() > 0);
  }
  return {bp::tensor(x, {n, 2}), bp::tensor(y)};
}

TEST(CppDataset, GivesBatchesOfItsTensorsOrOfAFunction) {
  const bp::Dataset rows(columns(10));
  EXPECT_EQ(rows.length(), 10);
  EXPECT_EQ(rows.n_tensors(), 2u);
  EXPECT_EQ((rows[{3, 0}][0].read<float>()), (std::vector<float>{0, 1, -3, -2}));
  EXPECT_EQ((rows.subset({3, 3, 0})[{2, 1}][0].read<float>()), (std::vector<float>{-3, -2, 0, 1}));
  const auto life = std::make_shared<int>(0);
  {
    const bp::Dataset squares(5, 1, [life](const std::vector<std::int64_t>& at) -> bp::Batch {
      const bp::Tensor t = bp::tensor(at);
      return {t * t};
    });
    EXPECT_EQ((squares[{4, 1}][0].read<std::int64_t>()), (std::vector<std::int64_t>{16, 1}));
    EXPECT_EQ(life.use_count(), 2);
  }
  EXPECT_EQ(life.use_count(), 1) << "the function goes with the dataset";
  EXPECT_THROW(bp::Dataset(bp::Batch{}), bp::Error);
}

TEST(CppDataset, SaysWhatItsFunctionThrew) {
  const auto said = [](bp::Dataset::Get get) {
    const bp::Loader loader(bp::Dataset(4, 1, std::move(get)));
    try {
      loader.next();
    } catch (const bp::Error& e) {
      return std::string(e.status_name()) + " " + e.what();
    }
    return std::string();
  };
  EXPECT_EQ(said([](const auto&) -> bp::Batch { throw std::runtime_error("mine"); }),
            "BP_CALLBACK mine");
  EXPECT_EQ(said([](const auto&) -> bp::Batch { throw bp::Error(BP_NOT_FOUND, "gone"); }),
            "BP_NOT_FOUND gone");
  EXPECT_EQ(said([](const auto&) -> bp::Batch { throw 3; }),
            "BP_CALLBACK a callback threw something that is no std::exception");
  EXPECT_EQ(said([](const auto&) -> bp::Batch { return {}; }),
            "BP_INVALID_ARGUMENT the dataset's function gave 0 tensors, expected 1");
}

std::vector<std::int64_t> order(const bp::Loader& loader) {
  std::vector<std::int64_t> seen;
  for (const bp::Batch& batch : loader)
    for (const std::int64_t i : batch[0].read<std::int64_t>()) seen.push_back(i);
  return seen;
}

TEST(CppLoader, IsALoopOverAnEpoch) {
  std::vector<std::int64_t> all(10);
  std::iota(all.begin(), all.end(), 0);
  const bp::Dataset data({bp::tensor(all)});
  EXPECT_EQ(order(bp::Loader(data, {/*batch_size=*/4})), all);
  bp::LoaderOptions how{/*batch_size=*/4, /*shuffle=*/true, /*drop_last=*/true};
  how.seed = 5;
  bp::Loader mixed(data, how);
  EXPECT_EQ(mixed.length(), 2);
  const auto first = order(mixed), second = order(mixed);
  EXPECT_EQ(first.size(), 8u);
  EXPECT_NE(first, second) << "each epoch has its order";
  EXPECT_EQ(mixed.state().epoch, 2u);
  EXPECT_EQ(mixed.state().seed, 5u);
  mixed.set_state({0, 1, 5});
  EXPECT_EQ(order(mixed), (std::vector<std::int64_t>(first.begin() + 4, first.end())));
  for (const bp::Batch& batch : mixed) {
    EXPECT_EQ(batch[0].numel(), 4);
    break;
  }
  EXPECT_EQ(order(mixed), (std::vector<std::int64_t>(second.begin() + 4, second.end())))
      << "the rest of the epoch";
}

TEST(CppMetric, SumsUpMeansAndHits) {
  bp::Metric mean = bp::Metric::mean(), hits = bp::Metric::accuracy();
  EXPECT_TRUE(std::isnan(mean.value()));
  mean.add(bp::tensor<float>({1, 3}), {}, 3);
  mean.add(bp::tensor<float>({10}));
  EXPECT_NEAR(mean.value(), 22.0 / 7, 1e-6);
  hits.add(bp::tensor<float>({1, 2, 4, 3}, {2, 2}), bp::tensor<std::int64_t>({1, 1}));
  EXPECT_EQ(hits.value(), 0.5);
  hits.reset();
  EXPECT_TRUE(std::isnan(hits.value()));
}

// Two classes that a line divides.
struct Learner {
  bp::Module net = seeded();
  bp::Optimizer adam{"Adam", net.parameters(), {{"lr", 0.02}}};
  bp::Loader loader{bp::Dataset(columns(37)), {/*batch_size=*/8, /*shuffle=*/true}};
  bp::TrainerOptions options{{net}, {adam}, loader};
  static bp::Module seeded() {
    bp::manual_seed(7);
    return bp::sequential({bp::linear(2, 16), bp::Module("relu"), bp::linear(16, 2)});
  }
  Learner() { options.loss = bp::Module("cross_entropy_loss"); }
  std::vector<float> weights() const { return net["0.weight"].detach().read<float>(); }
};

TEST(CppTrainer, LearnsTellsStopsAndGoesOn) {
  Learner l;
  std::vector<double> losses;
  l.options.accuracy = true;
  l.options.val_loader = bp::Loader(bp::Dataset(columns(20)), {/*batch_size=*/16});
  l.options.schedules = {bp::Schedule("exponential", l.adam, {{"gamma", 0.9}})};
  l.options.on_batch = [&](bp::Trainer& t, const bp::TrainFigures& f) {
    EXPECT_EQ(f.n_batches, 5u);
    EXPECT_GT(f.loss.item<float>(), 0);
    if (f.epoch == 3 && f.batch == 2) t.stop();
  };
  l.options.on_epoch = [&](bp::Trainer& t, const bp::TrainFigures& f) {
    EXPECT_EQ(t.epoch(), f.epoch + 1);
    EXPECT_FALSE(f.loss.defined());
    EXPECT_EQ(t.evaluate(*l.options.val_loader).accuracy, f.val_accuracy);
    losses.push_back(f.train_loss);
  };
  bp::Trainer trainer(l.options);
  EXPECT_FALSE(trainer.fit({/*max_epochs=*/20}));
  EXPECT_EQ(losses.size(), 3u);
  EXPECT_EQ(l.loader.state().batch, 2u);
  EXPECT_TRUE(trainer.fit({/*max_epochs=*/20, /*gradient_clip_val=*/1.0}));
  EXPECT_EQ(losses.size(), 20u);
  EXPECT_LT(losses.back(), losses.front() / 2);
  EXPECT_NEAR(l.options.schedules[0].last_lr(), 0.02 * std::pow(0.9, 20), 1e-9);
  EXPECT_GT(trainer.evaluate(*l.options.val_loader).accuracy, 0.95);
}

TEST(CppTrainer, GoesOnFromACheckpointBitForBit) {
  const std::string file =
      testing::TempDir() + "cpp-trainer-" + std::to_string(getpid()) + ".safetensors";
  Learner whole, part, rest;
  EXPECT_TRUE(bp::Trainer(whole.options).fit({4}));
  EXPECT_TRUE(bp::Trainer(part.options).fit({2, 0, file}));
  bp::Trainer again(rest.options);
  again.load_state_dict(bp::load_safetensors(file, "cpu"));
  std::remove(file.c_str());
  EXPECT_EQ(again.state_dict().meta("trainer.epoch"), "2");
  EXPECT_TRUE(again.fit({4}));
  EXPECT_NE(whole.weights(), part.weights());
  EXPECT_EQ(whole.weights(), rest.weights());
}

TEST(CppTrainer, LetsFunctionsPrepareBatchesAndComputeTheLoss) {
  Learner plain, own;
  int learned = 0, checked = 0;
  own.options.loss.reset();
  own.options.accuracy = true;
  own.options.prepare_batch = [&](bp::Batch& batch, bool training) {
    ++(training ? learned : checked);
    batch[0] = batch[0] * 1;
  };
  own.options.compute_loss = [](const bp::Module& net, const bp::Batch& batch) -> bp::Loss {
    const bp::Tensor scores = net(batch[0]);
    return {bp::Module("cross_entropy_loss")(scores, batch[1]), scores};
  };
  own.options.val_loader = own.loader;
  bp::Trainer trainer(own.options);
  EXPECT_TRUE(trainer.fit({1}));
  EXPECT_EQ(learned, 5);
  EXPECT_EQ(checked, 5);
  EXPECT_TRUE(bp::Trainer(plain.options).fit({1}));
  EXPECT_EQ(own.weights(), plain.weights());
}

struct Mine {
  int number;
};

TEST(CppTrainer, LetsExceptionsOutAsTheyWere) {
  Learner l;
  int calls = 0;
  l.options.on_batch = [&](bp::Trainer&, const bp::TrainFigures&) {
    if (++calls == 1) throw Mine{3};
    if (calls == 2) throw std::out_of_range("of mine");
  };
  l.options.prepare_batch = [&](bp::Batch& batch, bool training) {
    if (!training) throw bp::Error(BP_NOT_FOUND, "not for checks");
    if (calls == 3) batch.pop_back();
  };
  bp::Trainer trainer(l.options);
  try {
    trainer.fit({1});
    FAIL() << "nothing came out";
  } catch (const Mine& e) {
    EXPECT_EQ(e.number, 3);
  }
  EXPECT_THROW(trainer.fit({1}), std::out_of_range);
  EXPECT_THROW(trainer.evaluate(l.loader), bp::Error);
  calls = 3;
  try {
    trainer.fit({1});
    FAIL() << "a batch without its target was learned";
  } catch (const bp::Error& e) {
    EXPECT_STREQ(e.what(), "prepare_batch left 1 tensors of 2");
  }
  calls = 4;
  EXPECT_TRUE(trainer.fit({1})) << "and the trainer goes on";
  try {
    trainer.fit({2, -1.0});
    FAIL() << "a negative norm was taken";
  } catch (const bp::Error& e) {
    EXPECT_EQ(e.status(), BP_INVALID_ARGUMENT) << "an error of the library's is itself";
  }
}

TEST(CppTrainer, RefusesPartsThatDoNotGoTogether) {
  Learner l;
  l.options.schedules = {bp::Schedule("exponential", l.adam, {{"gamma", 0.9}}),
                         bp::Schedule("exponential", l.adam, {{"gamma", 0.9}})};
  try {
    bp::Trainer trainer(l.options);
    FAIL();
  } catch (const bp::Error& e) {
    EXPECT_STREQ(e.what(), "Trainer: 1 modules, 1 optimizers and 2 schedules do not go together");
  }
  l.options.schedules = {};
  const auto life = std::make_shared<int>(0);
  l.options.on_epoch = [life](bp::Trainer&, const bp::TrainFigures&) {};
  l.options.loss.reset();
  EXPECT_THROW(bp::Trainer{l.options}, bp::Error);
  l.options.loss = bp::Module("cross_entropy_loss");
  {
    const bp::Trainer trainer(l.options);
    EXPECT_EQ(life.use_count(), 3);
  }
  EXPECT_EQ(life.use_count(), 2) << "functions go with the trainer, and with one that was not made";
}

}  // namespace
