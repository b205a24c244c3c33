// SPDX-License-Identifier: Apache-2.0
// The stand-in for CUDA's runtime holds a program to CUDA's rules, with CUDA's codes.
#include "runtime_test.h"

#include <cstring>
#include <functional>
#include <numeric>
#include <thread>

namespace {

bool says(const char* text, const std::string& words) {
  return std::string(text).find(words) != std::string::npos;
}

// ---- options ----

TEST(Options, GiveDevicesTheirProperties) {
  struct {
    const char* capability;
    int major, minor, threads_per_unit;
    size_t by_choice;
  } const rows[] = {{"75", 7, 5, 1024, 64 << 10},  {"80", 8, 0, 2048, 163 << 10},
                    {"86", 8, 6, 1536, 99 << 10},  {"89", 8, 9, 1536, 99 << 10},
                    {"90", 9, 0, 2048, 227 << 10}, {"100", 10, 0, 2048, 227 << 10},
                    {"120", 12, 0, 1536, 99 << 10}};
  for (const auto& row : rows) {
    Machine machine{
        {"CAPABILITY", row.capability}, {"DEVICES", "3"}, {"MEMORY", "64M"}, {"NAME", "Some card"}};
    int n = 0, value = 0;
    OK(cudaGetDeviceCount(&n));
    EXPECT_EQ(n, 3);
    cudaDeviceProp p{};
    OK(cudaGetDeviceProperties(&p, 2));
    EXPECT_EQ(p.major, row.major);
    EXPECT_EQ(p.minor, row.minor);
    EXPECT_EQ(p.maxThreadsPerMultiProcessor, row.threads_per_unit);
    EXPECT_EQ(p.sharedMemPerBlockOptin, row.by_choice);
    EXPECT_EQ(p.totalGlobalMem, size_t{64} << 20);
    EXPECT_STREQ(p.name, "Some card");
    OK(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    EXPECT_EQ(static_cast<size_t>(value), row.by_choice);
    EXPECT_CODE(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 3));
  }
}

TEST(Options, ThatAreWrongFailEveryCallAndSayWhich) {
  struct {
    const char *name, *value, *expected;
  } const rows[] = {
      {"DEVICES", "many", "CUDA_MACHINE_DEVICES is \"many\", expected a number from 0 to 64"},
      {"DEVICES", "65", "expected a number from 0 to 64"},
      {"CAPABILITY", "76", "expected 75, 80, 86, 89, 90, 100 or 120"},
      {"PEERS", "0>", "expected 0, 1 or pairs like 0>1,2-3"},
      {"FAIL_LUNCH", "1", "CUDA_MACHINE_FAIL_LUNCH is \"1\", expected no variable of this name"},
  };
  for (const auto& row : rows) {
    Machine machine{{row.name, row.value}};
    int n = 0;
    EXPECT_CODE(cudaErrorInitializationError, cudaGetDeviceCount(&n));
    EXPECT_CODE(cudaErrorInitializationError, cudaFree(nullptr));
    const char* text = cudaGetErrorString(cudaErrorInitializationError);
    EXPECT_TRUE(says(text, "initialization error: ") && says(text, row.expected)) << text;
    EXPECT_CODE(cudaErrorInitializationError, cudaGetLastError());
    EXPECT_CODE(cudaErrorInitializationError, cudaGetLastError()) << "it stays";
  }
}

TEST(Options, AnOldDriverAndNoDeviceFailEveryCall) {
  struct {
    const char *name, *value;
    cudaError_t code;
  } const rows[] = {{"DRIVER", "12080", cudaErrorInsufficientDriver},
                    {"DEVICES", "0", cudaErrorNoDevice},
                    {"!CUDA_VISIBLE_DEVICES", "", cudaErrorNoDevice},
                    {"!CUDA_VISIBLE_DEVICES", "0,0", cudaErrorNoDevice}};
  for (const auto& row : rows) {
    Machine machine{{row.name, row.value}};
    int n = 1;
    EXPECT_CODE(row.code, cudaGetDeviceCount(&n));
    EXPECT_EQ(n, 0);
    void* p = nullptr;
    EXPECT_CODE(row.code, cudaMalloc(&p, 4));
  }
}

TEST(Options, TheDriversMaskChoosesAndOrdersDevices) {
  struct {
    const char* mask;
    std::vector<int> buses;  // device k has bus k + 1
  } const rows[] = {{"2,0", {3, 1}},
                    {"1,7,2", {2}},
                    {"GPU-c0da0000-0000-4000-8000-000000000003", {4}},
                    {"0,-1,2", {1}}};
  for (const auto& row : rows) {
    Machine machine{{"DEVICES", "4"}, {"!CUDA_VISIBLE_DEVICES", row.mask}};
    int n = 0;
    OK(cudaGetDeviceCount(&n));
    ASSERT_EQ(static_cast<size_t>(n), row.buses.size()) << row.mask;
    for (int k = 0; k < n; ++k) {
      cudaDeviceProp p{};
      OK(cudaGetDeviceProperties(&p, k));
      EXPECT_EQ(p.pciBusID, row.buses[static_cast<size_t>(k)]) << row.mask;
    }
  }
}

// ---- errors ----

TEST(Errors, AreTheThreadsLastUntilTheyAreAskedFor) {
  Machine machine;
  EXPECT_CODE(cudaErrorInvalidDevice, cudaSetDevice(7));
  OK(cudaFree(nullptr));
  EXPECT_CODE(cudaErrorInvalidDevice, cudaPeekAtLastError());
  std::thread([] { OK(cudaPeekAtLastError()); }).join();
  EXPECT_CODE(cudaErrorInvalidDevice, cudaGetLastError());
  OK(cudaGetLastError());
}

TEST(Errors, ThatAreNotYetErrorsAreNotRemembered) {
  Machine machine;
  const cudaStream_t s = stream();
  Gate gate(s);
  EXPECT_CODE(cudaErrorNotReady, cudaStreamQuery(s));
  EXPECT_CODE(cudaSuccess, cudaPeekAtLastError());
}

// Each way in which a device is lost: when it fails, each later call on it says so, until it is
// reset; others go on.
TEST(Errors, OfADeviceStick) {
  struct {
    const char *name, *value;
    cudaError_t code;
    const char* words;
  } const rows[] = {
      {"FAIL_KERNEL", "2", cudaErrorIllegalAddress, "kernel fill: CUDA_MACHINE_FAIL_KERNEL"},
      {"FAIL_INSTRUCTION", "3", cudaErrorIllegalAddress, "fill"},
      {"ECC", "2", cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"},
      {"LOSE_DEVICE", "2", cudaErrorDevicesUnavailable, "busy or unavailable"},
  };
  for (const auto& row : rows) {
    Machine machine{{row.name, row.value}};
    OK(cudaSetDevice(1));
    const cudaStream_t other = stream();
    char* elsewhere = block(64);
    OK(cudaSetDevice(0));
    const cudaStream_t s = stream();
    char* p = block(4096);
    {
      Gate gate(s);  // nothing fails before both are queued
      OK(launch("fill", p, s));
      OK(launch("fill", p, s));
    }
    EXPECT_CODE(row.code, cudaStreamSynchronize(s));
    EXPECT_TRUE(says(cudaGetErrorString(row.code), row.words)) << cudaGetErrorString(row.code);
    EXPECT_CODE(row.code, cudaGetLastError());
    EXPECT_CODE(row.code, cudaGetLastError()) << "it stays";
    void* more = nullptr;
    size_t a = 0, b = 0;
    char data[8] = {};
    EXPECT_CODE(row.code, cudaMalloc(&more, 64));
    EXPECT_CODE(row.code, cudaFree(p));
    EXPECT_CODE(row.code, launch("fill", p, s));
    EXPECT_CODE(row.code, cudaMemcpyAsync(p, data, sizeof data, cudaMemcpyHostToDevice, s));
    EXPECT_CODE(row.code, cudaMemGetInfo(&a, &b));
    EXPECT_CODE(row.code, cudaDeviceSynchronize());
    OK(cudaSetDevice(1));
    EXPECT_CODE(row.code, cudaGetLastError());
    OK(cudaGetLastError()) << "it was another device's";
    OK(cudaMemsetAsync(elsewhere, 0, 64, other));
    OK(cudaStreamSynchronize(other));
    OK(cudaSetDevice(0));
    OK(cudaDeviceReset());
    OK(cudaDeviceSynchronize());
    EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaStreamQuery(s))
        << "the stream went with the device";
  }
}

TEST(Errors, OfAnAccessStickUntilTheDeviceIsReset) {
  Machine machine;
  char* p = block(4096);
  const cudaStream_t s = stream();
  OK(launch("fill", p + 2, s));
  EXPECT_CODE(cudaErrorMisalignedAddress, cudaStreamSynchronize(s));
  EXPECT_CODE(cudaErrorMisalignedAddress, cudaGetLastError());
  EXPECT_CODE(cudaErrorMisalignedAddress, cudaGetLastError()) << "it stays";
  void* more = nullptr;
  EXPECT_CODE(cudaErrorMisalignedAddress, cudaMalloc(&more, 64));
  EXPECT_CODE(cudaErrorMisalignedAddress, cudaFree(p));
  EXPECT_CODE(cudaErrorMisalignedAddress, launch("fill", p, s));
  EXPECT_CODE(cudaErrorMisalignedAddress, cudaDeviceSynchronize());
  OK(cudaDeviceReset());
  OK(cudaDeviceSynchronize());
}

TEST(Errors, OfAnIllegalAddressHaveItsCode) {
  Machine machine;
  OK(launch("fill", nullptr, nullptr));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

TEST(Errors, ThatRefuseACallLeaveTheDeviceWell) {
  struct {
    const char* name;
    cudaError_t code;
    std::function<cudaError_t()> call;
  } const rows[] = {
      {"FAIL_ALLOC", cudaErrorMemoryAllocation,
       [] {
         void* p;
         return cudaMalloc(&p, 4);
       }},
      {"FAIL_PINNED", cudaErrorMemoryAllocation,
       [] {
         void* p;
         return cudaHostAlloc(&p, 4, 0);
       }},
      {"FAIL_LAUNCH", cudaErrorLaunchOutOfResources,
       [] { return launch("bounded", nullptr, nullptr); }},
      {"FAIL_COPY", cudaErrorInvalidValue,
       [] {
         int a = 1, b;
         return cudaMemcpy(&b, &a, 4, cudaMemcpyDefault);
       }},
  };
  for (const auto& row : rows) {
    Machine machine{{row.name, "2"}, {"FAIL_TIMES", "2"}};
    OK(row.call());
    EXPECT_CODE(row.code, row.call());
    EXPECT_TRUE(says(cudaGetErrorString(row.code), std::string("CUDA_MACHINE_") + row.name));
    EXPECT_CODE(row.code, row.call());
    OK(row.call());
  }
}

// ---- launches ----

TEST(Launches, GiveEachThreadItsWord) {
  Machine machine{{"WORKERS", "2"}};
  const cudaStream_t s = stream();
  char* p = block(400);
  OK(launch("fill", p, s, dim3(10), dim3(10)));
  std::vector<int> got(100), wanted(100);
  std::iota(wanted.begin(), wanted.end(), 0);
  OK(cudaMemcpyAsync(got.data(), p, 400, cudaMemcpyDeviceToHost, s));
  EXPECT_EQ(got, wanted);
}

TEST(Launches, OfAShapeThatNoCardTakesAreRefused) {
  Machine machine(
      "over NVIDIA's runtime kernels are handles of a library, with codes of their own");
  struct {
    const char* kernel;
    dim3 blocks, threads;
    size_t shared_bytes;
    cudaError_t code;
  } const rows[] = {
      {"look", dim3(0), dim3(32), 0, cudaErrorInvalidConfiguration},
      {"look", dim3(1), dim3(0), 0, cudaErrorInvalidConfiguration},
      {"look", dim3(1), dim3(1025), 0, cudaErrorInvalidConfiguration},
      {"look", dim3(1), dim3(64, 32), 0, cudaErrorInvalidConfiguration},
      {"look", dim3(1), dim3(1, 1, 65), 0, cudaErrorInvalidConfiguration},
      {"look", dim3(0x80000000u), dim3(32), 0, cudaErrorInvalidConfiguration},
      {"look", dim3(1, 65536), dim3(32), 0, cudaErrorInvalidConfiguration},
      {"bounded", dim3(1), dim3(64), 0, cudaSuccess},
      {"bounded", dim3(1), dim3(65), 0, cudaErrorInvalidValue},
      {"bounded", dim3(1), dim3(32), 48 << 10, cudaSuccess},
      {"bounded", dim3(1), dim3(32), (48 << 10) + 1, cudaErrorInvalidValue},
      {"sharing", dim3(1), dim3(1), 47 << 10, cudaSuccess},
      {"sharing", dim3(1), dim3(1), (47 << 10) + 1, cudaErrorInvalidValue},
      {"absent", dim3(1), dim3(32), 0, cudaErrorNoKernelImageForDevice},
  };
  for (const auto& row : rows)
    EXPECT_CODE(row.code,
                launch(row.kernel, nullptr, nullptr, row.blocks, row.threads, row.shared_bytes))
        << row.kernel << ", " << &row - rows;
  OK(cudaDeviceSynchronize());
}

TEST(Launches, OfTextThatNobodyKnowsFailWhenItRuns) {
  Machine machine("a card's driver refuses the text");
  OK(launch("strange", nullptr, nullptr));
  EXPECT_CODE(cudaErrorIllegalInstruction, cudaDeviceSynchronize());
  EXPECT_TRUE(says(cudaGetErrorString(cudaErrorIllegalInstruction), "frobnicate"));
}

TEST(Launches, OfWhatWasNeverRegisteredAreRefused) {
  Machine machine(
      "over NVIDIA's runtime kernels are handles of a library, with codes of their own");
  EXPECT_CODE(cudaErrorInvalidDeviceFunction,
              cudaLaunchKernel(&machine, dim3(1), dim3(1), nullptr, 0, nullptr));
  cudaFuncAttributes a{};
  EXPECT_CODE(cudaErrorInvalidDeviceFunction, cudaFuncGetAttributes(&a, &machine));
}

TEST(Launches, MayHaveMoreSharedMemoryByChoiceUpToTheCapabilitys) {
  Machine machine{{"CAPABILITY", "75"}};
  const void* f = kernels()["sharing"];
  const auto choose = [&](int bytes) {
    return cudaFuncSetAttribute(f, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  };
  OK(choose(63 << 10));
  EXPECT_CODE(cudaErrorInvalidValue, choose((63 << 10) + 1));
  OK(launch("sharing", nullptr, nullptr, dim3(1), dim3(1), 63 << 10));
  EXPECT_CODE(cudaErrorInvalidValue,
              launch("sharing", nullptr, nullptr, dim3(1), dim3(1), (63 << 10) + 1));
  cudaFuncAttributes a{};
  OK(cudaFuncGetAttributes(&a, f));
  EXPECT_EQ(a.sharedSizeBytes, 1024u);
  EXPECT_EQ(a.maxDynamicSharedSizeBytes, 63 << 10);
  int n = 0;
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 256, 0));
  EXPECT_EQ(n, 4) << "of 1024 threads";
  OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, f, 256, 32 << 10));
  EXPECT_EQ(n, 1) << "of 64 KiB";
}

// ---- several devices ----

TEST(Devices, ForbidWhatCudaForbidsAcrossThem) {
  Machine machine{{"DEVICES", "2"}};
  const cudaStream_t here = stream();
  const cudaEvent_t of_here = event();
  char* p = block(64);
  OK(cudaSetDevice(1));
  const cudaStream_t there = stream();
  const cudaEvent_t of_there = event();
  EXPECT_CODE(cudaErrorInvalidResourceHandle, launch("fill", p, here));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventRecord(of_here, there));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventRecord(of_there, here));
  OK(cudaEventRecord(of_here, here));
  OK(cudaStreamWaitEvent(there, of_here, 0));
  OK(cudaEventRecord(of_there, there));
  OK(cudaEventSynchronize(of_here));
  OK(cudaStreamSynchronize(here));
  OK(cudaEventSynchronize(of_there));
  float ms = 0;
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, of_here, of_there));
  OK(cudaMemsetAsync(p, 0, 64, here));
  OK(cudaFree(p)) << "of another device";
}

TEST(Devices, ReachEachOtherOnceThatIsAllowedAndEnabled) {
  Machine machine{{"PEERS", "0>1"}};
  int can = 0;
  OK(cudaDeviceCanAccessPeer(&can, 0, 1));
  EXPECT_EQ(can, 1);
  OK(cudaDeviceCanAccessPeer(&can, 1, 0));
  EXPECT_EQ(can, 0);
  OK(cudaSetDevice(1));
  char* theirs = block(128);
  EXPECT_CODE(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
  OK(cudaSetDevice(0));
  EXPECT_CODE(cudaErrorPeerAccessNotEnabled, cudaDeviceDisablePeerAccess(1));
  OK(cudaDeviceEnablePeerAccess(1, 0));
  EXPECT_CODE(cudaErrorPeerAccessAlreadyEnabled, cudaDeviceEnablePeerAccess(1, 0));
  OK(launch("fill", theirs, nullptr));
  OK(cudaDeviceSynchronize());
  OK(cudaDeviceDisablePeerAccess(1));
  OK(launch("fill", theirs, nullptr));
  EXPECT_CODE(cudaErrorIllegalAddress, cudaDeviceSynchronize());
}

TEST(Devices, AreCopiedBetweenWithOrWithoutPeerAccess) {
  Machine machine{{"DEVICES", "2"}};
  char *here = block(64), data[64] = {};
  OK(cudaSetDevice(1));
  char* there = block(64);
  const cudaStream_t s = stream();
  std::memset(data, 7, sizeof data);
  OK(cudaMemcpyAsync(here, data, 64, cudaMemcpyHostToDevice, s));
  OK(cudaMemcpyAsync(there, here, 64, cudaMemcpyDefault, s));
  std::memset(data, 0, sizeof data);
  OK(cudaMemcpyAsync(data, there, 64, cudaMemcpyDeviceToHost, s));
  EXPECT_EQ(data[63], 7);
}

// ---- handles and memory ----

// Each use is a test, because a card's runtime may end the process.
struct Use {
  const char* name;
  cudaError_t (*call)(cudaStream_t destroyed, cudaEvent_t destroyed_too, cudaStream_t other);
};
void PrintTo(const Use& use, std::ostream* out) { *out << use.name; }
const Use kUses[] = {
    {"Destroy", [](cudaStream_t s, cudaEvent_t, cudaStream_t) { return cudaStreamDestroy(s); }},
    {"Wait", [](cudaStream_t s, cudaEvent_t, cudaStream_t) { return cudaStreamSynchronize(s); }},
    {"Launch",
     [](cudaStream_t s, cudaEvent_t, cudaStream_t) { return launch("look", nullptr, s); }},
    {"DestroyEvent", [](cudaStream_t, cudaEvent_t e, cudaStream_t) { return cudaEventDestroy(e); }},
    {"Record", [](cudaStream_t, cudaEvent_t e, cudaStream_t o) { return cudaEventRecord(e, o); }},
    {"WaitForEvent",
     [](cudaStream_t, cudaEvent_t e, cudaStream_t o) { return cudaStreamWaitEvent(o, e, 0); }},
};
class Handles : public testing::TestWithParam<Use> {};

TEST_P(Handles, AreOfNoUseAfterTheyWereDestroyed) {
  Machine machine("NVIDIA's runtime takes some of them, and crashes of others");
  const cudaStream_t s = stream();
  const cudaEvent_t e = event();
  OK(cudaStreamDestroy(s));
  OK(cudaEventDestroy(e));
  EXPECT_CODE(cudaErrorInvalidResourceHandle, GetParam().call(s, e, stream()));
}
INSTANTIATE_TEST_SUITE_P(To, Handles, testing::ValuesIn(kUses),
                         [](const auto& info) { return info.param.name; });

TEST(Memory, IsFreedOnceAndByWhoMadeIt) {
  Machine machine;
  char *p = block(1000), *h = pinned(1000), on_the_stack = 0;
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(p + 4));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(h));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFreeHost(p));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(&on_the_stack));
  OK(cudaFree(p));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFree(p));
  if (!is_a_card()) {
    EXPECT_TRUE(says(cudaGetErrorString(cudaErrorInvalidValue), "freed block of 1000 bytes"));
  }
  OK(cudaFreeHost(h));
  EXPECT_CODE(cudaErrorInvalidValue, cudaFreeHost(h));
  OK(cudaFree(nullptr));
  OK(cudaFreeHost(nullptr));
  void* q = &q;
  OK(cudaMalloc(&q, 0));
  EXPECT_EQ(q, nullptr);
}

TEST(Memory, EndsAndIsCounted) {
  Machine machine{{"MEMORY", "1M"}};
  size_t left = 0, total = 0;
  std::vector<char*> blocks;
  for (int k = 0; k < 4; ++k) blocks.push_back(block(256 << 10));
  OK(cudaMemGetInfo(&left, &total));
  EXPECT_EQ(left, 0u);
  EXPECT_EQ(total, size_t{1} << 20);
  void* p = nullptr;
  EXPECT_CODE(cudaErrorMemoryAllocation, cudaMalloc(&p, 1));
  OK(cudaFree(blocks[1]));
  OK(cudaMalloc(&p, 256 << 10));
}

TEST(Memory, IsToldApart) {
  Machine machine{{"DEVICES", "2"}};
  OK(cudaSetDevice(1));
  char *p = block(64), *h = pinned(64), on_the_stack = 0;
  OK(cudaSetDevice(0));
  cudaPointerAttributes a{};
  OK(cudaPointerGetAttributes(&a, p + 63));
  EXPECT_EQ(a.type, cudaMemoryTypeDevice);
  EXPECT_EQ(a.device, 1);
  OK(cudaPointerGetAttributes(&a, h));
  EXPECT_EQ(a.type, cudaMemoryTypeHost);
  OK(cudaPointerGetAttributes(&a, &on_the_stack));
  EXPECT_EQ(a.type, cudaMemoryTypeUnregistered);
}

TEST(Memory, OfADeviceIsOutOfTheHostsReach) {
  Machine machine;
  EXPECT_DEATH(*block(64) = 1, "");
}

TEST(Copies, LieInLiveBlocksAndWhereTheirKindSays) {
  Machine machine("a card's blocks end where its pages do");
  char *p = block(64), *q = block(64), *freed = block(64), *h = pinned(64), host[128] = {};
  OK(cudaMemset(p, 1, 64));
  OK(cudaFree(freed));
  struct {
    void* to;
    const void* from;
    size_t n;
    cudaMemcpyKind kind;
    cudaError_t code;
  } const rows[] = {
      {p, host, 64, cudaMemcpyHostToDevice, cudaSuccess},
      {p, host, 65, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {p + 1, host, 64, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {host, p, 65, cudaMemcpyDeviceToHost, cudaErrorInvalidValue},
      {freed, host, 4, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {p - 4, host, 4, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {h, p, 65, cudaMemcpyDeviceToHost, cudaErrorInvalidValue},
      {h, p, 64, cudaMemcpyDeviceToHost, cudaSuccess},
      {nullptr, host, 4, cudaMemcpyDefault, cudaErrorInvalidValue},
      {nullptr, nullptr, 0, cudaMemcpyDefault, cudaSuccess},
      {q, p, 64, cudaMemcpyDeviceToDevice, cudaSuccess},
      {q, host, 4, cudaMemcpyDeviceToDevice, cudaErrorInvalidValue},
      {q, p, 4, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {host, p, 4, cudaMemcpyHostToDevice, cudaErrorInvalidValue},
      {q, p, 4, static_cast<cudaMemcpyKind>(5), cudaErrorInvalidMemcpyDirection},
  };
  for (const auto& row : rows)
    EXPECT_CODE(row.code, cudaMemcpyAsync(row.to, row.from, row.n, row.kind, nullptr))
        << &row - rows;
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset(p, 0, 65));
  EXPECT_CODE(cudaErrorInvalidValue, cudaMemset(host, 0, 4));
  OK(cudaDeviceSynchronize());
}

TEST(Copies, ToTheHostOfWhatWasNeverWrittenAreAFault) {
  Machine machine("the machine alone knows what was written");
  char *p = block(64), *q = block(64), host[64];
  OK(cudaMemset(p, 1, 60));
  OK(cudaMemcpy(q, p, 64, cudaMemcpyDeviceToDevice)) << "between devices the marks go along";
  OK(cudaMemcpy(host, q, 60, cudaMemcpyDeviceToHost));
  EXPECT_CODE(cudaErrorLaunchFailure, cudaMemcpy(host, q, 64, cudaMemcpyDeviceToHost));
  const char* text = cudaGetErrorString(cudaErrorLaunchFailure);
  EXPECT_TRUE(says(text, "never written") && says(text, "60 bytes into the block of 64 bytes"))
      << text;
}

// ---- streams, events, host functions ----

TEST(Streams, RunBesideTheHostAndEachOther) {
  Machine machine;
  const cudaStream_t held = stream(), idle = stream();
  char *p = block(64), *from = pinned(64), *to = pinned(64);
  std::memset(from, 1, 64);
  Gate gate(held);
  OK(cudaMemcpyAsync(p, from, 64, cudaMemcpyHostToDevice, held));
  OK(cudaMemcpyAsync(to, p, 64, cudaMemcpyDeviceToHost, held));
  EXPECT_CODE(cudaErrorNotReady, cudaStreamQuery(held));
  OK(cudaStreamSynchronize(idle));
  std::memset(from, 2, 64);  // it is pinned: the copy reads it when it runs
  gate.open();
  OK(cudaStreamSynchronize(held));
  EXPECT_EQ(to[0], 2);
  OK(cudaStreamQuery(held));
}

TEST(Streams, StagePageableMemory) {
  Machine machine;
  const cudaStream_t held = stream();
  char *p = block(64), data[64], back[64];
  std::memset(data, 1, 64);
  {
    Gate gate(held);
    OK(cudaMemcpyAsync(p, data, 64, cudaMemcpyHostToDevice, held));
    std::memset(data, 2, 64);
  }
  OK(cudaMemcpyAsync(back, p, 64, cudaMemcpyDeviceToHost, held));
  EXPECT_EQ(back[0], 1);
}

TEST(Streams, OfTheDefaultKindWaitForTheDefaultStreamAndItForThem) {
  Machine machine;
  for (const bool blocking : {true, false}) {
    const cudaStream_t s = stream(blocking ? cudaStreamDefault : cudaStreamNonBlocking);
    char* p = block(64);
    {
      Gate gate(s);
      OK(cudaMemsetAsync(p, 0, 64, nullptr));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_CODE(blocking ? cudaErrorNotReady : cudaSuccess, cudaStreamQuery(nullptr));
    }
    OK(cudaDeviceSynchronize());
    {
      Gate gate(nullptr);
      OK(cudaMemsetAsync(p, 0, 64, s));
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      EXPECT_CODE(blocking ? cudaErrorNotReady : cudaSuccess, cudaStreamQuery(s));
    }
    OK(cudaDeviceSynchronize());
  }
}

TEST(Streams, ThatAreDestroyedStillDoTheirWork) {
  Machine machine;
  const cudaStream_t s = stream();
  char *p = block(64), *to = pinned(64);
  {
    Gate gate(s);
    OK(cudaMemsetAsync(p, 3, 64, s));
    OK(cudaMemcpyAsync(to, p, 64, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamDestroy(s));
  }
  OK(cudaDeviceSynchronize());
  EXPECT_EQ(to[63], 3);
}

// A stream whose thread has ended, and which is not forgotten yet, has nothing to wait for.
TEST(Streams, ThatEndMeanwhileAreNotWaitedFor) {
  Machine machine;
  for (int i = 0; i < 500; ++i) {
    for (int k = 0; k < 4; ++k) stream();
    OK(cudaDeviceReset());
    OK(cudaDeviceSynchronize());
  }
}

TEST(Streams, HaveAPriorityWithinTheRange) {
  Machine machine;
  int least = 1, greatest = 1, got = 1;
  OK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t s = nullptr;
  OK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest - 3));
  OK(cudaStreamGetPriority(s, &got));
  EXPECT_EQ(got, greatest);
  EXPECT_CODE(cudaErrorInvalidValue, cudaStreamCreateWithPriority(&s, 8, 0));
}

TEST(Events, ThatWereNeverRecordedOrderNothing) {
  Machine machine;
  const cudaStream_t s = stream();
  const cudaEvent_t e = event(), other = event();
  OK(cudaEventQuery(e));
  OK(cudaEventSynchronize(e));
  OK(cudaStreamWaitEvent(s, e, 0));
  OK(cudaStreamSynchronize(s));
  OK(cudaEventRecord(other, s));
  float ms = 0;
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, other));
}

TEST(Events, AreWhatTheyWereWhenTheWaitWasQueued) {
  Machine machine;
  const cudaStream_t held = stream(), waits = stream();
  const cudaEvent_t e = event();
  OK(cudaEventRecord(e, waits));
  Gate gate(held);
  OK(cudaStreamWaitEvent(waits, e, 0));
  OK(cudaEventRecord(e, held));
  OK(cudaStreamSynchronize(waits));
  EXPECT_CODE(cudaErrorNotReady, cudaEventQuery(e));
  float ms = 0;
  EXPECT_CODE(cudaErrorNotReady, cudaEventElapsedTime(&ms, e, e));
  OK(cudaStreamWaitEvent(waits, e, 0));
  EXPECT_CODE(cudaErrorNotReady, cudaStreamQuery(waits));
  gate.open();
  OK(cudaStreamSynchronize(waits));
  OK(cudaEventElapsedTime(&ms, e, e));
  EXPECT_EQ(ms, 0);
}

TEST(Events, WithoutTimesAreNotMeasured) {
  Machine machine;
  cudaEvent_t e = nullptr;
  OK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  OK(cudaEventRecord(e, nullptr));
  OK(cudaEventSynchronize(e));
  float ms = 0;
  EXPECT_CODE(cudaErrorInvalidResourceHandle, cudaEventElapsedTime(&ms, e, e));
}

TEST(HostFunctions, MayNotCallTheRuntime) {
  Machine machine;
  cudaError_t got[3] = {};
  OK(cudaLaunchHostFunc(
      nullptr,
      [](void* user) {
        auto* e = static_cast<cudaError_t*>(user);
        void* p = nullptr;
        e[0] = cudaMalloc(&p, 4), e[1] = cudaStreamSynchronize(nullptr), e[2] = cudaSetDevice(0);
      },
      got));
  OK(cudaDeviceSynchronize());
  for (const cudaError_t e : got) EXPECT_CODE(cudaErrorNotPermitted, e);
}

TEST(HostFunctions, AreNotCalledOnADeviceThatFailed) {
  Machine machine{{"FAIL_KERNEL", "1"}};
  bool called = false;
  const cudaStream_t s = stream();
  Gate gate(s);
  OK(launch("fill", block(4096), s));
  OK(cudaLaunchHostFunc(
      s, [](void* user) { *static_cast<bool*>(user) = true; }, &called));
  gate.open();
  EXPECT_CODE(cudaErrorIllegalAddress, cudaStreamSynchronize(s));
  EXPECT_FALSE(called);
}

}  // namespace
