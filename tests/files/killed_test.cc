// SPDX-License-Identifier: Apache-2.0
// A training that is killed at any moment, and again and again, and goes on each time from the file
// that is there, ends bit for bit as one that nobody killed, with no file left over. Nothing here
// uses the library in the process of the tests, whose children all start cold.
//
// BP_KILLS=300 kills so often at random, and BP_KILL_SEED chooses the moments again.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <cstdlib>
#include <random>

#include "files/each_file_call.h"
#include "kit/child.h"
#include "kit/dicts.h"
#include "kit/learner.h"
#include "kit/refusals.h"

namespace bp_test {
namespace {

constexpr uint64_t kEpochs = 12;

using Names = std::vector<const char*>;

long number_in(const char* variable, long otherwise) {
  const char* text = std::getenv(variable);
  return text ? std::strtol(text, nullptr, 10) : otherwise;
}

struct Job {
  const Folder& folder;
  const Names& devices;
  std::string checkpoint = folder.file("checkpoint"), result = folder.file("result");

  // Trains from the checkpoint, where there is one, to the end, and writes then what the trainer
  // has. It saves after each epoch and, in between, after each other step. The file calls after the
  // start are counted, and the process ends at the one of number `killed_at`.
  bool trains(long killed_at = Refusals::kForEver) const {
    std::vector<bp_device> on;
    for (const char* name : devices) on.push_back(device(name));
    Learner l(on);
    if (std::filesystem::exists(checkpoint)) {
      EXPECT_EQ(bp_manual_seed(99, nullptr), BP_OK) << "what it draws comes from the file";
      l.load(checkpoint.c_str());
    }
    l.told.on_batch = [&](const bp_train_figures& f) {
      return f.batch % 2 ? save(l, checkpoint) : BP_OK;
    };
    const FailingFiles after(FailingFiles::kKilled, killed_at, FailingFiles::kOnce);
    EXPECT_EQ(l.fit(kEpochs, checkpoint.c_str()).message, "");
    for (size_t i = 1; i < on.size(); ++i) EXPECT_EQ(l.weights(i), l.weights(0)) << devices[i];
    EXPECT_EQ(save(l, result), BP_OK);
    return !testing::Test::HasFailure();
  }

 private:
  static bp_status save(const Learner& l, const std::string& file) {
    const D state = made<D>(bp_trainer_state_dict, l.trainer.get());
    const Answer saved = attempt(bp_safetensors_save, state.get(), file.c_str());
    EXPECT_EQ(saved.message, "");
    return saved.status;
  }
};

struct Killed : testing::TestWithParam<Names> {
  const Folder folder, other;
  const Job killed{folder, GetParam()}, whole{other, GetParam()};
  std::string wanted;
  std::chrono::microseconds takes{};
  long kills = 0;

  void SetUp() override {
    const auto before = std::chrono::steady_clock::now();
    expect_true_in_child([&] { return whole.trains(); });
    takes = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() -
                                                                  before);
    wanted = content(whole.result);
    ASSERT_GT(wanted.size(), 1000u);
  }

  // Whether the child came to its end, which is then looked at, and the folder is empty again.
  bool came_to_its_end(int status) {
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
      ++kills;
      size_t leftovers = 0;
      for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
        leftovers += entry.path().filename().string().starts_with('.');
      EXPECT_LE(leftovers, 1u) << folder.names() << "after " << kills << " kills";
      return false;
    }
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "child status " << status;
    EXPECT_EQ(folder.names(), "checkpoint result ");
    EXPECT_TRUE(content(killed.result) == wanted) << "after " << kills << " kills";
    for (const std::string& file : {killed.checkpoint, killed.result})
      std::filesystem::remove(file);
    return true;
  }
};

TEST_P(Killed, AtEachFileCallEndsAsOneThatWasNot) {
  const long step = number_in("BP_FILES_EVERY", 1);
  long ends = 0;
  for (long point = 0; point < 80 && !HasFailure(); point += step)
    ends += came_to_its_end(status_of_child([&] { return killed.trains(point); }));
  while (!HasFailure() && ends == 0)
    ends += came_to_its_end(status_of_child([&] { return killed.trains(); }));
  EXPECT_GT(kills, 10);
}

TEST_P(Killed, AtAnyMomentEndsAsOneThatWasNot) {
  const long wished = number_in("BP_KILLS", 10);
  const auto seed = static_cast<unsigned>(number_in("BP_KILL_SEED", std::random_device()()));
  SCOPED_TRACE("BP_KILL_SEED=" + std::to_string(seed));
  std::printf("BP_KILL_SEED=%u\n", seed);
  std::mt19937 random(seed);
  std::uniform_int_distribution<long> moment(0, takes.count());
  long ends = 0;
  for (long children = 0; !HasFailure() && (kills < wished || ends == 0); ++children) {
    ASSERT_LT(children, 1000 + 50 * wished) << "none comes to an end";
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(60);
      ::_exit(killed.trains() ? 0 : 1);
    }
    // Once enough are killed, the run may end.
    if (kills < wished) {
      ::usleep(static_cast<useconds_t>(moment(random)));
      ::kill(child, SIGKILL);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ends += came_to_its_end(status);
  }
  std::printf("%ld kills, %ld runs\n", kills, ends);
}

std::string named(const testing::TestParamInfo<Names>& info) {
  const Names& names = info.param;
  return names.size() > 1 ? "OnTwoOfSim" : names[0] == std::string("cpu") ? "OnCpu" : "OnSim";
}
INSTANTIATE_TEST_SUITE_P(Training, Killed,
                         testing::Values(Names{"cpu"}, Names{"sim:0"}, Names{"sim:0", "sim:1"}),
                         named);

}  // namespace
}  // namespace bp_test
