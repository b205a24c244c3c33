// SPDX-License-Identifier: Apache-2.0
// Outputs that share memory with inputs: exact aliasing is in place, anything less is refused; what
// overlaps is decided exactly for slices of one tensor.
#include <algorithm>
#include <set>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

T strided(const T& t, const Shape& shape, const Shape& strides, int64_t offset) {
  return made(bp_tensor_as_strided, t.get(), rank(shape), shape.data(), strides.data(), offset);
}
T narrow(const T& t, int64_t dim, int64_t start, int64_t length) {
  return made(bp_tensor_narrow, t.get(), dim, start, length);
}

TEST(InPlace, WritesTheTensorAndBumpsItsVersion) {
  T t = counting({2, 3});
  const T view = made(bp_tensor_select, t.get(), int64_t{0}, int64_t{1});
  const uint64_t version = bp_tensor_version(view.get());
  ASSERT_EQ(invoke(BP_OP_ADD, {value(t), number(int64_t{10})}, t).status, BP_OK);
  EXPECT_EQ(values<float>(view), (std::vector<float>{13, 14, 15}));
  EXPECT_GT(bp_tensor_version(view.get()), version);
}

TEST(InPlace, MayBroadcastTheOtherOperandButNotItself) {
  T t = counting({2, 3}), line = counting({3});
  ASSERT_EQ(invoke(BP_OP_MUL, {value(t), value(line)}, t).status, BP_OK);
  EXPECT_EQ(values<float>(t), (std::vector<float>{0, 1, 4, 0, 4, 10}));
  const Answer r = invoke(BP_OP_ADD, {value(line), value(t)}, line);
  EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
  EXPECT_NE(r.message.find("output with shape [3] doesn't match the broadcast shape [2, 3]"),
            std::string::npos)
      << r.message;
}

TEST(InPlace, OfAViewOfTheSameElementsIsAliasing) {
  T t = counting({2, 3});
  T same = made(bp_tensor_alias, t.get());
  ASSERT_EQ(invoke(BP_OP_MUL, {value(t), value(same)}, same).status, BP_OK);
  EXPECT_EQ(values<float>(t), (std::vector<float>{0, 1, 4, 9, 16, 25}));
}

TEST(InPlace, RefusesResultsItCannotHold) {
  T ints = counting<int64_t>({3});
  const Answer r = invoke(BP_OP_DIV, {value(ints), number(int64_t{2})}, ints);
  EXPECT_EQ(r.status, BP_DTYPE_MISMATCH);
  EXPECT_EQ(r.message, "result type Float can't be cast to the desired output type Long");
  T bools = tensor<uint8_t>({2}, {1, 0}, kCpu, BP_BOOL);
  EXPECT_EQ(invoke(BP_OP_ADD, {value(bools), number(int64_t{1})}, bools).message,
            "result type Long can't be cast to the desired output type Bool");
  EXPECT_EQ(values<int64_t>(ints), (std::vector<int64_t>{0, 1, 2}));
}

TEST(InPlace, NarrowsInsideACategory) {
  T narrow_floats = counting<float>({3});
  const T doubles = tensor<double>({3}, {0.5, 0.25, 0.125});
  ASSERT_EQ(invoke(BP_OP_ADD, {value(narrow_floats), value(doubles)}, narrow_floats).status, BP_OK);
  EXPECT_EQ(values<float>(narrow_floats), (std::vector<float>{0.5f, 1.25f, 2.125f}));
}

TEST(InPlace, WorksForOpsThatAreNotElementwise) {
  T t = counting({3, 3}), expected = counting({3, 3}), product;
  ASSERT_EQ(invoke(BP_OP_MATMUL, {value(expected), value(expected)}, product).status, BP_OK);
  ASSERT_EQ(invoke(BP_OP_MATMUL, {value(t), value(t)}, t).status, BP_OK);
  EXPECT_EQ(values<float>(t), values<float>(product));
}

TEST(Overlap, OfAnInputAndAnOutputIsRefused) {
  const T base = counting({7});
  T left = narrow(base, 0, 0, 5), right = narrow(base, 0, 2, 5);
  const Answer r = invoke(BP_OP_NEG, {value(left)}, right);
  EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(
      r.message.find(
          "unsupported operation: some elements of the input tensor and the written-to tensor "
          "refer to a "
          "single memory location. Please clone() the tensor before performing the operation."),
      0u)
      << r.message;
  EXPECT_EQ(values<float>(base), (std::vector<float>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Overlap, OfATensorWithItsTransposeIsRefused) {
  T t = counting({3, 3});
  const T column = made(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{1});
  EXPECT_EQ(invoke(BP_OP_ADD, {value(column), number(int64_t{1})}, t).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(invoke(BP_OP_ADD, {value(t), value(column)}, t).status, BP_INVALID_ARGUMENT);
}

TEST(Overlap, OfInterleavedSlicesIsNone) {
  T t = counting({4, 6});
  T even = made(bp_tensor_slice, t.get(), int64_t{1}, int64_t{0}, BP_SLICE_NONE, int64_t{2});
  const T odd = made(bp_tensor_slice, t.get(), int64_t{1}, int64_t{1}, BP_SLICE_NONE, int64_t{2});
  ASSERT_EQ(invoke(BP_OP_NEG, {value(odd)}, even).status, BP_OK);
  EXPECT_EQ(values<float>(t)[8], -9);
  T left = narrow(t, 1, 0, 3);
  ASSERT_EQ(invoke(BP_OP_NEG, {value(narrow(t, 1, 3, 3))}, left).status, BP_OK)
      << "side by side in every row";
  T top = narrow(t, 0, 0, 2);
  ASSERT_EQ(invoke(BP_OP_NEG, {value(narrow(t, 0, 2, 2))}, top).status, BP_OK);
}

TEST(Overlap, OfOutputsThatRepeatTheirElementsIsRefused) {
  const T one = counting({1, 3});
  const Shape wide{4, 3};
  T repeated = made(bp_tensor_expand, one.get(), 2, wide.data());
  const Answer r = invoke(BP_OP_NEG, {value(counting({4, 3}))}, repeated);
  EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(r.message.find("unsupported operation: more than one element of the written-to tensor "
                           "refers to a single memory "
                           "location. Please clone() the tensor before performing the operation."),
            0u)
      << r.message;
  T folded = strided(counting({9}), {4, 3}, {1, 2}, 0);
  EXPECT_EQ(invoke(BP_OP_NEG, {value(counting({4, 3}))}, folded).status, BP_INVALID_ARGUMENT);
}

// The positions that a view reaches, in row-major order.
std::vector<int64_t> elements(const Shape& shape, const Shape& strides, int64_t offset) {
  std::vector<int64_t> at;
  for (int64_t i = 0; i < shape[0]; ++i)
    for (int64_t j = 0; j < shape[1]; ++j) at.push_back(offset + i * strides[0] + j * strides[1]);
  return at;
}
bool meet(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  for (int64_t at : a)
    if (std::count(b.begin(), b.end(), at)) return true;
  return false;
}

// Every pair of small strided views of one storage: an op is refused whenever they meet without
// being the same. Views that do not meet may be refused only when their strides differ, where
// deciding exactly is not promised.
TEST(Overlap, IsFoundForEveryPairOfSmallViews) {
  const T base = counting({40});
  struct Row {
    Shape shape, strides;
    int64_t offset;
  };
  std::vector<Row> all;
  for (int64_t rows : {1, 2})
    for (int64_t cols : {1, 3})
      for (const Shape& strides : {Shape{4, 1}, Shape{1, 2}, Shape{6, 2}, Shape{8, 3}, Shape{1, 1},
                                   Shape{-4, 1}, Shape{0, 3}, Shape{3, 4}})
        for (int64_t offset : {4, 5, 6, 9, 12}) all.push_back({{rows, cols}, strides, offset});
  for (const Row& dst : all) {
    const std::vector<int64_t> written = elements(dst.shape, dst.strides, dst.offset);
    if (std::set<int64_t>(written.begin(), written.end()).size() < written.size())
      continue;  // repeats its elements
    T out = strided(base, dst.shape, dst.strides, dst.offset);
    for (const Row& src : all) {
      const std::vector<int64_t> read = elements(src.shape, src.strides, src.offset);
      if (read == written || src.shape != dst.shape) continue;
      const bp_status status =
          invoke(BP_OP_NEG, {value(strided(base, src.shape, src.strides, src.offset))}, out).status;
      const bool exact = src.strides == dst.strides && src.strides[0] > 0;
      if (meet(read, written)) {
        EXPECT_EQ(status, BP_INVALID_ARGUMENT) << dst.offset << " and " << src.offset;
      } else if (exact) {
        EXPECT_EQ(status, BP_OK) << dst.offset << " and " << src.offset;
      }
    }
  }
}

// The same for an operand that is broadcast to the output's shape.
TEST(Overlap, IsFoundForBroadcastOperands) {
  const T base = counting({40}), zero = tensor<float>({2, 3}, std::vector<float>(6, 0));
  int refused = 0;
  for (const Shape& dst_strides : {Shape{4, 1}, Shape{3, 4}, Shape{8, 3}})
    for (const Shape& shape : {Shape{1, 3}, Shape{2, 1}, Shape{1, 1}})
      for (const Shape& strides : {Shape{4, 1}, Shape{1, 1}, Shape{3, 4}, Shape{7, 2}, Shape{8, 3}})
        for (int64_t offset = 0; offset < 20; ++offset) {
          T out = strided(base, {2, 3}, dst_strides, 8);
          const std::vector<int64_t> written = elements({2, 3}, dst_strides, 8),
                                     read = elements(shape, strides, offset);
          const bp_status status =
              invoke(BP_OP_ADD, {value(zero), value(strided(base, shape, strides, offset))}, out)
                  .status;
          if (meet(read, written)) {
            EXPECT_EQ(status, BP_INVALID_ARGUMENT) << "offset " << offset;
          }
          refused += status != BP_OK;
        }
  EXPECT_GT(refused, 0);
}

TEST(Overlap, OfBothOutputsOfOneCallIsRefused) {
  const T x = counting<int64_t>({4}), shared = counting<int64_t>({4});
  bp_tensor* outs[2] = {shared.get(), shared.get()};
  const bp_value in = value(x);
  EXPECT_EQ(bp_invoke(BP_OP_SORT, &in, 1, nullptr, 0, outs, 2, nullptr), BP_INVALID_ARGUMENT);
}

TEST(Outputs, OnAnotherDeviceAreRefused) {
  T there = counting({3}, device("null:0"));
  const Answer r = invoke(BP_OP_NEG, {value(counting({3}))}, there);
  EXPECT_EQ(r.status, BP_DEVICE_MISMATCH);
  EXPECT_NE(r.message.find("null:0"), std::string::npos) << r.message;
  EXPECT_NE(r.message.find("cpu"), std::string::npos) << r.message;
}

}  // namespace
}  // namespace bp_test
