// SPDX-License-Identifier: Apache-2.0
// Visible devices, end to end: one child process per environment row, over the null backend with as
// many devices and UUIDs as the row needs. The rows are PyTorch's (test_cuda_nvml_based_avail.py)
// and the CUDA guide's; kinds that have no file here are offered by an alias.
#include <cstdio>
#include <cstdlib>

#include "loader/faults.h"

namespace {

// Eight UUIDs of PyTorch's own table.
constexpr const char* kUuids =
    "GPU-9942190a-aa31-4ff1-4aa9-c388d80f85f1,GPU-9e8d35e3-a134-0fdd-0e01-23811fdbd293,"
    "GPU-e429a63e-c61c-4795-b757-5132caeb8e70,GPU-eee1dfbc-0a0f-6ad8-5ff6-dc942a8b9d98,"
    "GPU-bbcd6503-5150-4e92-c266-97cc4390d04e,GPU-472ea263-58d7-410d-cc82-f7fdece5bd28,"
    "GPU-e56257c4-947f-6a5b-7ec9-0f45567ccf4e,GPU-1c20e77d-1c1a-d9ed-fe37-18b8466a78ad";

// Runs list_devices under exactly these variables ("A='x' B='y'"); one line, without its end.
std::string run(const std::string& environment, const std::string& arguments) {
  const std::string command = "env -i BACKPLANE_PLUGIN_PATH=" LOADER_PLUGINS " " + environment +
                              " " LOADER_LIST_DEVICES " " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return "popen failed";
  std::string text;
  char buffer[512];
  while (std::fgets(buffer, sizeof buffer, pipe)) text += buffer;
  const int status = ::pclose(pipe);
  if (status != 0) text += "exit " + std::to_string(status);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

struct Row {
  const char* name;
  int devices;              // physical
  const char* environment;  // shell assignments
  const char* sees;         // what list_devices says
  const char* kind = "null";
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.environment; }

class Environment : public testing::TestWithParam<Row> {};

TEST_P(Environment, RowShowsTheseDevices) {
  const Row& row = GetParam();
  const std::string environment = "NULL_DEVICE_COUNT=" + std::to_string(row.devices) +
                                  " NULL_UUIDS=" + kUuids + " " + row.environment;
  EXPECT_EQ(run(environment, row.kind), row.sees);
}

const auto name_of = [](const testing::TestParamInfo<Row>& info) {
  return std::string(info.param.name);
};

INSTANTIATE_TEST_SUITE_P(
    OneKind, Environment,
    testing::Values(
        Row{"Unset", 8, "", "8: 0 1 2 3 4 5 6 7"}, Row{"Empty", 8, "NULL_VISIBLE_DEVICES=", "0:"},
        Row{"OrderIsTheEnumerations", 8, "NULL_VISIBLE_DEVICES=2,1", "2: 2 1"},
        Row{"FirstInvalidHidesTheRest", 8, "NULL_VISIBLE_DEVICES=0,2,-1,1", "2: 0 2"},
        Row{"LeadingDigitsCount", 8, "NULL_VISIBLE_DEVICES=1gpu2,2ampere", "2: 1 2"},
        Row{"SpacesAndMinusOne", 8, "NULL_VISIBLE_DEVICES='0, 1, 2, -1, 3'", "3: 0 1 2"},
        Row{"DuplicateHidesAll", 8, "NULL_VISIBLE_DEVICES='0, 1, 2, 1'", "0:"},
        Row{"SignsAreTaken", 8, "NULL_VISIBLE_DEVICES='2, +3, -0, 5'", "4: 2 3 0 5"},
        Row{"WordsHideAll", 8, "NULL_VISIBLE_DEVICES=one,two,3,4", "0:"},
        Row{"WordsEndTheList", 8, "NULL_VISIBLE_DEVICES=4,3,two,one", "2: 4 3"},
        Row{"HexIsZero", 8, "NULL_VISIBLE_DEVICES=0x10", "1: 0"},
        Row{"OnlyASign", 8, "NULL_VISIBLE_DEVICES=+", "0:"},
        Row{"LeadingZeros", 8, "NULL_VISIBLE_DEVICES=007", "1: 7"},
        Row{"TwoNumbersInOneEntry", 8, "NULL_VISIBLE_DEVICES='3 4'", "1: 3"},
        Row{"OrdinalBeyondTheCountEnds", 2, "NULL_VISIBLE_DEVICES='1, 5, 0'", "1: 1"},
        Row{"AllOfTwoSwapped", 2, "NULL_VISIBLE_DEVICES='1, 0'", "2: 1 0"},
        Row{"CountOfThirtyTwo", 8, "NULL_VISIBLE_DEVICES=32", "0:"},
        Row{"Uuid", 8, "NULL_VISIBLE_DEVICES=GPU-9e8d35e3", "1: 1"},
        Row{"UuidsInOrder", 8, "NULL_VISIBLE_DEVICES=GPU-e4,GPU-9e8d35e3", "2: 2 1"},
        Row{"UuidsByShortPrefix", 8, "NULL_VISIBLE_DEVICES=GPU-9e8d35e3,GPU-1,GPU-47", "3: 1 7 5"},
        Row{"UnknownUuidFirst", 8, "NULL_VISIBLE_DEVICES=GPU-123,GPU-9e8d35e3", "0:"},
        Row{"UnknownUuidInTheMiddle", 8, "NULL_VISIBLE_DEVICES=GPU-9e8d35e3,GPU-123,GPU-47",
            "1: 1"},
        Row{"AmbiguousUuidInTheMiddle", 8, "NULL_VISIBLE_DEVICES=GPU-9e8d35e3,GPU-e,GPU-47",
            "1: 1"},
        Row{"DuplicateAfterResolving", 8, "NULL_VISIBLE_DEVICES=GPU-9e8d35e3,GPU-47,GPU-9e8", "0:"},
        Row{"UuidThenOrdinalEnds", 8, "NULL_VISIBLE_DEVICES='GPU-9e8d35e3, 2'", "1: 1"},
        Row{"UnknownUuidThenOrdinal", 8, "NULL_VISIBLE_DEVICES='GPU-123, 2'", "0:"},
        Row{"UnknownMig", 8, "NULL_VISIBLE_DEVICES=MIG-89c850dc", "0:"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    AllKinds, Environment,
    testing::Values(
        Row{"Listed", 4, "BACKPLANE_VISIBLE_DEVICES='null:0,2'", "2: 0 2"},
        Row{"Star", 4, "BACKPLANE_VISIBLE_DEVICES='cuda:0;null:*'", "4: 0 1 2 3"},
        Row{"NotListedIsHidden", 4, "BACKPLANE_VISIBLE_DEVICES='cuda:0'", "0:"},
        Row{"EmptyHides", 4, "BACKPLANE_VISIBLE_DEVICES=", "0:"},
        Row{"CpuStays", 4, "BACKPLANE_VISIBLE_DEVICES='null:*'", "1: 0", "cpu"},
        Row{"CpuStaysUnderEmpty", 4, "BACKPLANE_VISIBLE_DEVICES=", "1: 0", "cpu"},
        Row{"CpuStaysUnderNonsense", 4, "BACKPLANE_VISIBLE_DEVICES=';;'", "1: 0", "cpu"},
        Row{"IndexesWhatTheKindsMaskLeft", 4,
            "NULL_VISIBLE_DEVICES=3,1,2 BACKPLANE_VISIBLE_DEVICES='null:0,2'", "2: 3 2"},
        Row{"Uuids", 8, "BACKPLANE_VISIBLE_DEVICES='null:GPU-47'", "1: 5"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    OtherKinds, Environment,
    testing::Values(
        Row{"AliasHasItsOwnMask", 4, "BACKPLANE_ALIAS=cuda=null CUDA_VISIBLE_DEVICES=2,0", "2: 2 0",
            "cuda"},
        Row{"AliasDoesNotListenToTheTargetsMask", 4,
            "BACKPLANE_ALIAS=cuda=null NULL_VISIBLE_DEVICES=1", "4: 0 1 2 3", "cuda"},
        Row{"AliasLeavesTheTargetAsItIs", 4, "BACKPLANE_ALIAS=cuda=null CUDA_VISIBLE_DEVICES=1",
            "4: 0 1 2 3"},
        Row{"HipsOwn", 4, "BACKPLANE_ALIAS=hip=null HIP_VISIBLE_DEVICES=3", "1: 3", "hip"},
        Row{"HipFallsBackToCudas", 4, "BACKPLANE_ALIAS=hip=null CUDA_VISIBLE_DEVICES=1,2", "2: 1 2",
            "hip"},
        Row{"HipsOwnBeforeCudas", 4,
            "BACKPLANE_ALIAS=hip=null HIP_VISIBLE_DEVICES=0 CUDA_VISIBLE_DEVICES=1,2", "1: 0",
            "hip"},
        Row{"RocrActsFirst", 4, "BACKPLANE_ALIAS=hip=null ROCR_VISIBLE_DEVICES=2,3", "2: 2 3",
            "hip"},
        Row{"HipIndexesWhatRocrLeft", 4,
            "BACKPLANE_ALIAS=hip=null ROCR_VISIBLE_DEVICES=2,3 HIP_VISIBLE_DEVICES=1", "1: 3",
            "hip"},
        Row{"CudasIndexesWhatRocrLeft", 4,
            "BACKPLANE_ALIAS=hip=null ROCR_VISIBLE_DEVICES=3 CUDA_VISIBLE_DEVICES=0,1", "1: 3",
            "hip"},
        Row{"RocrByUuidThenHipByIndex", 8,
            "BACKPLANE_ALIAS=hip=null ROCR_VISIBLE_DEVICES=GPU-e4,GPU-47 HIP_VISIBLE_DEVICES=1",
            "1: 5", "hip"},
        Row{"HipEmptyHidesAll", 4,
            "BACKPLANE_ALIAS=hip=null HIP_VISIBLE_DEVICES= "
            "CUDA_VISIBLE_DEVICES=1",
            "0:", "hip"},
        Row{"RocrOneAndHipOneIsNone", 4,
            "BACKPLANE_ALIAS=hip=null ROCR_VISIBLE_DEVICES=1 HIP_VISIBLE_DEVICES=1", "0:", "hip"}),
    name_of);

TEST(Masks, MoreHipThanRocrDevicesIsAnError) {
  const std::string said = run(
      "BACKPLANE_ALIAS=hip=null NULL_DEVICE_COUNT=4 ROCR_VISIBLE_DEVICES=1 HIP_VISIBLE_DEVICES=0,1",
      "hip");
  EXPECT_TRUE(has(said,
                  "error BP_INVALID_ARGUMENT: HIP_VISIBLE_DEVICES contains more devices than "
                  "ROCR_VISIBLE_DEVICES"))
      << said;
}

TEST(Masks, AMalformedSpecIsAnErrorThatListsTheValidIds) {
  const auto refused = [](const std::string& spec, const char* what) {
    const std::string said =
        run("NULL_DEVICE_COUNT=2 BACKPLANE_VISIBLE_DEVICES='" + spec + "'", "null");
    EXPECT_TRUE(has(said, "error BP_INVALID_ARGUMENT: BACKPLANE_VISIBLE_DEVICES=") &&
                has(said, what))
        << spec << " -> " << said;
  };
  for (const char* spec :
       {"null", "null:", "null:x", "null:9", "null:0,0", "null:0;null:1", "null:-1", "null:*,0"})
    refused(spec, "null:0, null:1");
  refused("nowhere:0", "there is no kind 'nowhere'; kinds: cpu, cuda");
  refused(":0", "is not <kind>:<ids>");
}

TEST(Masks, ThePhysicalListSaysWhyEachDeviceWasDropped) {
  const std::string said =
      run("NULL_DEVICE_COUNT=3 NULL_VISIBLE_DEVICES=2,0,x BACKPLANE_VISIBLE_DEVICES=null:0",
          "null physical");
  EXPECT_EQ(said.substr(0, 5), "0 -1 ") << said;
  EXPECT_TRUE(has(said, "BACKPLANE_VISIBLE_DEVICES") && has(said, "NULL_VISIBLE_DEVICES='2,0,x'"))
      << said;
  EXPECT_TRUE(has(said, "\n2 0 ")) << said;
}

TEST(Masks, WhatTheDriverAppliesIsNotAppliedTwice) {
  ::setenv("BROKEN_VISIBLE_DEVICES", "2",
           1);  // the plugin's driver "applied" it: three devices are left
  {
    Session session(Start{.plugin_dirs = fault_directory("masked_by_driver"), .flags = 0});
    EXPECT_EQ(count("broken"), 3);
  }
  {
    Session session(Start{.plugin_dirs = fault_directory("none"), .flags = 0});
    EXPECT_EQ(count("broken"), 0) << "a plugin that names no variable leaves it to the core";
  }
  ::unsetenv("BROKEN_VISIBLE_DEVICES");
}

class Changing : public testing::Test {
 protected:
  void SetUp() override { ::setenv("NULL_DEVICE_COUNT", "4", 1); }
  void TearDown() override {
    for (const char* name :
         {"NULL_DEVICE_COUNT", "NULL_VISIBLE_DEVICES", "BACKPLANE_VISIBLE_DEVICES"})
      ::unsetenv(name);
  }
};

TEST_F(Changing, TheEnvironmentBeforeFirstUseWorks) {
  Session session(Start{.flags = 0});
  EXPECT_EQ(synchronize("cpu").status, BP_OK);
  ::setenv("NULL_VISIBLE_DEVICES", "32", 1);
  EXPECT_EQ(count("null"), 0);
}

TEST_F(Changing, TheEnvironmentAfterACountStillWorks) {
  Session session(Start{.flags = 0});
  EXPECT_EQ(count("null"), 4);
  ::setenv("NULL_VISIBLE_DEVICES", "3", 1);
  EXPECT_EQ(count("null"), 1);
  const bp_device_info info = info_of(device("null:0"));
  EXPECT_EQ(info.physical, 3);
}

TEST_F(Changing, TheEnvironmentAfterADeviceWasOpenedIsLoggedOnceAndReported) {
  Session session(Start{.flags = 0});
  ASSERT_EQ(synchronize("null:1").status, BP_OK);
  ::setenv("NULL_VISIBLE_DEVICES", "3", 1);
  EXPECT_EQ(count("null"), 4);
  EXPECT_EQ(count("null"), 4);
  const std::string words =
      "NULL_VISIBLE_DEVICES changed from unset to '3' after a device of null was opened";
  EXPECT_EQ(session.log_lines_with(words), 1u);
  const Entry e = entry_of("null");
  EXPECT_EQ(e.stage, BP_STAGE_READY);
  EXPECT_TRUE(has(e.cause, words)) << e.cause;
  EXPECT_FALSE(e.remedy.empty());
}

TEST_F(Changing, TheSpecReplacesTheEnvironments) {
  ::setenv("BACKPLANE_VISIBLE_DEVICES", "null:0", 1);
  Session session(Start{.flags = 0});
  EXPECT_EQ(count("null"), 1);
  EXPECT_EQ(bp_set_visible_devices("null:3,1", nullptr), BP_OK);
  EXPECT_EQ(count("null"), 2);
  EXPECT_EQ(bp_set_visible_devices(nullptr, nullptr), BP_OK);
  EXPECT_EQ(count("null"), 1);
}

TEST_F(Changing, TheSpecAfterADeviceWasOpenedIsBadState) {
  Session session(Start{.flags = 0});
  ASSERT_EQ(synchronize("null:0").status, BP_OK);
  const Answer f = attempt([](bp_error** err) { return bp_set_visible_devices("null:0", err); });
  EXPECT_EQ(f.status, BP_BAD_STATE);
  EXPECT_TRUE(has(f.message, "visible devices of null cannot change any more")) << f.message;
  EXPECT_EQ(count("null"), 4);
  EXPECT_EQ(bp_set_visible_devices("cuda:0", nullptr), BP_OK) << "other kinds may still change";
  EXPECT_EQ(count("null"), 4) << "an open kind stays as it is";
}

TEST_F(Changing, AWrongSpecChangesNothing) {
  Session session(Start{.flags = 0});
  EXPECT_EQ(count("null"), 4);
  const std::pair<const char*, const char*> specs[] = {{"null:4", "null:0, null:1, null:2, null:3"},
                                                       {"null:x", "null:0, null:1, null:2, null:3"},
                                                       {"what", "is not <kind>:<ids>"},
                                                       {"nowhere:1", "there is no kind 'nowhere'"}};
  for (const auto& spec : specs) {
    const Answer f = attempt(bp_set_visible_devices, spec.first);
    EXPECT_EQ(f.status, BP_INVALID_ARGUMENT) << spec.first;
    EXPECT_TRUE(has(f.message, spec.second)) << f.message;
  }
  EXPECT_EQ(count("null"), 4);
}

TEST(Masks, TheInitSpecComesBeforeTheEnvironments) {
  ::setenv("BACKPLANE_VISIBLE_DEVICES", "null:0", 1);
  {
    Session session(
        Start{.options = "null.device_count=3", .visible_devices = "null:2,1", .flags = 0});
    EXPECT_EQ(count("null"), 2);
  }
  {
    Session session(Start{.options = "null.device_count=3"});
    EXPECT_EQ(count("null"), 3) << "BP_INIT_NO_ENV reads no variable";
  }
  ::unsetenv("BACKPLANE_VISIBLE_DEVICES");
}

TEST(Masks, AllHiddenIsAnErrorWithTheReasonForWhoRequires) {
  Session session(Start{.visible_devices = "cuda:0"});
  EXPECT_EQ(count("null"), 0);
  const Answer f = require("null");
  EXPECT_EQ(f.status, BP_UNAVAILABLE);
  EXPECT_TRUE(has(f.message, "No null devices are available: its one device is hidden: "))
      << f.message;
  EXPECT_EQ(synchronize("null").status, BP_UNAVAILABLE);
  const Entry e = entry_of("null");
  EXPECT_EQ(e.stage, BP_STAGE_DEVICES);
  EXPECT_TRUE(has(e.cause, "hidden")) << e.cause;
}

TEST(Masks, AnIndexBeyondTheCountSaysTheCount) {
  Session session(Start{.options = "null.device_count=2"});
  const Answer f = synchronize("null:2");
  EXPECT_EQ(f.status, BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(f.message,
            "invalid device ordinal null:2: 2 devices are visible, valid indices are 0 to 1");
  EXPECT_EQ(synchronize("cpu:1").status, BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(synchronize("cpu:0").status, BP_OK);
  EXPECT_EQ(bp_synchronize(bp_device_make(kind("null"), -2), nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_synchronize(bp_device_make(0, 3), nullptr), BP_INVALID_ARGUMENT);
}

}  // namespace
