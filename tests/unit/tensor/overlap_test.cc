// SPDX-License-Identifier: Apache-2.0
// What counts as overlapping, and the sentences. Exhaustively over small views:
// tests/api/alias_test.cc.
#include "core/tensor/tensor.h"
#include "kit/tensors.h"
#include "unit/thrown.h"

namespace bp_test {
namespace {

struct View {
  Shape shape, strides;
  int64_t offset;
};
T of(const T& room, const View& v) {
  return made(bp_tensor_as_strided, room.get(), rank(v.shape), v.shape.data(), v.strides.data(),
              v.offset);
}

TEST(Overlap, IsDecidedExactlyForSlicesOfOneBase) {
  const T room = counting({100});
  const struct {
    View dst, src;
    bool meet;
  } rows[] = {
      {{{4}, {1}, 0}, {{4}, {1}, 4}, false},  // neighbours
      {{{4}, {1}, 0}, {{4}, {1}, 3}, true},   // one element
      {{{4}, {2}, 0}, {{4}, {2}, 1}, false},  // even and odd places
      {{{4}, {2}, 0}, {{4}, {2}, 2}, true},
      {{{3, 3}, {10, 1}, 0}, {{3, 3}, {10, 1}, 3}, false},  // columns of one matrix
      {{{3, 3}, {10, 1}, 0}, {{3, 3}, {10, 1}, 2}, true},
      {{{3, 3}, {10, 1}, 0}, {{3, 3}, {10, 1}, 9}, true},
      {{{3, 3}, {10, 1}, 0}, {{3, 3}, {10, 1}, 30}, false},  // rows of it
      {{{2, 2}, {20, 2}, 0}, {{2, 2}, {20, 2}, 11}, false},  // a chequered board
      {{{0, 3}, {3, 1}, 0}, {{9}, {1}, 0}, false},           // of nothing
      {{{3}, {1}, 0}, {{3}, {-1}, 5}, false},                // backwards, beside it
      {{{3}, {1}, 0}, {{3}, {-1}, 4}, true},
      {{{2, 3}, {3, 1}, 0}, {{3, 2}, {1, 3}, 0}, true},  // other strides: careful
  };
  for (const auto& row : rows) {
    const T dst = of(room, row.dst), src = of(room, row.src);
    const Answer a = caught([&] { bp::check_overlap(*dst, *src); });
    EXPECT_EQ(a.status, row.meet ? BP_INVALID_ARGUMENT : BP_OK)
        << bp::format_shape(row.dst.shape) << " at " << row.dst.offset << ", "
        << bp::format_shape(row.src.shape) << " at " << row.src.offset;
    EXPECT_EQ(caught([&] { bp::check_overlap(*src, *dst); }).status, a.status);
  }
}

TEST(Overlap, OfTheSameElementsIsNone) {
  const T room = counting({12}), other = counting({12});
  const T a = of(room, {{3, 4}, {4, 1}, 0}), same = of(room, {{3, 4}, {4, 1}, 0}),
          turned = of(room, {{4, 3}, {1, 4}, 0});
  EXPECT_TRUE(bp::same_elements(*a, *same));
  EXPECT_FALSE(bp::same_elements(*a, *turned));
  EXPECT_FALSE(bp::same_elements(*a, *of(other, {{3, 4}, {4, 1}, 0})));
  EXPECT_EQ(caught([&] { bp::check_overlap(*a, *same); }).status, BP_OK);
  EXPECT_EQ(caught([&] { bp::check_overlap(*a, *other); }).status, BP_OK);
  EXPECT_EQ(thrown([&] { bp::check_overlap(*a, *turned); }),
            "unsupported operation: some elements of the input tensor and the written-to tensor "
            "refer to a single memory location. Please clone() the tensor before performing the "
            "operation. (written-to: shape [3, 4], strides [4, 1], offset 0; input: shape [4, 3], "
            "strides [1, 4], offset 0)");
}

TEST(Overlap, OfComplexNumbersAndTheirPartsIsSeenInBytes) {
  const T z = to(counting({8}), kCpu, BP_C64);
  const T parts = made(bp_tensor_view_as_real, z.get());  // [8, 2]
  const T first = made(bp_tensor_narrow, z.get(), int64_t{0}, int64_t{0}, int64_t{4});
  const T front = made(bp_tensor_narrow, parts.get(), int64_t{0}, int64_t{0}, int64_t{4});
  const T fourth = made(bp_tensor_narrow, parts.get(), int64_t{0}, int64_t{3}, int64_t{1});
  const T back = made(bp_tensor_narrow, parts.get(), int64_t{0}, int64_t{4}, int64_t{4});
  EXPECT_EQ(caught([&] { bp::check_overlap(*first, *front); }).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(caught([&] { bp::check_overlap(*first, *fourth); }).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(caught([&] { bp::check_overlap(*first, *back); }).status, BP_OK);
}

TEST(Writable, IsWhatRepeatsNoElement) {
  const T room = counting({12});
  bp::check_writable(*of(room, {{3, 4}, {4, 1}, 0}));
  bp::check_writable(*of(room, {{3, 2}, {4, 2}, 0}));
  EXPECT_EQ(thrown([&] {
              bp::check_writable(*of(room, {{3, 4}, {0, 1}, 0}));
            }),
            "unsupported operation: more than one element of the written-to tensor refers to a "
            "single memory location. Please clone() the tensor before performing the operation. "
            "(shape [3, 4], strides [0, 1])");
}

}  // namespace
}  // namespace bp_test
