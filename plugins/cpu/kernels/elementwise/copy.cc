// SPDX-License-Identifier: Apache-2.0
// copy.cc: any dtype into any other, by the rules in kit/number.h. f16 and bf16 go through f32.
#include <cstring>

#include "device/registry.h"
#include "driver/elementwise.h"
#include "driver/half.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class To, class From>
void convert_all(void* out, const void* const* in, int64_t n) {
  To* y = static_cast<To*>(out);
  const From* x = static_cast<const From*>(in[0]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) y[i] = convert<To>(x[i]);
}

template <int kBytes>
void move(void* out, const void* const* in, int64_t n) {
  if (out != in[0]) std::memcpy(out, in[0], static_cast<size_t>(n) * kBytes);
}

template <class From>
constexpr Loop from(bp_dtype to) {
  switch (to) {
    case BP_BOOL: return convert_all<Bool, From>;
    case BP_U8: return convert_all<uint8_t, From>;
    case BP_I8: return convert_all<int8_t, From>;
    case BP_U16: return convert_all<uint16_t, From>;
    case BP_I16: return convert_all<int16_t, From>;
    case BP_U32: return convert_all<uint32_t, From>;
    case BP_I32: return convert_all<int32_t, From>;
    case BP_U64: return convert_all<uint64_t, From>;
    case BP_I64: return convert_all<int64_t, From>;
    case BP_F64: return convert_all<double, From>;
    case BP_C64: return convert_all<Complex<float>, From>;
    case BP_C128: return convert_all<Complex<double>, From>;
    default: return convert_all<float, From>;
  }
}

constexpr Loop converter(bp_dtype in, bp_dtype to) {
  switch (in) {
    case BP_BOOL: return from<Bool>(to);
    case BP_U8: return from<uint8_t>(to);
    case BP_I8: return from<int8_t>(to);
    case BP_U16: return from<uint16_t>(to);
    case BP_I16: return from<int16_t>(to);
    case BP_U32: return from<uint32_t>(to);
    case BP_I32: return from<int32_t>(to);
    case BP_U64: return from<uint64_t>(to);
    case BP_I64: return from<int64_t>(to);
    case BP_F64: return from<double>(to);
    case BP_C64: return from<Complex<float>>(to);
    case BP_C128: return from<Complex<double>>(to);
    default: return from<float>(to);
  }
}

constexpr Loop mover(bp_dtype d) {
  switch (kItemBytes[d]) {
    case 1: return move<1>;
    case 2: return move<2>;
    case 4: return move<4>;
    case 8: return move<8>;
    default: return move<16>;
  }
}

bp_status run_copy(const bp_launch* launch, bp_error**) {
  const bp_dtype in = launch->args[0].dtype, out = launch->args[1].dtype;
  Loops loops;
  if (in == out) {
    loops.dense[0] = mover(in);
  } else {
    loops.dense[0] = converter(in, out);
    loops.load = half_loader(in);
    loops.store = half_storer(out);
  }
  run_elementwise(*launch, loops);
  return BP_OK;
}

}  // namespace

void add_copy(Registry& r) { r.add(BP_OP_COPY, kAllDtypes, run_copy); }

}  // namespace bp_cpu::BP_ISA
