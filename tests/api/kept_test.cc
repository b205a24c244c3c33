// SPDX-License-Identifier: Apache-2.0
// Gradients that come again, which a thread then runs as a program (core/call/kept.h): a call that
// differs in anything from those before it gets what a thread gets that has called nothing yet.
#include <atomic>
#include <cmath>
#include <string>
#include <thread>

#include "kit/programs.h"
#include "kit/session.h"

namespace {

using namespace bp_test;

constexpr int kOften = 4;                       // from the third on it is a program's run
const Shape kLarge{130, 128}, kTall{128, 130};  // worth it on the cpu

T random_like(const Shape& shape, bp_device d, int64_t start, bp_dtype dtype = BP_F32) {
  return to(wave(shape, d, start), d, dtype);
}
T wanted(T t) {
  EXPECT_EQ(bp_tensor_set_requires_grad(t.get(), 1, nullptr), BP_OK);
  return t;
}
Answer went_back(const T& y, const T& with, const Tensors& of, Tensors& grads) {
  bp_tensor *root = y.get(), *arrives = with.get();
  std::vector<bp_tensor*> out(of.size());
  const auto inputs = raw(of);
  const Answer a = attempt(bp_grad, &root, &arrives, 1u, inputs.data(),
                           static_cast<uint32_t>(inputs.size()), 0u, out.data());
  grads.clear();
  for (bp_tensor* t : out) grads.emplace_back(t);
  return a;
}
Tensors gradients(const T& y, const T& with, const Tensors& of) {
  Tensors grads;
  EXPECT_EQ(went_back(y, with, of, grads).message, "");
  return grads;
}

// The gradient of an op of one tensor.
Tensors back(uint32_t id, const T& x, const T& with, const std::vector<bp_attr>& attrs = {}) {
  return gradients(op(id, {value(x)}, attrs), with, one(same(x)));
}
Tensors of_gelu(bp_device d, const Shape& shape, bp_dtype dtype = BP_F32, int64_t start = 1) {
  return back(BP_OP_GELU, wanted(random_like(shape, d, start, dtype)),
              random_like(shape, d, 2, dtype));
}
Tensors of_leaky(bp_device d, double slope) {
  return back(BP_OP_LEAKY_RELU, wanted(random_like(kLarge, d, 1)), random_like(kLarge, d, 2),
              {attr("negative_slope", slope)});
}
Tensors of_power(bp_device d, double exponent) {
  const T x = wanted(random_like(kLarge, d, 1));
  return gradients(op(BP_OP_POW, {value(x), number(exponent)}), random_like(kLarge, d, 2),
                   one(same(x)));
}
Tensors of_length(bp_device d, bool both) {
  const T y = wanted(random_like(kLarge, d, 1));
  T x = random_like(kLarge, d, 5);
  if (both) x = wanted(std::move(x));
  Tensors of = one(same(y));
  if (both) of.push_back(same(x));
  return gradients(op(BP_OP_HYPOT, {value(y), value(x)}), random_like(kLarge, d, 2), of);
}
// Strides other than those of a new tensor, for what arrives.
Tensors of_turned(bp_device d) {
  const T with = made(bp_tensor_transpose, random_like(kTall, d, 2).get(), 0, 1);
  return back(BP_OP_GELU, wanted(random_like(kLarge, d, 1)), with);
}
Tensors of_itself(bp_device d, const Shape& shape) {
  const T x = wanted(random_like(shape, d, 1));
  return back(BP_OP_GELU, x, made(bp_tensor_detach, x.get()));
}

struct Variation {
  const char* name;
  std::function<Tensors(bp_device)> usual, other;
};
const std::vector<Variation>& variations() {
  static const auto gelu = [](bp_device d) { return of_gelu(d, kLarge); };
  static const std::vector<Variation> all{
      {"other elements", gelu, [](bp_device d) { return of_gelu(d, kLarge, BP_F32, 7); }},
      {"another shape, of as many elements", gelu, [](bp_device d) { return of_gelu(d, kTall); }},
      {"another dtype", gelu, [](bp_device d) { return of_gelu(d, kLarge, BP_F16); }},
      {"other strides", gelu, of_turned},
      {"memory that is shared no more",
       [](bp_device d) {
         return of_itself(d, {129, 129});
       },
       [](bp_device d) {
         return of_gelu(d, {129, 129});
       }},
      {"memory that is shared", gelu, [](bp_device d) { return of_itself(d, kLarge); }},
      {"another op", gelu,
       [](bp_device d) {
         return back(BP_OP_SILU, wanted(random_like(kLarge, d, 1)), random_like(kLarge, d, 2));
       }},
      {"another attribute", [](bp_device d) { return of_leaky(d, 0.25); },
       [](bp_device d) { return of_leaky(d, 0.5); }},
      {"another number", [](bp_device d) { return of_power(d, 3); },
       [](bp_device d) { return of_power(d, 4); }},
      {"one gradient less", [](bp_device d) { return of_length(d, true); },
       [](bp_device d) { return of_length(d, false); }},
      {"one gradient more", [](bp_device d) { return of_length(d, false); },
       [](bp_device d) { return of_length(d, true); }},
  };
  return all;
}

void expect_same(const Tensors& got, const Tensors& wanted_ones, const std::string& what) {
  ASSERT_EQ(got.size(), wanted_ones.size()) << what;
  for (size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(shape_of(got[i]), shape_of(wanted_ones[i])) << what;
    ASSERT_EQ(bp_tensor_dtype(got[i].get()), bp_tensor_dtype(wanted_ones[i].get())) << what;
    const Doubles a = doubles(got[i]), b = doubles(wanted_ones[i]);
    for (size_t k = 0; k < a.size(); ++k)
      ASSERT_TRUE(a[k] == b[k] || (std::isnan(a[k]) && std::isnan(b[k])))
          << what << ", gradient " << i << ", element " << k << ": " << a[k] << " and " << b[k];
  }
}
// What a thread gets that has called nothing yet.
Tensors at_first(const std::function<Tensors(bp_device)>& call, bp_device d) {
  Tensors grads;
  std::thread([&] { grads = call(d); }).join();
  return grads;
}

TEST(Kept, CallsThatDifferAreToldApart) {
  for (bp_device d : devices_with_kernels())
    for (const Variation& v : variations()) {
      const Tensors usual = at_first(v.usual, d), other = at_first(v.other, d);
      for (int k = 1; k <= kOften; ++k) expect_same(v.usual(d), usual, v.name);
      for (int k = 1; k <= kOften; ++k) {
        expect_same(v.other(d), other, v.name);
        expect_same(v.usual(d), usual, v.name);
      }
    }
}

// More shapes than a thread keeps, round and round, and then one again and again.
TEST(Kept, ShapesThatComeAndGoAreRight) {
  constexpr int64_t kShapes = 300;
  for (bp_device d : devices_with_kernels()) {
    const auto gradient = [&](int64_t n) { return of_gelu(d, {16400 + n}); };
    std::vector<Tensors> first;
    for (int64_t n = 0; n < kShapes; ++n)
      first.push_back(at_first([&](bp_device) { return gradient(n); }, d));
    for (int k = 0; k < 3; ++k)
      for (int64_t n = 0; n < kShapes; ++n)
        expect_same(gradient(n), first[static_cast<size_t>(n)], "round and round");
    for (int k = 0; k < kOften; ++k) expect_same(gradient(3), first[3], "again and again");
  }
}

TEST(Kept, AnOperandThatWasChangedIsStillRefused) {
  for (bp_device d : devices_with_kernels()) {
    for (int k = 0; k < kOften; ++k) of_gelu(d, kLarge);
    const T leaf = wanted(random_like(kLarge, d, 1)), x = op(BP_OP_NEG, {value(leaf)}),
            y = op(BP_OP_GELU, {value(x)});
    T into = same(x);
    EXPECT_EQ(invoke(BP_OP_FILL, {number(1.0)}, into).message, "");
    Tensors grads;
    const Answer a = went_back(y, random_like(kLarge, d, 2), one(same(leaf)), grads);
    EXPECT_EQ(a.status, BP_BAD_STATE);
    EXPECT_NE(a.message.find("modified by an inplace operation"), a.message.npos) << a.message;
  }
}

// A gradient function reads what it needs of what was saved, and that alone must be as it was.
T square_with_a_changed_result(const Tensors& x) {
  T y = op(BP_OP_POW, {value(x[0]), number(2.0)});
  EXPECT_EQ(invoke(BP_OP_ADD, {value(y), number(1.0)}, y).message, "");
  return y;
}
T product_with_a_changed_factor(const Tensors& x) {
  T beside = random_like(kLarge, bp_tensor_device(x[0].get()), 3);
  T y = op(BP_OP_MUL, {value(beside), value(x[0])});
  // Towards x the gradient reads `beside`; towards `beside`, which wants none, it would read x.
  T alias = made(bp_tensor_detach, x[0].get());
  EXPECT_EQ(invoke(BP_OP_FILL, {number(1.0)}, alias).message, "");
  return y;
}
T batch_with_changed_statistics(const Tensors& x) {
  const bp_device d = bp_tensor_device(x[0].get());
  T mean = op(BP_OP_MUL, {value(random_like({128}, d, 1)), number(0.0)}),
    var = op(BP_OP_ADD, {value(mean), number(1.0)});
  T y = made(bp_batch_norm, x[0].get(), mean.get(), var.get(), static_cast<bp_tensor*>(nullptr),
             static_cast<bp_tensor*>(nullptr), 1u, 1e-5);
  EXPECT_EQ(invoke(BP_OP_FILL, {number(7.0)}, mean).message, "");
  return y;
}

TEST(Kept, WhatAGradientDoesNotReadMayBeChanged) {
  for (bp_device d : devices_with_kernels())
    for (const auto& call : {square_with_a_changed_result, product_with_a_changed_factor,
                             batch_with_changed_statistics}) {
      const auto gradient = [&](bp_device) {
        const Tensors x = one(wanted(random_like(kLarge, d, 1)));
        return gradients(call(x), random_like(kLarge, d, 2), x);
      };
      const Tensors first = at_first(gradient, d);
      for (int k = 0; k < kOften; ++k) expect_same(gradient(d), first, "what it does not read");
    }
}

// Calls go on as they are where they end a recording.
TEST(Kept, NothingIsKeptWithinARecordingThatWasGivenUp) {
  for (bp_device d : devices_with_kernels()) {
    const Tensors first = at_first([](bp_device on) { return of_gelu(on, kTall); }, d);
    Tensors in = one(random_like(kLarge, d, 1));
    ASSERT_EQ(begun(in, BP_PROGRAM_GOES_ON).message, "");
    bp_value v{};
    EXPECT_EQ(attempt(bp_tensor_item, op(BP_OP_SUM, {value(in[0])}).get(), &v).message, "");
    for (int k = 0; k < kOften; ++k) expect_same(of_gelu(d, kTall), first, "given up");
    P program;
    const Answer a = ended({}, program);
    EXPECT_NE(a.message.find("reading the values of a tensor"), a.message.npos) << a.message;
    for (int k = 0; k < kOften; ++k) expect_same(of_gelu(d, kTall), first, "afterwards");
  }
}

// The default dtype is that of an integer's logarithm, of which the exponent's gradient is made.
TEST(Kept, TheDefaultDtypeIsPartOfACall) {
  for (bp_device d : devices_with_kernels()) {
    const T base = op(BP_OP_ADD, {value(to(counting(kLarge), d, BP_I32)), number(int64_t{3})});
    const auto gradient = [&](bp_device) {
      const T exponent = wanted(random_like(kLarge, d, 4));
      return gradients(op(BP_OP_POW, {value(base), value(exponent)}), random_like(kLarge, d, 2),
                       one(same(exponent)));
    };
    for (int k = 0; k < kOften; ++k) gradient(d);
    EXPECT_EQ(bp_set_default_dtype(BP_F64, nullptr), BP_OK);
    const Tensors first = at_first(gradient, d);
    for (int k = 0; k < kOften; ++k) expect_same(gradient(d), first, "another default dtype");
    EXPECT_EQ(bp_set_default_dtype(BP_F32, nullptr), BP_OK);
  }
}

// A group asks for scratch memory by the number of threads, which another thread may set meanwhile.
TEST(Kept, TheNumberOfThreadsMayChangeMeanwhile) {
  const int32_t before = bp_get_num_threads();
  const auto gradient = [](bp_device d) { return of_gelu(d, {1 << 18}); };
  const Tensors first = at_first(gradient, kCpu);
  std::atomic<bool> ends{false};
  std::thread other([&] {
    for (int32_t n = 1; !ends; n = 9 - n) bp_set_num_threads(n, nullptr);
  });
  for (int k = 0; k < 40; ++k) expect_same(gradient(kCpu), first, "number of threads");
  ends = true;
  other.join();
  bp_set_num_threads(before, nullptr);
}

TEST(Kept, IsForgottenWithItsRuntime) {
  for (int k = 0; k < 3; ++k) {
    const Session session;
    for (bp_device d : devices_with_kernels()) {
      const Tensors first = at_first([](bp_device on) { return of_gelu(on, kLarge); }, d);
      for (int i = 0; i < kOften; ++i) expect_same(of_gelu(d, kLarge), first, "a new runtime");
    }
  }
}

TEST(Kept, IsEachThreadsOwn) {
  for (bp_device d : devices_with_kernels()) {
    const Tensors first = at_first([](bp_device on) { return of_gelu(on, kLarge); }, d);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 8; ++i) expect_same(of_gelu(d, kLarge), first, "beside others");
      });
    for (std::thread& t : threads) t.join();
  }
}

// A loss in a program of the user's own is recorded as it was before.
TEST(Kept, IsNoPartOfAProgramThatIsRecorded) {
  for (bp_device d : devices_with_kernels()) {
    for (int k = 0; k < kOften; ++k) of_gelu(d, kLarge);
    Tensors in = one(wanted(random_like(kLarge, d, 1)));
    in.push_back(random_like(kLarge, d, 2));
    const P program = recorded(in, [](const Tensors& t) { return back(BP_OP_GELU, t[0], t[1]); });
    EXPECT_GT(facts(program).n_steps, 3u);
    expect_same(results(program, in), of_gelu(d, kLarge), "a program");
  }
}

}  // namespace
