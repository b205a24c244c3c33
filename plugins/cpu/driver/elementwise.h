// SPDX-License-Identifier: Apache-2.0
// elementwise.h: the one driver of elementwise kernels. A kernel gives loops over dense blocks; the
// driver brings every operand into that form: dense operands are passed where they lie, numbers and
// fully broadcast operands as one element, anything else is gathered, block by block, into a buffer
// that stays in the first-level cache. So each op and dtype instantiates dense loops only, and no
// operand is copied as a whole.
//
//   constexpr Loops kAdd{{add_vv, add_sv, add_vs, nullptr}};      // see mask below
//   bp_status run_add(const bp_launch* l, bp_error**) { return run_elementwise(*l, kAdd); }
#pragma once
#include <cstdint>

#include "c_plugin.h"
#include "kit/element.h"

namespace bp_cpu {

using bp_kit::kItemBytes;

// Computes out[i] = f(in[0][i], in[1][i], ...) for i in [0, n). An input may be exactly out, so
// loops must not carry a dependence from one i to another.
using Loop = void (*)(void* out, const void* const* in, int64_t n);

struct Loops {
  // Indexed by which of the last two inputs is one element instead of n: bit 0 is the last but one,
  // or the only one; bit 1 is the last. Where it is nullptr the driver repeats the element.
  Loop dense[4] = {};
  // Loops over narrow floats work in f32: `load` widens each input, `store` rounds the result.
  void (*load)(float* out, const void* in, int64_t n) = nullptr;
  void (*store)(void* out, const float* in, int64_t n) = nullptr;
  bool moves = false;     // elements go to the output as they are, so that no buffer is needed
  int64_t grain = 32768;  // elements that are worth a thread
};

// The launch has the inputs first, then one output.
void run_elementwise(const bp_launch& launch, const Loops& loops);

}  // namespace bp_cpu
