// SPDX-License-Identifier: Apache-2.0
// lanes.h: makes a Run of what an opcode does to one lane:
//   {"add.s32", {kInteger, "444", map<uint32_t(uint32_t, uint32_t)>([](auto a, auto b) { return a + b; })}}
// A result of bool is a predicate, and so is an operand of bool.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include "warp.h"

namespace machine {

template <class T>
inline T operand(Warp& w, uint32_t at, int lane) {
  if constexpr (std::is_same_v<T, bool>)
    return w.predicate(at) >> lane & 1;
  else
    return w.lanes<T>(at)[lane];
}

// Calls f for 32 lanes or for those of a mask.
template <class F>
void each_lane(uint32_t mask, F f) {
  if (mask == ~0u) {
#pragma GCC ivdep
    for (int lane = 0; lane < kLanes; ++lane) f(lane);
  } else {
    for (uint32_t left = mask; left; left &= left - 1) f(std::countr_zero(left));
  }
}

template <class Signature, class F>
struct Map;
template <class R, class... S, class F>
struct Map<R(S...), F> {
  static void run(Warp& w, const Instruction& i, uint32_t mask) {
    run_on(w, i, mask, std::index_sequence_for<S...>{});
  }

 private:
  template <size_t... K>
  static void run_on(Warp& w, const Instruction& i, uint32_t mask, std::index_sequence<K...>) {
    if constexpr (std::is_same_v<R, bool>) {
      uint32_t bits = 0;
      for (int lane = 0; lane < kLanes; ++lane)
        bits |= uint32_t{F{}(operand<S>(w, i.at[K + 1], lane)...)} << lane;
      uint32_t& to = w.predicate(i.at[0]);
      to = (to & ~mask) | (bits & mask);
    } else if (mask == ~0u) {
      R* to = w.lanes<R>(i.at[0]);
#pragma GCC ivdep
      for (int lane = 0; lane < kLanes; ++lane) to[lane] = F{}(operand<S>(w, i.at[K + 1], lane)...);
    } else {
      R* to = w.lanes<R>(i.at[0]);
      for (uint32_t left = mask; left; left &= left - 1) {
        const int lane = std::countr_zero(left);
        to[lane] = F{}(operand<S>(w, i.at[K + 1], lane)...);
      }
    }
  }
};
template <class Signature, class F>
constexpr Run map(F) {
  static_assert(std::is_empty_v<F>, "a lambda without captures");
  return &Map<Signature, F>::run;
}

}  // namespace machine
