// SPDX-License-Identifier: Apache-2.0
// Each way in which a device can fail gives a status and a sentence, loses nothing and leaves other
// devices alone.
#include "kit/programs.h"
#include "sim/works.h"

namespace {

// What the two backends that these tests run on say of each fault.
#ifdef SIM_IS_CUDA
constexpr char kNoMemory[] = "cuda: allocating memory: out of memory: CUDA_MACHINE_FAIL_ALLOC",
               kNoLaunch[] =
                   "cuda: launching a kernel: too many resources requested for launch: "
                   "CUDA_MACHINE_FAIL_LAUNCH",
               kNoCopy[] = "cuda: copying: invalid argument: CUDA_MACHINE_FAIL_COPY",
               kFailedKernel[] = "CUDA_MACHINE_FAIL_KERNEL (cudaErrorIllegalAddress)",
               kLostDevice[] = "CUDA_MACHINE_LOSE_DEVICE (cudaErrorDevicesUnavailable)";
constexpr bp_status kNoCopyStatus = BP_INVALID_ARGUMENT;
#else
constexpr char kNoMemory[] = "SIM_FAIL_ALLOC",
               kNoLaunch[] = "sim: launching a kernel failed (SIM_FAIL_LAUNCH)",
               kNoCopy[] = "sim: copying 16 bytes failed (SIM_FAIL_COPY)",
               kFailedKernel[] = "a kernel failed while it ran (SIM_FAIL_KERNEL)",
               kLostDevice[] = "the device was lost (SIM_LOSE_DEVICE)";
constexpr bp_status kNoCopyStatus = BP_INTERNAL;
#endif

void expect_others_work() {
  expect_works("sim:1");
  expect_works("cpu");
}

void expect_nothing_lives_anywhere() {
  for (const char* where : {"sim:0", "sim:1", "cpu"}) expect_nothing_lives(where);
}

// The first failure of up to `most` sums; each is waited for.
Answer first_failure(const T& t, int most) {
  for (int i = 0; i < most; ++i) {
    bp_tensor* sum = nullptr;
    Answer r = attempt(bp_add, t.get(), t.get(), &sum);
    bp_tensor_release(sum);
    if (r.status == BP_OK) r = synchronize("sim:0");
    if (r.status != BP_OK) return r;
  }
  return {};
}

// After a failure of the device itself: everything fails at once, with the origin in the sentence.
void expect_lost(const T& t, const std::string& origin) {
  const int64_t n = 4;
  float data[4] = {};
  const Answer later[] = {
      synchronize("sim:0"),
      refusal(bp_add, t.get(), t.get()),
      refusal(bp_tensor_ones, 1, &n, BP_F32, device("sim:0")),
      refusal(bp_tensor_to, t.get(), kCpu, BP_DTYPE_NONE, 0u, 0u),
      refusal(bp_tensor_clone, t.get()),
      attempt(bp_tensor_read, t.get(), static_cast<void*>(data), uint64_t{sizeof data}),
      attempt(bp_tensor_write, t.get(), static_cast<const void*>(data), uint64_t{sizeof data}),
  };
  for (const Answer& r : later) {
    EXPECT_EQ(r.status, BP_DEVICE_LOST) << r.message;
    EXPECT_TRUE(has(r.message, "sim:0") && has(r.message, "sim:0 failed earlier: ") &&
                has(r.message, origin))
        << r.message;
  }
}

TEST(Faults, OneRefusedRequestForMemoryIsAskedForAgain) {
  Session session("sim.fail_alloc=1");
  expect_works("sim:0");
}

constexpr int64_t kLarge = 4 << 20;  // a block of its own

TEST(Faults, OutOfMemory) {
  Session session("sim.fail_alloc=2;sim.fail_times=8");
  {
    const T t = ones("sim:0", {kLarge});
    const Answer r = refusal(bp_add, t.get(), t.get());
    EXPECT_EQ(r.status, BP_OUT_OF_DEVICE_MEMORY);
    for (const char* words : {"sim:0 out of memory", "Tried to allocate 16.00 MiB",
                              "of 1073741824 bytes are free", kNoMemory})
      EXPECT_TRUE(has(r.message, words)) << r.message;
    expect_works("cpu");
    EXPECT_EQ(values<float>(t), std::vector<float>(kLarge, 1));
  }
  expect_nothing_lives_anywhere();
}

TEST(Faults, ALaunchIsRefused) {
  Session session("sim.fail_launch=2");
  {
    const T t = ones("sim:0");
    const Answer r = refusal(bp_add, t.get(), t.get());
    EXPECT_EQ(r.status, BP_INTERNAL);
    EXPECT_TRUE(has(r.message, kNoLaunch)) << r.message;
    EXPECT_EQ(values<float>(add(t, t)), std::vector<float>(4, 2)) << "the next one works";
    expect_others_work();
  }
  expect_nothing_lives_anywhere();
}

TEST(Faults, ACopyIsRefused) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  Session session("sim.fail_copy=2");
  {
    const T t = counting<float>({4}, device("sim:0"));
    float data[4] = {};
    const Answer r =
        attempt(bp_tensor_read, t.get(), static_cast<void*>(data), uint64_t{sizeof data});
    EXPECT_EQ(r.status, kNoCopyStatus);
    EXPECT_TRUE(has(r.message, kNoCopy)) << r.message;
    EXPECT_EQ(values<float>(t), (std::vector<float>{0, 1, 2, 3})) << "the next one works";
    expect_others_work();
  }
  expect_nothing_lives_anywhere();
}

TEST(Faults, ACopyThatIsRefusedMakesNoTensor) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  Session session("sim.fail_copy=1");
  const float data[4] = {};
  const int64_t n = 4;
  const Answer r =
      refusal(bp_tensor_from_data, static_cast<const void*>(data), 1, &n, BP_F32, device("sim:0"));
  EXPECT_EQ(r.status, kNoCopyStatus);
  expect_nothing_lives_anywhere();
}

TEST(Faults, AKernelFailsWhileItRuns) {
  Session session("sim.fail_kernel=2");
  {
    const T t = ones("sim:0");
    const T sum = add(t, t);  // nobody knows yet
    const Answer first = synchronize("sim:0");
    EXPECT_EQ(first.status, BP_DEVICE_LOST);
    EXPECT_TRUE(has(first.message, kFailedKernel)) << first.message;
    EXPECT_FALSE(has(first.message, "earlier")) << first.message;
    expect_lost(t, kFailedKernel);
    expect_others_work();
  }
  expect_nothing_lives_anywhere();
}

// Giving memory back waits for the device, too, but tells nobody what it heard.
TEST(Faults, AReleaseDoesNotSwallowTheOrigin) {
  Session session("sim.fail_kernel=2");
  ASSERT_EQ(bp_memory_set_limit(device("sim:0"), 0, nullptr), BP_OK);
  const T t = ones("sim:0");
  add(t, t).reset();
  const Answer first = synchronize("sim:0");
  EXPECT_EQ(first.status, BP_DEVICE_LOST);
  EXPECT_FALSE(has(first.message, "earlier")) << first.message;
}

TEST(Faults, ADeviceIsLost) {
  Session session("sim.lose_device=5");
  {
    const T t = ones("sim:0");
    const Answer first = first_failure(t, 20);
    EXPECT_EQ(first.status, BP_DEVICE_LOST);
    EXPECT_TRUE(has(first.message, kLostDevice)) << first.message;
    EXPECT_FALSE(has(first.message, "earlier")) << first.message;
    expect_lost(t, kLostDevice);
    expect_others_work();
  }
  expect_nothing_lives_anywhere();
}

TEST(Faults, ADeviceIsLostWhileAProgramRuns) {
  Session session("sim.lose_device=12");
  {
    const Tensors in = one(ones("sim:0"));
    const P program = recorded(in, [](const Tensors& x) {
      return one(op(BP_OP_EXP, {value(op(BP_OP_NEG, {value(x[0])}))}));
    });
    const auto once = [&] {
      std::vector<bp_tensor*> out(1);
      Answer a = run(program, in, out);
      EXPECT_EQ(a.status == BP_OK, out[0] != nullptr);
      bp_tensor_release(out[0]);
      return a.status == BP_OK ? synchronize("sim:0") : a;
    };
    Answer first = once();
    for (int i = 0; i < 20 && first.status == BP_OK; ++i) first = once();
    EXPECT_EQ(first.status, BP_DEVICE_LOST);
    EXPECT_TRUE(has(first.message, kLostDevice)) << first.message;
    EXPECT_FALSE(has(first.message, "earlier")) << first.message;
    const Answer later = once();
    EXPECT_EQ(later.status, BP_DEVICE_LOST);
    EXPECT_TRUE(has(later.message, "earlier")) << later.message;
    expect_lost(in[0], kLostDevice);
    expect_others_work();
  }
  expect_nothing_lives_anywhere();
}

TEST(Faults, TheSynchronousModeNamesTheOp) {
  Session session("sim.fail_kernel=2", BP_INIT_NO_ENV | BP_INIT_SYNCHRONOUS);
  const T t = ones("sim:0");
  const Answer r = refusal(bp_exp, t.get());
  EXPECT_EQ(r.status, BP_DEVICE_LOST);
  EXPECT_TRUE(has(r.message, "sim:0: exp: ") && has(r.message, kFailedKernel)) << r.message;
}

TEST(Faults, TheSynchronousModeIsAVariableToo) {
  ::setenv("BACKPLANE_SYNCHRONOUS", "1", 1);
  Session session("sim.fail_kernel=1", /*flags=*/0);
  const int64_t n = 4;
  const Answer r = refusal(bp_tensor_ones, 1, &n, BP_F32, device("sim:0"));
  EXPECT_EQ(r.status, BP_DEVICE_LOST);
  EXPECT_TRUE(has(r.message, "sim:0: fill: ")) << r.message;
  ::unsetenv("BACKPLANE_SYNCHRONOUS");
}

TEST(Faults, TheNextRuntimeStartsAfresh) {
  {
    Session session("sim.fail_kernel=1");
    const T t = ones("sim:0");
    EXPECT_EQ(synchronize("sim:0").status, BP_DEVICE_LOST);
  }
  Session session;
  expect_works("sim:0");
}

}  // namespace
