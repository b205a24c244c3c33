// SPDX-License-Identifier: Apache-2.0
// each_point.h: a call of the library made again and again, with something beneath it failing at
// another point each time, there alone and from there on. Afterwards the call has succeeded or said
// what failed, nothing is left behind, and the same call succeeds.
//
//   OutOfMemory memory;   // a Failure
//   fail_each_point(call, memory);
#pragma once
#include <array>
#include <limits>

#include "memory/calls.h"

namespace bp_test {

using First = bp_status (*)(bp_error**);

// What fails. One at a time.
class Failure {
 public:
  static constexpr long kForEver = std::numeric_limits<long>::max();
  using Held = std::array<long, 8>;

  // point: what one is called, "allocation". every: the variable of the environment whose number n
  // asks for every n-th point, instead of all the first ones and a sample of the later ones.
  Failure(std::string point, const char* every) : point(std::move(point)), every(every) {}
  virtual ~Failure() = default;
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  // The first `granted` succeed, the next `refused` fail, and others succeed again until stop(),
  // which returns whether any was refused.
  virtual void start(long granted, long refused, Threads threads) = 0;
  virtual bool stop() = 0;
  // What is wrong with the answer of a call that met a refusal; "" when nothing is. `err` is NULL
  // when it succeeded.
  virtual std::string fault_in(bp_status status, const bp_error* err) = 0;
  // Counts of what is held beneath the library.
  virtual Held held() = 0;
  // After the failed first use of a process: makes the next one possible, or says why not.
  virtual std::string recovered(bp_status, First) { return ""; }
  // After a shutdown: what is left; "" when nothing is.
  virtual std::string left_behind() { return ""; }

  const std::string point;
  const char* const every;
};

// Reports every fault as a failure of the test.
void fail_each_point(const Call& call, Failure& failure);
// The same for what a process does once: each time in a child of this process, which must not have
// used the library. The child then shuts it down.
void fail_each_point_of_first(First call, Failure& failure, Threads threads = Threads::kThis);

}  // namespace bp_test
