// SPDX-License-Identifier: Apache-2.0
#include "kit/each_point.h"

#include <cstdio>
#include <cstdlib>

namespace bp_test {
namespace {

void make_once(const Call& call, Failing& failing, long point, bool* reached) {
  bp_error* err = nullptr;
  bp_status status = BP_OK;
  *reached = failing.reaches(point, [&] { status = call.run(&err); });
  const std::string named = call.family + ": " + call.name + ": " + failing.named(point);
  if (status < 0) {
    EXPECT_TRUE(*reached) << named << ": " << bp_error_message(err, nullptr);
    EXPECT_NE(err, nullptr) << named;
    EXPECT_EQ(bp_error_code(err), status) << named;
  } else {
    EXPECT_EQ(err, nullptr) << named;
  }
  failing.judge(named, *reached, status, bp_error_message(err, nullptr));
  bp_error_release(err);
  err = nullptr;
  EXPECT_GE(call.run(&err), 0) << "after " << named << ": " << bp_error_message(err, nullptr);
  bp_error_release(err);
}

// What threads keep for reuse may grow, to 32 objects of a type (recycled.h), and so may tables
// that stay; what each of many equal failures makes grow leaks.
bool leaks(const Call& call, Failing& failing, long point, std::vector<uint64_t> last) {
  if (call.keeps) return false;
  for (int i = 0; i < 64; ++i) {
    const std::vector<uint64_t> now = failing.held();
    bool grew = false;
    for (size_t k = 0; k < now.size(); ++k) grew |= now[k] > last[k];
    if (!grew) return false;
    last = now;
    bool reached;
    make_once(call, failing, point, &reached);
  }
  return true;
}

int faults_so_far() {
  return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count();
}

bool says_wrong(Found* found, const char* when, bp_status status, const char* message,
                const std::string& why = "") {
  std::snprintf(found->wrong, sizeof found->wrong, "%s: %s: %s%s%s", when, bp_status_name(status),
                message, why.empty() ? "" : ": ", why.c_str());
  return false;
}

bool holds(const First& call, long point, const Strike& strike, const Judge& judge, Found* found) {
  bp_error* err = nullptr;
  bp_status status = strike(point, &err, &found->struck);
  const char* message = bp_error_message(err, nullptr);
  if (status < 0 && (!found->struck || !err))
    return says_wrong(found, "without a cause", status, message);
  if (found->struck)
    if (const std::string why = judge(status, message); !why.empty())
      return says_wrong(found, "in between", status, message, why);
  bp_error_release(err);
  err = nullptr;
  status = call(&err);
  if (status < 0)
    return says_wrong(found, "when nothing fails", status, bp_error_message(err, nullptr));
  status = bp_shutdown(-1, &err);
  return status == BP_OK ||
         says_wrong(found, "bp_shutdown", status, bp_error_message(err, nullptr));
}

}  // namespace

Points::Points(const char* variable, long step)
    : printed_(std::getenv(variable)),
      step_(printed_ ? std::strtol(std::getenv(variable), nullptr, 10) : step) {}

long Points::next(long point) const { return point + (point < 40 || step_ < 1 ? 1 : step_); }

void Points::count(const std::string& family, long calls, long points) {
  families_[family].calls += calls;
  families_[family].points += points;
}

void Points::TearDown() {
  if (!printed_) return;
  std::printf("%-16s %8s %10s\n", "family", "calls", "points");
  for (const auto& [family, n] : families_)
    std::printf("%-16s %8ld %10ld\n", family.c_str(), n.calls, n.points);
}

void fail_each_point(const Call& call, Failing& failing, Points& points) {
  int failures = 0;
  for (long point = 0;; point = points.next(point)) {
    ASSERT_LT(point, 1000000);
    const int faults = faults_so_far();
    const std::vector<uint64_t> before = failing.held();
    bool reached;
    make_once(call, failing, point, &reached);
    if (!reached) return;
    points.count(call.family, 0, 1);
    EXPECT_FALSE(leaks(call, failing, point, before))
        << call.name << " leaks: " << failing.named(point);
    if (faults_so_far() > faults && ++failures > 20) return;
  }
}

long fail_each_point_of_a_first(const First& call, const std::string& what, const Points& points,
                                const Strike& strike, const Judge& judge) {
  auto* found = static_cast<Found*>(
      ::mmap(nullptr, sizeof(Found), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  long n = 0;
  for (long point = 0, bad = 0; bad < 5; point = points.next(point)) {
    new (found) Found{};
    const int status = status_of_child([&] { return holds(call, point, strike, judge, found); });
    const bool whole = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (!whole) {
      ++bad;
      ADD_FAILURE() << what << " " << point << ": child status " << status << ": " << found->wrong;
    }
    if (WIFEXITED(status) && !found->struck) break;
    ++n;
  }
  ::munmap(found, sizeof *found);
  return n;
}

}  // namespace bp_test
