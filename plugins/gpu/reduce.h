// SPDX-License-Identifier: Apache-2.0
// reduce.h: one result from each sequence of elements, over any strides and ranks.
//
// A block takes a tile of `width` outputs on `height` lanes each, width * height = kLanes: lane h
// of an output combines positions h, h + height, ..., eight at a time, and the lanes are folded.
// Neighbouring lanes read neighbouring elements: of one sequence when it lies dense, and then a
// lane's eight are packs of as many as one access reads; of neighbouring outputs when those do. Few
// outputs of long sequences are cut into chunks, whose results wait in the workspace for a second
// launch. All of it depends on shape and strides alone; where a sequence is not aligned, the same
// positions are read one by one.
//
// An Op has
//   In, Item, Acc, Out        stored element, what it is loaded as, what is accumulated, stored result
//   Context context(o)        what lanes of output o know, {} mostly
//   Item load(In, Context)
//   Acc identity(), add(Acc, Item), add8(Acc, const Item*), join(Acc, Acc), Out finish(Acc, n)
//   Acc add32(Acc, const Item*)  if it has it, for sequences that lie dense
// and may derive from PlainOp for what it does not care about. One that writes elements instead of
// one result (softmax) has static constexpr bool kWrites = true;   Row row(Acc), Out write(In, Row)
// One that asks where elements are (argmax) has kCounts, and what adds is told it: an item's
// position, and at(k), that of the k-th of eight. Those that a lane is given ascend. kStraight says
// that a sequence is always one dim.
#pragma once
#include "gpu/block.h"
#include "gpu/reduce_plan.h"

namespace bp_gpu {

struct NoContext {};
struct PlainOp {
  static constexpr bool kWrites = false, kCounts = false, kStraight = false;
  static constexpr int32_t kTogether = 4;
  GPU_FN NoContext context(int64_t) const { return {}; }
};

template <class Op>
struct Reduce {
  using In = typename Op::In;
  using Item = typename Op::Item;
  using Acc = typename Op::Acc;
  using Out = typename Op::Out;
  static constexpr int32_t kTogether = Op::kTogether;

  Op op;
  ReducePlan plan;
  const In* in;
  Acc* parts;         // [chunks][n_out]: results to be finished by another launch, or nullptr
  const Acc* totals;  // [n_out]: what is known already when it remains to write, or nullptr
  Out* out;
  int64_t n;  // what the op's finish is told: the sequences' length before they were cut

  struct Lane {
    int64_t o, begin, end;  // its output; the positions of that, of which it takes its share
    int32_t h, slot;        // which of an output's lanes it is; where its accumulator is
  };
  GPU_FN Lane lane_of(int32_t lane, int64_t work) const {
    const int32_t first = lane & ((1 << plan.shift) - 1), second = lane >> plan.shift;
    const int32_t w = plan.across ? first : second, h = plan.across ? second : first;
    const int64_t tile = plan.chunks == 1 ? work : work / plan.chunks;
    const int64_t from = (work - tile * plan.chunks) * plan.chunk, to = from + plan.chunk;
    return {tile * plan.width + w, from, to < plan.n ? to : plan.n, h, h * plan.width + w};
  }

  // As many elements as one access reads.
  static constexpr int32_t kPack = 16 % sizeof(In)  ? 1
                                   : sizeof(In) > 2 ? static_cast<int32_t>(16 / sizeof(In))
                                                    : 8;
  static constexpr bool kHas32 = requires(Op o, Acc a, const Item* item) { o.add32(a, item); };
  // As many as a lane has under way where they lie dense: narrow ones are more, where no positions
  // take registers too.
  static constexpr bool kNarrow = sizeof(In) == 1 || (sizeof(In) == 2 && !Op::kCounts);
  static constexpr int32_t kWide = kHas32 || kNarrow ? 32 : sizeof(In) <= 4 ? 16 : kGroup;
  template <class T>
  struct alignas(kPack > 1 ? kPack * sizeof(T) : alignof(T)) Pack {
    T item[kPack];
  };
  template <class T>
  GPU_FN static bool suits(const T* x) {
    return reinterpret_cast<uintptr_t>(x) % sizeof(Pack<T>) == 0;
  }
  template <class T>
  GPU_FN static Pack<T> read(const T* x, bool aligned) {
    if (aligned) return *reinterpret_cast<const Pack<T>*>(x);
    Pack<T> pack;
    unrolled<kPack>([&](int32_t k) { pack.item[k] = x[k]; });
    return pack;
  }

  // at(k) is the position of the k-th item.
  template <class At>
  GPU_FN void add_eight(Acc& acc, const Item* item, const At& at) const {
    if constexpr (Op::kCounts)
      acc = op.add8(acc, item, at);
    else
      acc = op.add8(acc, item);
  }

  // Adds whole groups of kCount elements from position p on, read in packs, and moves p behind
  // them.
  template <int32_t kCount, class Context>
  GPU_FN void add_packs(const Lane& l, const In* x, const Context& context, int64_t& p,
                        Acc& acc) const {
    const int64_t step = plan.height;
    const bool aligned = suits(x + p);
    for (; p + kCount * step <= l.end; p += kCount * step) {
      Item item[kCount];
      const int64_t first = p + l.h * kPack;
      unrolled<kCount / kPack>([&](int32_t n) {
        const Pack<In> pack = read(x + first + n * step * kPack, aligned);
        unrolled<kPack>([&](int32_t k) { item[n * kPack + k] = op.load(pack.item[k], context); });
      });
      if constexpr (kCount == 32 && kHas32)
        acc = op.add32(acc, item);
      else
        unrolled<kCount / kGroup>([&](int32_t n) {
          add_eight(acc, item + n * kGroup, [&](int32_t k) {
            const int32_t i = n * kGroup + k;
            return first + i / kPack * (step * kPack) + i % kPack;
          });
        });
    }
  }
  // The same for groups of eight whose elements lie apart, as `place` says.
  template <class Context, class Place>
  GPU_FN void add_apart(const Lane& l, const In* x, const Context& context, int64_t& p, Acc& acc,
                        const Place& place) const {
    const int64_t step = plan.height;
    for (; p + kGroup * step <= l.end; p += kGroup * step) {
      Item item[kGroup];
      const int64_t first = p + l.h;
      unrolled<kGroup>([&](int32_t k) { item[k] = op.load(x[place(first + k * step)], context); });
      add_eight(acc, item, [&](int32_t k) { return first + k * step; });
    }
  }

  GPU_FN Acc accumulate(const Lane& l) const {
    Acc acc = Op::identity();
    if (l.o >= plan.n_out) return acc;
    const auto context = op.context(l.o);
    const In* x = in + plan.walk.output(l.o).in;
    int64_t p = l.begin;
    if (plan.packed) {
      add_packs<kWide>(l, x, context, p, acc);
      if constexpr (kWide > kGroup) add_packs<kGroup>(l, x, context, p, acc);
    } else if (Op::kStraight || plan.straight) {  // few instructions for an element take the time
      const int64_t stride = plan.walk.in[plan.walk.kept];
      add_apart(l, x, context, p, acc, [&](int64_t at) { return at * stride; });
    } else if (plan.few) {
      add_apart(l, x, context, p, acc,
                [&](int64_t at) { return plan.in_step(static_cast<uint32_t>(at)); });
    }
    for (p += l.h; p < l.end; p += plan.height) {
      const Item item = op.load(x[in_step(p)], context);
      if constexpr (Op::kCounts)
        acc = op.add(acc, item, p);
      else
        acc = op.add(acc, item);
    }
    return acc;
  }
  // From a sequence's first element to position p of it.
  GPU_FN int64_t in_step(int64_t p) const {
    return Op::kStraight ? p * plan.walk.in[plan.walk.kept] : plan.walk.in_step(p);
  }
  GPU_FN int64_t out_step(int64_t p) const {
    return Op::kStraight ? p * plan.walk.out[plan.walk.kept] : plan.walk.out_step(p);
  }

  GPU_FN void write(const Lane& l, const Acc& acc) const {
    if (l.o >= plan.n_out) return;
    const Walk::At first = plan.walk.output(l.o);
    const auto row = op.row(acc);
    const In* from = in + first.in;
    Out* to = out + first.out;
    int64_t p = l.begin;
    if (plan.packed && plan.writes_packed && suits(from + p) && suits(to + p)) {
      const int64_t step = plan.height * kPack;
      for (; p + step <= l.end; p += step) {
        const Pack<In> x = read(from + p + l.h * kPack, true);
        Pack<Out> y;
        unrolled<kPack>([&](int32_t k) { y.item[k] = op.write(x.item[k], row); });
        *reinterpret_cast<Pack<Out>*>(to + p + l.h * kPack) = y;
      }
    }
    for (p += l.h; p < l.end; p += plan.height) to[out_step(p)] = op.write(from[in_step(p)], row);
  }

  GPU_FN void operator()(const Place& at) const {
    Acc* s = at.shared<Acc>();
    const int64_t all = (plan.n_out + plan.width - 1) / plan.width * plan.chunks;
    for (int64_t work = at.block(); work < all; work += at.blocks()) {
      if constexpr (Op::kWrites) {
        if (totals) {
          for_lanes(at, kLanes, [&](int32_t i) {
            const Lane l = lane_of(i, work);
            if (l.o < plan.n_out) write(l, totals[l.o]);
          });
          continue;
        }
      }
      for_lanes(at, kLanes, [&](int32_t i) {
        const Lane l = lane_of(i, work);
        s[l.slot] = accumulate(l);
      });
      block_fold(at, s, plan.height, plan.width,
                 [&](const Acc& a, const Acc& b) { return op.join(a, b); });
      finish(at, s, work);
      at.barrier();
    }
  }

  GPU_FN void finish(const Place& at, const Acc* s, int64_t work) const {
    if constexpr (Op::kWrites) {
      if (!parts) {
        for_lanes(at, kLanes, [&](int32_t i) {
          const Lane l = lane_of(i, work);
          write(l, s[l.slot % plan.width]);
        });
        return;
      }
    }
    for_lanes(at, plan.width, [&](int32_t w) {
      const int64_t o = work / plan.chunks * plan.width + w;
      if (o >= plan.n_out) return;
      if (parts) parts[work % plan.chunks * plan.n_out + o] = s[w];
      if constexpr (!Op::kWrites)
        if (!parts) out[plan.walk.output(o).out] = op.finish(s[w], n);
    });
  }
};

// The op whose elements are another's accumulators.
template <class Op>
struct Joined : PlainOp {
  using In = typename Op::Acc;
  using Item = In;
  using Acc = In;
  using Out = typename Op::Out;
  static constexpr bool kStraight = true;
  Op op;
  GPU_FN Item load(const In& x, NoContext) const { return x; }
  GPU_FN static Acc identity() { return Op::identity(); }
  GPU_FN Acc add(const Acc& a, const Item& x) const { return op.join(a, x); }
  GPU_FN Acc add8(Acc a, const Item* x) const {
    for (int32_t k = 0; k < kGroup; ++k) a = op.join(a, x[k]);
    return a;
  }
  GPU_FN Acc join(const Acc& a, const Acc& b) const { return op.join(a, b); }
  GPU_FN Out finish(const Acc& a, int64_t n) const {
    if constexpr (Op::kWrites)
      return Out{};  // never called
    else
      return op.finish(a, n);
  }
};

template <class Op>
bp_status launch_reduce(const bp_launch& l, const Reduce<Op>& kernel, bp_error** err) {
  const int64_t work = kernel.plan.tiles() * kernel.plan.chunks;
  if (work == 0) return BP_OK;
  const Shape shape{.blocks = work < kMostBlocks ? work : kMostBlocks,
                    .shared_bytes = kLanes * static_cast<int64_t>(sizeof(typename Op::Acc))};
  return launch(l, shape, kernel, err);
}

// Bytes that `parts` of reduce and reduce_totals need.
template <class Op>
uint64_t parts_bytes(const ReducePlan& p) {
  return p.chunks > 1 ? static_cast<uint64_t>(p.chunks * p.n_out) * sizeof(typename Op::Acc) : 0;
}

// Reduces to out, or to totals[n_out] where they are asked for.
template <class Op>
bp_status reduce(const bp_launch& l, const ReducePlan& plan, const Op& op, void* parts,
                 typename Op::Acc* totals, bp_error** err) {
  using Acc = typename Op::Acc;
  using Out = typename Op::Out;
  const auto* in = static_cast<const typename Op::In*>(l.args[0].data) + plan.moved;
  auto* out = static_cast<Out*>(l.args[l.n_in].data);
  if (plan.chunks == 1)
    return launch_reduce(l, Reduce<Op>{op, plan, in, totals, nullptr, out, plan.n}, err);
  auto* all = static_cast<Acc*>(parts);
  if (const bp_status s =
          launch_reduce(l, Reduce<Op>{op, plan, in, all, nullptr, out, plan.n}, err))
    return s;
  return launch_reduce(
      l,
      Reduce<Joined<Op>>{
          {{}, op}, reduce_detail::plan_parts(plan), all, totals, nullptr, out, plan.n},
      err);
}

// For records of ops that are an Op and nothing else.
template <class Op, bool kAnyOrder>
bp_status run_reduce(const bp_launch& l, bp_error** err) {
  const bp_arg &x = l.args[0], &out = l.args[l.n_in];
  return reduce(l, plan_reduction(x, out, out.rank, kAnyOrder), Op{}, l.workspace, nullptr, err);
}
template <class Op, bool kAnyOrder>
bp_status reduce_workspace(const bp_launch* l, uint64_t* bytes, bp_error**) {
  const bp_arg &x = l->args[0], &out = l->args[l->n_in];
  *bytes = parts_bytes<Op>(plan_reduction(x, out, out.rank, kAnyOrder));
  return BP_OK;
}
template <class Op, bool kAnyOrder = true>
void add_reduce(Registry& r, uint32_t op, uint64_t dtypes) {
  r.add(op, dtypes, entry<run_reduce<Op, kAnyOrder>>, /*flags=*/0, reduce_workspace<Op, kAnyOrder>);
}

}  // namespace bp_gpu
