// SPDX-License-Identifier: Apache-2.0
// divide.h: true division, floor_divide, remainder, fmod, pow. The second and the third follow
// Python and PyTorch: they take an exact fmod and correct it by the sign of the divisor.
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu::functors {
namespace {  // each family compiles its own, and nothing of it by itself

struct Div {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return a / b;
  }
};

// For integers: 0 where b is 0; the most negative number by -1 wraps to itself, remainder 0.
struct Remainder {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return 0;
        const T r = static_cast<T>(a % b);
        return static_cast<T>(r + (r != 0 && (r < 0) != (b < 0) ? b : 0));
      } else {
        return static_cast<T>(a % b);
      }
    } else {
      const T r = fmod(a, b);
      if (r == 0) return copysign(T(0), b);  // Python's zero has the sign of b
      return (r < 0) != (b < 0) ? r + b : r;
    }
  }
};

struct Fmod {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return 0;
      return b == 0 ? T(0) : static_cast<T>(a % b);
    } else {
      return fmod(a, b);
    }
  }
};

struct FloorDivide {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<T>) {
        if (b == -1) return static_cast<T>(Wrapping<T>{0} - static_cast<Wrapping<T>>(a));
        const T q = static_cast<T>(a / b), r = static_cast<T>(a % b);
        return static_cast<T>(q - (r != 0 && (r < 0) != (b < 0)));
      } else {
        return static_cast<T>(a / b);
      }
    } else {
      if (b == 0) return a / b;
      const T r = fmod(a, b);
      T q = (a - r) / b;
      if (r != 0 && (r < 0) != (b < 0)) q -= 1;
      if (q == 0) return copysign(T(0), a / b);
      const T y = floor(q);
      return q - y > T(0.5) ? y + 1 : y;
    }
  }
};

// Integers take repeated squaring, which wraps.
struct Pow {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if constexpr (std::is_signed_v<T>)
        if (b < 0) return a == 1 ? T{1} : a == -1 ? static_cast<T>(b % 2 == 0 ? 1 : -1) : T{0};
      Wrapping<T> base = static_cast<Wrapping<T>>(a), y = 1;
      for (auto e = static_cast<std::make_unsigned_t<T>>(b); e;
           e = static_cast<decltype(e)>(e >> 1)) {
        if (e & 1) y *= base;
        base *= base;
      }
      return static_cast<T>(y);
    } else {
      return pow(a, b);
    }
  }
};

}  // namespace
}  // namespace bp_gpu::functors
