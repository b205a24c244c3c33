// SPDX-License-Identifier: Apache-2.0
// compare.h: predicates of two operands; the result is bool.
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu::functors {
namespace {  // each family compiles its own, and nothing of it by itself

GPU_FN Bool truth(bool x) { return {static_cast<uint8_t>(x)}; }

// A Bool compares as 0 or 1; any byte other than 0 counts as 1.
template <class T>
GPU_FN T plain(T x) {
  return x;
}
GPU_FN uint8_t plain(Bool x) { return x.byte != 0; }

struct Eq {
  template <class T>
  GPU_FN static Bool of(T a, T b) {
    if constexpr (kIsComplex<T>)
      return truth(a.re == b.re && a.im == b.im);
    else
      return truth(plain(a) == plain(b));
  }
};
struct Ne {
  template <class T>
  GPU_FN static Bool of(T a, T b) {
    return truth(!Eq::of(a, b).byte);
  }
};

#define BP_PREDICATE(Name, expression)                \
  struct Name {                                       \
    template <class T>                                \
    GPU_FN static Bool of(T first, T second) {        \
      const auto a = plain(first), b = plain(second); \
      return truth(expression);                       \
    }                                                 \
  };
BP_PREDICATE(Lt, a < b)
BP_PREDICATE(Le, a <= b)
BP_PREDICATE(Gt, a > b)
BP_PREDICATE(Ge, a >= b)
BP_PREDICATE(LogicalAnd, a != 0 && b != 0)
BP_PREDICATE(LogicalOr, a != 0 || b != 0)
BP_PREDICATE(LogicalXor, (a != 0) != (b != 0))
#undef BP_PREDICATE

}  // namespace
}  // namespace bp_gpu::functors
