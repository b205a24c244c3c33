// SPDX-License-Identifier: Apache-2.0
#include "memory/each_allocation.h"

#include <dirent.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "kit/devices.h"

namespace bp_test {
namespace {

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
void await_threads(const MemoryCall& call, size_t most) {
  if (call.threads == Exhausted::kAllThreads)
    for (int i = 0; i < 100 && n_threads() > most; ++i) ::usleep(500);
}

class Allocations : public Failing {
 public:
  Allocations(const MemoryCall& call, long refused, size_t threads)
      : call_(call), refused_(refused), threads_(threads) {}
  bool reaches(long point, const std::function<void()>& make) override {
    const Exhausted after(point, refused_, call_.threads);
    make();
    return Exhausted::struck();
  }
  std::string named(long point) const override {
    return "allocation " + std::to_string(point) + (refused_ == 1 ? "" : " and all later ones");
  }
  void judge(const std::string& point, bool, bp_status status, const char* message) override {
    EXPECT_TRUE(status >= 0 || status == BP_OUT_OF_HOST_MEMORY || status == BP_OUT_OF_DEVICE_MEMORY)
        << point << ": " << bp_status_name(status) << ": " << message;
  }
  std::vector<uint64_t> held() override {
    await_threads(call_, threads_);
    return {live(), static_cast<uint64_t>(blocks_held())};
  }

 private:
  const MemoryCall& call_;
  const long refused_;
  const size_t threads_;
};

}  // namespace

Points& points() {
  static auto& all =
      *static_cast<Points*>(testing::AddGlobalTestEnvironment(new Points("BP_MEMORY_EVERY", 7)));
  return all;
}
[[maybe_unused]] static Points& at_start = points();

void fail_each_allocation(const MemoryCall& call) {
  points().count(call.family, 1, 0);
  for (int i = 0; i < 20; ++i) {  // until what threads keep for reuse is full
    bp_error* err = nullptr;
    ASSERT_GE(call.run(&err), 0) << call.name << ": " << bp_error_message(err, nullptr);
  }
  if (call.threads == Exhausted::kAllThreads) ::usleep(100000);
  const size_t threads = n_threads();
  for (const long refused : {1L, Exhausted::kForEver}) {
    Allocations allocations(call, refused, threads);
    fail_each_point(call, allocations, points());
  }
}

}  // namespace bp_test
