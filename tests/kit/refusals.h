// SPDX-License-Identifier: Apache-2.0
// refusals.h: a plan by which a function of this program refuses, which stands in for one of the
// system's: so many calls are granted, so many are then refused, and others are granted again.
//
//   constinit Refusals threads;
//   threads.start(2, 1);                      // the third one fails
//   if (threads.refuses()) return EAGAIN;
#pragma once
#include <atomic>
#include <limits>

class Refusals {
 public:
  static constexpr long kForEver = std::numeric_limits<long>::max();

  void start(long granted, long refused) {
    granted_left_ = granted;
    refused_left_ = refused;
    struck_ = false;
    counts_ = true;
  }
  void stop() { counts_ = false; }
  bool counts() const { return counts_; }  // some test asks for something
  bool struck() const { return struck_; }  // whether a call was refused
  bool refuses() {
    if (!counts_) return false;
    if (granted_left_ > 0 && granted_left_-- > 0) return false;
    if (refused_left_ <= 0 || refused_left_-- <= 0) return false;
    struck_ = true;
    return true;
  }

 private:
  std::atomic<bool> counts_{false}, struck_{false};
  std::atomic<long> granted_left_{0}, refused_left_{0};
};
