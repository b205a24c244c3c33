// SPDX-License-Identifier: Apache-2.0
// What optimisers keep, spread over members and devices: the steps of those that keep all of it,
// each state in one place, and checkpoints that go on with other numbers of members. Run by mpirun.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "group/learning.h"

namespace bp_test {
namespace {

namespace fs = std::filesystem;

class Shards : public testing::Test {
 protected:
  bp::ProcessGroup group = bp::ProcessGroup::join("mpi", {std::chrono::seconds(20), true});
  bp::ProcessGroup gate = bp::ProcessGroup::join("mpi");  // also when that one is broken
  // One folder for all members, whose parent is mpirun, or the shell of one that was started alone.
  const fs::path folder = fs::path(testing::TempDir()) /
                          ("backplane-shards-" + std::to_string(::getppid()) + "-" +
                           testing::UnitTest::GetInstance()->current_test_info()->name());
  const std::string path = folder / "run.safetensors";

  void SetUp() override {
    fs::create_directories(folder);
    group.barrier();
  }
  void TearDown() override {
    gate.barrier();
    std::error_code none;
    if (group.rank() == 0) fs::remove_all(folder, none);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> all;
    for (const auto& f : fs::directory_iterator(folder)) all.push_back(f.path().filename());
    std::sort(all.begin(), all.end());
    return all;
  }
  std::string part(std::uint32_t rank) const {
    const std::string end =
        "-" + std::to_string(rank) + "-of-" + std::to_string(group.size()) + ".safetensors";
    for (const std::string& name : files())
      if (name.ends_with(end)) return folder / name;
    ADD_FAILURE() << "no part of rank " << rank;
    return "";
  }
};

std::string message_of(const std::function<void()>& f, bp_status expected) {
  try {
    f();
  } catch (const bp::Error& e) {
    EXPECT_EQ(e.status(), expected) << e.what();
    return e.what();
  }
  ADD_FAILURE() << "it did not fail";
  return "";
}

TEST_F(Shards, TakeTheSameStepsBitForBit) {
  const std::vector<std::vector<std::string>> places = {{"cpu"}, {"sim:0"}, {"sim:0", "sim:1"}};
  for (const auto& devices : places)
    for (const std::string optimizer : {"AdamW", "SGD"})
      for (const double clip : {0.0, 0.5}) {
        Settings s{devices, clip, 2, false, optimizer};
        const Learned whole = learned(group, s);
        s.sharded = true;
        const Learned parts = learned(group, s);
        EXPECT_EQ(parts.weights, whole.weights) << devices[0] << " " << optimizer << " " << clip;
        EXPECT_EQ(parts.losses, whole.losses);
        expect_same_everywhere(group, parts.weights);
      }
}

TEST_F(Shards, OfOneProcessAreOfItsDevices) {
  Settings s{{"sim:0", "sim:1"}, 0.5, 2};
  const Learned whole = learned(std::nullopt, s);
  s.sharded = true;
  EXPECT_EQ(learned(std::nullopt, s).weights, whole.weights);
}

// The elements of the states that a trainer's optimisers keep, by name.
std::vector<std::pair<std::string, std::int64_t>> states_of(const bp::Trainer& t) {
  std::vector<std::pair<std::string, std::int64_t>> all;
  for (const auto& [name, tensor] : t.state_dict().items())
    if (name.starts_with("optimizer.") && !name.ends_with(".step"))
      all.emplace_back(name, tensor.numel());
  return all;
}
std::int64_t total(const std::vector<std::pair<std::string, std::int64_t>>& states) {
  std::int64_t n = 0;
  for (const auto& [name, count] : states) n += count;
  return n;
}

TEST_F(Shards, KeepEachStateInOnePlace) {
  Settings s{{"cpu"}, 0, 1};
  Learner whole(group, s);
  whole.run(s);
  s.sharded = true;
  Learner parts(group, s);
  parts.run(s);
  const auto all = states_of(whole.trainer), mine = states_of(parts.trainer);
  const bp::Tensor counts =
      group.all_gather(bp::tensor(std::vector<std::int64_t>{total(mine)}, "cpu"));
  std::int64_t sum = 0, largest = 0;
  for (const auto& [name, n] : all) largest = std::max(largest, n);
  for (const std::int64_t n : counts.read<std::int64_t>()) {
    sum += n;
    EXPECT_LE(n, total(all) / group.size() + 2 * largest);  // two states of each parameter
  }
  EXPECT_EQ(sum, total(all));
  // The places of the names in the whole list: each is there once among the members.
  std::vector<std::int64_t> has;
  for (const auto& entry : all) has.push_back(std::count(mine.begin(), mine.end(), entry));
  bp::Tensor times = bp::tensor(has, "cpu");
  group.all_reduce(times);
  EXPECT_EQ(times.read<std::int64_t>(), std::vector<std::int64_t>(all.size(), 1));
  std::printf("rank %u of %u: %lld of %lld bytes of states\n", group.rank(), group.size(),
              static_cast<long long>(4 * total(mine)), static_cast<long long>(4 * total(all)));
}

TEST_F(Shards, SavedByAllGoOnWithFewer) {
  for (const bool saved_sharded : {true, false})
    for (const bool clips : {false, true}) {
      const double clip = clips ? 0.5 : 0;
      Settings s{{"cpu"}, clip, 2, saved_sharded, "AdamW", path};
      Learner first(group, s);
      first.run(s);
      s.epochs = 4, s.checkpoint = "";
      const Learned on = first.run(s);
      for (std::uint32_t n = 1; n <= group.size(); ++n)
        for (const bool sharded : {true, false}) {
          const auto some = group.split(group.rank() < n ? 0 : -1);
          if (!some) continue;
          const Learned again = learned(some, {{"cpu"}, clip, 4, sharded, "AdamW", "", path});
          if (n == group.size())
            EXPECT_EQ(again.weights, on.weights) << "saved by " << n;
          else
            expect_near(again.weights, on.weights, 1e-5f);
          expect_same_everywhere(*some, again.weights);
        }
      group.barrier();
    }
}

TEST_F(Shards, GoOnFromWhatOneProcessSaved) {
  if (group.rank() == 0) learned(std::nullopt, {{"cpu"}, 0, 2, false, "AdamW", path});
  group.barrier();
  const Learned on = learned(std::nullopt, {{"cpu"}, 0, 4, false, "AdamW", "", path});
  const Learned together = learned(group, {{"cpu"}, 0, 4, true, "AdamW", "", path});
  expect_near(together.weights, on.weights, 1e-5f);
}

TEST_F(Shards, LeaveOneCheckpointAlone) {
  const Settings s{{"cpu"}, 0, 1, true, "AdamW", path};
  Learner learner(group, s);
  learner.run(s);
  const auto before = files();
  EXPECT_EQ(before.size(), 1 + group.size());
  group.barrier();
  if (group.rank() == 0) {  // neither of these is a part of it
    std::ofstream(folder / "run-1.safetensors") << "another";
    std::ofstream(folder / "run-0123456789abcdef-0-of-2.txt") << "another";
    std::ofstream(folder / "run-0123456789abcdef-0-of-2.safetensors") << "left by a killed one";
  }
  bp::Dict extra;
  extra.set_meta("note", "of rank " + std::to_string(group.rank()));
  learner.trainer.save(path, extra);
  group.barrier();
  const auto after = files();
  EXPECT_EQ(after.size(), 1 + group.size() + 2);
  for (const std::string& name : before)
    EXPECT_EQ(std::count(after.begin(), after.end(), name), name == "run.safetensors") << name;
  const bp::Dict all = bp::load_checkpoint(path);
  EXPECT_EQ(all.meta("note"), "of rank 0");
  for (const auto& [key, text] : all.meta()) EXPECT_FALSE(key.starts_with("trainer.part")) << key;
  EXPECT_EQ(all.size(), bp::load_safetensors(path, "cpu").size() + 3 * 4) << "4 parameters, 3 each";
}

TEST_F(Shards, OfACheckpointAreCheckedWhenTheyAreLoaded) {
  const Settings s{{"cpu"}, 0, 1, true, "AdamW", path};
  Learner learner(group, s);
  learner.run(s);
  group.barrier();
  if (group.rank() != 0) return;
  const auto fails = [&](bp_status expected) {
    return message_of([&] { bp::load_checkpoint(path); }, expected);
  };
  const bp::Dict index = bp::load_safetensors(path, "cpu");
  Learner alone(std::nullopt, {});
  EXPECT_EQ(message_of([&] { alone.trainer.load_state_dict(index); }, BP_INVALID_ARGUMENT),
            "the state is the index of a checkpoint in " + std::to_string(group.size()) +
                " parts: bp_checkpoint_load loads all of them");
  const std::string last = part(group.size() - 1);
  fs::rename(last, last + ".away");
  EXPECT_NE(fails(BP_NOT_FOUND).find(last), std::string::npos);
  bp::save_safetensors(bp::Dict(), last);
  EXPECT_NE(fails(BP_INVALID_ARGUMENT)
                .find(last + " is not of this checkpoint, whose number is " +
                      index.meta("trainer.checkpoint")),
            std::string::npos);
  bp::Dict twice({{"model.0.weight", bp::ones({1})}});
  twice.set_meta("trainer.checkpoint", index.meta("trainer.checkpoint"));
  bp::save_safetensors(twice, last);
  EXPECT_NE(fails(BP_INVALID_ARGUMENT).find("which another file of the checkpoint has as well"),
            std::string::npos);
  for (const std::string name : {"/etc/passwd", "../run.safetensors", ""}) {
    bp::Dict hostile = bp::load_safetensors(path, "cpu");
    hostile.set_meta("trainer.part.0", name);
    bp::save_safetensors(hostile, path);
    EXPECT_NE(fails(BP_INVALID_ARGUMENT).find("'" + name + "' as a part"), std::string::npos);
  }
  bp::Dict more = bp::load_safetensors(path, "cpu");
  more.set_meta("trainer.parts", "7");
  bp::save_safetensors(more, path);
  EXPECT_NE(fails(BP_INVALID_ARGUMENT)
                .find("names " + std::to_string(group.size()) + " parts, and says that it has 7"),
            std::string::npos);
}

// One that cannot write fails all, and what was there stays.
TEST_F(Shards, ThatCannotBeWrittenLeaveWhatWasThere) {
  Settings s{{"cpu"}, 0, 1, true, "AdamW", path};
  Learner learner(group, s);
  const Learned first = learner.run(s);
  group.barrier();
  const std::string own = group.rank() + 1 == group.size() ? "/nowhere/run.safetensors" : path;
  EXPECT_THROW(learner.trainer.save(own), bp::Error);
  if (group.rank() != 0) return;
  Learner again(std::nullopt, {{"cpu"}, 0, 1, false, "AdamW", "", path});
  EXPECT_EQ(weights_of(again.models[0]), first.weights);
}

TEST_F(Shards, AreNotWrittenIntoWhatIsAFolder) {
  const Settings s{{"cpu"}, 0, 1, true};
  Learner learner(group, s);
  learner.run(s);
  try {
    learner.trainer.save(folder.string() + "/");
    FAIL() << "it did not fail";
  } catch (const bp::Error&) {
  }
  EXPECT_EQ(files(), std::vector<std::string>());
}

TEST_F(Shards, AreForAllMembersOrForNone) {
  if (group.size() == 1) GTEST_SKIP() << "one member alone";
  Settings s;
  s.sharded = group.rank() == 0;
  EXPECT_EQ(message_of([&] { learned(group, s); }, BP_INVALID_ARGUMENT),
            "the members' runs differ: rank 0 has epoch 0 of 3, clipping 0, no checkpoint, states "
            "in shards; rank 1 has epoch 0 of 3, clipping 0, no checkpoint, whole states");
}

}  // namespace
}  // namespace bp_test
