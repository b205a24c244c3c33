// SPDX-License-Identifier: Apache-2.0
// sigmoid.h: the logistic function, which elementwise and recurrent kernels have in common.
//
//   const float half = Sigmoid::of(0.0f);
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

// Below 0 it is made of e^x, which becomes subnormal where 1 / e^-x is 0 already.
struct Sigmoid {
  template <class T>
  GPU_FN static T of(T x) {
    const T e = exp(-fabs(x));
    return (x < 0 ? e : T(1)) / (1 + e);
  }
};

}  // namespace bp_gpu
