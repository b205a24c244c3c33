// SPDX-License-Identifier: Apache-2.0
// binary_math.cu: functions of two floats, by the device's own functions.
#include "gpu/elementwise.h"
#include "gpu/functors/binary_math.h"

namespace bp_gpu {

using namespace functors;

namespace {

struct NextAfter {
  template <class T>
  GPU_FN static T of(T a, T b) {
    return nextafter(a, b);
  }
};
// A half steps by a unit of its own bits.
template <class Half>
struct NextAfterHalf {
  GPU_FN static float of(float a, float b) {
    if (a != a || b != b) return a + b;
    Half x = convert<Half>(a);
    const Half to = convert<Half>(b);
    const float from = to_float(x), target = to_float(to);
    if (from == target) return target;
    if (from == 0)
      x.bits = static_cast<uint16_t>((to.bits & 0x8000) | 1);
    else
      x.bits = static_cast<uint16_t>((target > from) == (from > 0) ? x.bits + 1 : x.bits - 1);
    return to_float(x);
  }
};
bp_status run_next_after(const bp_launch& l, bp_error** err) {
  return with_type_of<kFloats>(l.args[0].dtype, [&](auto t) {
    using T = decltype(t);
    if constexpr (kIsNarrow<T>)
      return map_binary<NextAfterHalf<T>, T>(l, err);
    else
      return map_binary<NextAfter, T>(l, err);
  });
}

}  // namespace

void add_binary_math(Registry& r) {
  add_binary<Atan2, kFloats>(r, BP_OP_ATAN2);
  add_binary<Hypot, kFloats>(r, BP_OP_HYPOT);
  add_binary<LogAddExp, kFloats>(r, BP_OP_LOGADDEXP);
  add_binary<CopySign, kFloats>(r, BP_OP_COPYSIGN);
  r.add(BP_OP_NEXTAFTER, kFloats, entry<run_next_after>);
}

}  // namespace bp_gpu
