// SPDX-License-Identifier: Apache-2.0
// where.cc: x where the condition holds, else y. Elements are moved, so only their size matters.
#include "device/registry.h"
#include "driver/elementwise.h"

namespace bp_cpu::BP_ISA {
namespace {

template <class T, bool kOneX, bool kOneY>
void choose(void* out, const void* const* in, int64_t n) {
  T* z = static_cast<T*>(out);
  const uint8_t* c = static_cast<const uint8_t*>(in[0]);
  const T* x = static_cast<const T*>(in[1]);
  const T* y = static_cast<const T*>(in[2]);
#pragma omp simd
  for (int64_t i = 0; i < n; ++i) {
    const T a = x[kOneX ? 0 : i], b = y[kOneY ? 0 : i];
    z[i] = c[i] ? a : b;
  }
}

template <class T>
constexpr Loops kLoops{.dense = {choose<T, false, false>, choose<T, true, false>,
                                 choose<T, false, true>, choose<T, true, true>}};

bp_status run_where(const bp_launch* launch, bp_error**) {
  bp_kit::with_size(launch->args[3].dtype,
                    [&](auto t) { run_elementwise(*launch, kLoops<decltype(t)>); });
  return BP_OK;
}

}  // namespace

void add_where(Registry& r) { r.add(BP_OP_WHERE, kAllDtypes, run_where); }

}  // namespace bp_cpu::BP_ISA
