// SPDX-License-Identifier: Apache-2.0
// BACKPLANE_LOG: what the library prints on stderr for whoever asks, and that it prints nothing
// otherwise.
#include <gtest/gtest.h>

#include <string>

#include "cli/command.h"
#include "kit/has.h"

namespace {

Said bench_with(const std::string& log) {
  return backplane({"bench", "--device", "sim:0", "--seconds", "0.001"}, {"BACKPLANE_LOG=" + log});
}

TEST(Log, IsSilentUnlessAsked) {
  EXPECT_EQ(backplane({"bench", "--device", "sim:0", "--seconds", "0.001"}).err, "");
  EXPECT_EQ(bench_with("").err, "");
  EXPECT_EQ(bench_with("error").err, "");
}

TEST(Log, HasALineForEachEvent) {
  const Said said = bench_with("debug");
  EXPECT_EQ(said.code, 0);
  for (const char* line : {"backplane: info: cpu: ", "is ready with",
                           "backplane: debug: cpu: opened\n", "backplane: debug: sim:0: opened\n"})
    EXPECT_TRUE(has(said.err, line)) << line << "\n" << said.err;
  EXPECT_FALSE(has(bench_with("info").err, "opened"));
}

TEST(Log, MayBeAboutOneThing) {
  const Said said = bench_with("debug:sim");
  EXPECT_TRUE(has(said.err, "backplane: debug: sim:0: opened\n")) << said.err;
  EXPECT_FALSE(has(said.err, "cpu")) << said.err;
}

TEST(Log, SaysWhatItDoesNotUnderstand) {
  const Said said = bench_with("loud");
  EXPECT_EQ(said.code, 0);
  EXPECT_EQ(
      said.err,
      "backplane: error: BACKPLANE_LOG is none of debug, info, warning, error, alone or with a topic: debug:cuda\n");
}

}  // namespace
