// SPDX-License-Identifier: Apache-2.0
// scatter.cc: scatter and scatter_add. Threads share the lines along the axis; a line takes its
// indices in order, so that of equal ones the last wins, or all are added in the same order every
// time. An index out of range is found before anything is written.
#include <cstddef>

#include "device/registry.h"
#include "kernels/index/bounds.h"
#include "kernels/lanes.h"

namespace bp_cpu::BP_ISA {
namespace {

constexpr int64_t kGrain = 16384;

// x, index and src are row-major; index may be smaller than src everywhere, and than x off the
// axis.
struct Lines {
  int32_t rank, axis;
  const int64_t* index_shape;
  int64_t n, count = 1;  // indices of a line; number of lines
  int64_t x_along = 1, index_along = 1, src_along = 1, size;
  int64_t x[BP_MAX_RANK], index[BP_MAX_RANK], src[BP_MAX_RANK];  // strides

  explicit Lines(const bp_launch& l) : rank(l.args[0].rank), index_shape(l.args[1].shape) {
    const bp_arg &a = l.args[0], &b = l.args[1], &c = l.args[2];
    axis = static_cast<int32_t>(l.attrs[BP_ATTR_SCATTER_AXIS].value.i64);
    if (axis < 0) axis += rank;
    int64_t sx = 1, si = 1, ss = 1;
    for (int32_t d = rank - 1; d >= 0; --d) {
      x[d] = sx, index[d] = si, src[d] = ss;
      sx *= a.shape[d], si *= b.shape[d], ss *= c.shape[d];
      if (d != axis) count *= b.shape[d];
    }
    n = b.shape[axis], size = a.shape[axis];
    x_along = x[axis], index_along = index[axis], src_along = src[axis];
  }
  void first(int64_t line, int64_t* at) const {
    at[0] = at[1] = at[2] = 0;
    for (int32_t d = rank - 1; d >= 0; --d) {
      if (d == axis) continue;
      const int64_t i = line % index_shape[d];
      line /= index_shape[d];
      at[0] += i * x[d], at[1] += i * index[d], at[2] += i * src[d];
    }
  }
};

int64_t numel(const bp_arg& a) {
  int64_t n = 1;
  for (int32_t d = 0; d < a.rank; ++d) n *= a.shape[d];
  return n;
}

bp_status prepare(const bp_launch* launch, const Lines& lines, bp_error** err) {
  const bp_arg &x = launch->args[0], &index = launch->args[1], &out = launch->args[3];
  const int64_t* where = static_cast<const int64_t*>(index.data);
  if (const bp_status s = check_indices(launch, where, numel(index), lines.axis, lines.size, err))
    return s;
  if (x.data != out.data)
    __builtin_memcpy(
        out.data, x.data,
        static_cast<std::size_t>(numel(x)) * static_cast<std::size_t>(kItemBytes[x.dtype]));
  return BP_OK;
}

// Calls put(&out[...], src[...]) in the order of each line. Lines along another axis than the last
// lie side by side in memory, and one element of each is taken before the next.
template <class T, class Put>
bp_status run_lines(const bp_launch* launch, bp_error** err, const Put& put) {
  const Lines lines(*launch);
  if (const bp_status s = prepare(launch, lines, err)) return s;
  const int64_t* index = static_cast<const int64_t*>(launch->args[1].data);
  const T* src = static_cast<const T*>(launch->args[2].data);
  T* out = static_cast<T*>(launch->args[3].data);
  const int64_t side = lines.axis < lines.rank - 1 ? lines.index_shape[lines.rank - 1] : 1;
  parallel_for(lines.count, kGrain / (lines.n + 1) + 1, [&](int64_t begin, int64_t end) {
    // These are copies, because what is put might lie over the originals for all the compiler
    // knows.
    const int64_t length = lines.n, x_along = lines.x_along, index_along = lines.index_along,
                  src_along = lines.src_along;
    while (begin < end) {
      const int64_t left = side - begin % side, n = end - begin < left ? end - begin : left;
      int64_t at[3];
      lines.first(begin, at);
      T* to = out + at[0];
      const int64_t* where = index + at[1];
      const T* from = src + at[2];
      if (side > 1)
        for (int64_t j = 0; j < length; ++j)
          for (int64_t i = 0; i < n; ++i)
            put(to + where[j * index_along + i] * x_along + i, from[j * src_along + i]);
      else if (x_along == 1 && index_along == 1 && src_along == 1)
        for (int64_t j = 0; j < length; ++j) put(to + where[j], from[j]);
      else
        for (int64_t j = 0; j < length; ++j)
          put(to + where[j * index_along] * x_along, from[j * src_along]);
      begin += n;
    }
  });
  return BP_OK;
}

template <class T>
bp_status scatter_of(const bp_launch* launch, bp_error** err) {
  return run_lines<T>(launch, err, [](T* to, const T& from) { *to = from; });
}
bp_status run_scatter(const bp_launch* launch, bp_error** err) {
  return with_size(launch->args[0].dtype,
                   [&](auto t) { return scatter_of<decltype(t)>(launch, err); });
}

// A half is rounded after each addition.
template <class T>
bp_status run_add(const bp_launch* launch, bp_error** err) {
  return run_lines<T>(launch, err, [](T* to, const T& from) {
    if constexpr (std::is_same_v<T, Bool>)
      to->byte = static_cast<uint8_t>((to->byte | from.byte) != 0);
    else
      from_lane<T>(to_lane(*to) + to_lane(from), /*add=*/false, to);
  });
}

}  // namespace

void add_scatter(Registry& r) {
  r.add(BP_OP_SCATTER, kAllDtypes, run_scatter, BP_KERNEL_CONTIGUOUS);
  each_type<kReals | bit(BP_BOOL)>([&](auto t, bp_dtype d) {
    r.add(BP_OP_SCATTER_ADD, bit(d), run_add<Word<decltype(t)>>, BP_KERNEL_CONTIGUOUS);
  });
}

}  // namespace bp_cpu::BP_ISA
