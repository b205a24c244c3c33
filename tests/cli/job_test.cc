// SPDX-License-Identifier: Apache-2.0
// backplane train and eval of a user's own model and data.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "kit/has.h"
#include "kit/process.h"

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

constexpr const char* kClassifier =
    R"([{"kind": "linear", "in_features": 2, "out_features": 8}, {"kind": "relu"},
        {"kind": "linear", "in_features": 8, "out_features": 3}])";
constexpr const char* kLine = R"([{"kind": "linear", "in_features": 2, "out_features": 1}])";

// Three groups of points, each with its name; and a line through them, with numbers.
class OwnJob : public testing::Test {
 protected:
  OwnJob() : folder_(fs::path(testing::TempDir()) / ("cli-job-" + std::to_string(getpid()))) {
    fs::create_directories(folder_);
    std::ofstream points(path("points.csv")), line(path("line.csv"));
    points << "x,y,colour\r\n";
    line << "x,y,z\n";
    const char* names[] = {"red", "\"dark, green\"", "blue"};
    for (int i = 0; i < 150; ++i) {
      const int group = i % 3;
      const double x = group * 4 + (i * 7 % 11) * 0.1, y = (group == 1) * 4 - (i * 5 % 13) * 0.1;
      points << x << ',' << y << ',' << names[group] << "\r\n";
      line << x << ',' << y << ',' << 2 * x - y + 0.5 << '\n';
    }
    write("net.json", kClassifier);
    write("line.json", kLine);
  }
  ~OwnJob() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  std::string bytes(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Said train(const Words& more) const {
    Words words{BP_COMMAND, "train", "--device", "cpu", "--out", path("run.safetensors")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  Said train_points(const Words& more) const {
    Words words{"--data", path("points.csv"), "--model", path("net.json"), "--lr", "0.02"};
    words.insert(words.end(), more.begin(), more.end());
    return train(words);
  }
  Said eval(const Words& more) const {
    Words words{BP_COMMAND, "eval", path("run.safetensors")};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  fs::path folder_;
};

TEST_F(OwnJob, LearnsClassesOfATableAndJudgesThemOnAnotherBackend) {
  const Said said = train_points({"--target", "colour", "--epochs", "20", "--standardize"});
  ASSERT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "A model of 51 parameters learns 120 of 150 rows of ")) << said.out;
  EXPECT_TRUE(has(said.out, "cross_entropy_loss, AdamW of rate 0.02, seed 42.")) << said.out;
  EXPECT_TRUE(has(said.out, "epoch 20/20 ") && has(said.out, "held out: loss ")) << said.out;
  for (const char* device : {"cpu", "sim:1"}) {
    const Said told =
        eval({"--data", path("points.csv"), "--device", device, "--predictions", path("said.csv")});
    EXPECT_EQ(told.code, 0) << told.err;
    EXPECT_TRUE(has(told.out, std::string(", 100.00 % of 150 rows right on ") + device))
        << told.out;
    EXPECT_EQ(bytes("said.csv").rfind("colour\nred\n\"dark, green\"\nblue\nred\n", 0), 0U)
        << bytes("said.csv");
  }
}

TEST_F(OwnJob, LearnsNumbersWithTheLossThatGoesWithThem) {
  const Said said = train({"--data", path("line.csv"), "--target", "z", "--model",
                           path("line.json"), "--lr", "0.1", "--epochs", "60", "--hold-out", "0"});
  ASSERT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "learns 150 of 150 rows") && has(said.out, "; mse_loss, ")) << said.out;
  EXPECT_FALSE(has(said.out, "right") || has(said.out, "held out:") || has(said.out, "nan"))
      << said.out;
  const std::size_t plot = said.out.find("loss by epoch, on a logarithmic axis: ");
  ASSERT_NE(plot, std::string::npos) << said.out;
  std::istringstream lines(said.out.substr(plot));
  for (std::string line; std::getline(lines, line);)
    EXPECT_LT(line.size(), 80U) << "wider than a terminal: " << line;
  const Said told = eval({"--data", path("line.csv"), "--device", "cpu"});
  EXPECT_EQ(told.code, 0) << told.err;
  const std::size_t at = told.out.find("mse_loss ");
  ASSERT_NE(at, std::string::npos) << told.out;
  EXPECT_LT(std::stod(told.out.substr(at + 9)), 0.05) << told.out;
  const Said other = eval({"--data", path("line.csv"), "--device", "cpu", "--loss", "l1_loss"});
  EXPECT_TRUE(has(other.out, "l1_loss ")) << other.out << other.err;
}

// Two runs of ten epochs are one of twenty, and a run's file is a model to begin with.
TEST_F(OwnJob, GoesOnWhereItStopped) {
  const Words rest{"--target", "colour", "--standardize"};
  const auto more = [&](Words words) {
    words.insert(words.end(), rest.begin(), rest.end());
    return words;
  };
  ASSERT_EQ(train_points(more({"--epochs", "4", "--seed", "5"})).code, 0);
  const std::string whole = bytes("run.safetensors");
  ASSERT_EQ(train_points(more({"--epochs", "2", "--seed", "5"})).code, 0);
  EXPECT_NE(bytes("run.safetensors"), whole);
  const Said said =
      train({"--data", path("points.csv"), "--resume", path("run.safetensors"), "--epochs", "4"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_TRUE(has(said.out, "It goes on behind epoch 2, as ")) << said.out;
  EXPECT_EQ(bytes("run.safetensors"), whole);
  const Said again =
      train({"--data", path("points.csv"), "--resume", path("run.safetensors"), "--epochs", "4"});
  EXPECT_EQ(again.code, 2);
  EXPECT_TRUE(has(again.err, "has learned 4 epochs already; --epochs counts them in")) << again.err;
  fs::copy(path("run.safetensors"), path("first.safetensors"));
  const Said begun =
      train({"--data", path("points.csv"), "--model", path("first.safetensors"), "--epochs", "1"});
  EXPECT_EQ(begun.code, 0) << begun.err;
  const Said weights = train_points({"--weights", path("first.safetensors"), "--epochs", "1"});
  EXPECT_EQ(weights.code, 0) << weights.err;
}

TEST_F(OwnJob, TakesArraysOfAnNpzFileAndIntegersOfAnEmbedding) {
  // A .npz file of NumPy's, stored: x [6, 3] of int64 and y [6] of int64.
  const Said made = run(
      {"/usr/bin/python3", "-c",
       "import struct, sys, zipfile\n"
       "def npy(shape, values):\n"
       "    head = repr({'descr': '<i8', 'fortran_order': False, 'shape': shape}).encode()\n"
       "    head += b' ' * (-(len(head) + 11) % 64) + b'\\n'\n"
       "    return b'\\x93NUMPY\\x01\\x00' + struct.pack('<H', len(head)) + head + \\\n"
       "        struct.pack('<%dq' % len(values), *values)\n"
       "with zipfile.ZipFile(sys.argv[1], 'w') as z:\n"
       "    z.writestr('x.npy', npy((6, 3), [i % 5 for i in range(18)]))\n"
       "    z.writestr('y.npy', npy((6,), [0, 1, 0, 1, 0, 1]))\n"
       "    z.writestr('c.npy', npy((6, 6), [0] * 36).replace(b\"'<i8', \", b\"'<c16',\").replace(b'(6, 6)', b'(6, 3)'))\n",
       path("words.npz")});
  ASSERT_EQ(made.code, 0) << made.err;
  write("words.json", R"([{"kind": "embedding", "num_embeddings": 5, "embedding_dim": 4},
                          {"kind": "flatten"}, {"kind": "linear", "in_features": 12, "out_features": 2}])");
  const Said said = train({"--data", path("words.npz"), "--model", path("words.json"), "--epochs",
                           "1", "--hold-out", "0.5"});
  ASSERT_EQ(said.code, 0) << said.out << said.err;
  EXPECT_TRUE(has(said.out, "learns 3 of 6 rows")) << said.out;
  EXPECT_EQ(eval({"--data", path("words.npz"), "--device", "cpu"}).code, 0);
  const Said wrong =
      train({"--data", path("words.npz"), "--model", path("words.json"), "--target", "labels"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_TRUE(has(wrong.err, "has no array 'labels' for --target; it has x, y, c")) << wrong.err;
  for (const char* option : {"--features", "--target"}) {
    const Said complex =
        train({"--data", path("words.npz"), "--model", path("words.json"), option, "c"});
    EXPECT_EQ(complex.code, 2);
    EXPECT_TRUE(has(complex.err, option + std::string(": the array 'c' is complex128")))
        << complex.err;
  }
}

// Deeper than any stack.
std::string nests(const std::string& begin, const std::string& end) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += begin;
  text += "1";
  for (int i = 0; i < 200000; ++i) text += end;
  return text;
}

TEST_F(OwnJob, SaysWhatIsWrongWithAModel) {
  const struct {
    std::string text, says;
  } cases[] = {
      {"", " is empty"},
      {"[{", " is no JSON: "},
      {R"([{"kind": "liner"}])", "bad.json, module 0: "},
      {R"([{"kind": "linear", "in_features": 2, "out_features": 3}, 7])",
       "bad.json, module 1: 7 is no module"},
      {R"([{"kind": "linear", "in_feature": 2, "out_features": 3}])",
       "module 0: linear has no option 'in_feature'; it has in_features, out_features, bias; did you mean in_features?"},
      {R"([{"kind": "linear", "in_features": 2}])", "module 0: "},
      {R"([{"kind": "linear", "in_features": -2, "out_features": 3}])", "-2"},
      {R"([{"kind": "linear", "in_features": {"a": 1}, "out_features": 3}])",
       R"(in_features is {"a":1}, expected)"},
      {R"([{"kind": "dropout", "p": 1.5}])", "1.5"},
      {nests("[", "]"), "bad.json nests 100 deep and deeper"},
      {nests(R"([{"kind": "sequential", "modules": )", "}]"), "bad.json nests 100 deep and deeper"},
      {nests(R"([{"kind": "linear", "in_features": [)", "]}]"),
       "bad.json nests 100 deep and deeper"},
      {R"([{"kind": "linear", "in_features": 7, "out_features": 3}])",
       "the model does not take rows of shape [2]: "},
      {R"([{"kind": "linear", "in_features": 2, "out_features": 2}])",
       "the model gives [2, 2] for 2 rows, expected a score for each class, and the target's classes are 0 to 2"},
  };
  for (const auto& c : cases) {
    write("bad.json", c.text);
    const Said said = train({"--data", path("points.csv"), "--model", path("bad.json")});
    EXPECT_EQ(said.code, 2) << c.text;
    EXPECT_TRUE(has(said.err, c.says)) << c.says << "\n" << said.err;
  }
}

TEST_F(OwnJob, SaysWhatIsWrongWithATable) {
  const struct {
    std::string text, says;
    int code = 1;
  } cases[] = {
      {"", "bad.csv is empty"},
      {"x,y,colour\n", "holds no rows"},
      {"x,y,colour\n1,2,red\n3,red\n", "bad.csv, line 3: 2 fields, expected 3"},
      {"x,y,colour\n1,2,red\n3,,red\n", "line 3: column 'y': '' is no number"},
      {"x,y,colour\n1,nan,red\n", "line 2: column 'y': 'nan' is no number"},
      {"x,y,colour\n1,2,\n", "line 2: column 'colour', the target, is empty"},
      {"x,y,colour\n1,2,\"red\n", "line 2: a quote is not closed"},
      {"colour\nred\n", "has no column beside the target"},
      {"x,y,color\n1,2,red\n", "has no column 'colour'; it has x, y, color; did you mean color?",
       2},
      {"x,colour,colour\n1,2,red\n", "has 2 columns 'colour'; name one by its number, from 0", 2},
  };
  for (const auto& c : cases) {
    write("bad.csv", c.text);
    const Said said =
        train({"--data", path("bad.csv"), "--model", path("net.json"), "--target", "colour"});
    EXPECT_EQ(said.code, c.code) << c.text << said.err;
    EXPECT_TRUE(has(said.err, c.says)) << c.says << "\n" << said.err;
  }
}

TEST_F(OwnJob, SaysWhatIsWrongWithTheCommandLine) {
  const std::string data = path("points.csv"), net = path("net.json");
  const struct {
    Words words;
    const char* says;
  } cases[] = {
      {{}, "JOB or --data is missing"},
      {{"--data", data}, "--model is missing"},
      {{"--data", data, "--model", net, "--loss", "mse"}, "kl_div_loss; did you mean mse_loss?"},
      {{"--data", data, "--model", net, "--loss", "mse_loss"},
       "wants numbers; the target 'colour' has texts"},
      {{"--data", path("line.csv"), "--model", net, "--loss", "nll_loss"},
       "the target 'z' has other numbers"},
      {{"--data", data, "--resume", data, "--target", "x"},
       "--target does not go with --resume, which has its own"},
      {{"--data", data, "--model", net, "--lr", "-1"}, "--lr"},
      {{"--data", data, "--model", net, "--lr", "nan"}, "--lr: 'nan' is no number"},
      {{"--data", data, "--model", net, "--hold-out", "nan"}, "--hold-out: 'nan' is no number"},
      {{"--data", data, "--model", net, "--seed", "-1"}, "--seed: "},
      {{"--data", data, "--model", net, "--target", "x", "--target", "0"},
       "--target says the column 'x' twice"},
      {{"--data", data, "--model", net, "--hold-out", "1"}, "leaves none to learn"},
      {{"--data", data, "--model", net, "--batch-size", "0"}, "--batch-size"},
      {{"digits", "--model", net}, "--model does not go with digits, which has its own"},
      {{"--data", data, "--quick", "--model", net}, "--quick"},
  };
  for (const auto& c : cases) {
    const Said said = train(c.words);
    EXPECT_EQ(said.code, 2) << c.says << said.err;
    EXPECT_TRUE(has(said.err, c.says)) << c.says << "\n" << said.err;
  }
  const Said wrong = train({"--data", data, "--model", net, "--optimizer", "Adma"});
  EXPECT_NE(wrong.code, 0);
  EXPECT_TRUE(has(wrong.err, "Adma")) << wrong.err;
}

}  // namespace
