// SPDX-License-Identifier: Apache-2.0
// The head of a safetensors file as pure text. Whole files: tests/api/safetensors_test.cc, and made
// wrong at random: tests/fuzz.
#include "core/io/safetensors_header.h"

#include "unit/thrown.h"

namespace bp {
namespace {

using bp_test::thrown;

TEST(SafetensorsHeader, GivesBackWhatWasPrinted) {
  SafetensorsHeader header;
  header.metadata = {{"format", "pt"}, {"a \"quoted\"\n line", "\xc3\xa4"}};
  header.tensors = {{"w", BP_BF16, Dims{2, 3}, 4, 16},
                    {"b \\ /", BP_C64, Dims{}, 16, 24},
                    {"none", BP_F64, Dims{0, 7}, 24, 24},
                    {"first", BP_U8, Dims{4}, 0, 4}};
  const std::string text = print_safetensors_header(header);
  EXPECT_EQ(text.size() % 8, 0u);
  const SafetensorsHeader back = parse_safetensors_header(text, 24);
  EXPECT_EQ(back.metadata, header.metadata);
  ASSERT_EQ(back.tensors.size(), 4u);
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(back.tensors[i].name, header.tensors[i].name);
    EXPECT_EQ(back.tensors[i].dtype, header.tensors[i].dtype);
    EXPECT_EQ(back.tensors[i].shape, header.tensors[i].shape);
    EXPECT_EQ(back.tensors[i].begin, header.tensors[i].begin);
    EXPECT_EQ(back.tensors[i].end, header.tensors[i].end);
  }
  EXPECT_EQ(print_safetensors_header({}), "{}      ");
}

TEST(SafetensorsHeader, HasANameForEveryDtypeButOne) {
  for (bp_dtype t = 0; t < BP_DTYPE_COUNT; ++t) {
    const SafetensorsHeader header{{{"x", t, Dims{0}, 0, 0}}, {}};
    if (t == BP_C128)
      EXPECT_EQ(thrown([&] { print_safetensors_header(header); }, BP_UNSUPPORTED),
                "tensor 'x' is complex128, which safetensors files cannot hold");
    else
      EXPECT_EQ(parse_safetensors_header(print_safetensors_header(header), 0).tensors[0].dtype, t);
  }
}

// One tensor `x` with these fields, in a file of 8 bytes of data.
std::string refused(const std::string& fields, bp_status status = BP_INVALID_ARGUMENT) {
  return thrown([&] { parse_safetensors_header("{\"x\":{" + fields + "}}", 8); }, status);
}

TEST(SafetensorsHeader, NamesTheTensorWhoseFieldsAreWrong) {
  const std::string dtype = R"("dtype":"F32",)", shape = R"("shape":[2],)",
                    offsets = R"("data_offsets":[0,8])";
  EXPECT_EQ(refused(dtype + shape + offsets), "no error");
  EXPECT_EQ(refused(shape + offsets), "tensor 'x' has no dtype");
  EXPECT_EQ(refused(dtype + offsets), "tensor 'x' has no shape");
  EXPECT_EQ(refused(R"("dtype":"F32","shape":[2])"), "tensor 'x' has no data_offsets");
  EXPECT_EQ(refused(dtype + dtype + shape + offsets), "tensor 'x' has its dtype twice");
  EXPECT_EQ(refused(R"("dtype":"F99",)" + shape + offsets),
            "tensor 'x' has dtype 'F99', which is not known");
  EXPECT_EQ(refused(R"("dtype":"F6_E2M3",)" + shape + offsets, BP_UNSUPPORTED),
            "tensor 'x' has dtype F6_E2M3, which is not supported");
  EXPECT_EQ(refused(dtype + R"("shape":[-2],)" + offsets),
            "tensor 'x' has a negative number in its shape");
  EXPECT_EQ(refused(dtype + R"("shape":[1.5],)" + offsets),
            "tensor 'x' has a fraction or a number beyond 64 bits in its shape");
  EXPECT_EQ(refused(dtype + shape + R"("data_offsets":[0])"),
            "tensor 'x' has 1 data_offsets, expected 2");
  EXPECT_EQ(refused(dtype + R"("shape":[3],)" + offsets),
            "tensor 'x' is of 12 bytes ([3] float32), but its data_offsets are [0, 8]");
  EXPECT_EQ(refused(dtype + shape + R"("data_offsets":[8,0])"),
            "tensor 'x' is of 8 bytes ([2] float32), but its data_offsets are [8, 0]");
  EXPECT_EQ(refused(R"("dtypes":"F32")"), "tensor 'x' has a field 'dtypes', which is not known");
}

TEST(SafetensorsHeader, IsOfTensorsOneBehindTheOther) {
  const auto pair = [](const char* second, uint64_t data) {
    const std::string text =
        std::string(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)") +
        R"("b":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}";
    return thrown([&] { parse_safetensors_header(text, data); });
  };
  EXPECT_EQ(pair("[4,6]", 6), "no error");
  EXPECT_EQ(pair("[3,5]", 5),
            "tensor 'b' begins at byte 3 of the data, but the one before it ends at 4");
  EXPECT_EQ(pair("[5,7]", 7),
            "tensor 'b' begins at byte 5 of the data, but the one before it ends at 4");
  EXPECT_EQ(pair("[4,6]", 7), "the tensors take 6 bytes, but 7 follow the header");
}

TEST(SafetensorsHeader, ThatIsNoObjectOfTensorsIsRefused) {
  const auto said = [](const std::string& text) {
    return thrown([&] { parse_safetensors_header(text, 0); });
  };
  EXPECT_EQ(said(""), "the header does not begin with '{'");
  EXPECT_EQ(said("[]"), "the header does not begin with '{'");
  EXPECT_EQ(said("{"), "the header is not JSON: it goes wrong at byte 2 of it");
  EXPECT_EQ(said("{\"a\":3}"), "'a' is a number, expected an object");
  EXPECT_EQ(said("{\"__metadata__\":{\"k\":3}}"), "the metadata 'k' is a number, expected text");
  EXPECT_EQ(said("{\"__metadata__\":{\"k\":\"\",\"k\":\"\"}}"), "the metadata 'k' comes twice");
  EXPECT_EQ(said(std::string("{\"a\0\":{}}", 9)), "the header holds a zero byte");
}

}  // namespace
}  // namespace bp
