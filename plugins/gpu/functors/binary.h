// SPDX-License-Identifier: Apache-2.0
// binary.h: functors of two operands: arithmetic, extrema and bits.
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu::functors {
namespace {  // each family compiles its own, and nothing of it by itself

struct Add {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
    else
      return a + b;
  }
  GPU_FN static Bool of(Bool a, Bool b) { return {static_cast<uint8_t>((a.byte | b.byte) != 0)}; }
};
struct Sub {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
    else
      return a - b;
  }
};
struct Mul {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
    else
      return a * b;
  }
  GPU_FN static Bool of(Bool a, Bool b) {
    return {static_cast<uint8_t>(a.byte != 0 && b.byte != 0)};
  }
};
// The comparison is false for a NaN in b, which is then taken; a NaN in a is tested for.
struct Maximum {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return (a > b || a != a) ? a : b;
  }
  GPU_FN static Bool of(Bool a, Bool b) { return Add::of(a, b); }
};
struct Minimum {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return (a < b || a != a) ? a : b;
  }
  GPU_FN static Bool of(Bool a, Bool b) { return Mul::of(a, b); }
};
struct And {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return static_cast<T>(a & b);
  }
  GPU_FN static Bool of(Bool a, Bool b) { return Mul::of(a, b); }
};
struct Or {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return static_cast<T>(a | b);
  }
  GPU_FN static Bool of(Bool a, Bool b) { return Add::of(a, b); }
};
struct Xor {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return static_cast<T>(a ^ b);
  }
  GPU_FN static Bool of(Bool a, Bool b) {
    return {static_cast<uint8_t>((a.byte != 0) != (b.byte != 0))};
  }
};

// A count that is negative or not below the width shifts everything out.
struct ShiftLeft {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if (b < 0 || b >= static_cast<T>(8 * sizeof(T))) return 0;
    return static_cast<T>(static_cast<Wrapping<T>>(a) << b);
  }
};
struct ShiftRight {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if (b < 0 || b >= static_cast<T>(8 * sizeof(T))) return a < 0 ? static_cast<T>(-1) : T(0);
    return static_cast<T>(a >> b);
  }
};

}  // namespace
}  // namespace bp_gpu::functors
