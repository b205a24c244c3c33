// SPDX-License-Identifier: Apache-2.0
// BACKPLANE_ALIAS: one backend under another kind's name.
#include <cstdlib>

#include "loader/faults.h"

namespace {

std::vector<std::string> kinds() {
  uint32_t n = 0;
  EXPECT_EQ(bp_kind_count(&n, nullptr), BP_OK);
  std::vector<std::string> names;
  for (uint32_t i = 0; i < n; ++i) {
    bp_kind k = 0;
    EXPECT_EQ(bp_kind_at(i, &k, nullptr), BP_OK);
    names.emplace_back(bp_kind_name(k));
  }
  return names;
}

TEST(Alias, OffersABackendUnderAKnownKind) {
  Session session(Start{.options = "null.device_count=2", .alias = "cuda=null"});
  EXPECT_EQ(kind("cuda"), BP_KIND_CUDA);
  EXPECT_EQ(count("cuda"), 2);
  EXPECT_EQ(count("null"), 2);
  EXPECT_EQ(synchronize("cuda:1").status, BP_OK);
  EXPECT_EQ(info_of(device("cuda:1")).device, device("cuda:1"));
  EXPECT_TRUE(info_of(device("cuda:1")).flags & BP_DEVICE_SIMULATED);
  EXPECT_STREQ(info_of(device("cuda:1")).name, "Null device");
  const auto names = kinds();
  EXPECT_EQ(names[0], "cpu");
  EXPECT_EQ(std::count(names.begin(), names.end(), "cuda"), 1);
  EXPECT_EQ(std::count(names.begin(), names.end(), "null"), 1);
}

TEST(Alias, DevicesOfBothNamesAreDifferentDevices) {
  Session session(Start{.alias = "cuda=null"});
  const int64_t shape[1] = {3};
  bp_tensor *a = nullptr, *b = nullptr, *sum = nullptr;
  ASSERT_EQ(bp_tensor_ones(1, shape, BP_F32, device("cuda:0"), &a, nullptr), BP_OK);
  ASSERT_EQ(bp_tensor_ones(1, shape, BP_F32, device("null:0"), &b, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_device(a), device("cuda:0"));
  const Answer f = attempt([&](bp_error** err) { return bp_add(a, b, &sum, err); });
  EXPECT_EQ(f.status, BP_DEVICE_MISMATCH);
  EXPECT_TRUE(has(f.message, "cuda:0") && has(f.message, "null:0")) << f.message;
  ASSERT_EQ(bp_tensor_copy_(a, b, 0, nullptr), BP_OK);
  bp_tensor_release(a);
  bp_tensor_release(b);
}

TEST(Alias, MayNameAKindThatNobodyKnows) {
  Session session(Start{.alias = "acme=null;other=null"});
  EXPECT_EQ(count("acme"), 1);
  EXPECT_EQ(count("other"), 1);
  EXPECT_GE(kind("acme"), BP_KIND_DYNAMIC);
  EXPECT_NE(kind("acme"), kind("other"));
}

TEST(Alias, TakesThePlaceOfAFileOfThatKind) {
  Session session(Start{.plugin_dirs = fault_directory("probe_fails"), .alias = "broken=null"});
  EXPECT_EQ(count("broken"), 1);
  const Entry e = entry_of("broken", fault_file("probe_fails"));
  EXPECT_EQ(e.stage, BP_STAGE_SHADOWED);
  EXPECT_TRUE(has(e.cause, "the alias broken=null takes its place")) << e.cause;
}

TEST(Alias, OfABackendThatIsNotThereIsAFaultOfThatKindOnly) {
  Session session(Start{.alias = "cuda=missing"});
  EXPECT_EQ(count("cuda"), 0);
  const Answer f = require("cuda");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(f.message, "alias cuda=missing: there is no libbackplane_missing.so in "))
      << f.message;
  expect_others_work();
}

TEST(Alias, OfAFaultyBackendCarriesItsFault) {
  Session session(Start{.plugin_dirs = fault_directory("probe_fails"), .alias = "cuda=broken"});
  const Answer f = require("cuda");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(f.message, fault_file("probe_fails")) &&
              has(f.message, "libdriver.so.1 is not installed"))
      << f.message;
}

TEST(Alias, MalformedInInitIsRefused) {
  for (const char* alias : {"cuda", "cuda=", "=null", "cpu=null", "cuda=null;cuda=null", "a b=null",
                            "null=null", "c1=null"}) {
    bp_init_desc desc{};
    desc.struct_size = sizeof desc;
    desc.alias = alias;
    const Answer f = attempt([&](bp_error** err) { return bp_init(&desc, err); });
    EXPECT_EQ(f.status, BP_INVALID_ARGUMENT) << alias;
    EXPECT_TRUE(has(f.message, "alias: ")) << f.message;
  }
  EXPECT_EQ(bp_shutdown(0, nullptr), BP_OK);
}

TEST(Alias, MalformedInTheEnvironmentIsReportedAndLeavesTheRest) {
  ::setenv("BACKPLANE_ALIAS", "cuda~null", 1);
  {
    Session session(Start{.flags = 0});
    expect_others_work();
    EXPECT_EQ(
        session.log_lines_with("BACKPLANE_ALIAS: 'cuda~null' is not of the form kind=backend"), 1u);
    bool reported = false;
    for (const Entry& e : report())
      reported |= e.status == BP_INVALID_ARGUMENT && has(e.cause, "cuda~null") && !e.remedy.empty();
    EXPECT_TRUE(reported);
  }
  ::unsetenv("BACKPLANE_ALIAS");
}

TEST(Alias, OfInitComesBeforeTheEnvironments) {
  ::setenv("BACKPLANE_ALIAS", "hip=null", 1);
  {
    Session session(Start{.alias = "cuda=null", .flags = 0});
    EXPECT_EQ(count("cuda"), 1);
    EXPECT_EQ(count("hip"), 0);
  }
  {
    Session session(Start{.flags = 0});
    EXPECT_EQ(count("hip"), 1);
    EXPECT_EQ(count("cuda"), 0);
  }
  ::unsetenv("BACKPLANE_ALIAS");
}

}  // namespace
