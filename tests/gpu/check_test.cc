// SPDX-License-Identifier: Apache-2.0
// The check of an accelerator, as a process, on sim.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "kit/has.h"
#include "kit/process.h"

namespace {

using nlohmann::json;

struct Checked {
  Said said;
  json page;
};

Checked check(std::vector<std::string> arguments, std::vector<std::string> environment = {}) {
  const auto file =
      std::filesystem::path(testing::TempDir()) / ("gpu-check-test-" + std::to_string(getpid()));
  std::vector<std::string> command{BP_GPU_CHECK,           "--short", "--python",
                                   "/nonexistent/python3", "--json",  file.string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  environment.push_back("OMP_WAIT_POLICY=passive");
  Checked c{run(command, environment), {}};
  c.page = json::parse(std::ifstream(file), nullptr, /*allow_exceptions=*/false);
  std::filesystem::remove(file);
  EXPECT_FALSE(c.page.is_discarded()) << c.said.out << c.said.err;
  return c;
}

void expect_rows(const json& part, std::size_t count, const char* rival) {
  ASSERT_EQ(part["rows"].size(), count);
  for (const json& row : part["rows"]) {
    EXPECT_GT(row["seconds"]["ours"], 0.0) << row;
    EXPECT_EQ(row["rival_over_ours"]["ours"], 1.0) << row;
    EXPECT_GE(row["spread"]["ours"], 0.0) << row;
    EXPECT_NE(row["case"], "");
    if (rival) {
      EXPECT_GT(row["rival_over_ours"][rival], 0.0) << row;
    }
  }
}

TEST(Check, SaysWhatEachPartFound) {
  const Checked c = check({"sim"});
  EXPECT_EQ(c.said.code, 0) << c.said.out << c.said.err;
  EXPECT_TRUE(has(c.said.out, "; all is well\n")) << c.said.out;
  EXPECT_EQ(c.page["kind"], "sim");
  EXPECT_EQ(c.page["short"], true);
  const json& parts = c.page["parts"];
  ASSERT_EQ(parts.size(), 8U);
  for (const auto& [name, part] : parts.items()) {
    EXPECT_EQ(part["status"], name == "memcheck" ? "skipped" : "ok") << name << part;
    EXPECT_GE(part["seconds"], 0.0);
    EXPECT_TRUE(part["faults"].empty()) << part;
  }
  EXPECT_EQ(parts["devices"]["count"], 4);
  EXPECT_EQ(parts["devices"]["devices"][3]["name"], "Simulated accelerator");
  EXPECT_EQ(parts["conformance"]["tests"], json({{"passed", 3}}));
  EXPECT_EQ(parts["conformance"]["ops"]["add"]["verdict"], "passed");
  EXPECT_GT(parts["conformance"]["ops"]["add"]["cases"], 100);
  expect_rows(parts["launches"], 11, nullptr);
  EXPECT_GT(parts["launches"]["rows"][0]["rival_over_ours"]["cpu"], 0.0);
  expect_rows(parts["copies"], 8, nullptr);
  expect_rows(parts["bandwidth"], 11, "copy");
  EXPECT_GT(parts["bandwidth"]["rows"][0]["bytes"], 0.0);
  expect_rows(parts["matmul"], 8, nullptr);
  EXPECT_GT(parts["matmul"]["rows"][0]["flops"], 0.0);
  expect_rows(parts["sums"], 2, "copy");
}

TEST(Check, GoesByTheKindThatAProgramWouldName) {
  const Checked c = check({"cuda", "--only", "devices"}, {"BACKPLANE_ALIAS=cuda=sim"});
  EXPECT_EQ(c.said.code, 0) << c.said.out;
  EXPECT_TRUE(has(c.said.out, "cuda:0: Simulated accelerator")) << c.said.out;
}

TEST(Check, GoesOnAfterAPartThatFailed) {
  const Checked c = check({"sim", "--only", "launches,matmul"}, {"SIM_FAIL_LAUNCH=500"});
  EXPECT_EQ(c.said.code, 1);
  EXPECT_TRUE(has(c.said.out, "FAILED: launch: add")) << c.said.out;
  EXPECT_TRUE(has(c.page["parts"]["launches"]["faults"][0], "SIM_FAIL_LAUNCH")) << c.said.out;
  EXPECT_EQ(c.page["parts"]["launches"]["status"], "failed");
  EXPECT_EQ(c.page["parts"]["launches"]["rows"].size(), 10U) << "the other cases are there";
  EXPECT_TRUE(c.page["parts"].contains("matmul"));
}

TEST(Check, SeesAnOpThatComputesNothing) {
  const Checked c = check({"sim", "--only", "conformance"}, {"SIM_FAIL_KERNEL=100"});
  EXPECT_EQ(c.said.code, 1);
  EXPECT_EQ(c.page["parts"]["conformance"]["status"], "failed");
  const auto fault = c.page["parts"]["conformance"]["faults"][0].get<std::string>();
  EXPECT_TRUE(has(fault, "Ops.MatchesItsOracle/")) << fault;
  EXPECT_TRUE(has(fault, "SIM_FAIL_KERNEL")) << fault;
}

TEST(Check, HasNothingToSumOverOneDevice) {
  const Checked c = check({"sim", "--only", "sums"}, {"SIM_DEVICE_COUNT=1"});
  EXPECT_EQ(c.said.code, 0) << c.said.out;
  EXPECT_EQ(c.page["parts"]["sums"]["status"], "skipped");
}

TEST(Check, SeesASumThatFails) {
  const Checked c = check({"sim", "--only", "sums"}, {"SIM_FAIL_COPY=500"});
  EXPECT_EQ(c.said.code, 1);
  EXPECT_EQ(c.page["parts"]["sums"]["status"], "failed");
  EXPECT_TRUE(has(c.said.out, "SIM_FAIL_COPY")) << c.said.out;
}

TEST(Check, EndsAPartAtItsLimit) {
  const Checked c = check({"sim", "--only", "launches", "--limit", "3"}, {"SIM_SLOW_US=1000000"});
  EXPECT_EQ(c.said.code, 1);
  const auto fault = c.page["parts"]["launches"]["faults"][0].get<std::string>();
  EXPECT_TRUE(has(fault, "launches was ended by its limit of 3 s")) << fault;
}

TEST(Check, SaysWhyThereIsNothingToCheck) {
  const Checked c = check({"vulkan"});
  EXPECT_EQ(c.said.code, 1);
  EXPECT_EQ(c.page["parts"].size(), 1U) << "without a device the other parts are not started";
  EXPECT_TRUE(has(c.said.out, "vulkan")) << c.said.out;
  EXPECT_EQ(run({BP_GPU_CHECK, "--nosuch"}).code, 2);
  EXPECT_EQ(run({BP_GPU_CHECK, "sim", "--json", "/nonexistent/x.json"}).code, 2);
}

}  // namespace
