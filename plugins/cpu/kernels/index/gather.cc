// SPDX-License-Identifier: Apache-2.0
// gather.cc: gather along the last axis, index_select along any. Elements are moved by their size;
// an index out of range is found before anything is written.
#include <cstddef>

#include "device/registry.h"
#include "kernels/index/bounds.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 16384;

// The operands, in which a row of the outer dims begins at an offset.
struct Rows {
  const bp_arg* arg[3];  // x, index, out
  int32_t outer;
  int64_t n, count = 1;  // indices of a row; number of rows

  explicit Rows(const bp_launch& l)
      : arg{&l.args[0], &l.args[1], &l.args[2]},
        outer(l.args[2].rank - 1),
        n(l.args[2].shape[outer]) {
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
  // The strides of the innermost outer dim.
  int64_t apart(int k) const { return outer > 0 ? arg[k]->strides[outer - 1] : 0; }
};

// Calls fn(offsets, rows, first, last) for elements [begin, end) of the row-major order: `rows`
// whole rows that follow each other along the innermost outer dim, or a part of one.
template <class F>
void each_plane(const Rows& r, int64_t begin, int64_t end, const F& fn) {
  while (begin < end) {
    const int64_t row = begin / r.n, first = begin % r.n;
    int64_t rows = 1, last = first + (end - begin) < r.n ? first + (end - begin) : r.n;
    if (first == 0 && last == r.n && r.outer > 0) {
      const int64_t size = r.arg[2]->shape[r.outer - 1], left = size - row % size;
      rows = (end - begin) / r.n < left ? (end - begin) / r.n : left;
    }
    int64_t at[3];
    r.offsets(row, at);
    fn(at, rows, first, last);
    begin += rows * (last - first);
  }
}

// Returns BP_OK when all indices are in range. Dense ones are read as one run.
bp_status check(const bp_launch* launch, const Rows& r, bp_error** err) {
  const bp_arg& index = *r.arg[1];
  const int64_t size = r.arg[0]->shape[r.outer], step = index.strides[r.outer],
                axis = launch->attrs[BP_ATTR_GATHER_AXIS].value.i64;
  const auto* where = static_cast<const int64_t*>(index.data);
  if (index.flags & BP_ARG_CONTIGUOUS)
    return check_indices(launch, where, r.count * r.n, axis, size, err);
  bp_status status = BP_OK;
  each_plane(r, 0, r.count * r.n, [&](const int64_t* at, int64_t rows, int64_t, int64_t) {
    for (int64_t i = 0; i < rows && status == BP_OK; ++i) {
      const int64_t* row = where + at[1] + i * r.apart(1);
      if (!all_inside(row, r.n, step, size))
        status = out_of_range(launch, err, first_outside(row, r.n, step, size), axis, size);
    }
  });
  return status;
}

template <class T>
bp_status run_gather_of(const bp_launch* launch, bp_error** err) {
  const Rows r(*launch);
  if (const bp_status s = check(launch, r, err)) return s;
  const auto* x = static_cast<const T*>(r.arg[0]->data);
  const auto* index = static_cast<const int64_t*>(r.arg[1]->data);
  auto* out = static_cast<T*>(r.arg[2]->data);
  int64_t step[3];
  for (int k = 0; k < 3; ++k) step[k] = r.arg[k]->strides[r.outer];
  // Where rows are side by side in memory, as those of another axis than the last are, one element
  // of each is taken before the next.
  const bool across = r.n == 1 || __builtin_llabs(r.apart(2)) < __builtin_llabs(step[2]);
  // One long row is cut as well.
  parallel_for(r.count * r.n, kGrain, [&](int64_t begin, int64_t end) {
    each_plane(r, begin, end, [&](const int64_t* at, int64_t rows, int64_t first, int64_t last) {
      const T* from = x + at[0];
      const int64_t* where = index + at[1];
      T* to = out + at[2];
      const int64_t apart[] = {r.apart(0), r.apart(1), r.apart(2)};
      if (across)
        for (int64_t j = first; j < last; ++j)
          for (int64_t i = 0; i < rows; ++i)
            to[i * apart[2] + j * step[2]] =
                from[i * apart[0] + where[i * apart[1] + j * step[1]] * step[0]];
      else if (step[0] == 1 && step[1] == 1 && step[2] == 1)
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = first; j < last; ++j)
            to[i * apart[2] + j] = from[i * apart[0] + where[i * apart[1] + j]];
      else
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = first; j < last; ++j)
            to[i * apart[2] + j * step[2]] =
                from[i * apart[0] + where[i * apart[1] + j * step[1]] * step[0]];
    });
  });
  return BP_OK;
}

bp_status run_gather(const bp_launch* launch, bp_error** err) {
  return with_size(launch->args[0].dtype,
                   [&](auto t) { return run_gather_of<decltype(t)>(launch, err); });
}

// Moves runs [begin, end) of out, n of which come from each slice of x. Runs of a few bytes are
// moved as one number, T.
template <class T>
void select_runs(T* to, const T* x, const int64_t* where, int64_t begin, int64_t end, int64_t n,
                 int64_t size) {
  while (begin < end) {
    const int64_t slice = begin / n, first = begin % n,
                  last = first + (end - begin) < n ? first + (end - begin) : n;
    const T* from = x + slice * size;
    for (int64_t j = first; j < last; ++j) to[slice * n + j] = from[where[j]];
    begin += last - first;
  }
}
void select_runs(char* to, const char* x, const int64_t* where, int64_t begin, int64_t end,
                 int64_t n, int64_t size, int64_t bytes) {
  for (int64_t i = begin; i < end; ++i)
    __builtin_memcpy(to + i * bytes, x + (i / n * size + where[i % n]) * bytes,
                     static_cast<std::size_t>(bytes));
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
  if (const bp_status s = check_indices(launch, where, n, axis, size, err)) return s;
  const bool one = inner == 1 || inner == 2 || inner == 4 || inner == 8 || inner == 16;
  parallel_for(outer * n, kGrain / (inner / 4 + 1) + 1, [&](int64_t begin, int64_t end) {
    if (!one)
      return select_runs(static_cast<char*>(out.data), static_cast<const char*>(x.data), where,
                         begin, end, n, size, inner);
    with_bytes(inner, [&](auto t) {
      using T = decltype(t);
      select_runs(static_cast<T*>(out.data), static_cast<const T*>(x.data), where, begin, end, n,
                  size);
    });
  });
  return BP_OK;
}

}  // namespace

void add_gather(Registry& r) {
  r.add(BP_OP_GATHER, kAllDtypes, run_gather);
  r.add(BP_OP_INDEX_SELECT, kAllDtypes, run_index_select, BP_KERNEL_CONTIGUOUS);
}

}  // namespace bp_cpu::BP_ISA
