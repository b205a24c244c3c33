// SPDX-License-Identifier: Apache-2.0
// Generators: seeds and counters, as random ops reserve them.
#include <thread>
#include <vector>

#include "kit/devices.h"

namespace bp_test {
namespace {

struct State {
  uint64_t seed, offset;
  bool operator==(const State& o) const { return seed == o.seed && offset == o.offset; }
};
State state(bp_generator* g) {
  State s{};
  EXPECT_EQ(bp_generator_get_state(g, &s.seed, &s.offset, nullptr), BP_OK);
  return s;
}

struct Generator : testing::Test {
  bp_generator* g = nullptr;
  void SetUp() override { ASSERT_EQ(bp_generator_create(7, &g, nullptr), BP_OK); }
  void TearDown() override {
    bp_generator_release(g);
    bp_shutdown(-1, nullptr);
  }
};

TEST_F(Generator, StartsAtItsSeedWithOffsetZero) { EXPECT_EQ(state(g), (State{7, 0})); }

TEST_F(Generator, ReservesCountersInFours) {
  uint64_t seed = 0, offset = 99;
  const struct {
    int64_t numel;
    uint64_t first;
  } rows[] = {{0, 0}, {1, 0}, {4, 4}, {5, 8}, {1000001, 16}, {1, 1000020}};
  for (const auto& row : rows) {
    ASSERT_EQ(bp_generator_reserve(g, row.numel, &seed, &offset, nullptr), BP_OK);
    EXPECT_EQ(seed, 7u);
    EXPECT_EQ(offset, row.first);
  }
  EXPECT_EQ(state(g), (State{7, 1000024}));
}

TEST_F(Generator, GivesItsStateBack) {
  uint64_t seed, offset;
  bp_generator_reserve(g, 10, &seed, &offset, nullptr);
  ASSERT_EQ(bp_generator_set_state(g, 123, 40, nullptr), BP_OK);
  EXPECT_EQ(state(g), (State{123, 40}));
  ASSERT_EQ(bp_generator_seed(g, 5, nullptr), BP_OK);
  EXPECT_EQ(state(g), (State{5, 0}));
}

TEST_F(Generator, NeverGivesOneCounterTwice) {
  std::vector<std::vector<uint64_t>> firsts(4);
  std::vector<std::thread> threads;
  for (auto& mine : firsts)
    threads.emplace_back([&mine, this] {
      for (int i = 0; i < 1000; ++i) {
        uint64_t seed, first;
        bp_generator_reserve(g, 3, &seed, &first, nullptr);
        mine.push_back(first);
      }
    });
  for (auto& t : threads) t.join();
  std::vector<bool> seen(4000);
  for (const auto& mine : firsts)
    for (const uint64_t first : mine) {
      ASSERT_EQ(first % 4, 0u);
      ASSERT_FALSE(seen[first / 4]);
      seen[first / 4] = true;
    }
}

TEST_F(Generator, RefusesNullNegativeAndForeignHandles) {
  uint64_t a, b;
  EXPECT_EQ(bp_generator_create(1, nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_generator_seed(nullptr, 1, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_generator_get_state(g, nullptr, &b, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_generator_get_state(g, &a, nullptr, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_generator_reserve(g, -1, &a, &b, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_generator_reserve(nullptr, 1, &a, &b, nullptr), BP_INVALID_ARGUMENT);
  bp_context* context = nullptr;
  ASSERT_EQ(bp_context_capture(&context, nullptr), BP_OK);
  auto* foreign = reinterpret_cast<bp_generator*>(context);
  EXPECT_EQ(bp_generator_seed(foreign, 1, nullptr), BP_INVALID_ARGUMENT);
  bp_generator_release(foreign);
  bp_generator_release(nullptr);
  EXPECT_EQ(bp_generator_retain(nullptr), nullptr);
  bp_context_release(context);
}

TEST_F(Generator, DefaultsStartWithPyTorchsSeedAndFollowManualSeed) {
  bp_generator *cpu = nullptr, *again = nullptr, *later = nullptr;
  ASSERT_EQ(bp_generator_default(kCpu, &cpu, nullptr), BP_OK);
  EXPECT_EQ(state(cpu), (State{67280421310721, 0}));
  ASSERT_EQ(bp_generator_default(bp_device_make(BP_KIND_CPU, 0), &again, nullptr), BP_OK);
  EXPECT_EQ(cpu, again);
  uint64_t seed, offset;
  bp_generator_reserve(cpu, 9, &seed, &offset, nullptr);
  ASSERT_EQ(bp_manual_seed(42, nullptr), BP_OK);
  EXPECT_EQ(state(cpu), (State{42, 0}));
  EXPECT_EQ(state(g), (State{7, 0})) << "the caller's own generators keep their seed";
  // Equal seed on every device, and on those that are opened later.
  ASSERT_EQ(bp_generator_default(device("null:1"), &later, nullptr), BP_OK);
  EXPECT_NE(later, cpu);
  EXPECT_EQ(state(later), (State{42, 0}));
  for (bp_generator* x : {cpu, again, later}) bp_generator_release(x);
  // A new generation starts over.
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  ASSERT_EQ(bp_generator_default(kCpu, &cpu, nullptr), BP_OK);
  EXPECT_EQ(state(cpu), (State{67280421310721, 0}));
  bp_generator_release(cpu);
}

}  // namespace
}  // namespace bp_test
