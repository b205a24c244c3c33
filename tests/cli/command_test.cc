// SPDX-License-Identifier: Apache-2.0
// The `backplane` command: help, bad input, devices, doctor, ops.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/has.h"
#include "kit/process.h"

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Test;

namespace {

Said backplane(std::vector<std::string> arguments,
               const std::vector<std::string>& environment = {}) {
  arguments.insert(arguments.begin(), BP_COMMAND);
  return run(arguments, environment);
}

json parsed(const Said& said) {
  EXPECT_EQ(said.err, "");
  const json page = json::parse(said.out, nullptr, /*allow_exceptions=*/false);
  EXPECT_FALSE(page.is_discarded()) << said.out;
  return page;
}

// A folder with a plugin file that is not a library.
class BrokenPlugin : public Test {
 protected:
  BrokenPlugin()
      : folder_(fs::path(testing::TempDir()) / ("cli-broken-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / "libbackplane_broken.so") << "this is not a library\n";
  }
  ~BrokenPlugin() override { fs::remove_all(folder_); }
  std::vector<std::string> environment() const {
    return {"BACKPLANE_PLUGIN_PATH=" + folder_.string() + ":" BP_PLUGINS};
  }
  fs::path folder_;
};

TEST(Command, PrintsItsVersion) {
  const Said said = backplane({"--version"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.out, "backplane " BP_EXPECTED_VERSION " (C ABI 1)\n");
}

TEST(Command, HelpsWhenAskedAndWhenGivenNothing) {
  const Said asked = backplane({"--help"}), nothing = backplane({});
  EXPECT_EQ(asked.code, 0);
  EXPECT_EQ(nothing.code, 0);
  EXPECT_EQ(asked.out, nothing.out);
  for (const char* word : {"devices", "doctor", "ops", "train", "eval", "new-plugin", "verify",
                           "Examples:", "BACKPLANE_VISIBLE_DEVICES"})
    EXPECT_TRUE(has(asked.out, word)) << word;
}

TEST(Command, HelpsWithEachSubcommand) {
  for (const char* name : {"devices", "doctor", "ops", "train", "eval", "new-plugin", "verify"}) {
    const Said said = backplane({name, "--help"});
    EXPECT_EQ(said.code, 0) << name;
    EXPECT_TRUE(has(said.out, "Usage: backplane " + std::string(name))) << said.out;
  }
}

TEST(Command, AnswersBadInputWithASentenceAndExitCode2) {
  const std::vector<std::vector<std::string>> wrong{{"nosuch"},
                                                    {"--nosuch"},
                                                    {"devices", "extra"},
                                                    {"devices", "--no"},
                                                    {"ops", "no_such_op"},
                                                    {"train", "digits", "--data"},
                                                    {"train", "digits", "--data", "/no/such/file"}};
  for (const auto& arguments : wrong) {
    const Said said = backplane(arguments);
    EXPECT_EQ(said.code, 2) << arguments[0];
    EXPECT_EQ(said.out, "") << arguments[0];
    EXPECT_EQ(said.err.rfind("backplane: ", 0), 0U) << said.err;
    EXPECT_TRUE(has(said.err, "--help")) << said.err;
  }
}

TEST(Command, NamesTheCommandsWhenOneIsMistyped) {
  EXPECT_TRUE(has(
      backplane({"device"}).err,
      "'device' is not a command; there are devices, doctor, ops, train, eval, new-plugin and verify"));
}

TEST(Devices, ListsTheCpuAndTheNullDevices) {
  const Said said = backplane({"devices"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.err, "");
  for (const char* word : {"Device", "Physical", "Name", "Memory used / total", "Driver", "| cpu",
                           "| null:0", "| null:1"})
    EXPECT_TRUE(has(said.out, word)) << word << "\n" << said.out;
}

TEST(Devices, GivesJsonWithEveryFact) {
  const json page = parsed(backplane({"devices", "--json"}));
  ASSERT_EQ(page["devices"].size(), 7U);  // the cpu, two of null, four of sim
  const json& cpu = page["devices"][0];
  EXPECT_EQ(cpu["kind"], "cpu");
  EXPECT_EQ(cpu["device"], "cpu");
  EXPECT_GT(cpu["memory_total"].get<std::uint64_t>(), 0U);
  EXPECT_EQ(page["devices"][2]["device"], "null:1");
  EXPECT_TRUE(page["absent"].is_array());
}

TEST(Devices, SayWhoRunsWhatABackendLacks) {
  const std::string line =
      "ops that a device's backend lacks run on the cpu (BACKPLANE_FALLBACK=cpu)\n";
  const std::vector<std::string> cpu{"BACKPLANE_FALLBACK=cpu"};
  EXPECT_TRUE(has(backplane({"devices"}, cpu).out, line));
  EXPECT_FALSE(has(backplane({"devices"}).out, line));
  EXPECT_EQ(parsed(backplane({"devices", "--json"}, cpu))["fallback"], "cpu");
  EXPECT_EQ(parsed(backplane({"devices", "--json"}))["fallback"], "refuse");
  EXPECT_TRUE(has(backplane({"devices"}, {"BACKPLANE_FALLBACK=gpu"}).err,
                  "BACKPLANE_FALLBACK is 'gpu', expected refuse or cpu"));
}

TEST(Devices, KnowsTheMemoryInUseOfTheCpuAndOfWhatItWasToldToOpen) {
  const json closed = parsed(backplane({"devices", "--json"}));
  const json& cpu = closed["devices"][0];
  EXPECT_GT(cpu["memory_used"].get<std::uint64_t>(), 0U);
  EXPECT_LT(cpu["memory_used"], cpu["memory_total"]);
  EXPECT_EQ(cpu["memory_other"].get<std::uint64_t>(),
            cpu["memory_used"].get<std::uint64_t>() - cpu["memory_allocated"].get<std::uint64_t>() -
                cpu["memory_cached"].get<std::uint64_t>());
  EXPECT_TRUE(closed["devices"][3]["memory_used"].is_null()) << "sim:0 was not opened";
  EXPECT_TRUE(has(backplane({"devices"}).out, "| - / 1.0 GiB ")) << "sim:0 was not opened";

  const json opened = parsed(backplane({"devices", "--json", "--open"}));
  EXPECT_EQ(opened["devices"][3]["device"], "sim:0");
  EXPECT_EQ(opened["devices"][3]["memory_used"], 0);
  const std::string table = backplane({"devices", "--open"}).out;
  EXPECT_TRUE(has(table, "| 0 B / 1.0 GiB ")) << table;
  EXPECT_FALSE(has(table, "not opened")) << table;
}

// 64 devices of a tebibyte, each mapped twice, are more than a process has addresses for.
TEST(Devices, GoesOnWhenADeviceCannotBeOpened) {
  const std::vector<std::string> huge{"SIM_MEMORY=1024G", "SIM_DEVICE_COUNT=64"};
  const Said said = backplane({"devices", "--open"}, huge);
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(has(said.out, "| 0 B / 1.0 TiB ")) << said.out;
  EXPECT_TRUE(has(said.out, "| - / 1.0 TiB ")) << said.out;
  EXPECT_TRUE(has(said.out, "sim:63: cannot be opened: ")) << said.out;
  const json page = parsed(backplane({"devices", "--open", "--json"}, huge));
  EXPECT_NE(page["devices"].back()["problem"], "");
  EXPECT_TRUE(page["devices"].back()["memory_used"].is_null());
}

TEST(Devices, SaysWhichDeviceAMaskHides) {
  const std::vector<std::string> mask{"NULL_VISIBLE_DEVICES=1"};
  const json page = parsed(backplane({"devices", "--json"}, mask));
  ASSERT_EQ(page["devices"].size(), 6U);
  EXPECT_EQ(page["devices"][1]["device"], "null:0");
  EXPECT_EQ(page["devices"][1]["physical"], 1);
  ASSERT_EQ(page["hidden"].size(), 1U);
  EXPECT_EQ(page["hidden"][0]["physical"], 0);
  EXPECT_TRUE(has(backplane({"devices"}, mask).out, "hidden: null device 0"));
}

TEST_F(BrokenPlugin, IsListedAsAbsentWithTheReason) {
  const Said table = backplane({"devices"}, environment());
  EXPECT_EQ(table.code, 0);
  EXPECT_TRUE(has(table.out, "absent: broken: ")) << table.out;
  EXPECT_TRUE(has(table.out, "| cpu")) << table.out;
  const json page = parsed(backplane({"devices", "--json"}, environment()));
  ASSERT_EQ(page["absent"].size(), 1U);
  EXPECT_EQ(page["absent"][0]["stage"], "file");
  EXPECT_NE(page["absent"][0]["cause"], "");
}

TEST_F(BrokenPlugin, IsExplainedByTheDoctor) {
  const Said said = backplane({"doctor"}, environment());
  EXPECT_EQ(said.code, 0) << "nothing was asked for by name";
  for (const std::string& word :
       {std::string("[!!] broken"), (folder_ / "libbackplane_broken.so").string(),
        std::string("file FAILED"), std::string("why:"), std::string("remedy:"),
        std::string("[ok] cpu"), std::string("BACKPLANE_PLUGIN_PATH=")})
    EXPECT_TRUE(has(said.out, word)) << word << "\n" << said.out;
}

TEST_F(BrokenPlugin, MakesTheDoctorFailWhenAskedForByName) {
  const Said said = backplane({"doctor", "broken"}, environment());
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.out, "broken: MISSING: ")) << said.out;
  EXPECT_FALSE(has(said.out, "[ok] cpu")) << "only what was asked for is listed";
  const json page = parsed(backplane({"doctor", "cpu", "broken", "--json"}, environment()));
  EXPECT_EQ(page["asked"][0]["usable"], true);
  EXPECT_EQ(page["asked"][1]["usable"], false);
  EXPECT_NE(page["asked"][1]["problem"], "");
}

TEST(Doctor, IsContentWithABackendThatWorks) {
  const Said said = backplane({"doctor", "cpu"});
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(has(said.out, "cpu: usable, 1 device")) << said.out;
}

TEST(Doctor, TriesASumOverTheDevicesOfANamedKind) {
  const Said well = backplane({"doctor", "sim"}, {"SIM_DEVICE_COUNT=3"});
  EXPECT_EQ(well.code, 0);
  EXPECT_TRUE(has(well.out, "sim: usable, 3 devices\n")) << well.out;
  EXPECT_FALSE(has(well.out, "why:")) << well.out;
  const Said without = backplane({"doctor", "sim"}, {"SIM_DEVICE_COUNT=2", "SIM_NCCL=off"});
  EXPECT_EQ(without.code, 0);
  EXPECT_TRUE(
      has(without.out,
          "why:    sums over sim:0, sim:1 go around a ring of copies: NCCL is switched off"))
      << without.out;
  const Said broken = backplane({"doctor", "sim"}, {"SIM_FAIL_KERNEL=1"});
  EXPECT_TRUE(has(broken.out, "sim: usable, 4 devices; sums over them FAIL: ")) << broken.out;
}

TEST(Doctor, FailsForAKnownKindWithoutAPluginAndForAnUnknownKind) {
  for (const char* kind : {"vulkan", "nonsense"}) {
    const Said said = backplane({"doctor", kind});
    EXPECT_EQ(said.code, 1) << kind;
    EXPECT_TRUE(has(said.out, std::string(kind) + ": MISSING: ")) << said.out;
  }
}

TEST(Doctor, FailsWhenAMaskHidesEveryDevice) {
  const Said said = backplane({"doctor", "null"}, {"NULL_VISIBLE_DEVICES="});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.out, "null: MISSING: ")) << said.out;
  EXPECT_TRUE(has(said.out, "NULL_VISIBLE_DEVICES=")) << said.out;
}

TEST(Ops, ShowsWhoHasWhat) {
  const Said said = backplane({"ops", "matmul"});
  EXPECT_EQ(said.code, 0);
  EXPECT_TRUE(has(said.out, "bf16")) << said.out;
  EXPECT_TRUE(has(said.out, "\nmatmul ")) << said.out;
  EXPECT_FALSE(has(said.out, "sqrt")) << said.out;
}

TEST(Ops, GivesJsonWithTheDtypesOfEachBackend) {
  const json page = parsed(backplane({"ops", "--json", "--kind", "cpu"}));
  ASSERT_GT(page["ops"].size(), 50U);
  for (const json& op : page["ops"]) {
    if (op["name"] != "sqrt") continue;
    const auto dtypes = op["backends"]["cpu"].get<std::vector<std::string>>();
    EXPECT_NE(std::find(dtypes.begin(), dtypes.end(), "f32"), dtypes.end());
    return;
  }
  FAIL() << "no sqrt";
}

TEST(Ops, RefusesABackendThatIsNotThere) {
  const Said said = backplane({"ops", "--kind", "vulkan"});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.err, "vulkan")) << said.err;
}

}  // namespace
