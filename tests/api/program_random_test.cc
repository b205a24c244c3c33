// SPDX-License-Identifier: Apache-2.0
// Random programs of 2 to 60 calls: views, writes in place, casts, broadcasts, reductions, random
// draws, two devices. Each is recorded once and run over other inputs, and has the results and
// leaves the states that the same calls have and leave. BP_RANDOM_PROGRAMS says how many, and
// BP_RANDOM_SEED from which on.
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <random>

#include "kit/invoke.h"
#include "kit/session.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

using RandomProgram = Handle<bp_program, bp_program_release>;
using Several = std::vector<T>;

int64_t from_environment(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atoll(text) : otherwise;
}
T shared(const T& t) { return T(bp_tensor_retain(t.get())); }

// Makes the same calls whenever it is made of the same seed. What it calls depends on shapes and
// dtypes alone.
class Calls {
 public:
  Calls(uint64_t seed, const Several& inputs, Several& states, bp_device other)
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

// Equal, or both no number; with `nearly` within a rounding of sums.
void expect_same(const Several& got, const Several& wanted, bool nearly) {
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(shape_of(got[i]), shape_of(wanted[i]));
    ASSERT_EQ(bp_tensor_dtype(got[i].get()), bp_tensor_dtype(wanted[i].get()));
    const Doubles a = doubles(got[i]), b = doubles(wanted[i]);
    for (size_t k = 0; k < a.size(); ++k) {
      if (a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k]))) continue;
      ASSERT_TRUE(nearly && std::fabs(a[k] - b[k]) <= 1e-3 * (std::fabs(a[k]) + std::fabs(b[k])))
          << "result " << i << "[" << k << "]: " << a[k] << " and " << b[k];
    }
  }
}

void check(uint64_t seed, bp_device device, bp_device other, uint32_t without) {
  std::mt19937_64 random(seed * 3 + 1);
  const auto fresh = [&](int64_t start) {
    Several all;
    for (uint64_t i = 0; i < 1 + seed % 3; ++i) {
      Shape shape;
      const uint64_t rank = (seed + i) % 4;
      for (uint64_t d = 0; d < rank; ++d)
        shape.push_back(1 + static_cast<int64_t>((seed / 4 + d * 7 + i) % 9));
      T x;
      const T raw = counting(shape);
      EXPECT_EQ(invoke(BP_OP_SIN, {value(raw)}, x).status, BP_OK);
      T y;
      EXPECT_EQ(invoke(BP_OP_ADD, {value(x), number(start)}, y).status, BP_OK);
      all.push_back(to(y, device));
    }
    return all;
  };
  Several first = fresh(0), eager_states = fresh(3), states = fresh(3);
  const std::vector<bp_tensor*> in = raw(first);
  ASSERT_EQ(bp_program_begin(in.data(), static_cast<uint32_t>(in.size()), 0, nullptr), BP_OK);
  const Several made_then = Calls(seed, first, states, other).run();
  const bp_program_options options{sizeof options, without, /*block_bytes=*/256};
  const std::vector<bp_tensor*> outputs = raw(made_then);
  bp_program* p = nullptr;
  const Answer ended =
      attempt(bp_program_end, outputs.data(), static_cast<uint32_t>(outputs.size()), &options, &p);
  ASSERT_EQ(ended.message, "");
  const RandomProgram program(p);
  Several again = fresh(0);
  const Several eager_then = Calls(seed, again, eager_states, other).run();
  static_cast<void>(eager_then);
  for (int64_t k = 1; k <= 2; ++k) {
    Several x = fresh(k), same_x = fresh(k);
    ASSERT_EQ(bp_manual_seed(static_cast<uint64_t>(k), nullptr), BP_OK);
    const Several wanted = Calls(seed, x, eager_states, other).run();
    ASSERT_EQ(bp_manual_seed(static_cast<uint64_t>(k), nullptr), BP_OK);
    const std::vector<bp_tensor*> bound = raw(same_x);
    std::vector<bp_tensor*> out(made_then.size());
    const Answer a =
        attempt(bp_program_run, program.get(), bound.data(), static_cast<uint32_t>(bound.size()),
                out.data(), static_cast<uint32_t>(out.size()));
    ASSERT_EQ(a.message, "");
    Several got;
    for (bp_tensor* t : out) got.emplace_back(t);
    const bool nearly = !(without & BP_PASS_GROUP);
    expect_same(got, wanted, nearly);
    expect_same(states, eager_states, nearly);
    expect_same(same_x, x, nearly);  // what was written in place
  }
}

TEST(RandomPrograms, EqualTheirCalls) {
  bp_shutdown(-1, nullptr);  // of whoever came before in this process
  const Session session;
  const auto n = from_environment("BP_RANDOM_PROGRAMS", 300),
             first = from_environment("BP_RANDOM_SEED", 1);
  const bp_device sim = has_kind("sim:0") ? device("sim:0") : 0;
  for (int64_t seed = first; seed < first + n; ++seed) {
    const bp_device device = sim && seed % 4 == 3 ? sim : kCpu, other = seed % 3 == 0 ? sim : 0;
    const uint32_t without = seed % 5 == 0 ? uint32_t{BP_PASS_GROUP} : seed % 5 == 1 ? 7u : 0u;
    check(static_cast<uint64_t>(seed), device, other, without);
    if (testing::Test::HasFatalFailure()) FAIL() << "BP_RANDOM_SEED=" << seed;
  }
}

}  // namespace
}  // namespace bp_test
