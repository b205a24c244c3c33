// SPDX-License-Identifier: Apache-2.0
// What happens to ops that a backend lacks: null has add, fill and copy, so that nearly all of a
// program runs on the cpu where the policy lets it. Results are the cpu's own, bit for bit.
#include <cstdlib>
#include <thread>

#include "kit/devices.h"
#include "kit/invoke.h"
#include "kit/learner.h"
#include "kit/session.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

bp_device null_device() { return device("null:0"); }

// What the thread that asks would do.
bp_fallback policy() {
  bp_fallback out = BP_FALLBACK_INHERIT;
  const Answer a = attempt(bp_fallback_get, &out);
  EXPECT_EQ(a.message, "");
  return out;
}
struct Pushed {
  uint64_t token = 0;
  explicit Pushed(bp_fallback p) { EXPECT_EQ(bp_fallback_push(p, &token, nullptr), BP_OK); }
  ~Pushed() { EXPECT_EQ(bp_fallback_pop(token, nullptr), BP_OK); }
};
uint64_t fallbacks() { return crossed(null_device(), kCpu).n_fallbacks; }
Answer exp_of(const T& x, T& out) { return invoke(BP_OP_EXP, {value(x)}, out); }
std::vector<float> fetched(const T& t) { return values<float>(to(t, kCpu, BP_F32)); }

TEST(Fallback, IsRefusedUnlessSomebodySaysOtherwise) {
  const Session session;
  const T x = counting({3}, null_device());
  T out;
  const Answer a = exp_of(x, out);
  EXPECT_EQ(a.status, BP_UNSUPPORTED);
  EXPECT_EQ(a.message,
            "exp: null:0 has no kernel for float32; move the tensors to another device, or let the "
            "cpu run what a backend lacks (bp_set_fallback, BACKPLANE_FALLBACK=cpu)");
  EXPECT_EQ(fallbacks(), 0u);
}

TEST(Fallback, IsOfTheThreadThenOfTheProcessThenOfTheEnvironment) {
  ::setenv("BACKPLANE_FALLBACK", "cpu", 1);
  {
    const Session session("", 0);
    EXPECT_EQ(policy(), BP_FALLBACK_CPU);
    EXPECT_EQ(bp_set_fallback(BP_FALLBACK_REFUSE, nullptr), BP_OK);
    EXPECT_EQ(policy(), BP_FALLBACK_REFUSE);
    {
      const Pushed cpu(BP_FALLBACK_CPU);
      EXPECT_EQ(policy(), BP_FALLBACK_CPU);
      std::thread([] { EXPECT_EQ(policy(), BP_FALLBACK_REFUSE); }).join();
      const Pushed inherit(BP_FALLBACK_INHERIT);
      EXPECT_EQ(policy(), BP_FALLBACK_REFUSE);
    }
    EXPECT_EQ(bp_set_fallback(BP_FALLBACK_INHERIT, nullptr), BP_OK);
    EXPECT_EQ(policy(), BP_FALLBACK_CPU);
    EXPECT_EQ(bp_set_fallback(BP_FALLBACK_REFUSE, nullptr), BP_OK);
  }
  {
    const Session again("", 0);
    EXPECT_EQ(policy(), BP_FALLBACK_CPU) << "a new generation forgets what the process chose";
  }
  ::unsetenv("BACKPLANE_FALLBACK");
}

TEST(Fallback, TravelsWithAContext) {
  const Session session;
  bp_context* context = nullptr;
  {
    const Pushed cpu(BP_FALLBACK_CPU);
    ASSERT_EQ(bp_context_capture(&context, nullptr), BP_OK);
  }
  std::thread([&] {
    uint64_t token = 0;
    EXPECT_EQ(bp_context_enter(context, &token, nullptr), BP_OK);
    EXPECT_EQ(policy(), BP_FALLBACK_CPU);
    EXPECT_EQ(bp_context_leave(token, nullptr), BP_OK);
    EXPECT_EQ(policy(), BP_FALLBACK_REFUSE);
  }).join();
  bp_context_release(context);
}

TEST(Fallback, RefusesWhatIsNoPolicy) {
  ::setenv("BACKPLANE_FALLBACK", "gpu", 1);
  {
    const Session session("", 0);
    const std::string text =
        "fallback 3 is not known, expected BP_FALLBACK_INHERIT (0), REFUSE "
        "(1) or CPU (2)";
    uint64_t token = 0;
    EXPECT_EQ(attempt(bp_set_fallback, 3).message, text);
    EXPECT_EQ(attempt(bp_fallback_push, 3, &token).message, text);
    EXPECT_EQ(attempt(bp_fallback_push, -1, &token).status, BP_INVALID_ARGUMENT);
    EXPECT_EQ(attempt(bp_fallback_push, BP_FALLBACK_CPU, static_cast<uint64_t*>(nullptr)).status,
              BP_INVALID_ARGUMENT);
    EXPECT_EQ(attempt(bp_fallback_pop, uint64_t{1}).status, BP_BAD_STATE);
    const T x = counting({3}, null_device());
    T out;
    const Answer a = exp_of(x, out);
    EXPECT_EQ(a.status, BP_INVALID_ARGUMENT);
    EXPECT_EQ(a.message, "BACKPLANE_FALLBACK is 'gpu', expected refuse or cpu");
  }
  ::unsetenv("BACKPLANE_FALLBACK");
}

struct OnTheCpu : testing::Test {
  Session session;
  const bp_device null0 = null_device();
  const Pushed cpu{BP_FALLBACK_CPU};
};

TEST_F(OnTheCpu, IsCountedAndLoggedOnceForEachOp) {
  const T x = counting({5}, null0), y = counting({5});
  for (int i = 0; i < 3; ++i) {
    T there, here;
    EXPECT_EQ(exp_of(x, there).message, "");
    EXPECT_EQ(exp_of(y, here).message, "");
    EXPECT_EQ(bp_tensor_device(there.get()), null0);
    EXPECT_EQ(fetched(there), values<float>(here));
  }
  EXPECT_EQ(fallbacks(), 3u);
  EXPECT_EQ(session.log_lines_with("exp: null has no kernel"), 1u);
  EXPECT_GE(crossed(null0, kCpu).bytes, 60u);
  T sum;
  EXPECT_EQ(invoke(BP_OP_ADD, {value(x), value(x)}, sum).message, "");
  EXPECT_EQ(fallbacks(), 3u) << "null has add";
}

TEST_F(OnTheCpu, WritesWhereTheCallerWants) {
  const T whole = counting({4, 3}, null0), same = counting({4, 3});
  for (const T* t : {&whole, &same}) {  // a transposed view, changed in place
    T view = made(bp_tensor_transpose, t->get(), int64_t{0}, int64_t{1});
    EXPECT_EQ(invoke(BP_OP_EXP, {value(view)}, view).message, "");
  }
  EXPECT_EQ(fetched(whole), values<float>(same));
  const T halves = to(whole, null0, BP_F16), back = to(halves, null0, BP_F64);
  EXPECT_EQ(fetched(back), fetched(to(to(same, kCpu, BP_F16), kCpu, BP_F64)));
}

TEST_F(OnTheCpu, DrawsWhatTheCpuWouldDraw) {
  std::vector<float> drawn[2];
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(bp_manual_seed(3, nullptr), BP_OK);
    uint64_t token = 0;
    EXPECT_EQ(bp_default_push(i ? null0 : kCpu, &token, nullptr), BP_OK);
    const int64_t shape[] = {100};
    const bp_attr attrs[] = {{"shape", BP_ATTR_INTS, 1, {.ints = shape}, 0}};
    T out;
    const Answer a = invoke(BP_OP_NORMAL, {}, out, {attrs[0]});
    EXPECT_EQ(a.message, "");
    EXPECT_EQ(bp_tensor_device(out.get()), i ? null0 : kCpu);
    EXPECT_EQ(bp_default_pop(token, nullptr), BP_OK);
    drawn[i] = fetched(out);
  }
  EXPECT_EQ(drawn[0], drawn[1]);
}

TEST_F(OnTheCpu, TrainsAModelToTheCpusOwnWeights) {
  // Each device draws its own masks, so that there is no dropout.
  Learner there({null0}, /*dropout=*/false), here({kCpu}, /*dropout=*/false);
  EXPECT_EQ(there.fit(2, nullptr, 1.0).message, "");
  EXPECT_EQ(here.fit(2, nullptr, 1.0).message, "");
  EXPECT_EQ(there.weights(), here.weights());
  EXPECT_GT(fallbacks(), 100u);
}

}  // namespace
}  // namespace bp_test
