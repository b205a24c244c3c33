// SPDX-License-Identifier: Apache-2.0
// search.cc: searchsorted, by a binary search for each value; NaN is the largest.
#include "device/parallel.h"
#include "device/registry.h"
#include "kernels/reduction/elements.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 2048;

template <class T>
bool before(T a, T b) {
  return a < b || (b != b && a == a);
}

// The first position whose element is not before v or, with kRight, that v is before.
template <class T, class A>
bp_status run(const bp_launch* launch, bp_error**) {
  const bp_arg &sorted = launch->args[0], &values = launch->args[1], &out = launch->args[2];
  const bool right = launch->attrs[BP_ATTR_SEARCHSORTED_RIGHT].value.i64 != 0;
  const T* x = static_cast<const T*>(sorted.data);
  const T* v = static_cast<const T*>(values.data);
  int64_t* y = static_cast<int64_t*>(out.data);
  int64_t n = 1;
  for (int32_t d = 0; d < out.rank; ++d) n *= out.shape[d];
  parallel_for(n, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const A wanted = convert<A>(v[i]);
      int64_t low = 0, high = sorted.shape[0];
      while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        const A there = convert<A>(x[middle]);
        if (right ? !before(wanted, there) : before(there, wanted))
          low = middle + 1;
        else
          high = middle;
      }
      y[i] = low;
    }
  });
  return BP_OK;
}

}  // namespace

void add_search(Registry& r) {
  r.add(BP_OP_SEARCHSORTED, bit(BP_BOOL), run<bp_cpu::Bool, uint8_t>, BP_KERNEL_CONTIGUOUS);
  each_type<kReals>([&](auto t, bp_dtype d) {
    using T = decltype(t);
    r.add(BP_OP_SEARCHSORTED, bit(d), run<T, Calc<T>>, BP_KERNEL_CONTIGUOUS);
  });
}

}  // namespace bp_cpu::BP_ISA
