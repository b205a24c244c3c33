// SPDX-License-Identifier: Apache-2.0
// binary.cu: a op b for arithmetic, extrema and bits.
#include "gpu/elementwise.h"

namespace bp_gpu {
namespace {

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

void add_binary(Registry& r) {
  constexpr uint64_t kWithBool = kReals | bit(BP_BOOL), kBits = kIntegers | bit(BP_BOOL);
  add_binary<Add, kWithBool>(r, BP_OP_ADD);
  add_binary<Sub, kReals>(r, BP_OP_SUB);
  add_binary<Mul, kWithBool>(r, BP_OP_MUL);
  add_binary<Maximum, kWithBool>(r, BP_OP_MAXIMUM);
  add_binary<Minimum, kWithBool>(r, BP_OP_MINIMUM);
  add_binary<And, kBits>(r, BP_OP_BITWISE_AND);
  add_binary<Or, kBits>(r, BP_OP_BITWISE_OR);
  add_binary<Xor, kBits>(r, BP_OP_BITWISE_XOR);
  add_binary<ShiftLeft, kIntegers>(r, BP_OP_BITWISE_LEFT_SHIFT);
  add_binary<ShiftRight, kIntegers>(r, BP_OP_BITWISE_RIGHT_SHIFT);
}

}  // namespace bp_gpu
