// SPDX-License-Identifier: Apache-2.0
// Elementwise steps of a program as one launch of the interpreter (plugins/gpu/fused.h): how many
// launches a run makes, and that results are those of the calls, bit for bit.
#include <algorithm>
#include <cmath>
#include <random>

#include "kit/programs.h"
#include "works.h"

namespace {

constexpr int64_t kMany = 4100;  // rows of more than a block's packs, with a tail

T sim_wave(const Shape& shape, int64_t start = 1) { return wave(shape, device("sim:0"), start); }
T add_(const T& a, const T& b) { return op(BP_OP_ADD, {value(a), value(b)}); }
T mul_(const T& a, double by) { return op(BP_OP_MUL, {value(a), number(by)}); }
T as(const T& t, bp_dtype d) { return to(t, device("sim:0"), d); }

// The same bits; which NaN it is, a device does not promise.
void expect_same_bits(const T& got, const T& wanted, const char* what) {
  ASSERT_EQ(shape_of(got), shape_of(wanted)) << what;
  ASSERT_EQ(bp_tensor_dtype(got.get()), bp_tensor_dtype(wanted.get())) << what;
  const Doubles a = doubles(got), b = doubles(wanted);
  for (size_t i = 0; i < a.size(); ++i)
    ASSERT_TRUE((std::isnan(a[i]) && std::isnan(b[i])) ||
                (a[i] == b[i] && std::signbit(a[i]) == std::signbit(b[i])))
        << what << ", element " << i << ": " << a[i] << " and " << b[i];
}
void expect_as_called(const Tensors& in, const Work& work, uint32_t launches, const char* what) {
  SCOPED_TRACE(what);
  const P program = recorded(in, work);
  EXPECT_EQ(facts(program).n_launches, launches);
  const Tensors got = results(program, in), wanted = work(in);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i) expect_same_bits(got[i], wanted[i], what);
}

// Steps of all kinds of values.
Tensors chain(const Tensors& x) {
  T y = op(BP_OP_EXP, {value(op(BP_OP_NEG, {value(x[0])}))});
  y = op(BP_OP_SUB, {value(mul_(y, 0.5)), value(x[0])});
  const T small = op(BP_OP_LT, {value(y), number(0.25)});
  return one(op(BP_OP_WHERE, {value(small), value(op(BP_OP_TANH, {value(y)})), value(x[0])}));
}
constexpr int64_t kChain = 7;  // its launches, one by one

TEST(SimFused, AChainIsOneLaunchOfTheDevice) {
  for (int64_t fails_at = 1; fails_at <= 3; ++fails_at) {
    const Session session("sim.fail_launch=" + std::to_string(kChain + fails_at));
    Tensors in;
    in.push_back(sim_wave({kMany}));
    const P program = recorded(in, chain);
    EXPECT_EQ(facts(program).n_steps, static_cast<uint32_t>(kChain));
    EXPECT_EQ(facts(program).n_launches, 1u);
    EXPECT_EQ(facts(program).arena_bytes, 0u);
    // Of three runs the one fails whose only launch that is.
    for (int64_t k = 1; k <= 3; ++k) {
      std::vector<bp_tensor*> out(1);
      const Answer a = run(program, in, out);
      const T owned(out[0]);
      EXPECT_EQ(a.status == BP_OK, k != fails_at) << a.message;
    }
  }
}

// The way back through gelu, of number `calls`, fails when the device's launch `fails_at` does.
void expect_failure(int64_t fails_at, int calls) {
  const Session session("sim.fail_launch=" + std::to_string(fails_at));
  const T x = sim_wave({kMany}), g = sim_wave({kMany}, 2);
  EXPECT_EQ(bp_tensor_set_requires_grad(x.get(), 1, nullptr), BP_OK);
  const T y = op(BP_OP_GELU, {value(x)});
  for (int k = 1; k <= calls; ++k) {
    bp_tensor *root = y.get(), *with = g.get(), *of = x.get(), *grad = nullptr;
    const Answer a = attempt(bp_grad, &root, &with, 1u, &of, 1u, BP_GRAD_RETAIN_GRAPH, &grad);
    const T owned(grad);
    EXPECT_EQ(a.status == BP_OK, k != calls) << "call " << k << ": " << a.message;
  }
}
constexpr int64_t kSteps = 11;  // launches of which it is composed

TEST(SimFused, AGradientIsOneLaunchFromTheThirdOn) {
  constexpr int64_t kBefore = 1;
  expect_failure(kBefore + kSteps, 1);
  expect_failure(kBefore + kSteps + 1, 2);
  expect_failure(kBefore + 2 * kSteps, 2);
  for (int k = 1; k <= 3; ++k) expect_failure(kBefore + 2 * kSteps + k, 2 + k);
}

// A recording holds more than its calls do, and a program asks for its memory at once: where the
// call itself gets on, so does it when it comes again.
TEST(SimFused, AGradientNeedsNoMoreMemoryWhenItComesAgain) {
  constexpr int64_t kBytes = 1 << 20;
  bool has_enough = false;
  for (int64_t parts = 8; !has_enough && parts < 80; ++parts) {
    const Session session("sim.memory=" + std::to_string(parts * kBytes / 2));
    const T x = leaf(sim_wave({kBytes / 4})), g = sim_wave({kBytes / 4}, 2);
    const T y = op(BP_OP_GELU, {value(x)});
    for (int k = 1; k <= 4; ++k) {
      bp_tensor *root = y.get(), *with = g.get(), *of = x.get(), *grad = nullptr;
      const Answer a = attempt(bp_grad, &root, &with, 1u, &of, 1u, BP_GRAD_RETAIN_GRAPH, &grad);
      const T owned(grad);
      has_enough |= a.status == BP_OK;
      if (!has_enough) break;
      EXPECT_EQ(a.message, "") << "call " << k << ", " << parts;
    }
  }
  EXPECT_TRUE(has_enough);
}

TEST(SimFused, TheSynchronousModeNamesTheGradientThatFails) {
  const Session session("sim.fail_kernel=" + std::to_string(1 + 2 * kSteps + 1),
                        BP_INIT_NO_ENV | BP_INIT_SYNCHRONOUS);
  const T x = leaf(sim_wave({kMany})), g = sim_wave({kMany}, 2);
  const T y = op(BP_OP_GELU, {value(x)});
  for (int k = 1; k <= 3; ++k) {
    bp_tensor *root = y.get(), *with = g.get(), *of = x.get(), *grad = nullptr;
    const Answer a = attempt(bp_grad, &root, &with, 1u, &of, 1u, BP_GRAD_RETAIN_GRAPH, &grad);
    const T owned(grad);
    EXPECT_EQ(a.status, k < 3 ? BP_OK : BP_DEVICE_LOST) << "call " << k << ": " << a.message;
  }
}

TEST(SimFused, ResultsAreThoseOfTheCalls) {
  const Session session;
  Tensors in;
  in.push_back(sim_wave({kMany}));
  expect_as_called(in, chain, 1, "a chain");
  for (bp_dtype half : {BP_F16, BP_BF16}) {
    Tensors narrow;
    narrow.push_back(as(in[0], half));
    expect_as_called(narrow, chain, 1, "in a narrow float");
  }
}

TEST(SimFused, RowsColumnsAndEveryThirdElementGoAlong) {
  const Session session;
  Tensors in;
  in.push_back(sim_wave({6, 5, 7}));
  in.push_back(sim_wave({5, 1}, 50));
  in.push_back(sim_wave({6, 1, 7}, 60));
  const Work work = [](const Tensors& x) {
    const T y = add_(op(BP_OP_MUL, {value(x[0]), value(x[1])}), x[2]);
    return one(op(BP_OP_MAXIMUM, {value(y), value(x[0])}));
  };
  expect_as_called(in, work, 1, "broadcast");
  Tensors apart;
  apart.push_back(sim_wave({40, 9}));
  const Work thirds = [](const Tensors& x) {
    const T every =
        made(bp_tensor_slice, x[0].get(), int64_t{1}, int64_t{0}, int64_t{9}, int64_t{3});
    return one(op(BP_OP_SQRT, {value(op(BP_OP_ABS, {value(every)}))}));
  };
  expect_as_called(apart, thirds, 1, "strided");
}

TEST(SimFused, MoreThanTheInterpreterHoldsIsCutInPieces) {
  const Session session;
  Tensors in;
  in.push_back(sim_wave({kMany}));
  // So many values are alive at once that slots run out.
  const Work wide = [](const Tensors& x) {
    std::vector<T> parts;
    for (int i = 0; i < 20; ++i) parts.push_back(mul_(x[0], 0.5 + i));
    T y = same(x[0]);
    for (const T& m : parts) y = add_(y, m);
    return one(std::move(y));
  };
  const P program = recorded(in, wide);
  EXPECT_LT(facts(program).n_launches, facts(program).n_steps / 2);
  expect_as_called(in, wide, facts(program).n_launches, "many values at once");
  Tensors many;
  for (int i = 0; i < 20; ++i) many.push_back(sim_wave({kMany}, i));
  const Work sum_of_many = [](const Tensors& x) {
    T y = same(x[0]);
    for (const T& other : x) y = add_(y, other);
    return one(std::move(y));
  };
  expect_as_called(many, sum_of_many, 2, "many pointers");
  const Work long_chain = [](const Tensors& x) {
    T y = same(x[0]);
    for (int i = 0; i < 100; ++i) y = mul_(y, 1 + i * 0.001);
    return one(std::move(y));
  };
  expect_as_called(in, long_chain, 2, "many steps");
}

TEST(SimFused, WhatIsWrittenInPlaceIsReadBefore) {
  const Session session;
  T total = sim_wave({kMany}), eager = sim_wave({kMany});
  Tensors in;
  in.push_back(sim_wave({kMany}, 9));
  const auto step = [](T& sum, const T& x) {
    const T before = mul_(sum, 3);
    EXPECT_EQ(invoke(BP_OP_ADD, {value(sum), value(x)}, sum).status, BP_OK);
    return one(op(BP_OP_SUB, {value(sum), value(before)}));
  };
  const P program = recorded(in, [&](const Tensors& x) { return step(total, x[0]); });
  EXPECT_EQ(facts(program).n_launches, 1u);
  step(eager, in[0]);
  const T got = std::move(results(program, in)[0]), wanted = std::move(step(eager, in[0])[0]);
  expect_same_bits(got, wanted, "the result");
  expect_same_bits(total, eager, "what was written");
}

// A random step of values of three kinds, the newest of which are likelier.
class Steps {
 public:
  Steps(uint64_t seed, const Tensors& in) : random_(seed) {
    for (const T& x : in) floats_.push_back(same(x));
  }
  Tensors run(int n) {
    for (int i = 0; i < n; ++i) step();
    Tensors out;
    for (auto* kind : {&floats_, &truths_, &whole_})
      if (!kind->empty()) out.push_back(same(kind->back()));
    return out;
  }

 private:
  const T& pick(const std::vector<T>& from) {
    const size_t back = random_() % std::min<size_t>(from.size(), random_() % 3 ? 3 : 12);
    return from[from.size() - 1 - back];
  }
  void step() {
    static constexpr uint32_t kOne[] = {BP_OP_NEG,  BP_OP_ABS,  BP_OP_EXP,  BP_OP_SIN,
                                        BP_OP_TANH, BP_OP_RELU, BP_OP_GELU, BP_OP_FLOOR,
                                        BP_OP_ERF,  BP_OP_RSQRT};
    static constexpr uint32_t kTwo[] = {BP_OP_ADD, BP_OP_SUB,     BP_OP_MUL,     BP_OP_DIV,
                                        BP_OP_POW, BP_OP_MAXIMUM, BP_OP_MINIMUM, BP_OP_ATAN2};
    static constexpr uint32_t kCompare[] = {BP_OP_LT, BP_OP_GE, BP_OP_EQ, BP_OP_NE};
    static constexpr uint32_t kLogic[] = {BP_OP_LOGICAL_AND, BP_OP_LOGICAL_XOR};
    static constexpr uint32_t kWhole[] = {BP_OP_ADD, BP_OP_MUL, BP_OP_BITWISE_XOR};
    static constexpr bp_dtype kInto[] = {BP_I32, BP_U8, BP_I16, BP_F16, BP_BF16, BP_BOOL};
    // Drawn one after the other, because arguments of a call have no order.
    const uint64_t which = random_(), kind = random_() % 9;
    const T &x = pick(floats_), &y = pick(floats_);
    if (kind < 2) return floats_.push_back(op(kOne[which % 10], {value(x)}));
    if (kind < 5) return floats_.push_back(op(kTwo[which % 8], {value(x), value(y)}));
    if (kind == 5) return truths_.push_back(op(kCompare[which % 4], {value(x), number(0.125)}));
    if (kind == 6 && !truths_.empty()) {
      const T &a = pick(truths_), &b = pick(truths_);
      if (which % 2) return truths_.push_back(op(kLogic[which / 2 % 2], {value(a), value(b)}));
      return floats_.push_back(op(BP_OP_WHERE, {value(a), value(x), value(y)}));
    }
    if (kind == 7) {
      const T other = as(x, kInto[which % 6]);
      if (bp_tensor_dtype(other.get()) == BP_I32) whole_.push_back(same(other));
      return floats_.push_back(as(other, BP_F32));
    }
    if (kind == 8 && !whole_.empty()) {
      const T &a = pick(whole_), &b = pick(whole_);
      whole_.push_back(op(kWhole[which % 3], {value(a), value(b)}));
      return floats_.push_back(as(whole_.back(), BP_F32));
    }
  }

  std::mt19937_64 random_;
  std::vector<T> floats_, truths_, whole_;
};

void expect_random_steps_as_called(const char* options, uint64_t programs) {
  uint32_t steps = 0, launches = 0;
  uint64_t arena = 0, arena_apart = 0;
  const Session session(options);
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto n = static_cast<int64_t>(seed % 7 * 8 + 3);
    Tensors in;
    in.push_back(sim_wave({n, 5}));
    in.push_back(sim_wave({n, 1}, 20));
    in.push_back(sim_wave({n, 5}, 40));
    const Work work = [&](const Tensors& x) { return Steps(seed, x).run(30); };
    const P program = recorded(in, work);
    steps += facts(program).n_steps;
    launches += facts(program).n_launches;
    arena += facts(program).arena_bytes;
    arena_apart += facts(recorded(in, work, BP_PASS_GROUP)).arena_bytes;
    const Tensors got = results(program, in), wanted = work(in);
    for (size_t i = 0; i < got.size(); ++i) expect_same_bits(got[i], wanted[i], "a result");
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(steps, 4 * launches);
  EXPECT_LT(arena, arena_apart / 2);
}
TEST(SimFused, RandomStepsGiveTheSameBits) { expect_random_steps_as_called("", 60); }
// Few, as a sanitizer takes a second for each.
TEST(SimFused, RandomStepsInBlocksOfThreadsGiveTheSameBits) {
  expect_random_steps_as_called("sim.block_threads=32", 6);
  expect_random_steps_as_called("sim.block_threads=300", 4);  // of which not all have slots
}

}  // namespace
