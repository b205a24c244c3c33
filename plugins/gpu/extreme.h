// SPDX-License-Identifier: Apache-2.0
// extreme.h: which of two numbers goes first: the larger or the smaller, NaN before all.
#pragma once
#include <limits>

#include "gpu/kernel.h"

namespace bp_gpu {

// What elements are compared as: small integers as 32 bits, which is what registers hold.
template <class T>
using Comparable = std::conditional_t<std::is_integral_v<T> && sizeof(T) < 4, int32_t, Calc<T>>;

// before(a, b) says whether a is strictly better than b; nothing is worse than last().
struct Larger {
  template <class A>
  GPU_FN static bool before(A a, A b) {
    return a > b || (a != a && b == b);
  }
  template <class A>
  static constexpr A last() {
    return std::is_floating_point_v<A> ? -std::numeric_limits<A>::infinity()
                                       : std::numeric_limits<A>::lowest();
  }
};
struct Smaller {
  template <class A>
  GPU_FN static bool before(A a, A b) {
    return a < b || (a != a && b == b);
  }
  template <class A>
  static constexpr A last() {
    return std::is_floating_point_v<A> ? std::numeric_limits<A>::infinity()
                                       : std::numeric_limits<A>::max();
  }
};

}  // namespace bp_gpu
