// SPDX-License-Identifier: Apache-2.0
// A shutdown, and the unloading of a kind, beside work on accelerators and within a callback of it:
// whoever works gets its result or BP_BAD_STATE, and what was closed starts anew.
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <deque>
#include <functional>
#include <thread>
#include <tuple>

#include "kit/report.h"
#include "kit/user_ops.h"
#include "sim/works.h"

namespace {

struct Work {
  const char* name;
  std::function<void(const std::string& where)> once;  // tensors that it cannot make stay null
};
void PrintTo(const Work& w, std::ostream* out) { *out << w.name; }

// As made() of the kit, for calls that may be refused: then the result is null, and so is that of
// calls with it.
template <class F, class... Args>
T tried(F f, Args... args) {
  bp_tensor* out = nullptr;
  bp_error* err = nullptr;
  const bp_status status = f(args..., &out, &err);
  EXPECT_TRUE(status == BP_OK || status == BP_BAD_STATE || status == BP_INVALID_ARGUMENT)
      << bp_status_name(status) << ": " << bp_error_message(err, nullptr);
  if (status == BP_INVALID_ARGUMENT) {
    EXPECT_TRUE(has(bp_error_message(err, nullptr), "must not be NULL"))
        << bp_error_message(err, nullptr);
  }
  bp_error_release(err);
  return T(out);
}
constexpr int64_t kShape[] = {16, 16};
T some(const std::string& where) {
  return tried(bp_tensor_ones, 2, &kShape[0], BP_F32, device(where));
}

void add_up(const std::string& where) {
  const T a = some(where);
  for (int i = 0; i < 20; ++i) tried(bp_add, a.get(), a.get());
}
void multiply(const std::string& where) {
  const T a = some(where);
  for (int i = 0; i < 5; ++i) tried(bp_matmul, a.get(), a.get());
}
void copy(const std::string& where) {
  const T a = some(where);
  for (int i = 0; i < 5; ++i) {
    const T on_host = tried(bp_tensor_to, a.get(), device("cpu"), BP_DTYPE_NONE, 0u, 0u);
    tried(bp_tensor_to, on_host.get(), device("sim:1"), BP_DTYPE_NONE, 0u, 0u);
  }
}
void learn(const std::string& where) {
  const T a = some(where);
  bp_tensor_set_requires_grad(a.get(), 1, nullptr);
  for (int i = 0; i < 5; ++i) {
    const T product = tried(bp_matmul, a.get(), a.get());
    const T sum = tried(bp_sum, product.get(), nullptr, 0u, 0, BP_DTYPE_NONE);
    bp_tensor* const roots[] = {sum.get()};
    bp_backward(&roots[0], nullptr, 1, 0, nullptr);
  }
}
void mark(const std::string& where) {
  bp_stream* s = nullptr;
  bp_event* e = nullptr;
  if (bp_stream_create(device(where), 0, &s, nullptr) != BP_OK) return;
  if (bp_event_create(device(where), &e, nullptr) == BP_OK)
    for (int i = 0; i < 10; ++i) {
      bp_event_record(e, s, nullptr);
      bp_stream_wait_event(s, e, nullptr);
      bp_event_synchronize(e, nullptr);
    }
  bp_event_release(e);
  bp_stream_release(s);
}

struct End {
  const char* name;
  bp_status (*now)(int64_t timeout_ns, bp_error** err);
};
void PrintTo(const End& e, std::ostream* out) { *out << e.name; }
bp_status unload_sim(int64_t timeout_ns, bp_error** err) {
  return bp_unload_kind(kind("sim"), timeout_ns, err);
}

class AnEnd : public testing::TestWithParam<std::tuple<Work, End>> {
 protected:
  void TearDown() override { EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK); }
};

TEST_P(AnEnd, BesideWorkIsSafe) {
  const Work& work = std::get<0>(GetParam());
  const End& end = std::get<1>(GetParam());
  std::atomic<bool> stop{false};
  std::vector<std::thread> workers;
  for (const char* where : {"sim:0", "sim:0", "sim:1"})
    workers.emplace_back([&, where] {
      while (!stop) {
        work.once(where);
        bp_synchronize(device(where), nullptr);
      }
    });
  for (int i = 0; i < 30; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(i % 4));
    const Answer a = attempt(end.now, int64_t{-1});
    EXPECT_EQ(a.status, BP_OK) << a.message;
  }
  stop = true;
  for (std::thread& t : workers) t.join();
  expect_works("sim:0");
}

INSTANTIATE_TEST_SUITE_P(
    All, AnEnd,
    testing::Combine(testing::Values(Work{"add", add_up}, Work{"matmul", multiply},
                                     Work{"copy", copy}, Work{"learn", learn}, Work{"mark", mark}),
                     testing::Values(End{"shutdown", bp_shutdown}, End{"unload", unload_sim})),
    [](const auto& info) {
      return std::string(std::get<0>(info.param).name) + "_" + std::get<1>(info.param).name;
    });

TEST(ShutdownWithin, AGradientHookEndsTheWayBackWithBadState) {
  const T w = ones("sim:0");
  ASSERT_EQ(bp_tensor_set_requires_grad(w.get(), 1, nullptr), BP_OK);
  const T doubled = add(w, w), sum = made(bp_sum, doubled.get(), nullptr, 0u, 0, BP_DTYPE_NONE);
  const auto hook = [](void*, bp_tensor*, bp_tensor**, bp_error** err) {
    return bp_shutdown(-1, err);
  };
  uint64_t id = 0;
  ASSERT_EQ(bp_tensor_register_hook(doubled.get(), hook, nullptr, nullptr, &id, nullptr), BP_OK);
  bp_tensor* const roots[] = {sum.get()};
  EXPECT_EQ(attempt(bp_backward, &roots[0], nullptr, 1u, 0u).status, BP_BAD_STATE);
  expect_works("sim:0");
  EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
}

Answer invoked(uint32_t op) {
  const T x = ones("sim:0");
  const bp_value in{BP_VALUE_TENSOR, 0, {x.get()}};
  bp_tensor* out = nullptr;
  const Answer a =
      attempt([&](bp_error** err) { return bp_invoke(op, &in, 1, nullptr, 0, &out, 1, err); });
  bp_tensor_release(out);
  return a;
}

TEST(ShutdownWithin, ACompositionLeavesItNothingToWorkOn) {
  bp_op_desc d = described("test.ends_it", infer_same);
  d.compose = [](void*, bp_tensor* const* in, uint32_t, const bp_attr*, uint32_t, bp_tensor** out,
                 uint32_t, bp_error** err) {
    const bp_status status = bp_shutdown(-1, err);
    return status < 0 ? status : bp_add(in[0], in[0], out, err);
  };
  uint32_t op = 0;
  ASSERT_EQ(bp_op_register(&d, &op, nullptr), BP_OK);
  EXPECT_EQ(invoked(op).status, BP_BAD_STATE);
  expect_works("sim:0");
  EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
}

TEST(ShutdownWithin, AKernelIsRefused) {
  const bp_op_desc d = described("test.ends_it", infer_same);
  uint32_t op = 0;
  ASSERT_EQ(bp_op_register(&d, &op, nullptr), BP_OK);
  const auto kernel = [](void*, const bp_launch*, bp_error** err) { return bp_shutdown(-1, err); };
  ASSERT_EQ(bp_op_register_kernel(op, kind("sim"), kernel, nullptr, nullptr), BP_OK);
  const Answer a = invoked(op);
  EXPECT_EQ(a.status, BP_BAD_STATE);
  EXPECT_TRUE(has(a.message, "cannot be shut down by what a device's kernel calls")) << a.message;
  expect_works("sim:0");
  EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK);
}

// ---- many generations ----

// What a program may still hold when the runtime has ended.
struct Left {
  std::vector<T> tensors;
  std::vector<Handle<bp_stream, bp_stream_release>> streams;
  std::vector<Handle<bp_event, bp_event_release>> events;
};

// Makes and uses what there is on a device, and leaves a part of it.
void live_on(const std::string& where, Left& left) {
  const T a = ones(where, {64, 64});
  T sum = add(a, a);
  EXPECT_EQ(bp_tensor_set_requires_grad(a.get(), 1, nullptr), BP_OK);
  left.tensors.push_back(made(bp_matmul, a.get(), a.get()));  // and what made it
  left.tensors.push_back(ones(where, {0}));                   // has no block
  auto s = made<Handle<bp_stream, bp_stream_release>>(bp_stream_create, device(where), 0);
  auto e = made<Handle<bp_event, bp_event_release>>(bp_event_create, device(where));
  EXPECT_EQ(attempt(bp_event_record, e.get(), s.get()).status, BP_OK);
  EXPECT_EQ(attempt(bp_tensor_record_stream, sum.get(), s.get()).status, BP_OK);
  left.tensors.push_back(made(bp_tensor_to, sum.get(), kCpu, BP_DTYPE_NONE, 1u, 1u));
  left.tensors.push_back(std::move(sum));
  left.streams.push_back(std::move(s));
  left.events.push_back(std::move(e));
}

uint64_t bytes_in_use() {
  const struct mallinfo2 now = ::mallinfo2();
  return now.uordblks + now.hblkhd;
}

class Generations : public testing::TestWithParam<size_t> {};

// Handles live for so many generations more.
TEST_P(Generations, LeaveNothingBehind) {
  const char* const asked = std::getenv("BACKPLANE_TEST_GENERATIONS");
  // What was closed is kept for some generations and some time. After a rest, and one generation
  // more, the same amount is kept at both ends of the measure, whatever the machine's speed.
  constexpr int kRest = 70;
#ifdef BP_SANITIZED  // slow; some shells end all the same
  const int rounds = asked ? std::atoi(asked) / kRest : 0, warm_up = kRest + 20;
#else
  const int rounds = asked ? std::atoi(asked) / kRest : 4, warm_up = 5 * kRest;
#endif
  std::deque<Left> held;
  [[maybe_unused]] uint64_t before = 0;
  for (int i = 0; i <= warm_up + rounds * kRest; ++i) {
    if (i == warm_up + 1) before = bytes_in_use();
    if (i % kRest == 0) std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const Session session("sim.device_count=4");
    Left left;
    for (const char* where : {"cpu", "sim:0", "sim:2"}) live_on(where, left);
    ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
    held.push_back(std::move(left));
    for (const Left& old : held) {
      for (const T& t : old.tensors) {
        bp_tensor* none = nullptr;
        EXPECT_EQ(bp_add(t.get(), t.get(), &none, nullptr), BP_BAD_STATE);
        EXPECT_EQ(bp_tensor_device(t.get()), 0);
      }
      for (const auto& s : old.streams)
        EXPECT_EQ(attempt(bp_stream_synchronize, s.get()).status, BP_BAD_STATE);
      for (const auto& e : old.events)
        EXPECT_EQ(attempt(bp_event_synchronize, e.get()).status, BP_BAD_STATE);
    }
    if (held.size() > GetParam()) held.pop_front();
  }
#ifndef BP_SANITIZED  // where malloc is another
  const uint64_t now = bytes_in_use();
  const auto n = static_cast<uint64_t>(rounds) * kRest;
  EXPECT_LT(now, before + n * 1024) << (now - before) / n << " each time";
#endif
}

INSTANTIATE_TEST_SUITE_P(Shutdown, Generations, testing::Values(0, 1, 7));

}  // namespace
