// SPDX-License-Identifier: Apache-2.0
// What the file of a program may not say, in which words.
#include <cstring>
#include <fstream>
#include <iterator>

#include "api/own_file.h"
#include "kit/dicts.h"
#include "kit/session.h"

namespace bp_test {
namespace {

// A program of every kind of buffer and operand.
P varied() {
  const T weight = counting({3});
  Tensors in;
  in.push_back(counting({2, 3}));
  return recorded(in, [&](const Tensors& x) {
    const T kept = op(BP_OP_DROPOUT, {value(x[0])}, {attr("p", 0.5)});
    const T y = op(BP_OP_MUL, {value(op(BP_OP_ADD, {value(kept), number(1.5)})), value(weight)});
    return one(op(BP_OP_SUM, {value(y)}));
  });
}

// What loading says when the program's text has other words in one place. Of the sentence, what
// comes after the name of the file.
std::string refusal_of(const std::string& text, const std::string& path) {
  const D dict = made<D>(bp_safetensors_load, path.c_str(), kCpu);
  EXPECT_EQ(attempt(bp_dict_set_meta, dict.get(), "backplane.program", text.c_str()).message, "");
  const OwnFile changed;
  const std::string& other = changed.path;
  EXPECT_EQ(attempt(bp_safetensors_save, dict.get(), other.c_str()).message, "");
  P none;
  const Answer a = loaded(other, none);
  EXPECT_NE(a.status, BP_OK);
  EXPECT_FALSE(none);
  const std::string start = "program '" + other + "': ";
  EXPECT_EQ(a.message.rfind(start, 0), 0u) << a.message;
  return a.message.substr(std::min(start.size(), a.message.size()));
}

TEST(ProgramFile, SaysWhatIsWrongWithAFile) {
  const Session session;
  const OwnFile file;
  ASSERT_EQ(attempt(bp_program_save, varied().get(), file.path.c_str()).message, "");
  const D dict = made<D>(bp_safetensors_load, file.path.c_str(), kCpu);
  const char* meta = nullptr;
  ASSERT_EQ(bp_dict_get_meta(dict.get(), "backplane.program", &meta, nullptr), BP_OK);
  const std::string text = meta;
  const struct {
    const char *was, *is, *sentence;
  } kCases[] = {
      {"\"version\":1", "\"version\":7", "it is of version 7, and this library reads version 1"},
      {"\"version\":1,", "", "the program has no 'version'"},
      {"\"version\":1", "\"version\":\"1\"",
       "the program, 'version' is a text, expected a whole number"},
      {"{\"version\"", "[{\"version\"", "it is not JSON: it goes wrong at byte "},
      {"\"draws\":[", "\"draws\":[[[[[[[[[[", "its JSON nests deeper than 8 levels"},
      {"\"devices\":[\"cpu\"]", "\"devices\":[]",
       "buffer 0, 'device' names one of the devices, and there is none"},
      {"\"devices\":[\"cpu\"]", "\"devices\":[\"cpu:99\"]", "cpu"},
      {"\"devices\":[\"cpu\"]", "\"devices\":[\"toaster\"]", "Expected one of"},
      {"\"draws\":", "\"more\":1,\"draws\":", "the program has a field 'more', which is not known"},
      {"\"without\":0", "\"without\":16",
       "the program, 'passes', 'without' is 16, expected 0 to 15"},
      {"\"is\":\"input\"", "\"is\":\"given\"", "buffer 0 is 'given', which is not known"},
      {"\"bytes\":24}", "\"bytes\":25}",
       "input 0 reaches 24 bytes from byte 0 on, but its buffer has 25 bytes"},
      {"\"bytes\":24}", "\"bytes\":-1}", "buffer 0, 'bytes' is -1, expected 0 to "},
      {"\"bytes\":24}", "\"bytes\":18446744073709551615}",
       "buffer 0, 'bytes' is 18446744073709551616, expected 0 to "},
      {"\"inputs\":[{\"buffer\":0,", "\"inputs\":[{\"buffer\":9,",
       "input 0, 'buffer' is 9, expected 0 to "},
      {"\"inputs\":[{\"buffer\":0,", "\"inputs\":[{\"buffer\":2,",
       "input 0 is bound to buffer 2, which is no input's"},
      {"\"inputs\":[{\"buffer\":0,\"dtype\":\"float32\"",
       "\"inputs\":[{\"buffer\":0,\"dtype\":\"f33\"",
       "input 0, 'dtype' is 'f33', which is no dtype"},
      {"\"shape\":[2,3]}]", "\"shape\":[2,-3]}]", "input 0 has a size of -3"},
      {"\"shape\":[2,3]}]", "\"shape\":[9223372036854775807,9223372036854775807]}]", "input 0: "},
      {"\"shape\":[2,3]}]", "\"shape\":[2,3],\"strides\":[3]}]",
       "input 0 has 2 sizes and 1 strides"},
      {"\"shape\":[2,3]}]", "\"shape\":[2,3],\"strides\":[9223372036854775807,1]}]",
       "input 0 has a stride of 9223372036854775807"},
      {"\"shape\":[2,3]}]", "\"shape\":[2,4]}]",
       "input 0 reaches beyond buffer 0: shape [2, 4], strides [4, 1] from byte 0 on, of 24 bytes"},
      {"\"shape\":[2,3]}]", "\"at\":2,\"shape\":[2,3]}]",
       "input 0 begins at byte 2, which is no multiple of float32's 4 bytes"},
      {"\"tensor\":\"held.0\"", "\"tensor\":\"held.9\"",
       "holds tensor 'held.9', which is not in the file"},
      {"\"bytes\":12,\"tensor\"", "\"bytes\":16,\"tensor\"",
       "has 16 bytes, but its tensor 'held.0' has 12"},
      {"\"name\":\"bernoulli\"", "\"name\":\"add\"",
       "step 0 is of op 123, which is bernoulli and not 'add'"},
      {"\"op\":123,\"name\":\"bernoulli\"", "\"op\":4000000,\"name\":\"bernoulli\"",
       "step 0 is of op 4000000, which this library does not know"},
      {"\"p\":0.5", "\"q\":0.5", "step 0 (bernoulli) has an attribute 'q', which is not known"},
      {"\"p\":0.5", "\"p\":\"half\"",
       "step 0 (bernoulli), attribute 'p' is 'half', expected a number"},
      {"\"draw\":[0,0]", "\"draw\":[1,0]", "step 0 (bernoulli), 'draw' 0 is 1, expected 0 to 0"},
      {"\"draw\":[0,0]", "\"draw\":[0,6]", "step 0 (bernoulli), 'draw' 1 is 6, expected 0 to 5"},
      {",\"draw\":[0,0]", "",
       "step 0 (bernoulli of bool on cpu): it draws random numbers, and says no draw"},
      {"\"draw\":[0,0]", "\"counts\":true",
       "step 0 (bernoulli) counts its steps, but has no attribute 'step'"},
      {",1.5]", ",1.5,2]", "step 3 (add of float32 on cpu): add: expected 2 inputs, got 3"},
      {",1.5]", ",\"one\"]", "step 3 (add), operand 1 is 'one', expected a number"},
      {"\"name\":\"add\",\"device\":0,\"in\":[{\"buffer\":3",
       "\"name\":\"add\",\"device\":0,\"in\":[{\"buffer\":4",
       "step 3 (add of float32 on cpu): it reads buffer 4 before any step writes it"},
      {"\"axes\":[]", "\"axes\":[0,0]",
       "step 5 (sum of float32 on cpu): dim 0 appears multiple times"},
      {"\"axes\":[]", "\"axes\":[7]", "step 5 (sum of float32 on cpu): Dimension out of range"},
  };
  for (const auto& c : kCases) {
    const size_t at = text.find(c.was);
    ASSERT_NE(at, std::string::npos) << c.was << " in " << text;
    const std::string said =
        refusal_of(std::string(text).replace(at, std::strlen(c.was), c.is), file.path);
    EXPECT_NE(said.find(c.sentence), std::string::npos)
        << c.is << "\n  said: " << said << "\n  text: " << text;
  }
}

TEST(ProgramFile, SaysThatAFileHoldsNoProgram) {
  const Session session;
  const OwnFile file;
  const T x = counting({2});
  const D dict = bp_test::dict({{"x", x.get()}});
  ASSERT_EQ(attempt(bp_safetensors_save, dict.get(), file.path.c_str()).message, "");
  P none;
  EXPECT_EQ(
      loaded(file.path, none).message,
      "program '" + file.path + "': it holds no program: its metadata has no 'backplane.program'");
  const Answer absent = loaded(file.path + "-absent", none);
  EXPECT_EQ(absent.status, BP_NOT_FOUND);
  EXPECT_NE(absent.message.find(file.path + "-absent"), std::string::npos);
  std::ofstream(file.path) << "not a file of tensors";
  EXPECT_EQ(loaded(file.path, none).status, BP_INVALID_ARGUMENT);
}

// Any byte of a file may be another one: it is refused in a sentence, or a program.
TEST(ProgramFile, SurvivesEachTruncationAndManyChanges) {
  const Session session;
  const OwnFile file;
  ASSERT_EQ(attempt(bp_program_save, varied().get(), file.path.c_str()).message, "");
  std::ifstream in(file.path, std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  const OwnFile other;
  const auto load = [&](const std::string& bytes) {
    std::ofstream(other.path, std::ios::binary) << bytes;
    P p;
    const Answer a = loaded(other.path, p);
    EXPECT_NE(a.status, BP_INTERNAL) << a.message;
    EXPECT_EQ(a.status == BP_OK, p != nullptr);
  };
  for (size_t n = 0; n < whole.size(); n += 41) load(whole.substr(0, n));
  for (size_t at = 0; at < whole.size(); at += 5)
    for (const char c : {'9', '-', '"', '\0'}) load(std::string(whole).replace(at, 1, 1, c));
}

}  // namespace
}  // namespace bp_test
