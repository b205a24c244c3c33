// SPDX-License-Identifier: Apache-2.0
// index_add.cc: slices of a source, times alpha, added to slices of x. Whole runs are added at
// once. A thread owns columns of all slices and takes the indices in order, so that the order of
// additions is the same for any number of threads. An index out of range is found before anything
// is written.
#include <cstddef>

#include "device/registry.h"
#include "kernels/index/bounds.h"
#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 16384, kLine = 64;

// Adds alpha * x to y, each step rounded to T as mul and add would do.
template <class T>
inline void add_one(T* y, T x, Lane<T> alpha) {
  T scaled;
  from_lane<T>(to_lane(x) * alpha, /*add=*/false, &scaled);
  if constexpr (std::is_same_v<T, Bool>)
    y->byte = static_cast<uint8_t>((y->byte | scaled.byte) != 0);
  else
    from_lane<T>(to_lane(*y) + to_lane(scaled), /*add=*/false, y);
}
template <class T>
inline void add_run(T* __restrict y, const T* __restrict x, int64_t n, Lane<T> alpha) {
  for (int64_t i = 0; i < n; ++i) add_one(y + i, x[i], alpha);
}

// Dense x is seen as [outer, size, inner].
template <class T>
bp_status run(const bp_launch* launch, bp_error** err) {
  const bp_arg &x = launch->args[0], &index = launch->args[1], &out = launch->args[3];
  int64_t axis = launch->attrs[BP_ATTR_INDEX_ADD_AXIS].value.i64;
  if (axis < 0) axis += x.rank;
  int64_t outer = 1, inner = 1, n = 1;
  for (int32_t d = 0; d < x.rank; ++d)
    if (d != axis) (d < axis ? outer : inner) *= x.shape[d];
  for (int32_t d = 0; d < index.rank; ++d) n *= index.shape[d];
  const int64_t size = x.shape[axis];
  const auto* where = static_cast<const int64_t*>(index.data);
  if (const bp_status s = check_indices(launch, where, n, axis, size, err)) return s;
  if (x.data != out.data)
    __builtin_memcpy(out.data, x.data, static_cast<std::size_t>(outer * size * inner) * sizeof(T));
  const double given = launch->attrs[BP_ATTR_INDEX_ADD_ALPHA].value.f64;
  Lane<T> alpha;
  if constexpr (std::is_floating_point_v<Lane<T>>)
    alpha = static_cast<Lane<T>>(given);
  else
    alpha = static_cast<Lane<T>>(convert<int64_t>(given));
  const auto* from = static_cast<const T*>(launch->args[2].data);
  auto* to = static_cast<T*>(out.data);
  constexpr int64_t kColumns = kLine / static_cast<int64_t>(sizeof(T));
  const int64_t parts = (inner + kColumns - 1) / kColumns;  // of a slice, a cache line each
  parallel_for(outer * parts, kGrain / (n * smaller(inner, kColumns) + 1) + 1,
               [&](int64_t begin, int64_t end) {
                 while (begin < end) {
                   const int64_t o = begin / parts, first = begin % parts,
                                 last = smaller(parts, first + end - begin);
                   const int64_t column = first * kColumns,
                                 columns = smaller(inner, last * kColumns) - column;
                   T* y = to + o * size * inner + column;
                   const T* source = from + o * n * inner + column;
                   if (inner == 1)
                     for (int64_t j = 0; j < n; ++j) add_one(y + where[j], source[j], alpha);
                   else
                     for (int64_t j = 0; j < n; ++j)
                       add_run(y + where[j] * inner, source + j * inner, columns, alpha);
                   begin += last - first;
                 }
               });
  return BP_OK;
}

}  // namespace

void add_index_add(Registry& r) {
  each_type<kReals | bit(BP_BOOL)>([&](auto t, bp_dtype d) {
    r.add(BP_OP_INDEX_ADD, bit(d), run<Word<decltype(t)>>, BP_KERNEL_CONTIGUOUS);
  });
}

}  // namespace bp_cpu::BP_ISA
