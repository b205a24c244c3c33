// SPDX-License-Identifier: Apache-2.0
#include "memory/each_point.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <new>

#include "kit/child.h"
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
  bool is_asked_for = false;
  void TearDown() override {
    if (!is_asked_for) return;
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
  if (call.threads == Threads::kAll)
    for (int i = 0; i < 100 && n_threads() > most; ++i) ::usleep(500);
}

struct Held {
  explicit Held(Failure& failure) : live(bp_test::live()), beneath(failure.held()) {}
  bool is_within(const Held& other) const {
    bool within = live <= other.live;
    for (size_t i = 0; i < beneath.size(); ++i) within = within && beneath[i] <= other.beneath[i];
    return within;
  }
  uint64_t live;
  Failure::Held beneath;
};

std::string name_of(const Failure& failure, long granted, long refused) {
  return failure.point + " " + std::to_string(granted) +
         (refused == 1 ? "" : " and all later ones");
}

// Whether something was refused. Counts what went wrong.
bool fails_once(const Call& call, Failure& failure, long granted, long refused) {
  bp_error* err = nullptr;
  failure.start(granted, refused, call.threads);
  const bp_status status = call.run(&err);
  const bool struck = failure.stop();
  const std::string point =
      call.family + ": " + call.name + ": " + name_of(failure, granted, refused);
  if (status < 0) {
    EXPECT_TRUE(struck) << point << ": " << bp_error_message(err, nullptr);
    EXPECT_NE(err, nullptr) << point;
    EXPECT_EQ(bp_error_code(err), status) << point;
  } else {
    EXPECT_EQ(err, nullptr) << point;
  }
  if (struck) {
    EXPECT_EQ(failure.fault_in(status, err), "")
        << point << ": " << bp_status_name(status) << ": " << bp_error_message(err, nullptr);
  }
  bp_error_release(err);
  err = nullptr;
  EXPECT_GE(call.run(&err), 0) << "after " << point << ": " << bp_error_message(err, nullptr);
  bp_error_release(err);
  return struck;
}

// What threads keep for reuse may grow, to 32 objects of a type (recycled.h), and so may tables
// that stay; what each of many equal failures makes grow leaks.
bool leaks(const Call& call, Failure& failure, long granted, long refused, const Held& before,
           size_t threads) {
  if (call.keeps) return false;
  Held last = before;
  for (int i = 0; i < 64; ++i) {
    await_threads(call, threads);
    const Held now(failure);
    if (now.is_within(last)) return false;
    last = now;
    fails_once(call, failure, granted, refused);
  }
  return true;
}

int faults_so_far() {
  return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

long next_point(const Failure& failure, long granted) {
  const char* every = std::getenv(failure.every);
  const long step = every ? std::strtol(every, nullptr, 10) : 7;
  return granted + (granted < 40 || step < 1 ? 1 : step);
}

// What a child found, in memory that it shares with the tests.
struct Found {
  bool struck;
  char wrong[512];
};

bool say(Found* found, const std::string& what, const bp_error* err = nullptr) {
  std::snprintf(found->wrong, sizeof found->wrong, "%s: %s", what.c_str(),
                bp_error_message(err, nullptr));
  return false;
}

bool holds(First call, Failure& failure, long granted, long refused, Threads threads,
           Found* found) {
  bp_error* err = nullptr;
  failure.start(granted, refused, threads);
  bp_status status = call(&err);
  found->struck = failure.stop();
  if (status < 0 && (!found->struck || !err)) return say(found, bp_status_name(status), err);
  if (found->struck)
    if (const std::string fault = failure.fault_in(status, err); !fault.empty())
      return say(found, fault, err);
  bp_error_release(err);
  err = nullptr;
  if (const std::string why = failure.recovered(status, call); !why.empty()) return say(found, why);
  if (call(&err) < 0) return say(found, "made again", err);
  if (bp_shutdown(-1, &err) != BP_OK) return say(found, "bp_shutdown", err);
  const std::string left = failure.left_behind();
  return left.empty() || say(found, left);
}

}  // namespace

void fail_each_point(const Call& call, Failure& failure) {
  Count& count = table().families[call.family];
  if (std::getenv(failure.every)) table().is_asked_for = true;
  ++count.calls;
  int failures = 0;
  for (int i = 0; i < 20; ++i) {  // until what threads keep for reuse is full
    bp_error* err = nullptr;
    ASSERT_GE(call.run(&err), 0) << call.name << ": " << bp_error_message(err, nullptr);
  }
  if (call.threads == Threads::kAll) ::usleep(100000);
  const size_t threads = n_threads();
  for (const long refused : {1L, Failure::kForEver})
    for (long granted = 0;; granted = next_point(failure, granted)) {
      await_threads(call, threads);
      ASSERT_LT(granted, 1000000);
      const int faults = faults_so_far();
      const Held before(failure);
      if (!fails_once(call, failure, granted, refused)) break;
      ++count.points;
      EXPECT_FALSE(leaks(call, failure, granted, refused, before, threads))
          << call.name << " leaks at " << name_of(failure, granted, refused);
      if (faults_so_far() > faults && ++failures > 20) return;
    }
}

void fail_each_point_of_first(First call, Failure& failure, Threads threads) {
  auto* found = static_cast<Found*>(
      ::mmap(nullptr, sizeof(Found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  long points = 0;
  for (const long refused : {1L, Failure::kForEver})
    for (long granted = 0, bad = 0; bad < 5; granted = next_point(failure, granted)) {
      new (found) Found{};
      const int status =
          status_of_child([&] { return holds(call, failure, granted, refused, threads, found); });
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        ++bad;
        ADD_FAILURE() << name_of(failure, granted, refused) << " failed: child status " << status
                      << ": " << found->wrong;
      }
      if (WIFEXITED(status) && !found->struck) break;
      ++points;
    }
  ::munmap(found, sizeof *found);
  EXPECT_GT(points, 0);
  testing::Test::RecordProperty("points", static_cast<int>(points));
  if (std::getenv(failure.every)) table().is_asked_for = true;
  Count& count = table().families[testing::UnitTest::GetInstance()->current_test_info()->name()];
  ++count.calls;
  count.points += points;
}

}  // namespace bp_test
