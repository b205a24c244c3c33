// SPDX-License-Identifier: Apache-2.0
// Sums over devices through a vendor's library (fake_nccl.cc), by the code that opens and calls a
// card's.
#include <cmath>
#include <cstdlib>
#include <thread>

#include "backplane.hpp"
#include "sim/fake_nccl.h"

namespace bp = backplane;

namespace {

struct Row {
  const char* name;
  bp_dtype dtype;
  bool taken;  // by the library
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }
const Row kRows[] = {
    {"U8", BP_U8, true},     {"I8", BP_I8, true},      {"U16", BP_U16, false},
    {"I16", BP_I16, false},  {"U32", BP_U32, true},    {"I32", BP_I32, true},
    {"U64", BP_U64, true},   {"I64", BP_I64, true},    {"F16", BP_F16, true},
    {"BF16", BP_BF16, true}, {"F32", BP_F32, true},    {"F64", BP_F64, true},
    {"C64", BP_C64, false},  {"C128", BP_C128, false},
};

class Collectives : public testing::TestWithParam<Row> {};
TEST_P(Collectives, SumEveryDtypeOverAnyNumberOfDevices) {
  const Row& row = GetParam();
  const Fake fake;
  for (const size_t n : {1u, 2u, 3u, 4u}) {
    Session session(fake.options());
    for (const int64_t size : {0, 1, 7, 1000}) {
      const int before = fake.exchanges();
      const std::vector<T> parts = on_devices(n, row.dtype, {size});
      ASSERT_EQ(sum(parts).message, "");
      expect_reduced(parts);
      EXPECT_EQ(fake.exchanges() - before, row.taken && n > 1 && size > 0)
          << n << " devices, " << size << " elements";
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Of, Collectives, testing::ValuesIn(kRows),
                         [](const auto& info) { return info.param.name; });

TEST(CollectiveMean, IsOfFloatingTensors) {
  const Fake fake;
  Session session(fake.options());
  for (const bp_dtype dtype : {BP_F16, BP_BF16, BP_F32, BP_F64})
    for (const size_t n : {2u, 4u}) {  // halves and quarters are exact
      const std::vector<T> parts = on_devices(n, dtype, {9});
      ASSERT_EQ(mean(parts).message, "");
      expect_reduced(parts, /*mean=*/true);
    }
  EXPECT_EQ(fake.exchanges(), 8);
  const Answer r = mean(on_devices(2, BP_I32, {9}));
  EXPECT_EQ(r.status, BP_DTYPE_MISMATCH);
  EXPECT_EQ(r.message, "all_reduce: expected floating tensors for a mean, got int32");
  EXPECT_EQ(sum(on_devices(2, BP_BOOL, {9})).message, "all_reduce: expected numbers, got bool");
}

// Before 2.10 there were neither means nor bf16.
TEST(CollectiveVersion, SaysWhatTheLibraryIsAskedFor) {
  const Fake fake;
  fake.set("fake_version", 2804);
  Session session(fake.options());
  const std::vector<T> f32 = on_devices(4, BP_F32, {9}), bf16 = on_devices(4, BP_BF16, {9});
  ASSERT_EQ(mean(f32).message, "");
  EXPECT_EQ(fake.exchanges(), 1) << "summed by the library";
  ASSERT_EQ(mean(bf16).message, "");
  EXPECT_EQ(fake.exchanges(), 1) << "around the ring";
  expect_reduced(f32, /*mean=*/true);
  expect_reduced(bf16, /*mean=*/true);
}

TEST(CollectiveLayout, MayBeAny) {
  const Fake fake;
  Session session(fake.options());
  std::vector<T> turned, inner, scalars, spread;
  for (size_t i = 0; i < 3; ++i) {
    const T whole = on_device(i, BP_F32, {3, 4});
    turned.push_back(made(bp_tensor_transpose, whole.get(), int64_t{0}, int64_t{1}));
    inner.push_back(made(bp_tensor_narrow, on_device(i, BP_F32, {15}).get(), int64_t{0}, int64_t{5},
                         int64_t{5}));
    scalars.push_back(on_device(i, BP_F32, {}));
    spread.push_back(
        made(bp_tensor_expand, on_device(i, BP_F32, {1}).get(), int32_t{1}, Shape{4}.data()));
  }
  for (const std::vector<T>* parts : {&turned, &inner, &scalars})
    ASSERT_EQ(sum(*parts).message, "");
  EXPECT_EQ(fake.exchanges(), 3);
  for (const T& t : turned)
    EXPECT_EQ(numbers(made(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{1})), reduced(3, 12));
  expect_reduced(inner);
  expect_reduced(scalars);
  EXPECT_TRUE(
      has(sum(spread).message,
          "more than one element of the written-to tensor refers to a single memory location"));
  for (const T& t : spread) EXPECT_EQ(numbers(t)[0], numbers(t)[3]);
  EXPECT_EQ(fake.exchanges(), 3);
}

TEST(CollectiveCommunicators, AreKeptForEachSetOfDevices) {
  const Fake fake;
  {
    Session session(fake.options());
    for (int i = 0; i < 3; ++i) {
      std::vector<T> parts = on_devices(3, BP_F32, {5}), two = on_devices(2, BP_F32, {5});
      if (i == 1) std::swap(parts[0], parts[2]);
      ASSERT_EQ(sum(parts).message, "");
      ASSERT_EQ(sum(two).message, "");
      expect_reduced(parts);
      expect_reduced(two);
    }
    EXPECT_EQ(fake.made(), 2);
    EXPECT_EQ(fake.ranks(), 5);
  }
  EXPECT_EQ(fake.ranks(), 0);
  EXPECT_EQ(fake.aborted(), 0);
  Session next(fake.options());
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  ASSERT_EQ(sum(parts).message, "");
  EXPECT_EQ(fake.made(), 3) << "each runtime has its own";
}

TEST(CollectiveCommunicators, OfALibraryThatReturnsBeforeItIsDoneAreAwaited) {
  const Fake fake;
  Session session(fake.options());
  fake.set("fake_unsettled", 3);
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  ASSERT_EQ(sum(parts).message, "");
  expect_reduced(parts);
}

// sim:0's default stream
constexpr char kSlow[] = "sim.device_count=2;sim.slow_us=50000;sim.slow_stream=0";

TEST(CollectiveStreams, NobodyWaits) {
  const Fake fake;
  Session session(fake.options(kSlow));
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  ASSERT_EQ(sum(parts).message, "");
  EXPECT_FALSE(bp::Stream::current("sim:0").query());
  EXPECT_FALSE(bp::Stream::current("sim:1").query()) << "it waits for the other device";
  const T twice = add(parts[1], parts[1]);
  EXPECT_EQ(numbers(twice)[0], Complex(6));
  expect_reduced(parts);
}

TEST(CollectiveStreams, SeeExchangesInTheOrderOfTheCalls) {
  const Fake fake;
  Session session(fake.options(kSlow));
  const std::vector<T> first = on_devices(2, BP_F32, {5}), second = on_devices(2, BP_F32, {5});
  for (const char* d : {"sim:0", "sim:1"}) bp::synchronize(d);
  ASSERT_EQ(sum(first).message, "");
  const bp::Event done = bp::Stream::current("sim:0").record();
  const bp::Stream a("sim:0"), b("sim:1");
  {
    const bp::StreamGuard on_a(a), on_b(b);
    ASSERT_EQ(sum(second).message, "");
  }
  a.synchronize();
  EXPECT_TRUE(done.query()) << "the second exchange overtook the first";
  b.synchronize();
  expect_reduced(first);
  expect_reduced(second);
}

TEST(CollectiveStreams, AreAwaitedInTheSynchronousMode) {
  const Fake fake;
  Session session(fake.options("sim.slow_us=2000"), BP_INIT_NO_ENV | BP_INIT_SYNCHRONOUS);
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  ASSERT_EQ(sum(parts).message, "");
  for (const char* d : {"sim:0", "sim:1"}) EXPECT_TRUE(bp::Stream::current(d).query()) << d;
}

// Each thread with streams of its own, over sets that share a device.
TEST(CollectiveThreads, AreServedOneAtATime) {
  const Fake fake;
  Session session(fake.options());
  const auto work = [](size_t from) {
    const bp::StreamGuard a(bp::Stream(bp::Device::from_value(sim(from)))),
        b(bp::Stream(bp::Device::from_value(sim(from + 1))));
    for (int i = 0; i < 100; ++i) {
      std::vector<T> parts;
      for (size_t d : {from, from + 1}) parts.push_back(on_device(d, BP_F32, {64}));
      ASSERT_EQ(sum(parts).message, "");
      for (const T& t : parts)
        ASSERT_EQ(numbers(t)[0], Complex(element(0, from) + element(0, from + 1)));
    }
  };
  std::thread one(work, 0), other(work, 1), third(work, 2);
  one.join(), other.join(), third.join();
  EXPECT_EQ(fake.exchanges(), 300);
  EXPECT_EQ(fake.overlaps(), 0);
  EXPECT_EQ(fake.made(), 3);
}

// ---- replicas ----

T noise(const Shape& shape, int seed) {
  std::vector<float> v;
  for (int64_t k = 0; k < count_of(shape); ++k)
    v.push_back(std::sin(static_cast<float>(k + 1) * (0.7f + static_cast<float>(seed))));
  return tensor<float>(shape, v);
}
T loss(bp_tensor* const* p, const T& x) {
  const T h = made(bp_tanh, made(bp_matmul, x.get(), p[0]).get());
  const T y = made(bp_matmul, h.get(), p[1]);
  return made(bp_mean, made(bp_mul, y.get(), y.get()).get(), static_cast<const int64_t*>(nullptr),
              0u, 0u, BP_DTYPE_NONE);
}

// The weights of each device after a few steps, bit by bit; each parameter is a bucket of its own.
constexpr int kSteps = 6;
std::vector<std::vector<float>> trained(uint32_t n) {
  std::vector<T> first;
  first.push_back(on(sim(0), noise({4, 8}, 1)));
  first.push_back(on(sim(0), noise({8, 1}, 2)));
  std::vector<bp_device> devices;
  for (uint32_t i = 0; i < n; ++i) devices.push_back(sim(i));
  for (const T& t : first) EXPECT_EQ(bp_tensor_set_requires_grad(t.get(), 1, nullptr), BP_OK);
  std::vector<bp_tensor*> outs(2 * n), parts(n);
  EXPECT_EQ(attempt(bp_replicate, raw(first).data(), 2u, devices.data(), n, outs.data()).message,
            "");
  std::vector<T> all(outs.begin(), outs.end());
  bp_replicas* r = nullptr;
  EXPECT_EQ(bp_replicas_create(outs.data(), 2 * n, n, /*bucket_bytes=*/4, &r, nullptr), BP_OK);
  bp_attr lr{"lr", BP_ATTR_F64, 1, {}, 0};
  lr.value.f64 = 0.3;
  bp_optimizer* o = nullptr;
  EXPECT_EQ(bp_optimizer_create("SGD", outs.data(), 2 * n, &lr, 1, &o, nullptr), BP_OK);
  for (int step = 0; step < kSteps; ++step) {
    EXPECT_EQ(
        attempt(bp_scatter_batch, noise({24, 4}, 3 + step).get(), devices.data(), n, parts.data())
            .message,
        "");
    const std::vector<T> batches(parts.begin(), parts.end());
    EXPECT_EQ(bp_optimizer_zero_grad(o, 1, nullptr), BP_OK);
    std::vector<T> losses;
    for (uint32_t d = 0; d < n; ++d) losses.push_back(loss(&outs[2 * d], batches[d]));
    EXPECT_EQ(
        attempt(bp_backward, raw(losses).data(), static_cast<bp_tensor* const*>(nullptr), n, 0u)
            .message,
        "");
    EXPECT_EQ(attempt(bp_replicas_finish, r).message, "");
    EXPECT_EQ(bp_optimizer_step(o, nullptr), BP_OK);
  }
  std::vector<std::vector<float>> weights;
  for (uint32_t d = 0; d < n; ++d) {
    weights.emplace_back();
    for (int i : {0, 1}) {
      const auto v = values<float>(made(bp_tensor_detach, outs[2 * d + static_cast<uint32_t>(i)]));
      weights.back().insert(weights.back().end(), v.begin(), v.end());
    }
  }
  bp_optimizer_release(o);
  bp_replicas_release(r);
  return weights;
}

TEST(CollectiveReplicas, TrainAsThoseOfTheRingDo) {
  const Fake fake;
  for (const uint32_t n : {2u, 3u, 4u}) {
    std::vector<std::vector<float>> ring, library;
    {
      Session session;
      ring = trained(n);
    }
    const int before = fake.exchanges();
    {
      Session session(fake.options());
      library = trained(n);
    }
    EXPECT_EQ(fake.exchanges() - before, 2 * kSteps);
    for (const auto& weights : library) EXPECT_EQ(weights, library[0]) << "replicas differ";
    ASSERT_EQ(library[0].size(), ring[0].size());
    for (size_t i = 0; i < ring[0].size(); ++i) {
      if (n == 2) {
        EXPECT_EQ(library[0][i], ring[0][i]) << "two addends have one sum";
      }
      EXPECT_NEAR(library[0][i], ring[0][i], 1e-6) << n << " devices";
    }
  }
}

// ---- BACKPLANE_COLLECTIVES ----

struct Variable {
  const char* name;
  Variable(const char* n, const std::string& value) : name(n) { ::setenv(n, value.c_str(), 1); }
  ~Variable() { ::unsetenv(name); }
};

TEST(CollectiveVariable, ChoosesTheRing) {
  const Fake fake;
  for (const auto& [value, exchanges] :
       {std::pair("ring", 0), std::pair("auto", 1), std::pair("", 2)}) {
    const Variable chosen("BACKPLANE_COLLECTIVES", value);
    Session session(fake.options(), /*flags=*/0);
    const std::vector<T> parts = on_devices(2, BP_F32, {5});
    ASSERT_EQ(sum(parts).message, "");
    expect_reduced(parts);
    EXPECT_EQ(fake.exchanges(), exchanges) << value;
    for (const auto& entry : bp::report())
      EXPECT_FALSE(has(entry.cause, "ring")) << "as was asked for";
  }
}

TEST(CollectiveVariable, IsRefusedWhenItMeansNothing) {
  const Variable chosen("BACKPLANE_COLLECTIVES", "nccl");
  Session session("", /*flags=*/0);
  const std::vector<T> parts = on_devices(2, BP_F32, {5});
  for (int i = 0; i < 2; ++i) {
    const Answer r = sum(parts);
    EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
    EXPECT_EQ(r.message, "BACKPLANE_COLLECTIVES is \"nccl\", expected auto or ring");
  }
  EXPECT_EQ(numbers(parts[0])[0], Complex(1)) << "nothing was done";
}

}  // namespace
