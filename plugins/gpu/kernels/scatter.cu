// SPDX-License-Identifier: Apache-2.0
// scatter.cu: scatter and scatter_add. A thread takes a line, all positions along the axis, in
// order, so that of equal indices the last wins, or all are added in the same order every time; a
// single line is one thread's work. Nobody is told of an index out of range, as the host would have
// to wait for the device: nothing is written for it.
#include "gpu/kernel.h"

namespace bp_gpu {
namespace {

template <class T>
struct CopyAll {
  const T* from;
  T* to;
  int64_t n;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < n; i += at.count()) to[i] = from[i];
  }
};

// x, index and src are row-major; index may be smaller than src everywhere, and than x off the
// axis.
struct Lines {
  int32_t rank;  // number of dims off the axis
  int64_t n, count, size, x_along, index_along, src_along;
  int64_t shape[BP_MAX_RANK], x[BP_MAX_RANK], index[BP_MAX_RANK], src[BP_MAX_RANK];

  struct At {
    int64_t x, index, src;
  };
  GPU_FN At first(int64_t line) const {
    At at{0, 0, 0};
    for (int32_t d = 0; d < rank; ++d) {  // the last dim comes first
      const int64_t i = line % shape[d];
      line /= shape[d];
      at.x += i * x[d];
      at.index += i * index[d];
      at.src += i * src[d];
    }
    return at;
  }
};

Lines lines_of(const bp_launch& l) {
  const bp_arg &x = l.args[0], &index = l.args[1], &src = l.args[2];
  Lines lines{};
  lines.n = lines.count = lines.size = lines.x_along = lines.index_along = lines.src_along = 1;
  int64_t axis = l.attrs[BP_ATTR_SCATTER_AXIS].value.i64, sx = 1, si = 1, ss = 1;
  if (axis < 0) axis += x.rank;
  for (int32_t d = x.rank - 1; d >= 0; --d) {
    if (d == axis) {
      lines.n = index.shape[d], lines.size = x.shape[d];
      lines.x_along = sx, lines.index_along = si, lines.src_along = ss;
    } else {
      const int32_t k = lines.rank++;
      lines.shape[k] = index.shape[d];
      lines.x[k] = sx, lines.index[k] = si, lines.src[k] = ss;
      lines.count *= index.shape[d];
    }
    sx *= x.shape[d], si *= index.shape[d], ss *= src.shape[d];
  }
  return lines;
}

struct Replace {
  template <class T>
  GPU_FN static T of(T, T from) {
    return from;
  }
};
// A half is rounded after each addition.
struct Plus {
  template <class T>
  GPU_FN static T of(T a, T b) {
    if constexpr (std::is_same_v<T, Bool>)
      return {static_cast<uint8_t>((a.byte | b.byte) != 0)};
    else
      return convert<T>(convert<Calc<T>>(a) + convert<Calc<T>>(b));
  }
};

template <class T, class Put>
struct Scatter {
  Lines lines;
  const int64_t* index;
  const T* src;
  T* out;
  GPU_FN void operator()(const Place& place) const {
    for (int64_t line = place.index(); line < lines.count; line += place.count()) {
      const Lines::At at = lines.first(line);
      for (int64_t j = 0; j < lines.n; ++j) {
        const int64_t where = index[at.index + j * lines.index_along];
        if (static_cast<uint64_t>(where) >= static_cast<uint64_t>(lines.size)) continue;
        T& to = out[at.x + where * lines.x_along];
        to = Put::of(to, src[at.src + j * lines.src_along]);
      }
    }
  }
};

template <class T, class Put>
bp_status run_of(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &index = l.args[1], &src = l.args[2], &out = l.args[3];
  const CopyAll<T> copy{static_cast<const T*>(x.data), static_cast<T*>(out.data), numel(x)};
  if (const bp_status s = launch(l, cover(copy.n), copy, err)) return s;
  if (numel(index) == 0) return BP_OK;
  const Scatter<T, Put> kernel{lines_of(l), static_cast<const int64_t*>(index.data),
                               static_cast<const T*>(src.data), static_cast<T*>(out.data)};
  return launch(l, cover(kernel.lines.count), kernel, err);
}

bp_status run_scatter(const bp_launch& l, bp_error** err) {
  return with_size(l.args[0].dtype, [&](auto t) { return run_of<decltype(t), Replace>(l, err); });
}
bp_status run_add(const bp_launch& l, bp_error** err) {
  return with_type_of<kReals | bit(BP_BOOL)>(
      l.args[0].dtype, [&](auto t) { return run_of<Word<decltype(t)>, Plus>(l, err); });
}

}  // namespace

void add_scatter(Registry& r) {
  r.add(BP_OP_SCATTER, kAllDtypes, entry<run_scatter>, BP_KERNEL_CONTIGUOUS);
  r.add(BP_OP_SCATTER_ADD, kReals | bit(BP_BOOL), entry<run_add>, BP_KERNEL_CONTIGUOUS);
}

}  // namespace bp_gpu
