// SPDX-License-Identifier: Apache-2.0
// Profiles of whole runs of the command: a parser that is not ours reads them, and their tables and
// pictures are made. Of one process, and of two that train one model, made one.
#include "kit/trace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "cli/command.h"
#include "kit/has.h"

namespace fs = std::filesystem;
using bp_test::Trace;
using nlohmann::json;

namespace {

class TraceOfTraining : public testing::Test {
 protected:
  // A few images, as sim is no fast device.
  TraceOfTraining() {
    fs::create_directories(folder_);
    std::ifstream all(BP_DIGITS);
    std::ofstream some(path("few.csv"));
    std::string line;
    for (int i = 0; i < 300 && std::getline(all, line); ++i) some << line << '\n';
  }
  ~TraceOfTraining() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  // The words of a short training that is profiled, and where its profile goes.
  std::vector<std::string> train(const std::string& device) const {
    return {BP_COMMAND, "train", "digits", "--quick",       "--epochs", "1",
            "--device", device,  "--data", path("few.csv"), "--out",    path("run.safetensors")};
  }
  std::string table(const std::string& file, const std::string& by) const {
    const Said said = backplane({"profile", "summary", path(file), "--by", by});
    EXPECT_EQ(said.code, 0) << said.err;
    return said.out;
  }
  std::string picture(const std::string& file) const {
    const Said said = backplane({"profile", "picture", path(file), "--out", path("trace.svg")});
    EXPECT_EQ(said.code, 0) << said.err;
    std::ifstream in(path("trace.svg"));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // The names of the profiles, which are all that ends so.
  std::vector<std::string> profiles() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      if (entry.path().extension() == ".json") names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  fs::path folder_ = fs::path(testing::TempDir()) / ("cli-trace-" + std::to_string(::getpid()));
};

TEST_F(TraceOfTraining, IsNestedAndHasItsTablesAndItsPicture) {
  const Said said = run(train("sim:0"), {"BACKPLANE_PROFILE=" + path("trace.json")});
  ASSERT_EQ(said.code, 0) << said.err;
  const Trace t = bp_test::read_trace(path("trace.json"));
  expect_nested(t);
  EXPECT_EQ(t.all["otherData"]["dropped"], 0);
  EXPECT_FALSE(t.all["otherData"].contains("group"));
  for (const char* category : {"op", "kernel", "copy", "backward", "module", "step"})
    EXPECT_GT(t.spans(category).size(), 0u) << category;
  EXPECT_TRUE(has(table("trace.json", "op"), "host, main thread: "));
  EXPECT_TRUE(has(table("trace.json", "module"), "Linear"));
  EXPECT_TRUE(has(picture("trace.json"), "</svg>"));
}

#ifdef BP_MPIRUN
const std::vector<std::string> kOpenMpi{"OMPI_ALLOW_RUN_AS_ROOT=1",
                                        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                        "OMPI_MCA_rmaps_base_oversubscribe=1",
                                        "OMPI_MCA_btl_vader_single_copy_mechanism=none",
                                        "OMPI_MCA_btl=self,vader",
                                        "OMP_NUM_THREADS=1"};

TEST_F(TraceOfTraining, OfTwoRanksIsOneWithBoth) {
  std::vector<std::string> words = train("cpu"), environment = kOpenMpi;
  words.insert(words.begin(), {BP_MPIRUN, "-n", "2"});
  words.insert(words.end(), {"--group", "mpi"});
  environment.push_back("BACKPLANE_PROFILE=" + path("rank.%r.%p.json"));
  const Said said = run(words, environment);
  ASSERT_EQ(said.code, 0) << said.out << said.err;
  const std::vector<std::string> files = profiles();
  ASSERT_EQ(files.size(), 2u);
  for (int rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(files[rank].rfind("rank." + std::to_string(rank) + ".", 0), 0u) << files[rank];
    const Trace t = bp_test::read_trace(path(files[rank]));
    expect_nested(t);
    EXPECT_EQ(t.all["otherData"]["group"]["rank"], rank);
    EXPECT_GT(t.spans("exchange", "all_reduce").size(), 0u);
  }
  const Said merged =
      backplane({"profile", "merge", path(files[1]), path(files[0]), "--out", path("both.json")});
  ASSERT_EQ(merged.code, 0) << merged.err;
  const Trace both = bp_test::read_trace(path("both.json"));
  expect_nested(both);
  std::vector<std::string> names;
  for (const auto& [number, name] : both.processes()) names.push_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"rank 0 of 2 (backplane)", "rank 0 of 2, cpu",
                                             "rank 1 of 2 (backplane)", "rank 1 of 2, cpu"}));
  for (const char* name : {"rank 0 of 2", "rank 1 of 2"}) {
    const std::string process = std::string(name) + " (backplane)";
    EXPECT_EQ(both.lanes(process).count("group mpi"), 1u) << name;
    const std::string ops = table("both.json", "op");
    for (const std::string& part : {process + ", main thread: ", "\n\n" + std::string(name) + "\n"})
      EXPECT_TRUE(has(ops, part)) << part << "\n" << ops;
    EXPECT_TRUE(has(picture("both.json"), process));
  }
  const std::string exchanges = table("both.json", "exchange");
  EXPECT_TRUE(has(exchanges, "all_reduce(mean)")) << exchanges;
  EXPECT_FALSE(has(exchanges, "all_gather(sum)")) << exchanges;
  const std::size_t thread = exchanges.find("rank 0 of 2 (backplane), main thread"),
                    group = exchanges.find("rank 0 of 2 (backplane), group mpi");
  EXPECT_LT(thread, group) << "groups come behind threads: " << exchanges;
}
#endif

}  // namespace
