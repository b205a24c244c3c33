// SPDX-License-Identifier: Apache-2.0
// Values that an option cannot have.
#include "kit/report.h"
#include "sim/works.h"

namespace {

struct Row {
  const char *option, *value, *expected;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.option << "=" << row.value; }

class Option : public testing::TestWithParam<Row> {};

TEST_P(Option, OfAWrongValueIsReportedAndLeavesTheCpuWorking) {
  const Row& row = GetParam();
  Session session(std::string("sim.") + row.option + "=" + row.value);
  const Answer r = require("sim");
  EXPECT_EQ(r.status, BP_UNAVAILABLE);
  const Entry entry = entry_of("sim");
  const std::string words = std::string("option ") + row.option + " is \"" + row.value +
                            "\", expected a number from " + row.expected;
  EXPECT_TRUE(has(entry.cause, words)) << entry.cause;
  EXPECT_TRUE(has(r.message, words)) << r.message;
  EXPECT_EQ(entry.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(entry.stage, BP_STAGE_PROBE);
  expect_works("cpu");
}

INSTANTIATE_TEST_SUITE_P(
    , Option,
    testing::Values(
        Row{"device_count", "65", "0 to 64"}, Row{"device_count", "two", "0 to 64"},
        Row{"device_count", "2 ", "0 to 64"}, Row{"device_count", "18014398509481984K", "0 to 64"},
        Row{"memory", "lots", "4096 to "}, Row{"memory", "1T", "4096 to "},
        Row{"memory", "1", "4096 to "}, Row{"memory", "99999999999999999999", "4096 to "},
        Row{"block_threads", "0", "1 to 1024"}, Row{"block_threads", "1025", "1 to 1024"},
        Row{"slow_us", "-1", "0 to 1000000"}, Row{"slow_stream", "-1", "0 to "},
        Row{"fail_alloc", "-1", "0 to "}, Row{"fail_launch", "0x1", "0 to "},
        Row{"fail_copy", "1e3", "0 to "}, Row{"fail_kernel", "first", "0 to "},
        Row{"fail_times", "0", "1 to "}, Row{"lose_device", "+1", "0 to "},
        Row{"pinned", "2", "0 to 1"}, Row{"sort", "2", "0 to 1"}, Row{"copy_mbs", "fast", "0 to "},
        Row{"skip_barrier", "-1", "0 to "}));

TEST(Options, OfPeersSayWhatTheyExpect) {
  for (const char* value : {"2", "0>", ">1", "0>64", "0>1;2>3", "0>1,", "all"}) {
    Session session(std::string("sim.peers=") +
                    (std::string(value) == "0>1;2>3" ? "0>1 2>3" : value));
    const Answer r = require("sim");
    EXPECT_EQ(r.status, BP_UNAVAILABLE) << value;
    EXPECT_TRUE(has(r.message, "expected 0, 1 or pairs of devices from 0 to 63 like \"0>1,2-3\""))
        << r.message;
  }
}

// Which of the copies between 4 devices went through the host.
TEST(Options, OfPeersAreAMatrix) {
  Session session("sim.device_count=4;sim.peers=0>1,2-3");
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 4; ++k) {
      if (i == k) continue;
      const std::string a = "sim:" + std::to_string(i), b = "sim:" + std::to_string(k);
      const T t = to(ones(a), device(b));
      EXPECT_EQ(values<float>(t), std::vector<float>(4, 1));
      const bool direct = (i == 0 && k == 1) || (i == 2 && k == 3) || (i == 3 && k == 2);
      EXPECT_EQ(crossed(device(a), device(b)).n_waits, direct ? 0u : 1u) << a << " to " << b;
    }
}

TEST(Options, NameTheDevices) {
  Session session("sim.device_count=3;sim.name=Box;sim.uuid=GPU-a,GPU-b;sim.pci=0000:99:00.0");
  const char* const uuids[] = {"GPU-a", "GPU-b", "GPU-51a00000-0000-4000-8000-000000000002"};
  const char* const pcis[] = {"0000:99:00.0", "0000:02:00.0", "0000:03:00.0"};
  for (int32_t i = 0; i < 3; ++i) {
    const bp_device_info info = info_of(bp_device_make(bp_device_kind(device("sim")), i));
    EXPECT_STREQ(info.name, "Box");
    EXPECT_STREQ(info.uuid, uuids[i]);
    EXPECT_STREQ(info.pci, pcis[i]);
  }
}

TEST(Options, SlowCopiesDown) {
  Session session("sim.copy_mbs=1");  // 100 kB take a tenth of a second
  const T t = ones("sim:0", {25000});
  const T there = made(bp_tensor_to, t.get(), kCpu, BP_DTYPE_NONE, 0u, /*non_blocking=*/1u);
  EXPECT_EQ(attempt(bp_synchronize, kCpu).status, BP_OK);
  bp_stream* s = nullptr;
  ASSERT_EQ(bp_stream_default(device("sim:0"), &s, nullptr), BP_OK);
  EXPECT_EQ(bp_stream_query(s, nullptr), BP_NOT_READY);
  bp_stream_release(s);
  EXPECT_EQ(values<float>(there), std::vector<float>(25000, 1));
}

TEST(Options, MayUseUnits) {
  Session session("sim.memory=64K;sim.device_count=1");
  const bp_device_info info = info_of(device("sim:0"));
  EXPECT_EQ(info.memory_total, 65536u);
}

TEST(Options, MayBeEmpty) {
  Session session("sim.device_count=;sim.memory=");
  expect_works("sim:3");
}

}  // namespace
