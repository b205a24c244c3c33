// SPDX-License-Identifier: Apache-2.0
// gather.cu: gather, index_select, one_hot. Elements are moved by their size. Nobody is told of an
// index out of range, as the host would have to wait for the device: nothing is read there, and the
// element, or the row of one_hot, is zeros.
#include <utility>

#include "gpu/offsets.h"
#include "gpu/walk.h"

namespace bp_gpu {
namespace {

enum { kX, kIndex, kOut, kArgs };

template <class T>
struct Gather {
  const T* x;
  const int64_t* index;
  T* out;
  int64_t n, size, along;  // along: x's stride of the axis
  Offsets<kArgs> places;   // x does not move with the axis
  // Four elements at a time, so that their indices, and then they themselves, are under way at
  // once.
  GPU_FN void operator()(const Place& place) const {
    constexpr int32_t kAtOnce = 4;
    const int64_t step = place.count();
    int64_t i = place.index();
    for (; i + (kAtOnce - 1) * step < n; i += kAtOnce * step) {
      int64_t at[kAtOnce][kArgs], where[kAtOnce];
      T y[kAtOnce];
      unrolled<kAtOnce>([&](int32_t k) { places.of(i + k * step, at[k]); });
      unrolled<kAtOnce>([&](int32_t k) { where[k] = index[at[k][kIndex]]; });
      unrolled<kAtOnce>([&](int32_t k) { y[k] = picked(at[k], where[k]); });
      unrolled<kAtOnce>([&](int32_t k) { out[at[k][kOut]] = y[k]; });
    }
    for (; i < n; i += step) {
      int64_t at[kArgs];
      places.of(i, at);
      out[at[kOut]] = picked(at, index[at[kIndex]]);
    }
  }
  GPU_FN T picked(const int64_t* at, int64_t where) const {
    return static_cast<uint64_t>(where) < static_cast<uint64_t>(size) ? x[at[kX] + where * along]
                                                                      : T{};
  }
};

// The dim in which out is closest becomes the last, so that neighbouring threads write neighbours.
void turn_to_closest(Offsets<kArgs>* o) {
  const int32_t last = o->rank - 1;
  int32_t best = last;
  for (int32_t d = last - 1; d >= 0; --d)
    if (o->shape[d] > 1 &&
        (o->shape[best] == 1 || distance(o->strides[kOut][d]) < distance(o->strides[kOut][best])))
      best = d;
  std::swap(o->shape[best], o->shape[last]);
  for (auto& strides : o->strides) std::swap(strides[best], strides[last]);
}

// `places` has out's shape; every element has an index of its own, or one that strides of 0 repeat.
bp_status pick(const bp_launch& l, Offsets<kArgs> places, int64_t axis, bp_error** err) {
  const bp_arg &x = l.args[kX], &index = l.args[kIndex], &out = l.args[kOut];
  places.strides[kX][axis] = 0;
  turn_to_closest(&places);
  places.know();
  return with_size(x.dtype, [&](auto t) {
    using T = decltype(t);
    const Gather<T> kernel{static_cast<const T*>(x.data),
                           static_cast<const int64_t*>(index.data),
                           static_cast<T*>(out.data),
                           numel(out),
                           x.shape[axis],
                           x.strides[axis],
                           places};
    return launch(l, cover(kernel.n), kernel, err);
  });
}

bp_status run_gather(const bp_launch& l, bp_error** err) {
  const bp_arg& out = l.args[kOut];
  return pick(l, offsets_of<kArgs>(l.args, out.shape, out.rank), out.rank - 1, err);
}

struct alignas(16) Sixteen {
  uint64_t half[2];
};

// Dense x is seen as [outer, size, inner], in elements or larger packs.
template <class T>
struct Select {
  const T* x;
  const int64_t* index;
  T* out;
  int64_t outer, size, n_index, inner;
  GPU_FN void operator()(const Place& at) const {
    const int64_t n = outer * n_index * inner;
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const int64_t row = i / inner, o = row / n_index;
      const int64_t where = index[row - o * n_index];
      const bool inside = static_cast<uint64_t>(where) < static_cast<uint64_t>(size);
      out[i] = inside ? x[(o * size + where) * inner + (i - row * inner)] : T{};
    }
  }
};

template <class T>
bool fits(const bp_arg& x, const bp_arg& out, int64_t inner_bytes) {
  const uintptr_t all = reinterpret_cast<uintptr_t>(x.data) | reinterpret_cast<uintptr_t>(out.data);
  return (all | static_cast<uintptr_t>(inner_bytes)) % sizeof(T) == 0;
}

bool all_dense(const bp_launch& l) {
  for (uint32_t i = 0; i < l.n_in + l.n_out; ++i)
    if (!(l.args[i].flags & BP_ARG_CONTIGUOUS)) return false;
  return true;
}

// The list of indices is gather's index, the same for all places off the axis.
bp_status select_strided(const bp_launch& l, int64_t axis, bp_error** err) {
  const bp_arg &x = l.args[kX], &index = l.args[kIndex], &out = l.args[kOut];
  Offsets<kArgs> places{};
  places.rank = out.rank;
  for (int32_t d = 0; d < out.rank; ++d) {
    places.shape[d] = out.shape[d];
    places.strides[kX][d] = x.strides[d];
    places.strides[kIndex][d] = d == axis ? index.strides[0] : 0;
    places.strides[kOut][d] = out.strides[d];
  }
  return pick(l, places, axis, err);
}

bp_status run_index_select(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[kX], &index = l.args[kIndex], &out = l.args[kOut];
  int64_t axis = l.attrs[BP_ATTR_GATHER_AXIS].value.i64;
  if (axis < 0) axis += x.rank;
  if (!all_dense(l)) return select_strided(l, axis, err);
  int64_t outer = 1, inner = kItemBytes[x.dtype];
  for (int32_t d = 0; d < x.rank; ++d)
    if (d != axis) (d < axis ? outer : inner) *= x.shape[d];
  const auto select = [&](auto t) {
    using T = decltype(t);
    const Select<T> kernel{static_cast<const T*>(x.data),
                           static_cast<const int64_t*>(index.data),
                           static_cast<T*>(out.data),
                           outer,
                           x.shape[axis],
                           index.shape[0],
                           inner / static_cast<int64_t>(sizeof(T))};
    return launch(l, cover(numel(out) * kItemBytes[x.dtype] / static_cast<int64_t>(sizeof(T))),
                  kernel, err);
  };
  if (fits<Sixteen>(x, out, inner)) return select(Sixteen{});
  if (fits<uint64_t>(x, out, inner)) return select(uint64_t{});
  if (fits<uint32_t>(x, out, inner)) return select(uint32_t{});
  return fits<uint16_t>(x, out, inner) ? select(uint16_t{}) : select(uint8_t{});
}

struct OneHot {
  const int64_t* x;
  int64_t* out;
  int64_t n, classes;
  GPU_FN void operator()(const Place& at) const {
    for (int64_t i = at.index(); i < n; i += at.count()) {
      const int64_t row = i / classes;
      out[i] = x[row] == i - row * classes;
    }
  }
};

struct OneHotStrided {
  OneHot dense;
  Offsets<2> places;  // x does not move with the classes
  GPU_FN void operator()(const Place& place) const {
    for (int64_t i = place.index(); i < dense.n; i += place.count()) {
      int64_t at[2];
      places.of(i, at);
      dense.out[at[1]] = dense.x[at[0]] == i % dense.classes;
    }
  }
};

bp_status run_one_hot(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &out = l.args[1];
  const OneHot kernel{static_cast<const int64_t*>(x.data), static_cast<int64_t*>(out.data),
                      numel(out), out.shape[x.rank]};
  if (all_dense(l)) return launch(l, cover(kernel.n), kernel, err);
  Offsets<2> places = offsets_of<2>(l.args, out.shape, x.rank);
  places.shape[x.rank] = kernel.classes;
  places.strides[1][x.rank] = out.strides[x.rank];
  ++places.rank;
  places.know();
  return launch(l, cover(kernel.n), OneHotStrided{kernel, places}, err);
}

}  // namespace

void add_gather(Registry& r) {
  r.add(BP_OP_GATHER, kAllDtypes, entry<run_gather>);
  r.add(BP_OP_INDEX_SELECT, kAllDtypes, entry<run_index_select>);
  r.add(BP_OP_ONE_HOT, bit(BP_I64), entry<run_one_hot>);
}

}  // namespace bp_gpu
