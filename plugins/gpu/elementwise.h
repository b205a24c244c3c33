// SPDX-License-Identifier: Apache-2.0
// elementwise.h: out[i] = f(in0[i], in1[i], ...) over any strides and broadcasts; numbers go along
// by value. A thread takes a pack at a time, neighbours of the innermost dim: as many as 16 bytes
// of the widest operand hold. Where an operand's neighbours lie side by side and aligned, its pack
// is one access to memory.
//
//   struct Neg { template <class T> GPU_FN static T of(T x) { return -x; } };
//
//   return map<Neg, float, float>(l, err);   // functor, stored types of the output and of each input
#pragma once
#include <algorithm>

#include "gpu/divider.h"
#include "gpu/kernel.h"

namespace bp_gpu {

// How many dims one launch walks; dims outside of them are walked by the host.
constexpr int32_t kMapRank = 8;

template <class T>
struct Source {
  const T* data;  // nullptr: a number
  Calc<T> number;
};

// Out and In are the stored types of the operands, in order.
template <class F, class Out, class... In>
struct Packs {
  static constexpr int64_t kBytes[] = {sizeof(In)..., sizeof(Out)};
  static constexpr int64_t kWidest = std::max({sizeof(Out), sizeof(In)...});
  static constexpr int32_t kPack = static_cast<int32_t>(kWidest == 1 ? 8 : 16 / kWidest);

  // A tuple of sources, as plain as a kernel's argument must be.
  template <class... T>
  struct List {};
  template <class T, class... Rest>
  struct List<T, Rest...> {
    Source<T> head;
    List<Rest...> rest;
  };
  template <class T>
  struct alignas(kPack * sizeof(T)) Aligned {
    T item[kPack];
  };
  template <class T>
  struct Items {
    T item[kPack];
  };
  // Where a pack of an operand lies: its first element, the step to the next, and whether it is one
  // access.
  struct Spot {
    int64_t first, step;
    bool side_by_side;
  };
  // Whether an operand's packs may begin at an address.
  static bool suits(uintptr_t address, int operand) {
    return address % static_cast<uint64_t>(kPack * kBytes[operand]) == 0;
  }

  template <class T>
  GPU_FN static Items<Calc<T>> load(const Source<T>& s, const Spot& spot, int32_t count) {
    Items<Calc<T>> x;
    if (!s.data) {
      unrolled<kPack>([&](int32_t k) { x.item[k] = s.number; });
    } else if (spot.side_by_side && count == kPack) {
      const auto all = *reinterpret_cast<const Aligned<T>*>(s.data + spot.first);
      unrolled<kPack>([&](int32_t k) { x.item[k] = convert<Calc<T>>(all.item[k]); });
    } else {
      unrolled<kPack>([&](int32_t k) {
        x.item[k] = k < count ? convert<Calc<T>>(s.data[spot.first + k * spot.step]) : Calc<T>{};
      });
    }
    return x;
  }

  // Makes the first `count` elements of a pack of the output from those of the sources, whose spots
  // come before the output's.
  template <class... Done>
  GPU_FN static void make(Out* out, const List<>&, const Spot* spot, int32_t count,
                          const Items<Done>&... x) {
    Aligned<Out> y;
    unrolled<kPack>([&](int32_t k) { y.item[k] = convert<Out>(F::of(x.item[k]...)); });
    if (spot->side_by_side && count == kPack)
      *reinterpret_cast<Aligned<Out>*>(out + spot->first) = y;
    else
      unrolled<kPack>([&](int32_t k) {
        if (k < count) out[spot->first + k * spot->step] = y.item[k];
      });
  }
  template <class T, class... Rest, class... Done>
  GPU_FN static void make(Out* out, const List<T, Rest...>& list, const Spot* spot, int32_t count,
                          const Items<Done>&... x) {
    make(out, list.rest, spot + 1, count, x..., load(list.head, *spot, count));
  }
};

template <class F, class Out, class... In>
struct MapDense {
  using P = Packs<F, Out, In...>;
  static constexpr int kOperands = sizeof...(In) + 1;
  Out* out;
  typename P::template List<In...> in;
  int64_t n;
  bool aligned;  // every operand

  GPU_FN void operator()(const Place& place) const {
    typename P::Spot spots[kOperands];
    const int64_t packs = (n + P::kPack - 1) / P::kPack;
    for (int64_t p = place.index(); p < packs; p += place.count()) {
      const int64_t first = p * P::kPack, left = n - first;
      for (auto& spot : spots) spot = {first, 1, aligned};
      P::make(out, in, spots, left < P::kPack ? static_cast<int32_t>(left) : P::kPack);
    }
  }
};

template <class F, class Out, class... In>
struct MapStrided {
  using P = Packs<F, Out, In...>;
  static constexpr int kOperands = sizeof...(In) + 1;
  Out* out;
  typename P::template List<In...> in;
  int32_t rank;         // dims outside of the innermost
  uint32_t n, n_inner;  // packs: all, of a row of the innermost dim
  int64_t innermost;    // size of the innermost dim
  Divider inner, shape[kMapRank];
  int64_t strides[kOperands][kMapRank], steps[kOperands];  // inputs, then the output
  bool side_by_side[kOperands];

  GPU_FN void operator()(const Place& place) const {
    const auto step = static_cast<uint32_t>(place.count());
    for (auto i = static_cast<uint32_t>(place.index()); i < n; i += step) {
      uint32_t row = inner.quotient(i);
      const int64_t first = static_cast<int64_t>(i - row * n_inner) * P::kPack;
      typename P::Spot spots[kOperands];
      for (int k = 0; k < kOperands; ++k) spots[k] = {first * steps[k], steps[k], side_by_side[k]};
      for (int32_t d = rank - 1; d >= 0; --d) {
        const uint32_t outside = shape[d].quotient(row), x = row - outside * shape[d].by;
        row = outside;
        for (int k = 0; k < kOperands; ++k) spots[k].first += x * strides[k][d];
      }
      const int64_t left = innermost - first;
      P::make(out, in, spots, left < P::kPack ? static_cast<int32_t>(left) : P::kPack);
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
  list.head = {tensor ? static_cast<const T*>(args->data) : nullptr,
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

// Operands' dims as the host cuts them into launches.
template <class F, class Out, class... In>
class Strided {
 public:
  using Kernel = MapStrided<F, Out, In...>;
  using P = Packs<F, Out, In...>;
  static constexpr int kOperands = Kernel::kOperands;

  Strided(const bp_launch& l, const MapDense<F, Out, In...>& dense)
      : out_(dense.out), in_(dense.in), rank_(l.args[kOperands - 1].rank) {
    std::copy_n(l.args[kOperands - 1].shape, rank_, shape_);
    for (int k = 0; k < kOperands; ++k) {
      address_[k] = reinterpret_cast<uintptr_t>(l.args[k].data);
      for (int32_t d = 0; d < rank_; ++d)
        strides_[k][d] = l.args[k].kind == BP_ARG_TENSOR ? l.args[k].strides[d] : 0;
    }
  }

  bp_status run(const bp_launch& l, bp_error** err) const {
    if (rank_ - 1 > kMapRank) {
      for (int64_t i = 0; i < shape_[0]; ++i) {
        Strided inside = *this;
        inside.move(i, 0);
        inside.drop_outermost();
        if (const bp_status s = inside.run(l, err)) return s;
      }
      return BP_OK;
    }
    constexpr int64_t kMost = (int64_t{1} << 31) - 1;  // what a Divider divides
    const int32_t last = rank_ - 1;
    int64_t packs = inner_packs(), most = packs;
    int32_t longest = last;
    for (int32_t d = 0; d < last; ++d) {
      if (packs <= kMost) packs *= shape_[d];
      if (shape_[d] > most) most = shape_[d], longest = d;
    }
    if (packs <= kMost) return launch(l, cover(packs), kernel(packs), err);
    Strided low = *this, high = *this;
    low.shape_[longest] = most / 2 * (longest == last ? P::kPack : 1);
    high.move(low.shape_[longest], longest);
    high.shape_[longest] -= low.shape_[longest];
    const bp_status s = low.run(l, err);
    return s ? s : high.run(l, err);
  }

 private:
  int64_t inner_packs() const { return (shape_[rank_ - 1] + P::kPack - 1) / P::kPack; }

  void move(int64_t by, int64_t d) {
    int64_t moved[kOperands];
    for (int k = 0; k < kOperands; ++k) {
      moved[k] = by * strides_[k][d];
      address_[k] += static_cast<uintptr_t>(moved[k] * P::kBytes[k]);
    }
    move_sources(moved, in_);
    out_ += moved[kOperands - 1];
  }
  void drop_outermost() {
    --rank_;
    std::copy_n(shape_ + 1, rank_, shape_);
    for (auto& strides : strides_) std::copy_n(strides + 1, rank_, strides);
  }

  bool lies_in_packs(int k) const {
    bool good = strides_[k][rank_ - 1] == 1 && P::suits(address_[k], k);
    for (int32_t d = 0; d + 1 < rank_; ++d) good = good && strides_[k][d] % P::kPack == 0;
    return good;
  }

  Kernel kernel(int64_t packs) const {
    Kernel k{};
    k.out = out_;
    k.in = in_;
    k.rank = rank_ - 1;
    k.innermost = shape_[k.rank];
    k.n = static_cast<uint32_t>(packs);
    k.n_inner = static_cast<uint32_t>(inner_packs());
    k.inner = Divider(k.n_inner);
    for (int32_t d = 0; d < k.rank; ++d) k.shape[d] = Divider(static_cast<uint32_t>(shape_[d]));
    for (int i = 0; i < kOperands; ++i) {
      std::copy_n(strides_[i], k.rank, k.strides[i]);
      k.steps[i] = strides_[i][k.rank];
      k.side_by_side[i] = lies_in_packs(i);
    }
    return k;
  }

  Out* out_;
  typename P::template List<In...> in_;
  uintptr_t address_[kOperands];
  int32_t rank_;
  int64_t shape_[BP_MAX_RANK], strides_[kOperands][BP_MAX_RANK];
};

template <class F, class Out, class... In>
bp_status map(const bp_launch& l, bp_error** err) {
  using P = Packs<F, Out, In...>;
  constexpr int kIn = sizeof...(In), kOperands = kIn + 1;
  const bp_arg& out = l.args[kIn];
  MapDense<F, Out, In...> dense{};
  dense.out = static_cast<Out*>(out.data);
  dense.n = numel(out);
  if (dense.n == 0) return BP_OK;
  fill_sources<std::is_same_v<Out, Bool>>(l.args, dense.in);
  bool all_dense = dense.aligned = true;
  for (int k = 0; k < kOperands; ++k) {
    if (l.args[k].kind != BP_ARG_TENSOR) continue;
    all_dense = all_dense && (l.args[k].flags & BP_ARG_CONTIGUOUS);
    dense.aligned = dense.aligned && P::suits(reinterpret_cast<uintptr_t>(l.args[k].data), k);
  }
  if (!all_dense) return Strided<F, Out, In...>(l, dense).run(l, err);
  return launch(l, cover((dense.n + P::kPack - 1) / P::kPack), dense, err);
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

}  // namespace bp_gpu
