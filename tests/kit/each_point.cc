// SPDX-License-Identifier: Apache-2.0
#include "kit/each_point.h"

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

Count& counted(const std::string& family, const Failure& failure) {
  if (std::getenv(failure.every)) table().is_asked_for = true;
  Count& count = table().families[family];
  ++count.calls;
  return count;
}

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

// A point of a call, and what is tried there.
struct Point {
  const Run& run;
  Failure& failure;
  const Threads threads;
  long granted = 0;
  size_t manner = 0;

  void advance() {
    const char* every = std::getenv(failure.every);
    const long step = every ? std::strtol(every, nullptr, 10) : 7;
    granted += granted < 40 || step < 1 ? 1 : step;
  }
  // What is wrong when it fails, and the answer; "" when nothing is.
  std::string fault(bool* struck, bp_status* status) const {
    bp_error* err = nullptr;
    failure.start(granted, manner, threads);
    *status = run(&err);
    const std::string met = failure.stop();
    *struck = !met.empty();
    std::string wrong;
    if (*status < 0 ? !err || bp_error_code(err) != *status : err != nullptr)
      wrong = "its error is not its status";
    else if (*status < 0 && !*struck)
      wrong = "nothing was refused";
    else
      wrong = failure.fault_in(*status, err);
    if (!wrong.empty())
      wrong = met + ": " + wrong + ": " + bp_status_name(*status) + ": " +
              bp_error_message(err, nullptr);
    bp_error_release(err);
    return wrong;
  }
};
std::ostream& operator<<(std::ostream& out, const Point& p) {
  return out << "point " << p.granted << ", " << p.failure.manners[p.manner];
}

std::string fault_without_failure(const Run& run) {
  bp_error* err = nullptr;
  std::string wrong;
  if (run(&err) < 0) wrong = std::string("when nothing fails: ") + bp_error_message(err, nullptr);
  bp_error_release(err);
  return wrong;
}

// Whether the call came to the point.
bool fails_once(const Call& call, const Point& point) {
  bool struck = false;
  bp_status status = BP_OK;
  EXPECT_EQ(point.fault(&struck, &status), "") << call.family << ": " << call.name << ": " << point;
  EXPECT_EQ(fault_without_failure(call.run), "")
      << "after " << call.family << ": " << call.name << ": " << point;
  return struck;
}

// What threads keep for reuse may grow, to 32 objects of a type (recycled.h), and so may tables
// that stay; what each of many equal failures makes grow leaks.
bool leaks(const Call& call, const Point& point, const Held& before, size_t threads) {
  if (call.keeps) return false;
  Held last = before;
  for (int i = 0; i < 64; ++i) {
    await_threads(call, threads);
    const Held now(point.failure);
    if (now.is_within(last)) return false;
    last = now;
    fails_once(call, point);
  }
  return true;
}

int faults_so_far() {
  return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

// What a child found, in memory that it shares with the tests.
struct Found {
  bool struck;
  char wrong[512];
};

// In a child. What is wrong; "" when nothing is.
std::string fault_of_first(const Point& point, bool* struck) {
  bp_status status = BP_OK;
  std::string wrong = point.fault(struck, &status);
  if (wrong.empty()) wrong = point.failure.recovered(status, point.run);
  if (wrong.empty()) wrong = fault_without_failure(point.run);
  if (!wrong.empty()) return wrong;
  wrong = fault_without_failure([](bp_error** err) { return bp_shutdown(-1, err); });
  return wrong.empty() ? point.failure.left_behind() : "bp_shutdown: " + wrong;
}

}  // namespace

void fail_each_point(const Call& call, Failure& failure) {
  Count& count = counted(call.family, failure);
  int failures = 0;
  for (int i = 0; i < 20; ++i)  // until what threads keep for reuse is full
    ASSERT_EQ(fault_without_failure(call.run), "") << call.name;
  if (call.threads == Threads::kAll) ::usleep(100000);
  const size_t threads = n_threads();
  for (size_t manner = 0; manner < failure.manners.size(); ++manner)
    for (Point point{call.run, failure, call.threads, 0, manner};; point.advance()) {
      await_threads(call, threads);
      ASSERT_LT(point.granted, 1000000);
      const int faults = faults_so_far();
      const Held before(failure);
      if (!fails_once(call, point)) break;
      ++count.points;
      EXPECT_FALSE(leaks(call, point, before, threads)) << call.name << " leaks at " << point;
      if (faults_so_far() > faults && ++failures > 20) return;
    }
}

void fail_each_point_of_first(const Run& call, Failure& failure, Threads threads) {
  Count& count = counted(testing::UnitTest::GetInstance()->current_test_info()->name(), failure);
  const long before = count.points;
  auto* found = static_cast<Found*>(
      ::mmap(nullptr, sizeof(Found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  for (size_t manner = 0; manner < failure.manners.size(); ++manner) {
    int bad = 0;
    for (Point point{call, failure, threads, 0, manner}; bad < 5; point.advance()) {
      new (found) Found{};
      const int status = status_of_child([&] {
        const std::string wrong = fault_of_first(point, &found->struck);
        std::snprintf(found->wrong, sizeof found->wrong, "%s", wrong.c_str());
        return wrong.empty();
      });
      if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        ++bad;
        ADD_FAILURE() << point << ": child status " << status << ": " << found->wrong;
      }
      if (WIFEXITED(status) && !found->struck) break;
      ++count.points;
    }
  }
  ::munmap(found, sizeof *found);
  EXPECT_GT(count.points, before);
}

}  // namespace bp_test
