// SPDX-License-Identifier: Apache-2.0
// The `backplane` command: help, bad input, devices, doctor, ops.
#include "cli/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/has.h"

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Test;

namespace {

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

constexpr const char* kCommands[] = {
    "devices", "doctor",     "ops",    "train", "eval",       "show", "run",  "profile",
    "bench",   "new-plugin", "verify", "info",  "completion", "man",  "help", "version"};

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
  for (const char* word : kCommands) EXPECT_TRUE(has(asked.out, word)) << word;
  for (const char* word : {"Examples:", "BACKPLANE_VISIBLE_DEVICES", "BACKPLANE_NUM_THREADS"})
    EXPECT_TRUE(has(asked.out, word)) << word;
}

TEST(Command, HelpsWithEachSubcommand) {
  for (const char* name : kCommands) {
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

TEST(Command, NamesTheCommandsAndTheNearestWhenOneIsMistyped) {
  const std::string said = backplane({"device"}).err;
  EXPECT_TRUE(has(said, "'device' is not a command; there are devices, doctor, ops, ")) << said;
  EXPECT_TRUE(has(said, "; did you mean devices?\n")) << said;
  EXPECT_FALSE(has(backplane({"frobnicate"}).err, "did you mean")) << "nothing is like it";
}

TEST(Command, ShowsWhatItDoesNotKnowInTheOrderInWhichItWasTyped) {
  const std::string said = backplane({"devices", "--foo", "bar", "--jsno"}).err;
  EXPECT_TRUE(has(said, "devices does not know --foo bar --jsno; did you mean --json?\n")) << said;
  EXPECT_TRUE(has(backplane({"--verson"}).err,
                  "backplane does not know --verson; did you mean --version?"));
  EXPECT_TRUE(has(backplane({"ops", "mtamul"}).err, "did you mean matmul?"));
  EXPECT_TRUE(has(backplane({"train", "--eopchs=3", "digits"}).err, "did you mean --epochs?"));
  EXPECT_TRUE(has(backplane({"train", "--resum", "file"}).err, "did you mean --resume?"))
      << "and not that file is no JOB";
}

// A shell's /dev/full fails each write as a full disk does.
TEST(Command, FailsWhenItsAnswerCannotBeWritten) {
  for (const char* command : {"devices", "devices --json", "doctor cuda", "ops --json", "info",
                              "help", "version", "man", "completion bash", "--help", "--version"}) {
    const Said full =
        run({"/bin/sh", "-c", std::string(BP_COMMAND " ") + command + " > /dev/full"});
    EXPECT_EQ(full.code, 1) << command;
    EXPECT_EQ(full.err, "backplane: the answer could not be written: No space left on device\n")
        << command;
  }
  const Said closed = run({"/bin/sh", "-c", BP_COMMAND " devices >&-"});
  EXPECT_EQ(closed.code, 1);
  EXPECT_EQ(closed.err, "backplane: the answer could not be written: Bad file descriptor\n");
}

TEST(Command, HasColoursOnATerminalOnlyAndNotWithNoColor) {
  const std::string escape = "\033[";
  EXPECT_FALSE(has(backplane({"doctor"}).out, escape)) << "no terminal";
  const auto shown = [](std::vector<std::string> environment) {
    return run_on_terminal({BP_COMMAND, "doctor"}, environment).out;
  };
  EXPECT_TRUE(has(shown({"TERM=xterm", "NO_COLOR="}), escape + "32mok"));
  EXPECT_FALSE(has(shown({"TERM=xterm", "NO_COLOR=1"}), escape));
  EXPECT_FALSE(has(shown({"TERM=dumb", "NO_COLOR="}), escape));
}

TEST(Command, SaysWhichIdsTheKindAtFaultHas) {
  const auto said = [](const char* mask) {
    return backplane({"devices"}, {std::string("BACKPLANE_VISIBLE_DEVICES=") + mask}).err;
  };
  EXPECT_EQ(
      said("sim:zz"),
      "backplane: BACKPLANE_VISIBLE_DEVICES='sim:zz': 'zz' in 'sim:zz' is neither an index nor "
      "a UUID; valid ids: sim:0, sim:1, sim:2, sim:3\n");
  EXPECT_TRUE(has(said("smi:0"), "there is no kind 'smi'; kinds: cpu, ")) << said("smi:0");
  EXPECT_FALSE(has(said("smi:0"), "valid ids"));
}

TEST(Info, HasWhatABugReportNeeds) {
  const json page =
      parsed(backplane({"info", "--json"}, {"BACKPLANE_SYNCHRONOUS=0", "SIM_DEVICE_COUNT=1"}));
  std::vector<std::string> keys;
  for (const auto& [key, value] : page.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"abi", "compiler", "devices", "environment", "library",
                                            "plugins", "system", "threads", "version"}));
  EXPECT_EQ(page["version"], BP_EXPECTED_VERSION);
  EXPECT_EQ(page["abi"], 1);
  EXPECT_TRUE(has(page["library"].get<std::string>(), "libbackplane.so"));
  EXPECT_EQ(page["environment"]["BACKPLANE_SYNCHRONOUS"], "0");
  EXPECT_EQ(page["environment"]["SIM_DEVICE_COUNT"], "1");
  EXPECT_EQ(page["plugins"][0]["kind"], "cpu");
  EXPECT_EQ(page["plugins"][0]["stage"], "ready");
  EXPECT_EQ(page["devices"].size(), 4U) << "the cpu, two of null, one of sim";
  EXPECT_FALSE(page["system"]["kernel"].get<std::string>().empty());
  EXPECT_GE(page["threads"]["count"].get<int>(), 1);
  const std::string text = backplane({"info"}).out;
  for (const char* part :
       {"Backplane:", "Compiler:", "System:", "CPU:", "Threads:", "Plugins:", "libbackplane_cpu.so",
        "Devices:", "Environment:", "NULL_DEVICE_COUNT=2"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST(Bench, TimesOpsAndCopies) {
  const json page =
      parsed(backplane({"bench", "--seconds", "0.002", "--json", "--device", "sim:1"}));
  EXPECT_EQ(page["device"], "sim:1");
  ASSERT_EQ(page["results"].size(), 7U);
  for (const json& row : page["results"]) EXPECT_GT(row["seconds"].get<double>(), 0) << row;
  EXPECT_TRUE(page["results"][0]["rate"].is_null());
  EXPECT_EQ(page["results"][4]["unit"], "GFLOP/s");
  EXPECT_TRUE(has(backplane({"bench", "--seconds", "0.002"}).out, "matmul of 1024 x 1024 floats"));
  EXPECT_EQ(backplane({"bench", "--device", "sim:9"}).code, 1);
}

TEST(Devices, ListsTheCpuAndWithAllTheNullDevices) {
  const Said said = backplane({"devices"}), all = backplane({"devices", "--all"});
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(said.err, "");
  for (const char* word :
       {"Device", "Physical", "Name", "Memory used / total", "Driver", "| cpu", "| sim:0"}) {
    EXPECT_TRUE(has(said.out, word)) << word << "\n" << said.out;
    EXPECT_TRUE(has(all.out, word)) << word << "\n" << all.out;
  }
  EXPECT_FALSE(has(said.out, "null")) << said.out;
  EXPECT_TRUE(has(all.out, "| null:0") && has(all.out, "| null:1")) << all.out;
}

TEST(Devices, NamesTheAcceleratorsOfWhichThereIsNoFile) {
  const std::string none = "BACKPLANE_PLUGIN_PATH=";
  const Said said = backplane({"devices"}, {none});
  const json page = parsed(backplane({"devices", "--json"}, {none}));
  for (const std::string kind : {"cuda", "hip"}) {
    if (fs::exists(fs::path(BP_PLUGINS) / ("libbackplane_" + kind + ".so"))) continue;
    EXPECT_TRUE(has(said.out, "absent: " + kind + ": no libbackplane_" + kind +
                                  ".so was found; `backplane doctor " + kind +
                                  "` says where it is looked for\n"))
        << said.out;
    const auto listed = std::find_if(page["absent"].begin(), page["absent"].end(),
                                     [&](const json& a) { return a["kind"] == kind; });
    ASSERT_NE(listed, page["absent"].end());
    EXPECT_EQ((*listed)["stage"], "missing");
  }
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
  EXPECT_TRUE(has(backplane({"devices", "--all"}, mask).out, "hidden: null device 0"));
}

TEST_F(BrokenPlugin, IsListedAsAbsentWithTheReason) {
  const Said table = backplane({"devices"}, environment());
  EXPECT_EQ(table.code, 0);
  EXPECT_TRUE(has(table.out, "absent: broken: ")) << table.out;
  EXPECT_TRUE(has(table.out, "| cpu")) << table.out;
  const json page = parsed(backplane({"devices", "--json"}, environment()));
  ASSERT_GE(page["absent"].size(), 1U);
  EXPECT_EQ(page["absent"][0]["kind"], "broken");
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

TEST(Ops, TakesOneKindForEachOption) {
  const Said said = backplane({"ops", "--kind", "cpu", "matmul"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(said.out, "\nmatmul ")) << said.out;
  EXPECT_FALSE(has(said.out, "sqrt")) << "matmul is no kind, it is what was asked for";
  const json page = parsed(backplane({"ops", "--kind", "cpu", "--kind", "sim", "sqrt", "--json"}));
  EXPECT_EQ(page["ops"][0]["backends"].size(), 2U);
}

TEST(Doctor, HasNoEmptyLineWithoutSomethingBehindIt) {
  const std::string said = backplane({"doctor", "cuda"}, {"NULL_DEVICE_COUNT=2"}).out;
  EXPECT_FALSE(has(said, "\n\n\n")) << said;
}

TEST(Ops, RefusesABackendThatIsNotThere) {
  const Said said = backplane({"ops", "--kind", "vulkan"});
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.err, "vulkan")) << said.err;
}

}  // namespace
