// SPDX-License-Identifier: Apache-2.0
// gather.cc: gather along the last axis, index_select along any. Elements are moved by their size;
// an index out of range is found before anything is written.
#include <cstddef>

#include "device/error.h"
#include "device/parallel.h"
#include "device/registry.h"
#include "kit/element.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 16384;

bp_status out_of_range(const bp_launch* launch, bp_error** err, int64_t index, int64_t axis,
                       int64_t size) {
  return fail(launch, err, BP_INDEX_OUT_OF_RANGE,
              "index %lld is out of bounds for dimension %lld with size %lld",
              static_cast<long long>(index), static_cast<long long>(axis),
              static_cast<long long>(size));
}

// The offsets of a row of the outer dims in x, index and out.
struct Rows {
  const bp_arg* arg[3];
  int32_t outer;
  int64_t count = 1;

  explicit Rows(const bp_launch& l)
      : arg{&l.args[0], &l.args[1], &l.args[2]}, outer(l.args[2].rank - 1) {
    for (int32_t d = 0; d < outer; ++d) count *= arg[2]->shape[d];
  }
  void offsets(int64_t row, int64_t* out) const {
    out[0] = out[1] = out[2] = 0;
    for (int32_t d = outer; d-- > 0;) {
      const int64_t i = row % arg[2]->shape[d];
      row /= arg[2]->shape[d];
      for (int k = 0; k < 3; ++k) out[k] += i * arg[k]->strides[d];
    }
  }
};

bool all_inside(const Rows& rows, int64_t size, int64_t* bad) {
  const bp_arg& index = *rows.arg[1];
  const int64_t n = index.shape[rows.outer], step = index.strides[rows.outer];
  for (int64_t row = 0; row < rows.count; ++row) {
    int64_t at[3];
    rows.offsets(row, at);
    const int64_t* p = static_cast<const int64_t*>(index.data) + at[1];
    for (int64_t j = 0; j < n; ++j)
      if (static_cast<uint64_t>(p[j * step]) >= static_cast<uint64_t>(size)) {
        *bad = p[j * step];
        return false;
      }
  }
  return true;
}

template <class T>
bp_status run_gather_of(const bp_launch* launch, bp_error** err) {
  const Rows rows(*launch);
  const bp_arg &x = *rows.arg[0], &index = *rows.arg[1], &out = *rows.arg[2];
  const int64_t size = x.shape[rows.outer], n = index.shape[rows.outer];
  int64_t bad = 0;
  if (!all_inside(rows, size, &bad))
    return out_of_range(launch, err, bad, launch->attrs[BP_ATTR_GATHER_AXIS].value.i64, size);
  const int64_t sx = x.strides[rows.outer], si = index.strides[rows.outer],
                so = out.strides[rows.outer];
  // One long row is cut as well: the work is rows * n elements in row-major order.
  parallel_for(rows.count * n, kGrain, [&](int64_t begin, int64_t end) {
    while (begin < end) {
      const int64_t row = begin / n, first = begin % n;
      const int64_t last = n - first < end - begin ? n : first + (end - begin);
      int64_t at[3];
      rows.offsets(row, at);
      const T* from = static_cast<const T*>(x.data) + at[0];
      const int64_t* where = static_cast<const int64_t*>(index.data) + at[1];
      T* to = static_cast<T*>(out.data) + at[2];
      for (int64_t j = first; j < last; ++j) to[j * so] = from[where[j * si] * sx];
      begin += last - first;
    }
  });
  return BP_OK;
}

bp_status run_gather(const bp_launch* launch, bp_error** err) {
  return with_size(launch->args[0].dtype,
                   [&](auto t) { return run_gather_of<decltype(t)>(launch, err); });
}

// Dense x is seen as [outer, size, inner], and whole runs of `inner` elements are moved.
bp_status run_index_select(const bp_launch* launch, bp_error** err) {
  const bp_arg &x = launch->args[0], &index = launch->args[1], &out = launch->args[2];
  int64_t axis = launch->attrs[BP_ATTR_GATHER_AXIS].value.i64;
  if (axis < 0) axis += x.rank;
  int64_t outer = 1, inner = kItemBytes[x.dtype];
  for (int32_t d = 0; d < x.rank; ++d)
    if (d != axis) (d < axis ? outer : inner) *= x.shape[d];
  const int64_t size = x.shape[axis], n = index.shape[0];
  const int64_t* where = static_cast<const int64_t*>(index.data);
  for (int64_t j = 0; j < n; ++j)
    if (where[j] < 0 || where[j] >= size) return out_of_range(launch, err, where[j], axis, size);
  const char* from = static_cast<const char*>(x.data);
  char* to = static_cast<char*>(out.data);
  parallel_for(outer * n, kGrain / (inner + 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      __builtin_memcpy(to + i * inner, from + (i / n * size + where[i % n]) * inner,
                       static_cast<std::size_t>(inner));
  });
  return BP_OK;
}

}  // namespace

void add_gather(Registry& r) {
  r.add(BP_OP_GATHER, kAllDtypes, run_gather);
  r.add(BP_OP_INDEX_SELECT, kAllDtypes, run_index_select, BP_KERNEL_CONTIGUOUS);
}

}  // namespace bp_cpu::BP_ISA
