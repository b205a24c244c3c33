// SPDX-License-Identifier: Apache-2.0
// binary_math.h: functions of two floats, by the device's own functions.
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu::functors {
namespace {  // each family compiles its own, and nothing of it by itself

struct Atan2 {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return atan2(a, b);
  }
};
struct Hypot {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return hypot(a, b);
  }
};
// The distance of equal operands is 0, infinite ones included.
struct LogAddExp {
  template <class T>
  GPU_FN static T of(T a, T b) {
    const T distance = a == b ? T(0) : fabs(a - b);
    return (a > b ? a : b) + log1p(exp(-distance));
  }
};
struct CopySign {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return copysign(a, b);
  }
};

}  // namespace
}  // namespace bp_gpu::functors
