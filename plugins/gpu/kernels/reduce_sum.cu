// SPDX-License-Identifier: Apache-2.0
// reduce_sum.cu: sum, mean, sum_square, prod. Floats are summed eight at a time as they are (halves
// in f32), then as gpu/sum.h does; floats are multiplied in f64; integers and bools go modulo 2^64,
// which is the i64 or the u64 result.
#include "gpu/reduce.h"
#include "gpu/sum.h"

namespace bp_gpu {
namespace {

template <class T>
struct SumOp : FloatSum<T> {
  using Out = T;
  GPU_FN Out finish(const typename FloatSum<T>::Acc& a, int64_t) const {
    return convert<T>(value(a));
  }
};
template <class T>
struct MeanOp : FloatSum<T> {
  using Out = T;
  GPU_FN Out finish(const typename FloatSum<T>::Acc& a, int64_t n) const {
    return convert<T>(value(a) / static_cast<double>(n));
  }
};

template <class T>
struct SquareOp : SumOp<T> {
  using Item = typename SumOp<T>::Item;
  GPU_FN Item load(const T& x, NoContext) const {
    const auto item = convert<Item>(x);
    return item * item;
  }
};

template <class T>
struct ProdOp : PlainOp {
  using In = T;
  using Item = double;
  using Acc = double;
  using Out = T;
  GPU_FN Item load(const In& x, NoContext) const { return convert<double>(x); }
  GPU_FN static Acc identity() { return 1; }
  GPU_FN Acc add(Acc a, Item x) const { return a * x; }
  GPU_FN Acc add8(Acc a, const Item* x) const {
    return a * (((x[0] * x[1]) * (x[2] * x[3])) * ((x[4] * x[5]) * (x[6] * x[7])));
  }
  GPU_FN Acc join(Acc a, Acc b) const { return a * b; }
  GPU_FN Out finish(Acc a, int64_t) const { return convert<T>(a); }
};

struct Plus {
  static constexpr uint64_t kIdentity = 0;
  GPU_FN static uint64_t of(uint64_t a, uint64_t b) { return a + b; }
};
struct Times {
  static constexpr uint64_t kIdentity = 1;
  GPU_FN static uint64_t of(uint64_t a, uint64_t b) { return a * b; }
};
template <class T, class F>
struct Wrapped : PlainOp {
  using In = T;
  using Item = uint64_t;
  using Acc = uint64_t;
  using Out = uint64_t;
  GPU_FN Item load(const In& x, NoContext) const { return convert<uint64_t>(x); }
  GPU_FN static Acc identity() { return F::kIdentity; }
  GPU_FN Acc add(Acc a, Item x) const { return F::of(a, x); }
  GPU_FN Acc add8(Acc a, const Item* x) const {
    for (int32_t k = 0; k < kGroup; ++k) a = F::of(a, x[k]);
    return a;
  }
  GPU_FN Acc join(Acc a, Acc b) const { return F::of(a, b); }
  GPU_FN Out finish(Acc a, int64_t) const { return a; }
};

template <class F>
void add_integers(Registry& r, uint32_t op) {
  each_type<bit(BP_BOOL) | (kIntegers & ~bit(BP_I64))>(
      [&](auto t, bp_dtype d) { add_reduce<Wrapped<decltype(t), F>>(r, op, bit(d)); });
  add_reduce<Wrapped<uint64_t, F>>(r, op, bit(BP_I64));
}
template <template <class> class Op>
void add_floats(Registry& r, uint32_t op) {
  each_type<kFloats>([&](auto t, bp_dtype d) { add_reduce<Op<decltype(t)>>(r, op, bit(d)); });
}

}  // namespace

void add_reduce_sum(Registry& r) {
  add_floats<SumOp>(r, BP_OP_SUM);
  add_integers<Plus>(r, BP_OP_SUM);
  add_floats<MeanOp>(r, BP_OP_MEAN);
  add_floats<SquareOp>(r, BP_OP_SUM_SQUARE);
  add_floats<ProdOp>(r, BP_OP_PROD);
  add_integers<Times>(r, BP_OP_PROD);
}

}  // namespace bp_gpu
