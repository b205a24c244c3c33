// SPDX-License-Identifier: Apache-2.0
// reduce_truth.cc: any, all. Elements become the bytes 0 and 1; NaN is not zero. Bools are read
// where they lie, as bytes of which each but 0 is true.
#include "device/registry.h"
#include "kernels/reduction/elements.h"

namespace bp_cpu::BP_ISA {
namespace {

struct Or {
  static constexpr uint8_t identity() { return 0; }
  template <class V>
  static V of(V a, V b) {
    return a | b;
  }
};
struct And {
  static constexpr uint8_t identity() { return 1; }
  template <class V>
  static V of(V a, V b) {
    return a < b ? a : b;
  }
};

template <class T>
void load_truth(uint8_t* out, const void* in, int64_t n, int64_t stride, const uint8_t*) {
  const T* x = static_cast<const T*>(in);
  const auto truth = [](T e) {
    if constexpr (kIsNarrow<T>)
      return static_cast<uint8_t>((e.bits & 0x7fff) != 0);
    else
      return static_cast<uint8_t>(e != 0);
  };
  if (stride == 1) {
#pragma omp simd
    for (int64_t i = 0; i < n; ++i) out[i] = truth(x[i]);
  } else {
    for (int64_t i = 0; i < n; ++i) out[i] = truth(x[i * stride]);
  }
}

void store_truth(void* out, const uint8_t* in, int64_t n, int64_t stride, const bp_launch&,
                 int64_t) {
  auto* y = static_cast<uint8_t*>(out);
  for (int64_t i = 0; i < n; ++i) y[i * stride] = in[i] != 0;
}

template <class T, class Op>
bp_status run(const bp_launch* launch, bp_error** err) {
  return run_reduction<uint8_t, Op>(*launch,
                                    {.item_bytes = sizeof(T),
                                     .dense_is_direct = launch->args[0].dtype == BP_BOOL,
                                     .load = load_truth<T>,
                                     .store = store_truth},
                                    err);
}

template <class Op>
void add_op(Registry& r, uint32_t op) {
  r.add(op, bit(BP_BOOL), run<uint8_t, Op>);
  r.add(op, kHalves, run<F16, Op>);
  each_type<kReals & ~kHalves>(
      [&](auto t, bp_dtype d) { r.add(op, bit(d), run<Word<decltype(t)>, Op>); });
}

}  // namespace

void add_reduce_truth(Registry& r) {
  add_op<Or>(r, BP_OP_ANY);
  add_op<And>(r, BP_OP_ALL);
}

}  // namespace bp_cpu::BP_ISA
