// SPDX-License-Identifier: Apache-2.0
#include "core/process/transfer_statistics.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace bp {
namespace {

// Devices that no other test copies between.
const bp_device kFrom = bp_device_make(BP_KIND_CUDA, 70), kInto = bp_device_make(BP_KIND_CUDA, 71);

TEST(TransferStatistics, CountEachDirectionByItself) {
  reset_transfers();
  count_transfer(kFrom, kInto, 100, /*waited=*/false);
  count_transfer(kFrom, kInto, 20, /*waited=*/true);
  count_transfer(kInto, kFrom, 3, /*waited=*/false);
  const bp_transfer_stats there = transfer_stats(kFrom, kInto), back = transfer_stats(kInto, kFrom);
  EXPECT_EQ(there.struct_size, sizeof there);
  EXPECT_EQ(there.bytes, 120u);
  EXPECT_EQ(there.n_copies, 2u);
  EXPECT_EQ(there.n_waits, 1u);
  EXPECT_EQ(back.bytes, 3u);
  EXPECT_EQ(back.n_waits, 0u);
  reset_transfers();
  EXPECT_EQ(transfer_stats(kFrom, kInto).bytes, 0u);
}

TEST(TransferStatistics, KnowAnOpsFirstFallbackOnEachKindOfDevice) {
  reset_transfers();
  EXPECT_TRUE(count_fallback("exp", kFrom));
  EXPECT_FALSE(count_fallback("exp", kInto));
  EXPECT_TRUE(count_fallback("log", kInto));
  EXPECT_TRUE(count_fallback("exp", bp_device_make(BP_KIND_HIP, 0)));
  EXPECT_EQ(transfer_stats(kInto, bp_device_make(BP_KIND_CPU, -1)).n_fallbacks, 2u);
  reset_transfers();
  EXPECT_TRUE(count_fallback("exp", kFrom));
  reset_transfers();
}

TEST(TransferStatistics, AreExactAfterManyThreads) {
  reset_transfers();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([] {
      for (int i = 0; i < 1000; ++i) count_transfer(kFrom, kInto, 2, /*waited=*/i % 2);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(transfer_stats(kFrom, kInto).bytes, 8000u);
  EXPECT_EQ(transfer_stats(kFrom, kInto).n_copies, 4000u);
  EXPECT_EQ(transfer_stats(kFrom, kInto).n_waits, 2000u);
  reset_transfers();
}

}  // namespace
}  // namespace bp
