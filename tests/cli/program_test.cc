// SPDX-License-Identifier: Apache-2.0
// `backplane show` and `backplane run`, over a program that was recorded here.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cli/command.h"
#include "kit/dicts.h"
#include "kit/has.h"
#include "kit/programs.h"

namespace {

// exp(x @ weight) and its sum, in a file; and x in another.
class ProgramCommand : public testing::Test {
 protected:
  ProgramCommand() {
    using namespace bp_test;
    const T x = tensor<float>({2, 3}, {1, 2, 3, 0.5, 0.25, 0.125}),
            weight = tensor<float>({3, 2}, std::vector<float>(6, 0.5));
    Tensors in;
    in.push_back(same(x));
    const P p = recorded(in, [&](const Tensors& given) {
      Tensors out;
      out.push_back(op(BP_OP_EXP, {value(op(BP_OP_MATMUL, {value(given[0]), value(weight)}))}));
      out.push_back(op(BP_OP_SUM, {value(out[0])}));
      return out;
    });
    EXPECT_EQ(attempt(bp_program_save, p.get(), program_.c_str()).message, "");
    const D one = dict({{"x", x.get()}}), two = dict({{"x", x.get()}, {"y", weight.get()}});
    EXPECT_EQ(attempt(bp_npz_save, one.get(), array_.c_str()).message, "");
    EXPECT_EQ(attempt(bp_npz_save, two.get(), arrays_.c_str()).message, "");
  }
  ~ProgramCommand() override {
    for (const std::string& path : {program_, array_, arrays_, svg_, out_})
      std::remove(path.c_str());
  }

  const std::string stem_ = testing::TempDir() + "cli-program-" + std::to_string(::getpid());
  const std::string program_ = stem_ + ".safetensors", array_ = stem_ + "-x.npz",
                    arrays_ = stem_ + "-xy.npz", svg_ = stem_ + ".svg", out_ = stem_ + "-out.npz";
};

TEST_F(ProgramCommand, ShowsWhatAFileHasAndHowItRuns) {
  const Said said = backplane({"show", program_});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  for (const char* words :
       {": a program, written by Backplane " BP_EXPECTED_VERSION ", for cpu\n",
        "inputs:\n  in0  float32 [2, 3]  cpu\n",
        "outputs:\n  out0  float32 [2, 2]  cpu\n  out1  float32 []      cpu\n",
        "holds: 24 B\n  held.0  float32 [3, 2]  24 B  cpu  read\n", "a run: 3 steps in ",
        "in between", "read and written", "steps as they were saved:\nin0: float32 [2, 3] cpu\n",
        "matmul(in0 float32 [2, 3], held", "steps as they run:\n"})
    EXPECT_TRUE(has(said.out, words)) << words << "\nin:\n" << said.out;
}

TEST_F(ProgramCommand, ShowsItForAnotherBackend) {
  const Said said = backplane({"show", program_, "--device", "sim:1"});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(said.out, ", for cpu, here on sim:1\n")) << said.out;
  EXPECT_TRUE(has(said.out, "in0: float32 [2, 3] sim:1\n")) << said.out;
}

TEST_F(ProgramCommand, DrawsIt) {
  const Said said = backplane({"show", program_, "--svg", svg_});
  EXPECT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(said.out, "the picture is in " + svg_ + "\n")) << said.out;
  std::ifstream file(svg_);
  const std::string svg{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(svg.rfind("<svg xmlns=\"http://www.w3.org/2000/svg\"", 0), 0u) << svg;
  EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
  for (const char* name : {">in0<", ">held.0<", ">matmul<", ">exp<", ">sum<", ">out0<", ">out1<"})
    EXPECT_TRUE(has(svg, name)) << name << "\nin:\n" << svg;
  const auto n_of = [&](const std::string& words) {
    int n = 0;
    for (std::size_t at = 0; (at = svg.find(words, at)) != std::string::npos; ++at) ++n;
    return n;
  };
  EXPECT_EQ(n_of("<rect x="), 7);
  EXPECT_EQ(n_of("<path "), 6);
  const Said nowhere = backplane({"show", program_, "--svg", "/nowhere/x.svg"});
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_TRUE(has(nowhere.err, "cannot write '/nowhere/x.svg'")) << nowhere.err;
}

TEST_F(ProgramCommand, RunsItOverArrays) {
  for (const char* device : {"cpu", "sim:0"})
    for (const std::string& input : {"in0=" + array_, "in0=" + arrays_ + ":x"}) {
      const Said said = backplane(
          {"run", program_, "--device", device, "--input", input, "--repeat", "5", "--out", out_});
      EXPECT_EQ(said.code, 0) << said.err;
      EXPECT_TRUE(has(said.out, "out0: float32 [2, 2], on " + std::string(device) +
                                    "\nout1: float32 [], on " + device + "\nmedian time: "))
          << said.out;
      EXPECT_TRUE(has(said.out, " ms of 5 runs\n")) << said.out;
      using namespace bp_test;
      const D out = made<D>(bp_npz_load, out_.c_str(), kCpu);
      EXPECT_NEAR(doubles(made(bp_dict_get, out.get(), "out0"))[0], 20.0855, 1e-3);
    }
}

TEST_F(ProgramCommand, TakesNoInputForGranted) {
  const Said none = backplane({"run", program_});
  EXPECT_EQ(none.code, 2);
  EXPECT_TRUE(has(none.err,
                  "input in0 (float32 [2, 3]) is not given: --input in0=FILE.npz gives "
                  "it, --random fills what is not given with random numbers"))
      << none.err;
  const Said random = backplane({"run", program_, "--random"});
  EXPECT_EQ(random.code, 0) << random.err;
  EXPECT_TRUE(has(random.out, "in0: float32 [2, 3], random numbers\n")) << random.out;
  EXPECT_TRUE(has(random.out, "\ntime: ")) << random.out;
}

TEST_F(ProgramCommand, SaysWhatIsWrong) {
  const struct {
    std::vector<std::string> arguments;
    int code;
    const char* words;
  } kCases[] = {
      {{"run", program_, "--input", "in7=" + array_},
       2,
       "the program has no input 'in7'; it has in0 to in0"},
      {{"run", program_, "--input", "in0=" + arrays_}, 2, "has 2 arrays; --input in0="},
      {{"run", program_, "--input", array_}, 2, "has no array in0, in1 ..."},
      {{"run", program_, "--input", "in0=" + arrays_ + ":y"},
       1,
       "input 0 of the program was recorded as float32 [2, 3] on cpu, and is float32 [3, 2] on cpu"},
      {{"run", program_, "--random", "--device", "toaster"}, 1, "toaster"},
      {{"run", program_, "--random", "--repeat", "0"}, 2, "--repeat"},
      {{"show", array_}, 1, "safetensors"},
      {{"show", program_ + "-absent"}, 2, "-absent"},
  };
  for (const auto& c : kCases) {
    const Said said = backplane(c.arguments);
    EXPECT_EQ(said.code, c.code) << c.words << "\n" << said.err;
    EXPECT_TRUE(has(said.err, c.words)) << c.words << "\nin: " << said.err;
  }
}

}  // namespace
