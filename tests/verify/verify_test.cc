// SPDX-License-Identifier: Apache-2.0
// verify_test.cc: what `backplane verify` says of honest plugins, and of plugins that lie
// (liar.cc).
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kit/has.h"
#include "kit/process.h"

using nlohmann::json;

namespace {

// Few ops, which every backend here has.
const std::vector<std::string> kFew{"--ops", "add,fill", "--ops", "copy"};

Said verify(const std::string& what, std::vector<std::string> more = kFew) {
  std::vector<std::string> command{BP_COMMAND, "verify", what};
  command.insert(command.end(), more.begin(), more.end());
  return run(command, {"OMP_WAIT_POLICY=passive", "NULL_DEVICE_COUNT=2"});
}
std::string lie(const std::string& name) { return VERIFY_LIES "/libbackplane_" + name + ".so"; }

class Honest : public testing::TestWithParam<std::string> {};

TEST_P(Honest, PluginsPassEveryPart) {
  const Said said = verify(GetParam());
  EXPECT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_EQ(said.err, "");
  EXPECT_FALSE(has(said.out, "FAILED")) << said.out;
  EXPECT_TRUE(has(said.out, " conforms: ")) << said.out;
  for (const char* part : {"handshake", "records", "strides", "copies", "streams", "events",
                           "threads", "faults", "memory", "shutdown"})
    EXPECT_TRUE(has(said.out, std::string("\n") + part + "  ")) << part << "\n" << said.out;
}

INSTANTIATE_TEST_SUITE_P(Verify, Honest,
                         testing::Values("cpu", "sim", "null", BP_PLUGINS "/libbackplane_null.so",
                                         lie("honest")),
                         [](const auto& info) {
                           std::string name = std::filesystem::path(info.param).stem();
                           return (has(info.param, "/") ? "file_" : "") + name;
                         });

struct Caught {
  const char *lie, *part, *words;
};
void PrintTo(const Caught& c, std::ostream* out) { *out << c.lie; }

class Lies : public testing::TestWithParam<Caught> {};

TEST_P(Lies, AreNamed) {
  const auto& [name, part, words] = GetParam();
  std::vector<std::string> more{"--timeout", "20"};
  more.insert(more.end(), kFew.begin(), kFew.end());
  const Said said = verify(lie(name), more);
  EXPECT_EQ(said.code, 1) << said.out << said.err;
  EXPECT_TRUE(has(said.out, std::string("FAILED  ") + part + ": ")) << said.out;
  EXPECT_TRUE(has(said.out, words)) << said.out;
  EXPECT_TRUE(has(said.out, std::string(name) + " does NOT conform: ")) << said.out;
}

INSTANTIATE_TEST_SUITE_P(
    Verify, Lies,
    testing::Values(
        Caught{"wrong_sum", "records", "records: add(f32[257] contiguous"},
        Caught{"wrong_strides", "strides", "strides: copy(u8[5, 7] transposed"},
        Caught{"leaks_a_block", "memory", "leaks device memory"},
        Caught{"another_streams_event", "events", "an event in a stream that is held is BP_OK"},
        Caught{"throws", "faults", "threw an exception: there is no block that large"},
        Caught{"crashes", "streams",
               "killed by signal 11 (Segmentation fault) in: one stream waits"},
        Caught{"never_done", "streams", "stream_query is BP_NOT_READY after stream_sync"}),
    [](const auto& info) { return info.param.lie; });

TEST(Verify, GivesJsonWithEveryPart) {
  const Said said = verify(lie("wrong_sum"), {"--ops", "add", "--part", "records", "--json"});
  EXPECT_EQ(said.code, 1);
  const json page = json::parse(said.out, nullptr, /*allow_exceptions=*/false);
  ASSERT_FALSE(page.is_discarded()) << said.out;
  EXPECT_EQ(page["kind"], "wrong_sum");
  EXPECT_EQ(page["passed"], false);
  ASSERT_EQ(page["parts"].size(), 2U);
  EXPECT_EQ(page["parts"][0]["part"], "handshake");
  EXPECT_EQ(page["parts"][0]["failed"], 0);
  EXPECT_EQ(page["parts"][1]["part"], "records");
  EXPECT_EQ(page["parts"][1]["failed"], page["parts"][1]["failures"].size());
  EXPECT_TRUE(has(page["parts"][1]["failures"][0], "off by 1 ulp")) << said.out;
}

TEST(Verify, SaysHowFarAFileCameThatIsNoPlugin) {
  const std::string file = testing::TempDir() + "libbackplane_text.so";
  std::ofstream(file) << "this is not a library\n";
  const Said said = verify(file);
  EXPECT_EQ(said.code, 1);
  EXPECT_TRUE(has(said.out, "FAILED  handshake: ")) << said.out;
  EXPECT_TRUE(has(said.out, file)) << said.out;
  EXPECT_TRUE(has(said.out, "skipped records: the handshake failed")) << said.out;
  std::filesystem::remove(file);
}

TEST(Verify, AnswersBadInputWithExitCode2) {
  for (const std::vector<std::string>& wrong :
       {std::vector<std::string>{"/no/such/libbackplane_x.so"},
        {BP_COMMAND ".so"},
        {"no_such_kind"},
        {"null", "--ops", "no_such_op"},
        {"null", "--part", "no_such_part"},
        {"null", "--timeout", "0"}}) {
    const Said said = verify(wrong[0], {wrong.begin() + 1, wrong.end()});
    EXPECT_EQ(said.code, 2) << wrong[0];
    EXPECT_EQ(said.out, "");
    EXPECT_EQ(said.err.rfind("backplane: ", 0), 0U) << said.err;
  }
}

}  // namespace
