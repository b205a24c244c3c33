// SPDX-License-Identifier: Apache-2.0
// elementwise.h: out[i] = f(in0[i], in1[i], ...) over any strides and broadcasts; numbers go along
// by value. Dense operands move in 16-byte packs. 64-bit indices throughout.
//
//   struct Neg { template <class T> GPU_FN static T of(T x) { return -x; } };
//
//   return map<Neg, float, float>(l, err);   // functor, stored types of the output and of each input
#pragma once
#include "gpu/kernel.h"

namespace bp_gpu {

// How many dims one launch walks; dims outside of them are walked by the host.
constexpr int kMapRank = 8;

template <class T>
struct Source {
  const T* data;  // nullptr: a number
  int64_t step;   // dense form: 1, or 0 when one element is for all
  Calc<T> number;
};

// Out and In are the stored types of the operands, in order.
template <class F, class Out, class... In>
struct MapDense {
  Out* out;
  int64_t n;
  // A tuple of sources, as plain as a kernel's argument must be.
  template <class... T>
  struct List {};
  template <class T, class... Rest>
  struct List<T, Rest...> {
    Source<T> head;
    List<Rest...> rest;
  };
  List<In...> in;
  bool packed;  // every operand of n elements is 16-byte aligned

  template <class T>
  GPU_FN static Calc<T> load(const Source<T>& s, int64_t i) {
    return s.data ? convert<Calc<T>>(s.data[i * s.step]) : s.number;
  }
  GPU_FN Out at(int64_t i) const { return apply(i, in); }
  template <class... Done>
  GPU_FN static Out apply(int64_t, const List<>&, Done... x) {
    return convert<Out>(F::of(x...));
  }
  template <class T, class... Rest, class... Done>
  GPU_FN static Out apply(int64_t i, const List<T, Rest...>& list, Done... x) {
    return apply(i, list.rest, x..., load(list.head, i));
  }

  static constexpr int64_t kPack = 16 / static_cast<int64_t>(sizeof(Out));
  struct alignas(16) Pack {
    Out item[kPack];
  };

  GPU_FN void operator()(const Place& place) const {
    int64_t first = 0;
    if (packed) {
      const int64_t packs = n / kPack;
      Pack* to = reinterpret_cast<Pack*>(out);
      for (int64_t p = place.index(); p < packs; p += place.count()) {
        Pack y;
        for (int64_t k = 0; k < kPack; ++k) y.item[k] = at(p * kPack + k);
        to[p] = y;
      }
      first = packs * kPack;
    }
    for (int64_t i = first + place.index(); i < n; i += place.count()) out[i] = at(i);
  }
};

template <class F, class Out, class... In>
struct MapStrided {
  static constexpr int kOperands = sizeof...(In) + 1;
  MapDense<F, Out, In...> dense;  // its sources without steps
  int32_t rank;
  int64_t shape[kMapRank];
  int64_t strides[kOperands][kMapRank];  // inputs, then the output

  template <class... Done>
  GPU_FN static Out apply(const int64_t*, const typename MapDense<F, Out, In...>::template List<>&,
                          Done... x) {
    return convert<Out>(F::of(x...));
  }
  template <class T, class... Rest, class... Done>
  GPU_FN static Out apply(const int64_t* at,
                          const typename MapDense<F, Out, In...>::template List<T, Rest...>& list,
                          Done... x) {
    const Calc<T> v = list.head.data ? convert<Calc<T>>(list.head.data[*at]) : list.head.number;
    return apply(at + 1, list.rest, x..., v);
  }

  GPU_FN void operator()(const Place& place) const {
    for (int64_t i = place.index(); i < dense.n; i += place.count()) {
      int64_t at[kOperands] = {};
      int64_t left = i;
      for (int32_t d = rank - 1; d >= 0; --d) {
        const int64_t x = left % shape[d];
        left /= shape[d];
        for (int k = 0; k < kOperands; ++k) at[k] += x * strides[k][d];
      }
      dense.out[at[kOperands - 1]] = apply(at, dense.in);
    }
  }
};

// A half is compared with the number rounded to its dtype, but computed with the number itself.
template <bool kRounded, class List>
void fill_sources(const bp_arg*, List&) {}
template <bool kRounded, class List>
requires requires(List l) { l.head; }
void fill_sources(const bp_arg* args, List& list) {
  using T = std::remove_cv_t<std::remove_pointer_t<decltype(list.head.data)>>;
  const bool tensor = args->kind == BP_ARG_TENSOR;
  list.head = {tensor ? static_cast<const T*>(args->data) : nullptr, 1,
               tensor     ? Calc<T>{}
               : kRounded ? convert<Calc<T>>(number<T>(*args))
                          : number<Calc<T>>(*args)};
  fill_sources<kRounded>(args + 1, list.rest);
}
template <class List>
void move_sources(const int64_t*, List&) {}
template <class List>
requires requires(List l) { l.head; }
void move_sources(const int64_t* by, List& list) {
  if (list.head.data) list.head.data += *by;
  move_sources(by + 1, list.rest);
}

inline bool aligned(const void* p) { return reinterpret_cast<uintptr_t>(p) % 16 == 0; }

template <class F, class Out, class... In>
bp_status map(const bp_launch& l, bp_error** err) {
  constexpr int kIn = sizeof...(In), kOperands = kIn + 1;
  const bp_arg& out = l.args[kIn];
  MapDense<F, Out, In...> dense{};
  dense.out = static_cast<Out*>(out.data);
  dense.n = numel(out);
  fill_sources<std::is_same_v<Out, Bool>>(l.args, dense.in);
  bool all_dense = true;
  dense.packed = true;
  for (int k = 0; k < kOperands; ++k) {
    if (l.args[k].kind != BP_ARG_TENSOR) continue;
    all_dense = all_dense && (l.args[k].flags & BP_ARG_CONTIGUOUS);
    dense.packed = dense.packed && aligned(l.args[k].data);
  }
  if (all_dense) return launch(l, cover(dense.n), dense, err);

  MapStrided<F, Out, In...> strided{};
  strided.dense = dense;
  const int32_t outer = out.rank > kMapRank ? out.rank - kMapRank : 0;
  strided.rank = out.rank - outer;
  int64_t n_outer = 1;
  for (int32_t d = 0; d < outer; ++d) n_outer *= out.shape[d];
  for (int32_t d = 0; d < strided.rank; ++d) {
    strided.shape[d] = out.shape[outer + d];
    for (int k = 0; k < kOperands; ++k)
      strided.strides[k][d] = l.args[k].kind == BP_ARG_TENSOR ? l.args[k].strides[outer + d] : 0;
  }
  strided.dense.n = dense.n / (n_outer ? n_outer : 1);
  for (int64_t o = 0; o < n_outer; ++o) {
    int64_t moved[kOperands] = {};
    int64_t left = o;
    for (int32_t d = outer - 1; d >= 0; --d) {
      const int64_t x = left % out.shape[d];
      left /= out.shape[d];
      for (int k = 0; k < kOperands; ++k)
        if (l.args[k].kind == BP_ARG_TENSOR) moved[k] += x * l.args[k].strides[d];
    }
    MapStrided<F, Out, In...> part = strided;
    move_sources(moved, part.dense.in);
    part.dense.out += moved[kIn];
    if (const bp_status s = launch(l, cover(part.dense.n), part, err)) return s;
  }
  return BP_OK;
}

// The stored type of a functor's result for operands of type T: f32 becomes T where T is a half.
template <class T, class R>
using Stored = std::conditional_t<std::is_same_v<R, Calc<T>>, T, R>;

template <class F, class T>
bp_status map_unary(const bp_launch& l, bp_error** err) {
  using R = decltype(F::of(Calc<T>{}));
  return map<F, Stored<T, R>, T>(l, err);
}
template <class F, class T>
bp_status map_binary(const bp_launch& l, bp_error** err) {
  using R = decltype(F::of(Calc<T>{}, Calc<T>{}));
  return map<F, Stored<T, R>, T, T>(l, err);
}

// A record's function for the dtypes of a mask, by the dtype of the first operand.
template <class F, uint64_t kMask>
bp_status run_unary(const bp_launch& l, bp_error** err) {
  return with_type_of<kMask>(l.args[0].dtype,
                             [&](auto t) { return map_unary<F, decltype(t)>(l, err); });
}
template <class F, uint64_t kMask>
bp_status run_binary(const bp_launch& l, bp_error** err) {
  return with_type_of<kMask>(l.args[0].dtype,
                             [&](auto t) { return map_binary<F, decltype(t)>(l, err); });
}
template <class F, uint64_t kMask>
void add_unary(Registry& r, uint32_t op) {
  r.add(op, kMask, entry<run_unary<F, kMask>>);
}
template <class F, uint64_t kMask>
void add_binary(Registry& r, uint32_t op) {
  r.add(op, kMask, entry<run_binary<F, kMask>>);
}

// Unsigned arithmetic of at least 32 bits wraps where signed, or promoted 16-bit, arithmetic is
// undefined.
template <class T>
using Wrapping = std::conditional_t<(sizeof(T) < 4), uint32_t, std::make_unsigned_t<T>>;

}  // namespace bp_gpu
