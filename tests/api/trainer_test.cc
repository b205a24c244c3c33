// SPDX-License-Identifier: Apache-2.0
// The training loop: it learns, tells figures, stops politely, and goes on from a file as if
// nothing had happened.
#include <unistd.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <thread>

#include "kit/learner.h"

namespace bp_test {
namespace {

// As the table writes a number.
std::string shortest(double v) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, v).ptr};
}

struct File {
  std::string path = testing::TempDir() + "trainer-" + std::to_string(getpid()) + ".safetensors";
  ~File() { std::remove(path.c_str()); }
};

TEST(Trainer, LearnsAndTellsItsFigures) {
  Learner l;
  EXPECT_EQ(l.fit(20, nullptr, 1.0).message, "");
  ASSERT_EQ(l.told.epochs.size(), 20u);
  ASSERT_EQ(l.told.batches.size(), 20u * kBatches);
  EXPECT_EQ(bp_trainer_epoch(l.trainer.get()), 20u);
  const auto &first = l.told.epochs.front(), &last = l.told.epochs.back();
  EXPECT_EQ(last.epoch, 19u);
  EXPECT_EQ(l.told.batches[6].epoch, 1u);
  EXPECT_EQ(l.told.batches[6].batch, 2u);
  EXPECT_EQ(l.told.batches[6].n_batches, static_cast<uint64_t>(kBatches));
  EXPECT_LT(last.train_loss, first.train_loss / 2);
  EXPECT_GT(last.val_accuracy, 0.95);
  double loss = 0, accuracy = 0;
  ASSERT_EQ(attempt(bp_trainer_evaluate, l.trainer.get(), l.val.get(), &loss, &accuracy).message,
            "");
  EXPECT_EQ(loss, last.val_loss) << "nothing was learned in between";
  EXPECT_EQ(accuracy, last.val_accuracy);
}

TEST(Trainer, LeavesModulesInTheModeTheyHad) {
  Learner l;
  ASSERT_EQ(bp_module_train(l.nets[0].get(), 0, nullptr), BP_OK);
  uint32_t during = 0;
  l.told.on_batch = [&](const bp_train_figures&) {
    return during = bp_module_is_training(l.nets[0].get()), BP_OK;
  };
  EXPECT_EQ(l.fit(1).message, "");
  EXPECT_EQ(during, 1u);
  EXPECT_EQ(bp_module_is_training(l.nets[0].get()), 0u);
}

TEST(Trainer, AResumedRunIsBitForBitTheUninterruptedOne) {
  // batches: within an epoch, and behind its last one
  for (const uint64_t stop_after : {1, 7, 10}) {
    File file;
    Learner whole;
    EXPECT_EQ(whole.fit(4).status, BP_OK);
    Learner first;
    first.told.on_batch = [&](const bp_train_figures&) {
      return bp_status{first.told.batches.size() == stop_after} * BP_TRAINING_STOPPED;
    };
    EXPECT_EQ(first.fit(4, file.path.c_str()).status, BP_TRAINING_STOPPED);
    EXPECT_EQ(first.told.batches.size(), stop_after);
    Learner second;
    ASSERT_EQ(bp_manual_seed(99, nullptr), BP_OK) << "what it draws comes from the file";
    second.load(file.path.c_str());
    EXPECT_EQ(second.fit(4).status, BP_OK);
    EXPECT_EQ(second.told.batches.size(), 4 * kBatches - stop_after);
    EXPECT_EQ(second.weights(), whole.weights()) << "stopped after " << stop_after;
    EXPECT_EQ(second.told.epochs.back().val_loss, whole.told.epochs.back().val_loss);
  }
}

TEST(Trainer, StopsWhenAnotherThreadWishes) {
  Learner l;
  std::thread other;
  l.told.on_batch = [&](const bp_train_figures&) {
    if (l.told.batches.size() == 1) other = std::thread([&] { bp_trainer_stop(l.trainer.get()); });
    if (other.joinable()) other.join();
    return BP_OK;
  };
  EXPECT_EQ(l.fit(1000).status, BP_TRAINING_STOPPED);
  EXPECT_EQ(l.told.batches.size(), 1u);
  EXPECT_EQ(l.fit(2).status, BP_OK) << "the wish is fulfilled";
  EXPECT_EQ(l.told.batches.size(), 2u * kBatches);
  bp_trainer_stop(l.trainer.get());
  EXPECT_EQ(l.fit(3).status, BP_TRAINING_STOPPED) << "a wish before the run";
  EXPECT_EQ(l.told.batches.size(), 2u * kBatches);
  bp_trainer_stop(nullptr);
}

TEST(Trainer, FailsWithTheCallbacksSentenceAndGoesOn) {
  Learner l;
  l.told.on_epoch = [](const bp_train_figures&) { return BP_CALLBACK; };
  const Answer r = l.fit(2);
  EXPECT_EQ(r.status, BP_CALLBACK);
  EXPECT_EQ(r.message, "on_epoch of the test refuses");
  l.told.on_epoch = nullptr;
  Answer inner;
  l.told.on_batch = [&](const bp_train_figures&) { return inner = l.fit(1), BP_OK; };
  EXPECT_EQ(l.fit(2).status, BP_OK);
  EXPECT_EQ(inner.message, "the trainer is running already");
}

TEST(Trainer, RefusesASecondThreadInsteadOfLettingItWait) {
  Learner l;
  Answer other;
  l.told.on_batch = [&](const bp_train_figures& f) {
    if (f.batch == 1) std::thread([&] { other = l.fit(1); }).join();  // would wait for ever
    return BP_OK;
  };
  EXPECT_EQ(l.fit(1).status, BP_OK);
  EXPECT_EQ(other.status, BP_BAD_STATE);
  EXPECT_EQ(other.message, "the trainer is running already");
}

TEST(Trainer, SeveralDevicesLearnWhatOneDoes) {
  if (!has_kind("sim")) GTEST_SKIP() << "no sim backend";
  Learner alone({device("sim:0")}, /*dropout=*/false);
  Learner together({device("sim:0"), device("sim:1"), device("sim:2")}, /*dropout=*/false);
  EXPECT_EQ(alone.fit(3, nullptr, 0.5).message, "");
  EXPECT_EQ(together.fit(3, nullptr, 0.5).message, "");
  const auto wanted = alone.weights(), got = together.weights();
  EXPECT_EQ(together.weights(1), got);
  EXPECT_EQ(together.weights(2), got);
  for (size_t i = 0; i < wanted.size(); ++i)
    for (size_t k = 0; k < wanted[i].size(); ++k) EXPECT_NEAR(got[i][k], wanted[i][k], 1e-4);
  EXPECT_NEAR(together.told.epochs.back().train_loss, alone.told.epochs.back().train_loss, 1e-4);
}

// The states of parameters, each on one device; in tests/group they are of several processes too.
TEST(Trainer, DevicesWithTheirPartOfTheStatesTakeTheSameSteps) {
  if (!has_kind("sim")) GTEST_SKIP() << "no sim backend";
  const std::vector<bp_device> devices = {device("sim:0"), device("sim:1"), device("sim:2")};
  const File file;
  Learner whole(devices, /*dropout=*/false);
  Learner parts(devices, /*dropout=*/false, BP_TRAINER_SHARD_STATES);
  EXPECT_EQ(whole.fit(2, nullptr, 0.5).message, "");
  EXPECT_EQ(parts.fit(2, file.path.c_str(), 0.5).message, "");
  for (size_t d = 0; d < devices.size(); ++d) EXPECT_EQ(parts.weights(d), whole.weights());
  for (uint32_t i = 0; i < 4; ++i) {
    int n_states = 0;
    for (const Optimizer& o : parts.optimizers) {
      bp_tensor* state = nullptr;
      n_states +=
          bp_optimizer_state_at(o.get(), 0, i, "exp_avg", &state, nullptr) == BP_OK && state;
      bp_tensor_release(state);
    }
    EXPECT_EQ(n_states, 1) << "of parameter " << i;
  }
  EXPECT_EQ(whole.fit(3).message, "");
  for (const uint32_t flags : {0u, uint32_t{BP_TRAINER_SHARD_STATES}}) {
    Learner again(devices, /*dropout=*/false, flags);
    again.load(file.path.c_str());
    EXPECT_EQ(again.fit(3).message, "");
    EXPECT_EQ(again.weights(), whole.weights());
  }
}

std::vector<std::string> lines_of(const std::string& path) {
  std::vector<std::string> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

TEST(Trainer, WritesATableThatARunWhichGoesOnLengthens) {
  const File file, table{testing::TempDir() + "trainer-" + std::to_string(getpid()) + ".csv"};
  {
    Learner first({kCpu}, true, 0, table.path.c_str());
    EXPECT_EQ(first.fit(2, file.path.c_str()).message, "");
    std::vector<std::string> wanted = {"epoch,train_loss,train_accuracy,val_loss,val_accuracy"};
    for (const bp_train_figures& f : first.told.epochs)
      wanted.push_back(std::to_string(f.epoch + 1) + "," + shortest(f.train_loss) + "," +
                       shortest(f.train_accuracy) + "," + shortest(f.val_loss) + "," +
                       shortest(f.val_accuracy));
    EXPECT_EQ(lines_of(table.path), wanted);
  }
  Learner again({kCpu}, true, 0, table.path.c_str());
  again.load(file.path.c_str());
  EXPECT_EQ(again.fit(3).message, "");
  EXPECT_EQ(lines_of(table.path).size(), 4u);
  EXPECT_EQ(lines_of(table.path)[3].substr(0, 2), "3,");
  Learner anew({kCpu}, true, 0, table.path.c_str());
  EXPECT_EQ(anew.fit(1).message, "");
  EXPECT_EQ(lines_of(table.path).size(), 2u);
  Learner nowhere({kCpu}, true, 0, "/nowhere/table.csv");
  EXPECT_EQ(nowhere.fit(1).message, "cannot write '/nowhere/table.csv': No such file or directory");
  EXPECT_EQ(nowhere.told.batches.size(), 0u) << "it fails before it learns";
}

TEST(Trainer, RefusesOptimizersThatGaveTheStatesAway) {
  if (!has_kind("sim")) GTEST_SKIP() << "no sim backend";
  Learner parts({device("sim:0"), device("sim:1")}, /*dropout=*/false, BP_TRAINER_SHARD_STATES);
  EXPECT_EQ(parts.fit(1).message, "");
  bp_trainer_desc d{};
  d.struct_size = sizeof d;
  d.n_devices = 1;
  bp_module* net = parts.nets[1].get();
  bp_optimizer* o = parts.optimizers[1].get();
  const M loss = module("cross_entropy_loss");
  d.modules = &net, d.optimizers = &o, d.loader = parts.loader.get(), d.loss = loss.get();
  bp_trainer* t = nullptr;
  EXPECT_EQ(attempt(bp_trainer_create, &d, &t).message,
            "the optimizer has a part of its states alone (BP_TRAINER_SHARD_STATES); go on with a "
            "new optimizer and a checkpoint");
  d.flags = BP_TRAINER_SHARD_STATES;  // on one device it would need them all
  const Answer a = attempt(bp_trainer_create, &d, &t);
  EXPECT_EQ(a.status, BP_BAD_STATE);
  EXPECT_NE(a.message.find("to another member or device before"), std::string::npos) << a.message;
  EXPECT_EQ(parts.fit(2).message, "") << "the trainer is as it was";
  EXPECT_EQ(t, nullptr);
  EXPECT_EQ(attempt(bp_optimizer_step, o).message, "") << "its own part, while the trainer lives";
  parts.trainer.reset();
  EXPECT_EQ(attempt(bp_optimizer_step, o).status, BP_BAD_STATE) << "nobody else steps the others";
  Learner whole({device("sim:0"), device("sim:1")});
  EXPECT_EQ(whole.fit(1).message, "");
  const D states = made<D>(bp_optimizer_state_dict, whole.optimizers[0].get());
  EXPECT_EQ(attempt(bp_optimizer_load_state_dict, o, states.get()).message, "");
  EXPECT_EQ(attempt(bp_optimizer_step, o).message, "");
  d.flags = 0;
  EXPECT_EQ(attempt(bp_trainer_create, &d, &t).message, "") << "it is whole again";
  bp_trainer_release(t);
}

TEST(Trainer, SavesWhatIsAddedToItsState) {
  const File file;
  Learner l;
  EXPECT_EQ(l.fit(1).message, "");
  const D extra = made<D>(bp_dict_create);
  const T t = tensor<float>({1}, {5});
  ASSERT_EQ(bp_dict_set(extra.get(), "mine", t.get(), nullptr), BP_OK);
  ASSERT_EQ(bp_dict_set_meta(extra.get(), "note", "ours", nullptr), BP_OK);
  EXPECT_EQ(attempt(bp_trainer_save, l.trainer.get(), file.path.c_str(), extra.get()).message, "");
  const D all = made<D>(bp_checkpoint_load, file.path.c_str(), kCpu);
  EXPECT_EQ(values<float>(made<T>(bp_dict_get, all.get(), "mine")), std::vector<float>{5});
  const char* text = nullptr;
  EXPECT_EQ(bp_dict_get_meta(all.get(), "note", &text, nullptr), BP_OK);
  EXPECT_STREQ(text, "ours");
  Learner again;
  again.load(file.path.c_str());
  EXPECT_EQ(again.weights(), l.weights());
}

TEST(Trainer, RefusesWhatIsNoCheckpoint) {
  Learner l;
  bp_dict* d = nullptr;
  EXPECT_EQ(attempt(bp_trainer_save, l.trainer.get(), static_cast<const char*>(nullptr),
                    static_cast<bp_dict*>(nullptr))
                .message,
            "path must not be NULL");
  EXPECT_EQ(
      attempt(bp_trainer_save, l.trainer.get(), "/nowhere/at/all", static_cast<bp_dict*>(nullptr))
          .status,
      BP_NOT_FOUND);
  EXPECT_EQ(attempt(bp_checkpoint_load, "/nowhere/at/all", kCpu, &d).status, BP_NOT_FOUND);
  EXPECT_EQ(attempt(bp_checkpoint_load, static_cast<const char*>(nullptr), kCpu, &d).message,
            "path must not be NULL");
  EXPECT_EQ(attempt(bp_checkpoint_load, "/etc/passwd", kCpu, &d).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(d, nullptr);
}

TEST(Trainer, WaitsForItsDeviceOnceAnEpoch) {
  if (!has_kind("sim")) GTEST_SKIP() << "no sim backend";
#ifdef BP_DEBUG_ALLOCATOR
  GTEST_SKIP() << "the debug allocator waits to look at its guard bytes";
#endif
  Learner l({device("sim:0")});
  const auto waits = [] {
    uint64_t n = 0;
    EXPECT_EQ(bp_device_get_waits(device("sim:0"), &n, nullptr), BP_OK);
    return n;
  };
  std::vector<uint64_t> after_batch, after_epoch;
  l.told.on_batch = [&](const bp_train_figures&) { return after_batch.push_back(waits()), BP_OK; };
  l.told.on_epoch = [&](const bp_train_figures&) { return after_epoch.push_back(waits()), BP_OK; };
  EXPECT_EQ(l.fit(4).message, "");
  for (size_t epoch = 1; epoch < 4; ++epoch)
    EXPECT_EQ(after_batch[epoch * kBatches], after_batch[(epoch + 1) * kBatches - 1])
        << "in epoch " << epoch;
  EXPECT_GT(after_epoch[1], after_epoch[0]) << "figures are fetched";
  EXPECT_EQ(after_epoch[3] - after_epoch[2], after_epoch[2] - after_epoch[1]);
  const T loss =
      made(bp_tensor_ones, 0, static_cast<const int64_t*>(nullptr), BP_F32, device("sim:0"));
  const uint64_t before = waits();
  EXPECT_EQ(values<float>(to(loss, kCpu, BP_F32)), std::vector<float>{1});
  EXPECT_GT(waits(), before);
}

TEST(Trainer, RefusesWhatIsNoRun) {
  Learner l;
  EXPECT_EQ(l.fit(1, nullptr, -1).message,
            "desc.gradient_clip_val is -1, expected a finite number >= 0");
  EXPECT_EQ(l.fit(1, "/nowhere/at/all").status, BP_NOT_FOUND);
  const D empty = made<D>(bp_dict_create);
  EXPECT_EQ(attempt(bp_trainer_load_state_dict, l.trainer.get(), empty.get()).status, BP_NOT_FOUND);
  bp_module* net = l.nets[0].get();
  bp_optimizer* o = l.optimizers[0].get();
  bp_trainer_desc d{};
  d.struct_size = sizeof d;
  d.n_devices = 1;
  d.modules = &net, d.optimizers = &o, d.loader = l.loader.get();
  bp_trainer* t = nullptr;
  EXPECT_EQ(attempt(bp_trainer_create, &d, &t).message,
            "desc needs one of loss and compute_loss, and has neither");
  d.loss = net;
  d.n_devices = 0;
  EXPECT_EQ(attempt(bp_trainer_create, &d, &t).message, "desc.n_devices is 0, expected 1 to 1024");
  EXPECT_EQ(t, nullptr);
  const bp_fit_desc how{sizeof how, 0, 1, 0, nullptr};
  EXPECT_EQ(attempt(bp_trainer_fit, reinterpret_cast<bp_trainer*>(net), &how).message,
            "trainer is not a trainer");
  EXPECT_EQ(attempt(bp_trainer_fit, static_cast<bp_trainer*>(nullptr), &how).message,
            "trainer must not be NULL");
}

}  // namespace
}  // namespace bp_test
