// SPDX-License-Identifier: Apache-2.0
// Masks on the machine, through the plugin and the core: CUDA_VISIBLE_DEVICES, which the driver
// follows, and the runtime's own, whose ids count what the first one left.
#include <stdlib.h>

#include <cstring>

#include "sim/works.h"

namespace {

using Ids = std::vector<std::string>;

// The UUIDs of the devices that a program meets, in its order; each of them computes.
Ids met() {
  Ids all;
  int32_t n = 0;
  if (bp_device_count(BP_KIND_CUDA, &n, nullptr) != BP_OK) return all;
  for (int32_t i = 0; i < n; ++i) {
    all.push_back(info_of(bp_device_make(BP_KIND_CUDA, i)).uuid);
    expect_works("cuda:" + std::to_string(i));
  }
  return all;
}

struct Mask {
  const char* name;
  const char* driver;  // CUDA_VISIBLE_DEVICES; a U stands for the second device's UUID
  const char* own;     // visible_devices of bp_init
  std::vector<size_t> shown;
};
void PrintTo(const Mask& mask, std::ostream* out) { *out << mask.name; }

const Mask kMasks[] = {
    {"Nothing", nullptr, nullptr, {0, 1, 2, 3}},
    {"AnOrder", "2,0", nullptr, {2, 0}},
    {"AnEndByMinusOne", "3,-1,2", nullptr, {3}},
    {"AnUnknownNumber", "1,9,2", nullptr, {1}},
    {"AUuid", "U,0", nullptr, {1, 0}},
    {"TheSameTwice", "1,1", nullptr, {}},
    {"NoDevice", "", nullptr, {}},
    {"OurOwn", nullptr, "cuda:3,1", {3, 1}},
    {"OurOwnAfterTheDrivers", "3,2,1", "cuda:2,0", {1, 3}},
};

class Masks : public testing::TestWithParam<Mask> {
 protected:
  void TearDown() override { ::unsetenv("CUDA_VISIBLE_DEVICES"); }
};

TEST_P(Masks, ChooseAndOrderTheDevices) {
  const Mask& mask = GetParam();
  Ids all;
  {
    const Session session("", /*flags=*/0);
    all = met();
  }
  ASSERT_EQ(all.size(), 4u);
  if (mask.driver) {
    std::string text = mask.driver;
    if (const size_t at = text.find('U'); at != text.npos) text.replace(at, 1, all[1]);
    ::setenv("CUDA_VISIBLE_DEVICES", text.c_str(), 1);
  }
  const Session session(Start{.visible_devices = mask.own, .flags = 0});
  Ids expected;
  for (const size_t i : mask.shown) expected.push_back(all[i]);
  EXPECT_EQ(met(), expected);
  expect_works("cpu");
  if (!expected.empty()) return;
  const int64_t n = 4;
  const Answer r = refusal(bp_tensor_ones, 1, &n, BP_F32, device("cuda:0"));
  EXPECT_EQ(r.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(r.message, "CUDA_VISIBLE_DEVICES")) << r.message;
}
INSTANTIATE_TEST_SUITE_P(Of, Masks, testing::ValuesIn(kMasks),
                         [](const auto& info) { return info.param.name; });

}  // namespace
