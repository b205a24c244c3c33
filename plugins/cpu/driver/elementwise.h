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

// out[i] = f(in[0][i], in[1][i], ...) for i in [0, n). Exact aliasing of out and an input happens;
// loops carry no dependence from one i to another.
using Loop = void (*)(void* out, const void* const* in, int64_t n);

struct Loops {
  // Indexed by which of the last two inputs is one element instead of n: bit 0 the last but one,
  // bit 1 the last; of a single input: bit 0. nullptr: the driver repeats the element over a block.
  Loop dense[4] = {};
  // Operands of narrow floats become f32 on the way into a loop (all inputs), results are rounded
  // on the way out.
  void (*load)(float* out, const void* in, int64_t n) = nullptr;
  void (*store)(void* out, const float* in, int64_t n) = nullptr;
  int64_t grain = 32768;  // elements that are worth a thread
};

// inputs first, then one output, as bp_launch has them.
void run_elementwise(const bp_launch& launch, const Loops& loops);

}  // namespace bp_cpu
