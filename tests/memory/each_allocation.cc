// SPDX-License-Identifier: Apache-2.0
#include "memory/each_allocation.h"

#include <optional>

#include "memory/exhausted.h"

namespace bp_test {
namespace {

// The answer of a call whose memory ran out, whatever asked for it.
class Exhaustion : public Failure {
 public:
  Exhaustion() : Failure("BP_MEMORY_EVERY") {}
  std::string fault_in(bp_status status, const bp_error*) override {
    return status >= 0 || status == BP_OUT_OF_HOST_MEMORY || status == BP_OUT_OF_DEVICE_MEMORY
               ? ""
               : "it does not say that memory ran out";
  }
  Held held() override { return {blocks_held()}; }
};

class OutOfMemory final : public Exhaustion {
 public:
  explicit OutOfMemory(std::string (*left_behind)() = nullptr) : left_behind_(left_behind) {}
  void start(long granted, size_t manner, Threads threads) override {
    now_.emplace(granted, refused(manner),
                 threads == Threads::kAll ? Exhausted::kAllThreads : Exhausted::kThisThread);
  }
  std::string stop() override {
    now_.reset();
    return Exhausted::struck() ? "allocation" : "";
  }
  std::string left_behind() override { return left_behind_ ? left_behind_() : ""; }

 private:
  std::string (*const left_behind_)();
  std::optional<Exhausted> now_;
};

class OutOfThreads final : public Exhaustion {
 public:
  explicit OutOfThreads(bool all_or_none = false) : all_or_none_(all_or_none) {}
  void start(long granted, size_t manner, Threads) override {
    now_.emplace(all_or_none_ && granted > 0 ? Refusals::kForEver : granted,
                 all_or_none_ ? Refusals::kForEver : refused(manner));
  }
  std::string stop() override {
    now_.reset();
    return NoThreads::struck() ? "thread" : "";
  }

 private:
  const bool all_or_none_;
  std::optional<NoThreads> now_;
};

}  // namespace

void fail_each_allocation(const Call& call) {
  OutOfMemory memory;
  fail_each_point(call, memory);
}
void fail_each_allocation_of_first(const Run& call, Threads threads, std::string (*left_behind)()) {
  OutOfMemory memory(left_behind);
  fail_each_point_of_first(call, memory, threads);
}
void fail_each_thread_of_first(const Run& call) {
  OutOfThreads threads;
  fail_each_point_of_first(call, threads);
}
void fail_all_threads_of_first(const Run& call) {
  OutOfThreads threads(/*all_or_none=*/true);
  fail_each_point_of_first(call, threads);
}

}  // namespace bp_test
