// SPDX-License-Identifier: Apache-2.0
// exhausted.h: memory that runs out when a test says so, on this thread alone or on all of them.
// This program's malloc, which the libraries share, refuses; it also counts.
//
//   {
//     const Exhausted now;   // no allocation succeeds
//     status = bp_add(a, b, &c, &err);
//   }
#pragma once
#include "kit/refusals.h"

class Exhausted {
 public:
  enum Threads { kThisThread, kAllThreads };
  static constexpr long kForEver = Refusals::kForEver;

  // The first `granted` allocations succeed, the next `refused` fail, and others succeed again.
  explicit Exhausted(long granted = 0, long refused = kForEver, Threads threads = kThisThread);
  ~Exhausted();
  Exhausted(const Exhausted&) = delete;
  Exhausted& operator=(const Exhausted&) = delete;
  // Whether an allocation was refused.
  static bool struck();
};

// How many blocks of memory this process has and did not free, on all threads.
long blocks_held();

// Threads that the system refuses to start. At most one of these at a time.
class NoThreads {
 public:
  // The first `granted` threads start, the next `refused` do not, and others do again.
  explicit NoThreads(long granted = 0, long refused = Exhausted::kForEver);
  ~NoThreads();
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;
  static bool struck();
};
