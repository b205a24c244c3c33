// SPDX-License-Identifier: Apache-2.0
#include "core/process/device_kind.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>

#include "core/process/runtime.h"

namespace bp {
namespace {

TEST(DeviceKind, OfAKnownNameIsDLPacksNumber) {
  EXPECT_EQ(find_kind("cpu"), BP_KIND_CPU);
  EXPECT_EQ(find_kind("cuda"), BP_KIND_CUDA);
  EXPECT_STREQ(kind_name(BP_KIND_HIP), "hip");
  EXPECT_TRUE(is_known_kind(BP_KIND_CUDA));
  EXPECT_EQ(find_kind("CPU"), BP_KIND_NONE);
  EXPECT_EQ(find_kind(""), BP_KIND_NONE);
  EXPECT_EQ(kind_name(9999), nullptr);
  EXPECT_EQ(kind_slot(9999), -1);
}

TEST(DeviceKind, OfAnotherNameIsGivenOnceAndStays) {
  EXPECT_EQ(find_kind("device_kind_test"), BP_KIND_NONE);
  const std::lock_guard lock(loader_mutex());
  const bp_kind k = intern_kind("device_kind_test");
  EXPECT_GE(k, BP_KIND_DYNAMIC);
  EXPECT_FALSE(is_known_kind(k));
  EXPECT_EQ(intern_kind("device_kind_test"), k);
  EXPECT_EQ(find_kind("device_kind_test"), k);
  EXPECT_STREQ(kind_name(k), "device_kind_test");
  EXPECT_NE(intern_kind("device_kind_test_too"), k);
  const std::vector<std::string> names = kind_names();
  EXPECT_EQ(names.front(), "cpu");
  EXPECT_NE(std::find(names.begin(), names.end(), "device_kind_test"), names.end());
}

TEST(DeviceKind, HasASlotOfItsOwn) {
  std::vector<int> slots;
  for (const std::string& name : kind_names()) slots.push_back(kind_slot(find_kind(name)));
  std::sort(slots.begin(), slots.end());
  EXPECT_EQ(std::adjacent_find(slots.begin(), slots.end()), slots.end());
  EXPECT_GE(slots.front(), 0);
  EXPECT_LT(slots.back(), kMaxKinds);
}

TEST(DeviceKind, HasANameOfLettersAndUnderscores) {
  for (const char* good : {"cpu", "my_device", "_", "ABC"}) EXPECT_TRUE(valid_kind_name(good));
  for (const char* bad : {"", "a1", "a-b", "a b", "a:0", "\xc3\xa4"})
    EXPECT_FALSE(valid_kind_name(bad)) << bad;
  EXPECT_TRUE(valid_kind_name(std::string(31, 'a')));
  EXPECT_FALSE(valid_kind_name(std::string(32, 'a')));
}

}  // namespace
}  // namespace bp
