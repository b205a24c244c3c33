// SPDX-License-Identifier: Apache-2.0
// exhausted.h: memory that runs out when a test says so, on this thread alone. This program's
// malloc, which the libraries share, refuses.
//
//   {
//     const Exhausted now;   // no allocation succeeds
//     status = bp_add(a, b, &c, &err);
//   }
#pragma once
#include <limits>

class Exhausted {
 public:
  // The first `granted` allocations succeed, the next `refused` fail, and others succeed again.
  explicit Exhausted(long granted = 0, long refused = std::numeric_limits<long>::max());
  ~Exhausted();
  Exhausted(const Exhausted&) = delete;
  Exhausted& operator=(const Exhausted&) = delete;
  // Whether an allocation was refused.
  static bool struck();
};
