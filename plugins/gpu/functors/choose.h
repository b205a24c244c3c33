// SPDX-License-Identifier: Apache-2.0
// choose.h: an element as it is; one of two.
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu::functors {
namespace {  // each family compiles its own, and nothing of it by itself

struct Same {
  template <class T>
  GPU_FN static T of(T x) {
    return x;
  }
};
struct Choose {
  template <class T>
  GPU_FN static T of(Bool c, T x, T y) {
    return c.byte ? x : y;
  }
};

}  // namespace
}  // namespace bp_gpu::functors
