// SPDX-License-Identifier: Apache-2.0
// each_point.h: a call of the library made again and again, with something beneath it failing at
// another point each time, in each manner that it can. Afterwards the call has succeeded or said
// what failed, nothing is left behind, and the same call succeeds.
//
//   OutOfMemory memory;   // a Failure
//   fail_each_point(call, memory);
#pragma once
#include <array>
#include <utility>
#include <vector>

#include "kit/call.h"
#include "kit/refusals.h"

namespace bp_test {

// What fails. One at a time.
class Failure {
 public:
  using Held = std::array<long, 10>;

  // every: the variable of the environment whose number n asks for every n-th point, instead of all
  // the first ones and a sample of the later ones. manners: in what ways it fails.
  explicit Failure(const char* every, std::vector<std::string> manners = {"once", "from then on"})
      : every(every), manners(std::move(manners)) {}
  virtual ~Failure() = default;
  Failure(const Failure&) = delete;
  Failure& operator=(const Failure&) = delete;

  // The first `granted` succeed, and the next fails in the manner of that index, until stop(),
  // which names what failed first, "" when nothing did.
  virtual void start(long granted, size_t manner, Threads threads) = 0;
  virtual std::string stop() = 0;
  // What is wrong with the answer of a call, which met a failure where it is one; "" when nothing
  // is. `err` is NULL when it succeeded.
  virtual std::string fault_in(bp_status status, const bp_error* err) = 0;
  // Counts of what is held beneath the library.
  virtual Held held() { return {}; }
  // After the failed first use of a process: makes the next one possible, or says why not.
  virtual std::string recovered(bp_status, const Run&) { return ""; }
  // After a shutdown: what is left; "" when nothing is.
  virtual std::string left_behind() { return ""; }

  const char* const every;
  const std::vector<std::string> manners;

 protected:
  // How many are refused, of those two manners.
  static long refused(size_t manner) { return manner == 0 ? 1 : Refusals::kForEver; }
};

// Reports every fault as a failure of the test.
void fail_each_point(const Call& call, Failure& failure);
// The same for what a process does once: each time in a child of this process, which must not have
// used the library. The child then shuts it down.
void fail_each_point_of_first(const Run& call, Failure& failure, Threads threads = Threads::kThis);

}  // namespace bp_test
