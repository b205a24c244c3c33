// SPDX-License-Identifier: Apache-2.0
// Views: new shape and strides over the same storage; PyTorch's rules and texts.
#include "kit/tensors.h"

namespace bp_test {
namespace {

T slice(const T& t, int64_t dim, int64_t start, int64_t end, int64_t step) {
  return made(bp_tensor_slice, t.get(), dim, start, end, step);
}
T reshape(const T& t, const Shape& s) {
  return made(bp_tensor_reshape, t.get(), rank(s), s.data());
}
T permute(const T& t, const Shape& dims) {
  return made(bp_tensor_permute, t.get(), rank(dims), dims.data());
}
T expand(const T& t, const Shape& s) { return made(bp_tensor_expand, t.get(), rank(s), s.data()); }
Answer no_view(const T& t, const Shape& s) {
  return refusal(bp_tensor_view, t.get(), rank(s), s.data());
}
Answer no_expand(const T& t, const Shape& s) {
  return refusal(bp_tensor_expand, t.get(), rank(s), s.data());
}

constexpr int64_t kNone = BP_SLICE_NONE;

TEST(Slice, FollowsPythonsRules) {
  const T t = counting({6});
  struct Row {
    int64_t start, end, step;
    std::vector<float> want;
  };
  const Row rows[] = {{kNone, kNone, 1, {0, 1, 2, 3, 4, 5}},
                      {1, 4, 1, {1, 2, 3}},
                      {-3, kNone, 1, {3, 4, 5}},
                      {kNone, -2, 1, {0, 1, 2, 3}},
                      {1, kNone, 2, {1, 3, 5}},
                      {0, 100, 4, {0, 4}},
                      {-100, 2, 1, {0, 1}},
                      {4, 2, 1, {}},
                      {100, 200, 1, {}},
                      {kNone, kNone, -1, {5, 4, 3, 2, 1, 0}},
                      {4, 1, -1, {4, 3, 2}},
                      {kNone, 2, -2, {5, 3}},
                      {2, kNone, -1, {2, 1, 0}},
                      {-2, -5, -1, {4, 3, 2}},
                      {100, -100, -5, {5, 0}},
                      {1, 4, -1, {}},
                      {0, 6, INT64_MAX, {0}},
                      {5, kNone, INT64_MIN + 1, {5}}};
  for (const Row& r : rows)
    EXPECT_EQ(values<float>(slice(t, 0, r.start, r.end, r.step)), r.want)
        << r.start << ":" << r.end << ":" << r.step;
  EXPECT_EQ(
      refusal(bp_tensor_slice, t.get(), int64_t{0}, int64_t{0}, int64_t{1}, int64_t{0}).message,
      "slice step must not be zero");
  EXPECT_EQ(refusal(bp_tensor_slice, tensor<float>({}, {1}).get(), int64_t{0}, int64_t{0},
                    int64_t{1}, int64_t{1})
                .message,
            "slice() cannot be applied to a 0-dim tensor.");
}

TEST(Slice, OfASliceComposes) {
  const T t = counting({4, 6}), part = slice(slice(t, 1, 1, kNone, 2), 0, kNone, kNone, -2);
  EXPECT_EQ(shape_of(part), (Shape{2, 3}));
  EXPECT_EQ(strides_of(part), (Shape{-12, 2}));
  EXPECT_EQ(bp_tensor_offset(part.get()), 19);
  EXPECT_EQ(values<float>(part), (std::vector<float>{19, 21, 23, 7, 9, 11}));
  EXPECT_TRUE(bp_tensor_same_storage(t.get(), part.get()));
  EXPECT_FALSE(bp_tensor_is_contiguous(part.get()));
}

TEST(Dimensions, OutOfRangeAreNamed) {
  const T t = counting({2, 3});
  const std::string text = "Dimension out of range (expected to be in range of [-2, 1], but got 2)";
  for (const Answer& r :
       {refusal(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{2}),
        refusal(bp_tensor_slice, t.get(), int64_t{2}, int64_t{0}, int64_t{1}, int64_t{1}),
        refusal(bp_tensor_select, t.get(), int64_t{2}, int64_t{0}),
        refusal(bp_tensor_flatten, t.get(), int64_t{0}, int64_t{2})}) {
    EXPECT_EQ(r.status, BP_INDEX_OUT_OF_RANGE);
    EXPECT_EQ(r.message, text);
  }
  EXPECT_EQ(refusal(bp_tensor_unsqueeze, t.get(), int64_t{3}).message,
            "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
}

TEST(Select, DropsADimension) {
  const T t = counting({2, 3});
  EXPECT_EQ(values<float>(made(bp_tensor_select, t.get(), int64_t{0}, int64_t{-1})),
            (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(values<float>(made(bp_tensor_select, t.get(), int64_t{-1}, int64_t{1})),
            (std::vector<float>{1, 4}));
  const Answer r = refusal(bp_tensor_select, t.get(), int64_t{1}, int64_t{3});
  EXPECT_EQ(r.status, BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(r.message, "select(): index 3 out of range for tensor of size [2, 3] at dimension 1");
  EXPECT_EQ(refusal(bp_tensor_select, tensor<float>({}, {1}).get(), int64_t{0}, int64_t{0}).message,
            "select() cannot be applied to a 0-dim tensor.");
}

TEST(Narrow, KeepsARange) {
  const T t = counting({5});
  EXPECT_EQ(values<float>(made(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{1}, int64_t{3})),
            (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(values<float>(made(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{-2}, int64_t{2})),
            (std::vector<float>{3, 4}));
  EXPECT_EQ(
      bp_tensor_numel(made(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{5}, int64_t{0}).get()),
      0);
  EXPECT_EQ(refusal(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{3}, int64_t{3}).message,
            "start (3) + length (3) exceeds dimension size (5).");
  EXPECT_EQ(refusal(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{3}, INT64_MAX).status,
            BP_INVALID_ARGUMENT);
  EXPECT_LT(refusal(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{9}, int64_t{1}).status, 0);
  EXPECT_LT(refusal(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{0}, int64_t{-1}).status, 0);
}

TEST(Permute, ReordersDimensions) {
  const T t = counting({2, 3, 4}), p = permute(t, {2, 0, -2});
  EXPECT_EQ(shape_of(p), (Shape{4, 2, 3}));
  EXPECT_EQ(strides_of(p), (Shape{1, 12, 4}));
  const Shape twice{0, 1, 1}, few{0, 1};
  EXPECT_EQ(refusal(bp_tensor_permute, t.get(), 3, twice.data()).status, BP_INVALID_ARGUMENT);
  EXPECT_NE(refusal(bp_tensor_permute, t.get(), 2, few.data())
                .message.find("input.dim() = 3 is not equal to len(dims) = 2"),
            std::string::npos);
  EXPECT_EQ(bp_tensor_rank(permute(tensor<float>({}, {1}), {}).get()), 0);
}

TEST(Transpose, OfAZeroDimTensorIsItself) {
  const T t = made(bp_tensor_transpose, tensor<float>({}, {3}).get(), int64_t{0}, int64_t{-1});
  EXPECT_EQ(values<float>(t), (std::vector<float>{3}));
}

TEST(View, KeepsTheStorage) {
  const T t = counting({2, 6});
  for (const Shape& s : {Shape{12}, Shape{3, 4}, Shape{2, 2, 3}, Shape{-1, 2}, Shape{1, 12, 1}}) {
    const T v = made(bp_tensor_view, t.get(), rank(s), s.data());
    EXPECT_TRUE(bp_tensor_same_storage(t.get(), v.get()));
    EXPECT_EQ(values<float>(v), values<float>(t));
  }
  EXPECT_EQ(no_view(t, {5, 2}).message, "shape '[5, 2]' is invalid for input of size 12");
  EXPECT_EQ(no_view(t, {-1, 5}).message, "shape '[-1, 5]' is invalid for input of size 12");
  EXPECT_EQ(no_view(t, {-1, -1}).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(no_view(t, {-2, 6}).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(no_view(t, {int64_t{1} << 40, int64_t{1} << 40}).status < 0, true);
}

TEST(View, OfNoElementsHasTheStridesOfItsShape) {
  const T none = counting({0, 4});
  for (const auto& [shape, strides] :
       {std::pair{Shape{0, 3}, Shape{3, 1}}, std::pair{Shape{2, 0, 5}, Shape{5, 5, 1}},
        std::pair{Shape{4, 0}, Shape{1, 1}}}) {
    const T v = made(bp_tensor_view, none.get(), rank(shape), shape.data());
    EXPECT_EQ(shape_of(v), shape);
    EXPECT_EQ(strides_of(v), strides);
    EXPECT_EQ(bp_tensor_numel(v.get()), 0);
  }
}

TEST(View, IsRefusedWhereOnlyACopyWouldDo) {
  const T column = made(bp_tensor_transpose, counting({2, 3}).get(), int64_t{0}, int64_t{1});
  const Answer r = no_view(column, {6});
  EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(r.message.find("view size is not compatible with input tensor's size and stride (at "
                           "least one dimension spans "
                           "across two contiguous subspaces). Use .reshape(...) instead."),
            0u)
      << r.message;
  // But dimensions that are not merged may stay strided.
  const Shape split{3, 2, 1};
  EXPECT_TRUE(bp_tensor_same_storage(column.get(),
                                     made(bp_tensor_view, column.get(), 3, split.data()).get()));
}

TEST(Reshape, CopiesOnlyWhereItMust) {
  const T t = counting({4, 6}), column = made(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{1});
  EXPECT_TRUE(bp_tensor_same_storage(t.get(), reshape(t, {3, 8}).get()));
  EXPECT_TRUE(bp_tensor_same_storage(t.get(), reshape(slice(t, 1, 0, 4, 1), {4, 2, 2}).get()));
  EXPECT_TRUE(bp_tensor_same_storage(t.get(), reshape(slice(t, 0, 0, 4, 2), {12}).get()) == 0);
  const T flat = reshape(column, {24});
  EXPECT_FALSE(bp_tensor_same_storage(t.get(), flat.get()));
  EXPECT_EQ(values<float>(flat), values<float>(column));
}

TEST(Reshape, InfersOneSizeEvenOfNothing) {
  EXPECT_EQ(shape_of(reshape(counting({0, 3}), {3, -1})), (Shape{3, 0}));
  EXPECT_EQ(shape_of(reshape(counting({0, 3}), {0})), (Shape{0}));
  const Shape ambiguous{0, -1};
  EXPECT_NE(refusal(bp_tensor_reshape, counting({0, 3}).get(), 2, ambiguous.data())
                .message.find("is ambiguous"),
            std::string::npos);
  EXPECT_EQ(shape_of(reshape(tensor<float>({}, {1}), {-1})), (Shape{1}));
  EXPECT_EQ(shape_of(reshape(tensor<float>({1, 1}, {1}), {})), Shape{});
}

TEST(Reshape, OfEveryPermutedCubeEqualsTheCopy) {
  const T cube = counting({2, 3, 4});
  for (const Shape& order : {Shape{0, 1, 2}, Shape{0, 2, 1}, Shape{1, 0, 2}, Shape{1, 2, 0},
                             Shape{2, 0, 1}, Shape{2, 1, 0}})
    for (const Shape& to : {Shape{24}, Shape{4, 6}, Shape{2, 12}, Shape{3, 8}, Shape{2, 3, 2, 2},
                            Shape{1, 24, 1}, Shape{6, 4}}) {
      const T p = permute(cube, order), dense = made(bp_tensor_contiguous, p.get());
      EXPECT_EQ(values<float>(reshape(p, to)), values<float>(dense));
    }
}

TEST(Expand, RepeatsWithStrideZero) {
  const T t = counting({3, 1}), e = expand(t, {2, 3, 4});
  EXPECT_EQ(strides_of(e), (Shape{0, 1, 0}));
  EXPECT_EQ(values<float>(e)[4], 1);
  EXPECT_EQ(shape_of(expand(t, {-1, 5})), (Shape{3, 5}));
  EXPECT_EQ(shape_of(expand(t, {3, 0})), (Shape{3, 0}));
  EXPECT_EQ(no_expand(t, {4, 1}).message,
            "The expanded size of the tensor (4) must match the existing size (3) at non-singleton "
            "dimension 0.  Target sizes: "
            "[4, 1].  Tensor sizes: [3, 1]");
  EXPECT_EQ(no_expand(t, {3}).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(no_expand(t, {-1, 3, 1}).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(no_expand(t, {3, -2}).status, BP_INVALID_ARGUMENT);
}

TEST(Squeeze, DropsOnlyOnes) {
  const T t = counting({1, 3, 1, 2});
  auto squeeze = [&](const Shape& dims) {
    return shape_of(
        made(bp_tensor_squeeze, t.get(), dims.data(), static_cast<uint32_t>(dims.size())));
  };
  EXPECT_EQ(squeeze({}), (Shape{3, 2}));
  EXPECT_EQ(squeeze({0}), (Shape{3, 1, 2}));
  EXPECT_EQ(squeeze({1}), (Shape{1, 3, 1, 2}));
  EXPECT_EQ(squeeze({0, -2}), (Shape{3, 2}));
}

TEST(Unsqueeze, AddsAOneAnywhere) {
  const T t = counting({2, 3});
  EXPECT_EQ(shape_of(made(bp_tensor_unsqueeze, t.get(), int64_t{0})), (Shape{1, 2, 3}));
  EXPECT_EQ(shape_of(made(bp_tensor_unsqueeze, t.get(), int64_t{-1})), (Shape{2, 3, 1}));
  EXPECT_EQ(shape_of(made(bp_tensor_unsqueeze, t.get(), int64_t{-3})), (Shape{1, 2, 3}));
  const std::vector<int64_t> deep(64, 1);
  const T full = made(bp_tensor_ones, 64, deep.data(), BP_F32, kCpu);
  EXPECT_EQ(refusal(bp_tensor_unsqueeze, full.get(), int64_t{0}).status, BP_INVALID_ARGUMENT);
}

TEST(Flatten, MergesARange) {
  const T t = counting({2, 3, 4});
  EXPECT_EQ(shape_of(made(bp_tensor_flatten, t.get(), int64_t{0}, int64_t{-1})), (Shape{24}));
  EXPECT_EQ(shape_of(made(bp_tensor_flatten, t.get(), int64_t{1}, int64_t{2})), (Shape{2, 12}));
  EXPECT_EQ(
      shape_of(made(bp_tensor_flatten, tensor<float>({}, {1}).get(), int64_t{0}, int64_t{-1})),
      (Shape{1}));
  EXPECT_EQ(refusal(bp_tensor_flatten, t.get(), int64_t{2}, int64_t{1}).status,
            BP_INVALID_ARGUMENT);
}

TEST(Diagonal, IsAViewWithTheTwoDimensionsAsOne) {
  const T t = counting({2, 3, 4});
  const T d = made(bp_tensor_diagonal, t.get(), int64_t{1}, int64_t{1}, int64_t{-1});
  EXPECT_EQ(shape_of(d), (Shape{2, 3}));
  EXPECT_EQ(strides_of(d), (Shape{12, 5}));
  EXPECT_EQ(values<float>(d), (std::vector<float>{1, 6, 11, 13, 18, 23}));
  EXPECT_TRUE(bp_tensor_same_storage(t.get(), d.get()));
  const T below = made(bp_tensor_diagonal, t.get(), int64_t{-2}, int64_t{2}, int64_t{1});
  EXPECT_EQ(values<float>(below), (std::vector<float>{2, 7, 14, 19}));
}

TEST(Diagonal, BeyondTheCornerIsEmpty) {
  const T t = counting({2, 3});
  for (int64_t offset : {int64_t{3}, int64_t{-2}, INT64_MAX, INT64_MIN})
    EXPECT_EQ(shape_of(made(bp_tensor_diagonal, t.get(), offset, int64_t{0}, int64_t{1})),
              (Shape{0}));
  EXPECT_EQ(refusal(bp_tensor_diagonal, t.get(), int64_t{0}, int64_t{1}, int64_t{-1}).message,
            "diagonal dimensions cannot be identical 1, -1");
  EXPECT_EQ(
      refusal(bp_tensor_diagonal, tensor<float>({}, {1}).get(), int64_t{0}, int64_t{0}, int64_t{-1})
          .status,
      BP_INVALID_ARGUMENT);
}

TEST(Flip, IsAViewWithNegativeStrides) {
  const T t = counting({2, 3});
  const Shape both{0, 1}, twice{1, -1};
  const T f = made(bp_tensor_flip, t.get(), both.data(), 2u);
  EXPECT_EQ(strides_of(f), (Shape{-3, -1}));
  EXPECT_EQ(values<float>(f), (std::vector<float>{5, 4, 3, 2, 1, 0}));
  EXPECT_TRUE(bp_tensor_same_storage(t.get(), f.get()));
  EXPECT_EQ(values<float>(made(bp_tensor_flip, f.get(), both.data(), 2u)), values<float>(t));
  EXPECT_EQ(refusal(bp_tensor_flip, t.get(), twice.data(), 2u).status, BP_INVALID_ARGUMENT);
}

TEST(AsStrided, StaysInsideTheStorage) {
  const T t = counting({6});
  auto view = [&](const Shape& shape, const Shape& strides, int64_t offset) {
    return made(bp_tensor_as_strided, t.get(), rank(shape), shape.data(), strides.data(), offset);
  };
  EXPECT_EQ(values<float>(view({3, 2}, {1, 3}, 0)), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(values<float>(view({4, 3}, {1, 1}, 0)),
            (std::vector<float>{0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5}));
  EXPECT_EQ(values<float>(view({3}, {-2}, 5)), (std::vector<float>{5, 3, 1}));
  EXPECT_EQ(values<float>(view({0}, {1}, 6)), std::vector<float>{});
  struct Row {
    Shape shape, strides;
    int64_t offset;
  };
  for (const Row& r : {Row{{7}, {1}, 0}, Row{{2}, {1}, 5}, Row{{2}, {-1}, 0}, Row{{1}, {1}, -1},
                       Row{{2, 2}, {INT64_MAX, INT64_MAX}, 0}, Row{{3}, {INT64_MAX}, 0},
                       Row{{1}, {1}, INT64_MAX}, Row{{-1}, {1}, 0}}) {
    EXPECT_EQ(refusal(bp_tensor_as_strided, t.get(), rank(r.shape), r.shape.data(),
                      r.strides.data(), r.offset)
                  .status,
              BP_INVALID_ARGUMENT);
  }
}

TEST(Views, OnAnotherDeviceMoveNoData) {
  const T t = counting({4, 6}, device("null:1"));
  const uint64_t before = crossed(device("null:1"), kCpu).n_copies;
  const T v = permute(slice(t, 1, 1, kNone, 2), {1, 0});
  EXPECT_EQ(crossed(device("null:1"), kCpu).n_copies, before);
  EXPECT_EQ(values<float>(v), (std::vector<float>{1, 7, 13, 19, 3, 9, 15, 21, 5, 11, 17, 23}));
}

}  // namespace
}  // namespace bp_test
