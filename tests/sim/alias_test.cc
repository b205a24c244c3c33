// SPDX-License-Identifier: Apache-2.0
// A program written for cuda, on a machine that has none.
#include <cstdlib>

#include "sim/works.h"

namespace {

class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("BACKPLANE_ALIAS", "cuda=sim", 1);
    ::setenv("SIM_DEVICE_COUNT", "4", 1);
    ::setenv("CUDA_VISIBLE_DEVICES", "0,2,3", 1);
  }
  void TearDown() override {
    for (const char* name : {"BACKPLANE_ALIAS", "SIM_DEVICE_COUNT", "CUDA_VISIBLE_DEVICES"})
      ::unsetenv(name);
  }
};

TEST_F(Cuda, ShowsTheDevicesThatItsMaskNames) {
  Session session("", /*flags=*/0);
  int32_t n = 0;
  ASSERT_EQ(bp_device_count(BP_KIND_CUDA, &n, nullptr), BP_OK);
  EXPECT_EQ(n, 3);
  const int32_t physical[] = {0, 2, 3};
  for (int32_t i = 0; i < 3; ++i) {
    const bp_device_info info = info_of(bp_device_make(BP_KIND_CUDA, i));
    EXPECT_EQ(info.physical, physical[i]);
    EXPECT_EQ(info.device, bp_device_make(BP_KIND_CUDA, i));
    EXPECT_TRUE(info.flags & BP_DEVICE_SIMULATED);
  }
  EXPECT_EQ(device("cuda:1"), bp_device_make(BP_KIND_CUDA, 1));
}

TEST_F(Cuda, SaysHowManyAreVisibleWhenAnIndexIsBeyond) {
  Session session("", /*flags=*/0);
  const int64_t n = 4;
  const Answer r = refusal(bp_tensor_ones, 1, &n, BP_F32, device("cuda:3"));
  EXPECT_EQ(r.status, BP_INDEX_OUT_OF_RANGE);
  EXPECT_TRUE(has(r.message, "cuda:3") && has(r.message, "3 devices are visible")) << r.message;
}

TEST_F(Cuda, RunsASmallProgram) {
  Session session("", /*flags=*/0);
  const bp_device gpu = device("cuda:1");
  const T a = counting<float>({2, 3}, gpu), b = counting<float>({3, 2}, gpu);
  const T product = made(bp_matmul, a.get(), b.get());  // 10 13, 28 40
  const T doubled = add(product, product);
  EXPECT_EQ(bp_tensor_device(doubled.get()), gpu);
  const T host = to(doubled, kCpu);
  EXPECT_EQ(values<float>(host), (std::vector<float>{20, 26, 56, 80}));
  const T sum =
      made(bp_sum, doubled.get(), static_cast<const int64_t*>(nullptr), 0u, 0u, BP_DTYPE_NONE);
  EXPECT_EQ(bp_tensor_device(sum.get()), gpu);
  EXPECT_EQ(values<float>(sum), std::vector<float>{182});
}

TEST_F(Cuda, WithNothingVisibleIsUnavailable) {
  ::setenv("CUDA_VISIBLE_DEVICES", "", 1);
  Session session("", /*flags=*/0);
  const int64_t n = 4;
  const Answer r = refusal(bp_tensor_ones, 1, &n, BP_F32, device("cuda:0"));
  EXPECT_EQ(r.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(r.message, "CUDA_VISIBLE_DEVICES")) << r.message;
  expect_works("cpu");
}

}  // namespace
