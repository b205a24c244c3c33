// SPDX-License-Identifier: Apache-2.0
// kernel.h: what every kernel family starts from: the types of kit/element.h, the vendor's Place
// and launch, and records.
//
// A kernel is a struct. Its fields are its arguments, its call operator is what each thread does:
//   template <class T>
//   struct Fill {
//     T* out; T value; int64_t n;
//     GPU_FN void operator()(const Place& at) const {
//       for (int64_t i = at.index(); i < n; i += at.count()) out[i] = value;
//     }
//   };
//   bp_status run_fill(const bp_launch& l, bp_error** err) { return launch(l, cover(n), Fill<float>{out, 0, n}, err); }
//   void add_fill(Registry& r) { r.add(BP_OP_FILL, kAllDtypes, entry<run_fill>); }
// Blocks may have any number of threads, one included. The launch's shape asks for shared memory.
#pragma once
#include <utility>

#include "c_plugin.h"
#include "kit/element.h"
#include "kit/operand.h"
#include "kit/registry.h"
#include "vendor.h"

namespace bp_gpu {

using namespace bp_kit;

using FamilyRun = bp_status (*)(const bp_launch& l, bp_error** err);

// Calls run(l) with operands that are addresses which kernels may use, at most kMost of them.
template <uint32_t kMost, class Run>
bp_status translated(const bp_launch& launch, bp_error** err, const Run& run) {
  if constexpr (!kTranslates) {
    return run(launch);
  } else {
    bp_arg args[kMost];
    bp_launch l = launch;
    l.args = args;
    if (const bp_status s = translate(launch, args, &l.workspace, err)) return s;
    return run(l);
  }
}

// A record's function.
template <FamilyRun kRun>
bp_status entry(const bp_launch* launch, bp_error** err) {
  constexpr uint32_t kMost = 8;  // operands of a row with a kernel
  return translated<kMost>(*launch, err, [&](const bp_launch& l) { return kRun(l, err); });
}

// Calls fn(T{}) for the dtype's type; dtypes outside of the mask are never instantiated.
template <uint64_t kMask, class F>
bp_status with_type_of(bp_dtype d, const F& fn) {
  bp_status status = BP_INTERNAL;  // the core asks for what is registered alone
  each_type<kMask>([&](auto t, bp_dtype own) {
    if (d == own) status = fn(t);
  });
  return status;
}

// Calls fn(0), fn(1), ... fn(N - 1): never a loop, so that what N indexes stays in registers.
template <int32_t N, class F, int32_t... K>
GPU_FN void unrolled(const F& fn, std::integer_sequence<int32_t, K...>) {
  (fn(K), ...);
}
template <int32_t N, class F>
GPU_FN void unrolled(const F& fn) {
  unrolled<N>(fn, std::make_integer_sequence<int32_t, N>{});
}

inline int64_t numel(const bp_arg& a) {
  int64_t n = 1;
  for (int32_t d = 0; d < a.rank; ++d) n *= a.shape[d];
  return n;
}

// Unsigned arithmetic of at least 32 bits wraps where signed, or promoted 16-bit, arithmetic is
// undefined.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

}  // namespace bp_gpu
