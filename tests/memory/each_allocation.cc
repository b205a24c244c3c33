// SPDX-License-Identifier: Apache-2.0
#include "memory/each_allocation.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "kit/devices.h"

namespace bp_test {
namespace {

struct Count {
  long calls = 0, points = 0;
};
// Prints what was tried, for whoever runs all of it.
class Table : public testing::Environment {
 public:
  std::map<std::string, Count> families;
  void TearDown() override {
    if (!std::getenv("BP_MEMORY_EVERY")) return;
    std::printf("%-16s %8s %10s\n", "family", "calls", "points");
    for (const auto& [family, n] : families)
      std::printf("%-16s %8ld %10ld\n", family.c_str(), n.calls, n.points);
  }
};
Table& table() {
  static Table& t =
      *static_cast<Table*>(testing::AddGlobalTestEnvironment(new Table));  // gtest's from now on
  return t;
}
[[maybe_unused]] Table& at_start = table();

size_t n_threads() {
  size_t n = 0;
  DIR* threads = ::opendir("/proc/self/task");
  while (const dirent* entry = ::readdir(threads)) n += entry->d_name[0] != '.';
  ::closedir(threads);
  return n;
}

// Blocks that the devices have handed out.
uint64_t live() {
  uint64_t n = 0;
  for (const char* name : {"cpu", "sim:0", "sim:1"}) {
    const bp_device d = device(name);
    bp_synchronize(d, nullptr);
    n += memory_of(d).n_live;
  }
  return n;
}

// Threads of the library end by themselves, a moment after nobody needs them.
void await_threads(const Call& call, size_t most) {
  if (call.threads == Exhausted::kAllThreads)
    for (int i = 0; i < 100 && n_threads() > most; ++i) ::usleep(500);
}

struct Held {
  uint64_t live = bp_test::live();
  long blocks = blocks_held();
};

// Whether an allocation was refused. Counts what went wrong.
bool fails_once(const Call& call, long granted, long refused) {
  bp_error* err = nullptr;
  bp_status status;
  bool struck;
  {
    const Exhausted after(granted, refused, call.threads);
    status = call.run(&err);
    struck = Exhausted::struck();
  }
  const std::string point = call.family + ": " + call.name + ": allocation " +
                            std::to_string(granted) + (refused == 1 ? "" : " and all later ones");
  if (status < 0) {
    EXPECT_TRUE(struck) << point << ": " << bp_error_message(err, nullptr);
    EXPECT_TRUE(status == BP_OUT_OF_HOST_MEMORY || status == BP_OUT_OF_DEVICE_MEMORY)
        << point << ": " << bp_status_name(status) << ": " << bp_error_message(err, nullptr);
    EXPECT_NE(err, nullptr) << point;
    EXPECT_EQ(bp_error_code(err), status) << point;
  } else {
    EXPECT_EQ(err, nullptr) << point;
  }
  bp_error_release(err);
  err = nullptr;
  EXPECT_GE(call.run(&err), 0) << "after " << point << ": " << bp_error_message(err, nullptr);
  bp_error_release(err);
  return struck;
}

// What threads keep for reuse may grow, to 32 objects of a type (recycled.h), and so may tables
// that stay; what each of many equal failures makes grow leaks.
bool leaks(const Call& call, long granted, long refused, const Held& before, size_t threads) {
  if (call.keeps) return false;
  Held last = before;
  for (int i = 0; i < 64; ++i) {
    await_threads(call, threads);
    const Held now;
    if (now.live <= last.live && now.blocks <= last.blocks) return false;
    last = now;
    fails_once(call, granted, refused);
  }
  return true;
}

int faults_so_far() {
  return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

}  // namespace

long next_allocation(long granted) {
  static const char* every = std::getenv("BP_MEMORY_EVERY");
  static const long step = every ? std::strtol(every, nullptr, 10) : 7;
  return granted + (granted < 40 || step < 1 ? 1 : step);
}

void fail_each_allocation(const Call& call) {
  Count& count = table().families[call.family];
  ++count.calls;
  int failures = 0;
  for (int i = 0; i < 20; ++i) {  // until what threads keep for reuse is full
    bp_error* err = nullptr;
    ASSERT_GE(call.run(&err), 0) << call.name << ": " << bp_error_message(err, nullptr);
  }
  if (call.threads == Exhausted::kAllThreads) ::usleep(100000);
  const size_t threads = n_threads();
  for (const long refused : {1L, Exhausted::kForEver})
    for (long granted = 0;; granted = next_allocation(granted)) {
      await_threads(call, threads);
      ASSERT_LT(granted, 1000000);
      const int faults = faults_so_far();
      const Held before;
      if (!fails_once(call, granted, refused)) break;
      ++count.points;
      EXPECT_FALSE(leaks(call, granted, refused, before, threads))
          << call.name << " leaks when allocation " << granted << " fails";
      if (faults_so_far() > faults && ++failures > 20) return;
    }
}

}  // namespace bp_test
