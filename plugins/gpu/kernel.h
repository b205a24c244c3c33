// SPDX-License-Identifier: Apache-2.0
// kernel.h: what every kernel family starts from: the numbers of kit/number.h, the vendor's Place
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
// Blocks may have any number of threads, one included. Shared memory is asked for with the launch's
// shape.
#pragma once
#include "c_plugin.h"
#include "kit/number.h"
#include "kit/registry.h"
#include "vendor.h"

namespace bp_gpu {

using namespace bp_kit;

using FamilyRun = bp_status (*)(const bp_launch& l, bp_error** err);

// A record's function: operands become addresses that kernels may use.
template <FamilyRun kRun>
bp_status entry(const bp_launch* launch, bp_error** err) {
  if constexpr (!kTranslates) {
    return kRun(*launch, err);
  } else {
    constexpr uint32_t kMost = 8;  // operands of a row with a kernel
    bp_arg args[kMost];
    bp_launch l = *launch;
    l.args = args;
    if (const bp_status s = translate(*launch, args, &l.workspace, err)) return s;
    return kRun(l, err);
  }
}

// What f16 and bf16 are computed in.
template <class T>
using Calc = std::conditional_t<std::is_same_v<T, F16> || std::is_same_v<T, BF16>, float, T>;

// fn(T{}) for the dtype's type.
template <class F>
bp_status with_type(bp_dtype d, const F& fn) {
  switch (d) {
    case BP_BOOL: return fn(Bool{});
    case BP_U8: return fn(uint8_t{});
    case BP_I8: return fn(int8_t{});
    case BP_U16: return fn(uint16_t{});
    case BP_I16: return fn(int16_t{});
    case BP_U32: return fn(uint32_t{});
    case BP_I32: return fn(int32_t{});
    case BP_U64: return fn(uint64_t{});
    case BP_I64: return fn(int64_t{});
    case BP_F16: return fn(F16{});
    case BP_BF16: return fn(BF16{});
    case BP_F32: return fn(float{});
    case BP_F64: return fn(double{});
    case BP_C64: return fn(Complex<float>{});
    default: return fn(Complex<double>{});
  }
}
// The same for the dtypes of a mask alone: others are never instantiated.
template <uint64_t kMask, class F>
bp_status with_type_of(bp_dtype d, const F& fn) {
  return with_type(d, [&](auto t) -> bp_status {
    using T = decltype(t);
    constexpr bp_dtype kOwn = std::is_same_v<T, Bool>             ? BP_BOOL
                              : std::is_same_v<T, uint8_t>        ? BP_U8
                              : std::is_same_v<T, int8_t>         ? BP_I8
                              : std::is_same_v<T, uint16_t>       ? BP_U16
                              : std::is_same_v<T, int16_t>        ? BP_I16
                              : std::is_same_v<T, uint32_t>       ? BP_U32
                              : std::is_same_v<T, int32_t>        ? BP_I32
                              : std::is_same_v<T, uint64_t>       ? BP_U64
                              : std::is_same_v<T, int64_t>        ? BP_I64
                              : std::is_same_v<T, F16>            ? BP_F16
                              : std::is_same_v<T, BF16>           ? BP_BF16
                              : std::is_same_v<T, float>          ? BP_F32
                              : std::is_same_v<T, double>         ? BP_F64
                              : std::is_same_v<T, Complex<float>> ? BP_C64
                                                                  : BP_C128;
    if constexpr ((kMask >> kOwn) & 1)
      return fn(t);
    else
      return BP_INTERNAL;  // the core asks for what is registered alone
  });
}

// The type of a size, for kernels that only move elements.
template <class F>
bp_status with_size(bp_dtype d, const F& fn) {
  switch (kItemBytes[d]) {
    case 1: return fn(uint8_t{});
    case 2: return fn(uint16_t{});
    case 4: return fn(uint32_t{});
    case 8: return fn(uint64_t{});
    default: return fn(Complex<double>{});
  }
}

inline int64_t numel(const bp_arg& a) {
  int64_t n = 1;
  for (int32_t d = 0; d < a.rank; ++d) n *= a.shape[d];
  return n;
}

// A number operand as the kernel computes with it.
template <class T>
T number(const bp_arg& a) {
  if constexpr (kIsComplex<T>)
    if (a.kind == BP_ARG_SCALAR_C128) return convert<T>(complex_number(a));
  return a.kind == BP_ARG_SCALAR_F64 ? convert<T>(a.f64) : convert<T>(a.i64);
}

}  // namespace bp_gpu
