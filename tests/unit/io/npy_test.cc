// SPDX-License-Identifier: Apache-2.0
// The head of an array as pure text. What NumPy makes of our files, and we of its, is tested in
// tests/python.
#include "core/io/npy.h"

#include "unit/thrown.h"

namespace bp {
namespace {

using bp_test::thrown;

TEST(NpyHead, IsWrittenAsNumpyWritesIt) {
  const auto text = [](bp_dtype dtype, std::initializer_list<int64_t> shape) {
    return print_npy_head({dtype, false, Dims(shape)});
  };
  const std::string f4 = text(BP_F32, {3, 4});
  EXPECT_EQ(f4.size(), 128u);
  EXPECT_EQ(f4.substr(0, 10), std::string("\x93NUMPY\1\0\x76\0", 10));
  EXPECT_EQ(f4.substr(10), "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }" +
                               std::string(58, ' ') + "\n");
  EXPECT_EQ(text(BP_BOOL, {}).substr(10, 58),
            "{'descr': '|b1', 'fortran_order': False, 'shape': (), }   ");
  EXPECT_EQ(text(BP_C128, {5}).substr(10, 60),
            "{'descr': '<c16', 'fortran_order': False, 'shape': (5,), }  ");
  Dims most;
  for (int i = 0; i < 64; ++i) most.push_back(1);
  EXPECT_EQ(print_npy_head({BP_U8, false, most}).size() % 64, 0u);
  EXPECT_EQ(thrown([&] { text(BP_BF16, {1}); }, BP_UNSUPPORTED),
            "NumPy has no bfloat16: save it as float32, or as safetensors");
}

TEST(NpyHead, IsReadHoweverItIsSpaced) {
  for (const char* text :
       {"{'descr': '<i8', 'fortran_order': True, 'shape': (2, 3), }   \n",
        "{'shape':(2,3),'fortran_order':True,'descr':'<i8'}",
        "{\"descr\": \"<i8\", \"fortran_order\": True, \"shape\": (2L, 3L,)}\n",
        "\n { 'descr' : '<i8' , 'fortran_order' : True , 'shape' : ( 2 , 3 ) } "}) {
    const NpyHead head = parse_npy_head(text);
    EXPECT_EQ(head.dtype, BP_I64) << text;
    EXPECT_TRUE(head.fortran_order) << text;
    EXPECT_EQ(head.shape, (Dims{2, 3})) << text;
  }
  EXPECT_EQ(parse_npy_head("{'descr': '<u1', 'fortran_order': False, 'shape': ()}").dtype, BP_U8);
}

TEST(NpyHead, ThatIsWrongIsRefused) {
  const auto head = [](const char* descr, const char* order, const char* shape) {
    return fmt::format("{{'descr': {}, 'fortran_order': {}, 'shape': {}, }}", descr, order, shape);
  };
  const struct {
    std::string text;
    bp_status status;
    const char* message;
  } rows[] = {
      {head("'>f4'", "False", "(1,)"), BP_UNSUPPORTED,
       "an array of dtype '>f4' is big-endian, which is not supported"},
      {head("'|O'", "False", "(1,)"), BP_UNSUPPORTED, "an array of dtype '|O' is not supported"},
      {head("'<f16'", "False", "(1,)"), BP_UNSUPPORTED,
       "an array of dtype '<f16' is not supported"},
      {head("[('a', '<f4')]", "False", "(1,)"), BP_UNSUPPORTED,
       "an array of records is not supported"},
      {"{'descr': '<f4', 'shape': (1,), }", BP_INVALID_ARGUMENT,
       "the head of an array has no fortran_order"},
      {"{'descr': '<f4', 'descr': '<f4'}", BP_INVALID_ARGUMENT,
       "the head of an array has 'descr' twice, or where it is not known"},
      {"{'x': 1}", BP_INVALID_ARGUMENT,
       "the head of an array has 'x' twice, or where it is not known"},
      {"", BP_INVALID_ARGUMENT, "the head of an array is damaged at byte 0: ''"},
      {"{'descr", BP_INVALID_ARGUMENT, "the head of an array is damaged at byte 2: '{'descr'"},
      {"{'descr': '<f4'", BP_INVALID_ARGUMENT,
       "the head of an array is damaged at byte 15: '{'descr': '<f4''"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(thrown([&] { parse_npy_head(row.text); }, row.status), row.message);
  for (const char* shape :
       {"(-1,)", "(1.5,)", "(9223372036854775808,)", "(1, 2", "((1,),)", "7", "(,)", "(1,,)"})
    EXPECT_NE(thrown([&] { parse_npy_head(head("'<f4'", "False", shape)); }), "no error") << shape;
  EXPECT_NE(thrown([&] { parse_npy_head(head("'<f4'", "false", "()")); }), "no error");
  EXPECT_NE(thrown([&] { parse_npy_head(head("'<f4'", "False", "()") + "x"); }), "no error");
  EXPECT_EQ(thrown([&] { parse_npy_prefix("\x89PNG\r\n\x1a\n"); }), "not an array of NumPy's");
  EXPECT_EQ(thrown([&] { parse_npy_prefix(std::string_view("\x93NUMPY\4\0", 8)); }, BP_UNSUPPORTED),
            "an array in version 4.0 of NumPy's format is not supported");
  EXPECT_EQ(parse_npy_prefix(std::string_view("\x93NUMPY\3\0", 8)).length_bytes, 4u);
}

}  // namespace
}  // namespace bp
