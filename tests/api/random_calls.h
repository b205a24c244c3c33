// SPDX-License-Identifier: Apache-2.0
// random_calls.h: random sequences of 2 to 60 calls: views, writes in place, casts, broadcasts,
// reductions, random draws, two devices.
//
//   const std::vector<T> results = RandomCalls(/*seed=*/7, inputs, states, device("sim:0")).run();
#pragma once
#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {

using Several = std::vector<T>;

inline T shared(const T& t) { return T(bp_tensor_retain(t.get())); }

// Makes the same calls whenever it is made of the same seed. What it calls depends on shapes and
// dtypes alone.
class RandomCalls {
 public:
  RandomCalls(uint64_t seed, const Several& inputs, Several& states, bp_device other)
      : random_(seed), states_(states), other_(other) {
    for (const T& t : inputs) pool_.push_back(shared(t));
    for (const T& t : states) pool_.push_back(shared(t));
  }

  Several run() {
    const int n = 2 + pick(59);
    for (int i = 0; i < n; ++i) call();
    Several out;
    for (int i = 0, k = 1 + pick(3); i < k; ++i)
      out.push_back(shared(
          pool_[pool_.size() - 1 -
                static_cast<size_t>(pick(static_cast<int>(std::min<size_t>(pool_.size(), 6))))]));
    return out;
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<uint64_t>(n)); }
  const T& any() { return pool_[static_cast<size_t>(pick(static_cast<int>(pool_.size())))]; }
  // A tensor on the device of `t` with which it broadcasts, or t.
  const T& beside(const T& t) {
    for (int i = 0; i < 8; ++i) {
      const T& u = any();
      if (bp_tensor_device(u.get()) != bp_tensor_device(t.get())) continue;
      const Shape a = shape_of(t), b = shape_of(u);
      bool fits = true;
      for (size_t k = 1; k <= std::min(a.size(), b.size()); ++k) {
        const int64_t x = a[a.size() - k], y = b[b.size() - k];
        fits &= x == y || x == 1 || y == 1;
      }
      if (fits) return u;
    }
    return t;
  }
  // Keeps what was made, unless it grew too large.
  void keep(T t) {
    if (t && bp_tensor_numel(t.get()) <= 4096) pool_.push_back(std::move(t));
  }
  void op(uint32_t id, const std::vector<bp_value>& in, const std::vector<bp_attr>& attrs = {}) {
    T out;
    if (invoke(id, in, out, attrs).status == BP_OK) keep(std::move(out));
  }
  template <class F, class... A>
  void view(F&& f, A... args) {
    bp_tensor* out = nullptr;
    if (f(args..., &out, nullptr) == BP_OK) keep(T(out));
  }

  void call() {
    static constexpr uint32_t kUnary[] = {BP_OP_NEG, BP_OP_EXP,  BP_OP_SIN,   BP_OP_TANH,
                                          BP_OP_ABS, BP_OP_RELU, BP_OP_FLOOR, BP_OP_SIGMOID};
    static constexpr uint32_t kBinary[] = {BP_OP_ADD,     BP_OP_SUB, BP_OP_MUL, BP_OP_MAXIMUM,
                                           BP_OP_MINIMUM, BP_OP_LT,  BP_OP_NE};
    static constexpr uint32_t kReduce[] = {BP_OP_SUM, BP_OP_MAX, BP_OP_MEAN, BP_OP_ARGMAX};
    static constexpr bp_dtype kTypes[] = {BP_F32, BP_F64, BP_I64, BP_F16, BP_BOOL};
    const T& t = any();
    const int32_t rank = bp_tensor_rank(t.get());
    const int64_t dim = rank ? pick(rank) : 0,
                  size = rank ? shape_of(t)[static_cast<size_t>(dim)] : 1;
    switch (pick(16)) {
      case 0:
      case 1:
      case 2: return op(kUnary[pick(8)], {value(t)});
      case 3:
      case 4:
      case 5: return op(kBinary[pick(7)], {value(t), value(beside(t))});
      case 6: return op(kBinary[pick(5)], {value(t), number(0.5 * pick(9))});
      case 7: {
        const bp_attr axes{"axes", BP_ATTR_INTS, rank ? 1u : 0u, {.ints = &dim}, 0};
        const uint32_t id = kReduce[pick(4)];
        if (id == BP_OP_ARGMAX) return op(id, {value(t)}, {attr("axis", dim)});
        return op(id, {value(t)}, {axes, flag("keepdims", pick(2))});
      }
      case 8: return view(bp_tensor_transpose, t.get(), int64_t{0}, dim);
      case 9:
        return size > 1 ? view(bp_tensor_narrow, t.get(), dim,
                               int64_t{pick(static_cast<int>(size) - 1)}, int64_t{1} + size / 3)
                        : void();
      case 10: return view(bp_tensor_slice, t.get(), dim, int64_t{0}, size, int64_t{2});
      case 11:
        return pick(2) ? view(bp_tensor_unsqueeze, t.get(), int64_t{-1})
                       : view(bp_tensor_contiguous, t.get());
      case 12:
        return view(bp_tensor_to, t.get(), bp_tensor_device(t.get()), kTypes[pick(5)], 0u, 0u);
      case 13:  // in place, also through views, and of states
        if (T self = shared(
                pick(3) ? t : states_[static_cast<size_t>(pick(static_cast<int>(states_.size())))]))
          invoke(kBinary[pick(5)], {value(self), number(0.25 * pick(9))}, self);
        return;
      case 14:
        if (pick(2)) return op(BP_OP_DROPOUT, {value(t)}, {attr("p", 0.5)});
        return op(pick(2) ? BP_OP_SOFTMAX : BP_OP_CUMSUM, {value(t)}, {attr("axis", dim)});
      case 15:
        if (other_)
          return view(bp_tensor_to, t.get(), bp_tensor_device(t.get()) == kCpu ? other_ : kCpu,
                      bp_dtype{BP_DTYPE_NONE}, 0u, 0u);
        return op(BP_OP_WHERE,
                  {value(made(bp_tensor_to, t.get(), bp_device{0}, bp_dtype{BP_BOOL}, 0u, 0u)),
                   value(t), number(1.5)});
    }
  }

  std::mt19937_64 random_;
  Several pool_;
  Several& states_;
  bp_device other_;
};

}  // namespace bp_test
