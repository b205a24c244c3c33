// SPDX-License-Identifier: Apache-2.0
// extreme.h: the larger and the smaller of two, NaN first, over numbers and registers.
#pragma once
#include <limits>
#include <type_traits>

namespace bp_cpu::BP_ISA {
namespace {

template <class A>
struct Larger {
  static constexpr A identity() {
    return std::is_floating_point_v<A> ? -std::numeric_limits<A>::infinity()
                                       : std::numeric_limits<A>::lowest();
  }
  static bool better(A a, A b) { return (a > b) | ((a != a) & (b == b)); }  // a goes before b
  template <class V>
  static V of(V a, V b) {
    if constexpr (std::is_floating_point_v<A>)
      return ((a > b) | (a != a)) ? a : b;
    else
      return a > b ? a : b;
  }
};

template <class A>
struct Smaller {
  static constexpr A identity() {
    return std::is_floating_point_v<A> ? std::numeric_limits<A>::infinity()
                                       : std::numeric_limits<A>::max();
  }
  static bool better(A a, A b) { return (a < b) | ((a != a) & (b == b)); }
  template <class V>
  static V of(V a, V b) {
    if constexpr (std::is_floating_point_v<A>)
      return ((a < b) | (a != a)) ? a : b;
    else
      return a < b ? a : b;
  }
};

}  // namespace
}  // namespace bp_cpu::BP_ISA
