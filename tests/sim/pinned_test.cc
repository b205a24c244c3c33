// SPDX-License-Identifier: Apache-2.0
// Copies beside the program's work: what is under way may be used through the library, which waits;
// what need not wait does not. The slow stream makes every missing wait show.
#include <functional>

#include "backplane.hpp"
#include "sim/works.h"

namespace bp = backplane;

namespace {

constexpr int64_t kMany = 4096;
// sim:0's default stream
constexpr char kSlow[] = "sim.device_count=2;sim.slow_us=100000;sim.slow_stream=0";

std::vector<float> all(float value) { return std::vector<float>(kMany, value); }
bool is_busy(const char* where) { return !bp::Stream::current(where).query(); }

struct Reader {
  const char* name;
  std::function<std::vector<float>(const bp::Tensor&)> read;
};
// clang-format off
const Reader kReaders[] = {
    {"read", [](const bp::Tensor& t) { return t.read<float>(); }},
    {"item", [](const bp::Tensor& t) { return all(t[7].item<float>()); }},
    {"data", [](const bp::Tensor& t) { return std::vector<float>(static_cast<float*>(t.data()), static_cast<float*>(t.data()) + kMany); }},
    {"an op", [](const bp::Tensor& t) { return (t + 0).read<float>(); }},
    {"an op on a view", [](const bp::Tensor& t) { return (t.reshape({64, 64}).t() + 0).reshape({kMany}).read<float>(); }},
    {"a reduction", [](const bp::Tensor& t) { return all(bp::mean(t).item<float>()); }},
    {"a copy of it", [](const bp::Tensor& t) { return t.clone().read<float>(); }},
    {"a conversion", [](const bp::Tensor& t) { return t.to(BP_F64).to(BP_F32).read<float>(); }},
    {"another device", [](const bp::Tensor& t) { return t.to("sim:1").to("cpu").read<float>(); }},
    {"itself as output",
     [](bp::Tensor t) {
       t += 0;
       return t.read<float>();
     }},
    {"text", [](const bp::Tensor& t) { return t.str().find("6., 6., 6.,") != std::string::npos ? all(6) : all(0); }},
};
// clang-format on

TEST(Pinned, ACopyToTheHostIsWaitedForByWhoeverReadsIt) {
  for (const Reader& reader : kReaders) {
    Session session(kSlow);
    const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "sim:0");
    const bp::Tensor y = x.to("cpu", BP_DTYPE_NONE, /*copy=*/false, /*non_blocking=*/true);
    EXPECT_TRUE(is_busy("sim:0")) << "the call did not wait";
    EXPECT_TRUE(y.is_pinned());
    EXPECT_EQ(reader.read(y), all(6)) << reader.name;
    EXPECT_EQ(bp::transfers("sim:0", "cpu").n_waits, 0u);
  }
}

TEST(Pinned, TheSourceOfACopyIsNotChangedBeforeItIsRead) {
  Session session(kSlow);
  bp::Tensor x = bp::full({kMany}, 6, BP_F32, "cpu").pin_memory("sim:0");
  EXPECT_TRUE(x.is_pinned());
  const bp::Tensor y = x.to("sim:0", BP_DTYPE_NONE, false, /*non_blocking=*/true);
  EXPECT_TRUE(is_busy("sim:0"));
  x.fill_(1);
  EXPECT_EQ(y.to("cpu").read<float>(), all(6));
  EXPECT_EQ(x.read<float>(), all(1));
}

TEST(Pinned, ReleasedMemoryIsNotReusedUnderACopy) {
  Session session(kSlow);
  bp::Tensor y;
  {
    const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "cpu").pin_memory("sim:0");
    y = x.to("sim:0", BP_DTYPE_NONE, false, /*non_blocking=*/true);
  }
  bp::Tensor next = bp::empty_pinned({kMany}, BP_F32, "sim:0");
  next.fill_(1);
  EXPECT_TRUE(is_busy("sim:0"));
  EXPECT_EQ(y.to("cpu").read<float>(), all(6));
  { const bp::Tensor unread = y.to("cpu", BP_DTYPE_NONE, false, /*non_blocking=*/true); }
  bp::Tensor later = bp::empty_pinned({kMany}, BP_F32, "sim:0");
  later.fill_(2);
  bp::synchronize("sim:0");
  EXPECT_EQ(later.read<float>(), all(2));
}

// In debug mode a block goes to the backend and not into the cache; one that a copy used, at the
// next request.
TEST(Pinned, ParkedBlocksGoBackUnderTheDebugAllocator) {
  Session session(kSlow, BP_INIT_NO_ENV | BP_INIT_DEBUG_ALLOCATOR);
  const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "sim:0");
  { const bp::Tensor unread = x.to("cpu", BP_DTYPE_NONE, false, /*non_blocking=*/true); }
  EXPECT_GT(bp::memory_stats("sim:0").pinned_bytes, 0u) << "its copy is under way";
  bp::synchronize("sim:0");
  { const bp::Tensor next = bp::empty_pinned({4}, BP_F32, "sim:0"); }
  const bp_memory_stats s = bp::memory_stats("sim:0");
  EXPECT_EQ(s.pinned_bytes, 0u);
  EXPECT_EQ(s.pinned_cached_bytes, 0u);
  EXPECT_EQ(s.n_guard_faults, 0u);
}

TEST(Pinned, BlocksComeBackWhenTheirCopiesAreDone) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  Session session("sim.device_count=1");
  const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "sim:0");
  for (int i = 0; i < 100; ++i) {
    const bp::Tensor y = x.to("cpu", BP_DTYPE_NONE, false, /*non_blocking=*/true);
    EXPECT_EQ(y.read<float>(), all(6));
  }
  const bp_memory_stats s = bp::memory_stats("sim:0");
  EXPECT_EQ(s.pinned_bytes, 0u);
  EXPECT_LE(s.pinned_cached_bytes, 2 * kMany * sizeof(float));
}

TEST(Pinned, OrdinaryHostMemoryMayChangeAtOnceAndNobodyWaits) {
  Session session(kSlow);
  std::vector<float> mine = all(6);
  const bp::Tensor y = bp::from_data(mine.data(), {kMany}, BP_F32, "sim:0");
  EXPECT_TRUE(is_busy("sim:0"));
  mine.assign(kMany, 1);
  EXPECT_EQ(y.to("cpu").read<float>(), all(6));
  EXPECT_EQ(bp::transfers("cpu", "sim:0").n_waits, 0u);
}

TEST(Pinned, ACopyThatWaitsIsOverWhenItReturns) {
  Session session(kSlow);
  const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "cpu").pin_memory("sim:0");
  auto* raw = static_cast<float*>(x.data());
  const bp::Tensor y = x.to("sim:0");
  std::fill(raw, raw + kMany, 1.0F);  // the caller's own way, which the library cannot see
  EXPECT_EQ(y.to("cpu").read<float>(), all(6));
}

TEST(Pinned, ConversionsAndLayoutsGoTheSameWay) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  Session session(kSlow);
  const bp::Tensor x = bp::full({64, 64}, 6, BP_I32, "sim:0");
  const bp::Tensor y = x.t().to("cpu", BP_F32, false, /*non_blocking=*/true);
  EXPECT_TRUE(y.is_pinned());
  EXPECT_TRUE(is_busy("sim:0"));
  EXPECT_EQ(y.reshape({kMany}).read<float>(), all(6));
}

TEST(Pinned, LongRunsGoInPieces) {
  const int64_t n = (11 << 20) / 4 + 3;  // two whole pieces and a rest
  for (const char* peers : {"0", "1"}) {
    Session session(std::string("sim.device_count=2;sim.peers=") + peers);
    std::vector<float> data(static_cast<size_t>(n));
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<float>(i);
    const bp::Tensor there = bp::from_data(data.data(), {n}, BP_F32, "sim:0").to("sim:1");
    EXPECT_EQ(there.to("cpu").read<float>(), data);
    const bp_transfer_stats s = bp::transfers("sim:0", "sim:1");
    EXPECT_EQ(s.bytes, static_cast<uint64_t>(n) * 4);
    EXPECT_EQ(s.n_copies, 1u);
  }
}

TEST(Pinned, WithoutRoomTheCallerWaits) {
  Session session("sim.device_count=3;sim.fail_pinned=1;sim.fail_times=1000");
  {
    const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "cpu");
    const bp::Tensor y =
        x.to("sim:0").to("sim:1").to("cpu", BP_DTYPE_NONE, false, /*non_blocking=*/true);
    EXPECT_FALSE(y.is_pinned());
    EXPECT_EQ(y.read<float>(), all(6));
    EXPECT_EQ(bp::transfers("cpu", "sim:0").n_waits, 1u);
    const Answer r = refusal(bp_tensor_pin_memory, x.get(), device("sim:0"));
    EXPECT_EQ(r.status, BP_OUT_OF_HOST_MEMORY);
    EXPECT_TRUE(has(r.message, "pinned memory of sim:0") && has(r.message, "Tried to allocate 16."))
        << r.message;
    expect_works("sim:2");
  }
  for (const char* where : {"sim:0", "sim:1", "sim:2", "cpu"}) {
    expect_nothing_lives(where);
    EXPECT_EQ(bp::memory_stats(where).pinned_bytes, 0u) << where;
  }
}

TEST(Pinned, ABackendWithoutItBlocksAndSaysSo) {
  Session session("sim.pinned=0");
  const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "sim:0");
  EXPECT_EQ(x.to("cpu", BP_DTYPE_NONE, false, /*non_blocking=*/true).read<float>(), all(6));
  EXPECT_EQ(x.to("sim:1").to("cpu").read<float>(), all(6));
  EXPECT_EQ(refusal(bp_tensor_pin_memory, x.to("cpu").get(), device("sim:0")).status,
            BP_UNSUPPORTED);
  EXPECT_EQ(bp::transfers("sim:0", "cpu").n_waits, 2u);
}

TEST(Pinned, IsForHostTensorsAndAccelerators) {
  Session session("sim.device_count=2");
  const bp::Tensor host = bp::ones({4}), there = bp::ones({4}, BP_F32, "sim:0");
  EXPECT_EQ(refusal(bp_tensor_pin_memory, host.get(), kCpu).status, BP_INVALID_ARGUMENT);
  const Answer r = refusal(bp_tensor_pin_memory, there.get(), device("sim:0"));
  EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
  EXPECT_TRUE(has(r.message, "cannot pin a tensor on sim:0")) << r.message;
  const bp::Tensor pinned = host.pin_memory("sim:0");
  EXPECT_TRUE(pinned.pin_memory("sim:1").is(pinned)) << "of one backend";
  EXPECT_FALSE(host.is_pinned());
}

TEST(Pinned, TheFaultOfACopyUnderWayIsMetByItsReader) {
  SKIP_WITH_DEBUG_ALLOCATOR();
  // the kernel, the copy, the mark behind it
  Session session("sim.device_count=2;sim.lose_device=3");
  const bp::Tensor x = bp::full({kMany}, 6, BP_F32, "sim:0");
  const bp::Tensor y = x.to("cpu", BP_DTYPE_NONE, false, /*non_blocking=*/true);
  std::vector<float> mine = all(0);
  bp_synchronize(device("sim:0"), nullptr);
  for (int i = 0; i < 2; ++i) {
    const Answer r =
        attempt(bp_tensor_read, y.get(), static_cast<void*>(mine.data()), uint64_t{kMany * 4});
    EXPECT_EQ(r.status, BP_DEVICE_LOST);
    EXPECT_TRUE(has(r.message, "SIM_LOSE_DEVICE")) << r.message;
  }
  expect_works("sim:1");
}

TEST(Pinned, TensorsOutliveTheRuntime) {
  bp::Tensor left;
  {
    Session session("sim.device_count=1");
    left = bp::ones({kMany}).pin_memory("sim:0");
  }
  EXPECT_THROW(left.read<float>(), bp::Error);
}

}  // namespace
