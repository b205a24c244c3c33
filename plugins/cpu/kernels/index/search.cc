// SPDX-License-Identifier: Apache-2.0
// search.cc: searchsorted, by a binary search for each value; NaN is the largest.
#include "device/parallel.h"
#include "device/registry.h"
#include "kernels/reduction/elements.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 2048;

// Bitwise, so that a search takes no branch that nobody can predict.
template <class T>
bool before(T a, T b) {
  return (a < b) | ((b != b) & (a == a));
}
// Whether the position of `wanted` lies behind `there`.
template <bool kRight, class A>
bool behind(A there, A wanted) {
  return kRight ? !before(wanted, there) : before(there, wanted);
}

constexpr int kTogether = 8;  // values whose searches wait for memory at the same time

// Finds for each of kCount values the first position whose element is not before it or, with
// kRight, that it is before.
template <bool kRight, int kCount, class T, class A>
void search(const T* x, int64_t n, const T* v, A, int64_t* y) {
  A wanted[kCount];
  int64_t low[kCount] = {};
  for (int i = 0; i < kCount; ++i) wanted[i] = convert<A>(v[i]);
  int64_t left = n;
  while (left > 1) {
    const int64_t half = left / 2;
    for (int i = 0; i < kCount; ++i)
      low[i] += -int64_t{behind<kRight>(convert<A>(x[low[i] + half - 1]), wanted[i])} & half;
    left -= half;
  }
  for (int i = 0; i < kCount; ++i)
    y[i] = low[i] + (left == 1 && behind<kRight>(convert<A>(x[low[i]]), wanted[i]));
}

template <bool kRight, class T, class A>
void search_all(const bp_launch& launch) {
  const bp_arg &sorted = launch.args[0], &values = launch.args[1], &out = launch.args[2];
  const T* x = static_cast<const T*>(sorted.data);
  const T* v = static_cast<const T*>(values.data);
  int64_t* y = static_cast<int64_t*>(out.data);
  int64_t count = 1;
  for (int32_t d = 0; d < out.rank; ++d) count *= out.shape[d];
  parallel_for(count, kGrain, [&](int64_t begin, int64_t end) {
    for (; begin + kTogether <= end; begin += kTogether)
      search<kRight, kTogether>(x, sorted.shape[0], v + begin, A{}, y + begin);
    for (; begin < end; ++begin) search<kRight, 1>(x, sorted.shape[0], v + begin, A{}, y + begin);
  });
}

template <class T, class A>
bp_status run(const bp_launch* launch, bp_error**) {
  if (launch->attrs[BP_ATTR_SEARCHSORTED_RIGHT].value.i64 != 0)
    search_all<true, T, A>(*launch);
  else
    search_all<false, T, A>(*launch);
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
