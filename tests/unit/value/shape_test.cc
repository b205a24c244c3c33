// SPDX-License-Identifier: Apache-2.0
// Shapes and strides as pure functions.
#include "core/value/shape.h"

#include <vector>

#include "unit/thrown.h"

namespace bp {
namespace {

using bp_test::thrown;
using Sizes = std::vector<int64_t>;

Sizes sizes(const Dims& d) { return Sizes(d.begin(), d.end()); }
constexpr int64_t kHuge = int64_t{1} << 40;

TEST(Numel, IsTheProductOfTheSizes) {
  const struct {
    Sizes shape;
    int64_t n;
  } rows[] = {{{}, 1},
              {{5}, 5},
              {{2, 3, 4}, 24},
              {{2, 0, 4}, 0},
              {{kHuge, 0, kHuge, kHuge}, 0},
              {{int64_t{1} << 62}, int64_t{1} << 62}};
  for (const auto& row : rows) {
    EXPECT_EQ(checked_numel(row.shape), row.n) << format_shape(row.shape);
    EXPECT_EQ(numel(row.shape), row.n) << format_shape(row.shape);
  }
}

TEST(Numel, RefusesWhatDoesNotFit) {
  EXPECT_EQ(
      thrown(
          [] {
            checked_numel(Sizes{kHuge, kHuge});
          },
          BP_OUT_OF_HOST_MEMORY),
      "the number of elements of shape [1099511627776, 1099511627776] does not fit in 64 bits");
  EXPECT_EQ(thrown([] {
              checked_numel(Sizes{2, -1, 0});
            }),
            "Trying to create tensor with negative dimension -1: [2, -1, 0]");
  EXPECT_EQ(checked_numel(Sizes(64, 1)), 1);
  EXPECT_EQ(thrown([] { checked_numel(Sizes(65, 1)); }), "rank 65 is beyond the limit of 64");
}

TEST(Bytes, RefuseWhatNoAddressReaches) {
  EXPECT_EQ(checked_bytes(Sizes{2, 3}, 8), 48u);
  EXPECT_EQ(checked_bytes(Sizes{0, kHuge, kHuge}, 8), 0u);
  EXPECT_EQ(checked_bytes(Sizes{int64_t{1} << 59}, 8), uint64_t{1} << 62);
  EXPECT_EQ(thrown([] { checked_bytes(Sizes{(int64_t{1} << 59) + 1}, 8); }, BP_OUT_OF_HOST_MEMORY),
            "shape [576460752303423489] of 8-byte elements is too large to address");
}

TEST(Strides, OfADenseShapeAreRowMajor) {
  const struct {
    Sizes shape, strides;
  } rows[] = {{{}, {}},
              {{5}, {1}},
              {{2, 3, 4}, {12, 4, 1}},
              {{2, 1, 4}, {4, 4, 1}},
              {{2, 0, 4}, {4, 4, 1}}};
  for (const auto& row : rows) {
    EXPECT_EQ(sizes(contiguous_strides(row.shape)), row.strides) << format_shape(row.shape);
    EXPECT_TRUE(is_contiguous(row.shape, row.strides)) << format_shape(row.shape);
  }
  EXPECT_EQ(contiguous_strides(Sizes{kHuge, 0, kHuge, kHuge}).size(), 4u) << "wraps, and is 0 long";
}

TEST(Strides, OfSizesOfOneAndOfNothingDoNotCount) {
  const struct {
    Sizes shape, strides;
    bool dense;
  } rows[] = {{{2, 3}, {1, 2}, false}, {{2, 3}, {4, 1}, false}, {{2, 3}, {-3, -1}, false},
              {{1, 3}, {77, 1}, true}, {{3, 1}, {1, 77}, true}, {{3, 0}, {5, 5}, true},
              {{1}, {0}, true},        {{2}, {0}, false},       {{2, 1, 2}, {2, 9, 1}, true}};
  for (const auto& row : rows)
    EXPECT_EQ(is_contiguous(row.shape, row.strides), row.dense)
        << format_shape(row.shape) << " " << format_shape(row.strides);
}

TEST(WrapDim, CountsFromEitherEnd) {
  EXPECT_EQ(wrap_dim(0, 3), 0);
  EXPECT_EQ(wrap_dim(2, 3), 2);
  EXPECT_EQ(wrap_dim(-1, 3), 2);
  EXPECT_EQ(wrap_dim(-3, 3), 0);
  EXPECT_EQ(wrap_dim(-1, 0), 0) << "a 0-d tensor has one dimension here";
  EXPECT_EQ(thrown([] { wrap_dim(3, 3); }, BP_INDEX_OUT_OF_RANGE),
            "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
  EXPECT_EQ(thrown([] { wrap_dim(-2, 0); }, BP_INDEX_OUT_OF_RANGE),
            "Dimension out of range (expected to be in range of [-1, 0], but got -2)");
}

TEST(Broadcast, AddsLeadingAxes) {
  const struct {
    Sizes a, b, both;
  } rows[] = {{{3, 1}, {2, 1, 4}, {2, 3, 4}},
              {{}, {}, {}},
              {{}, {0}, {0}},
              {{1}, {0}, {0}},
              {{5}, {5}, {5}},
              {{1, 5}, {4, 1}, {4, 5}},
              {{2, 3}, {}, {2, 3}},
              {{1}, {1, 1}, {1, 1}}};
  for (const auto& row : rows) {
    EXPECT_EQ(sizes(broadcast_shapes(row.a, row.b)), row.both) << format_shape(row.a);
    EXPECT_EQ(sizes(broadcast_shapes(row.b, row.a)), row.both) << format_shape(row.a);
  }
  EXPECT_EQ(
      thrown([] {
        broadcast_shapes(Sizes{2, 3}, Sizes{2, 4});
      }),
      "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
  EXPECT_NE(thrown([] { broadcast_shapes(Sizes{2}, Sizes{0}); }), "no error");
}

TEST(Broadcast, RepeatsByAStrideOfZero) {
  EXPECT_EQ(sizes(broadcast_strides(Sizes{3, 1}, Sizes{7, 5}, Sizes{2, 3, 4})), (Sizes{0, 7, 0}));
  EXPECT_EQ(sizes(broadcast_strides(Sizes{1, 3}, Sizes{9, -1}, Sizes{1, 3})), (Sizes{9, -1}));
  EXPECT_EQ(sizes(broadcast_strides(Sizes{}, Sizes{}, Sizes{2, 2})), (Sizes{0, 0}));
}

TEST(Expand, KeepsWhatMinusOneStandsFor) {
  EXPECT_EQ(sizes(expanded_shape(Sizes{3, 1}, Sizes{2, -1, 4})), (Sizes{2, 3, 4}));
  EXPECT_EQ(sizes(expanded_shape(Sizes{1}, Sizes{0})), (Sizes{0}));
  const struct {
    Sizes shape, to;
    const char* message;
  } rows[] = {
      {{2, 3},
       {3},
       "expand: the number of sizes provided (1) must be greater or equal to the "
       "number of dimensions in the tensor (2)"},
      {{3},
       {-1, 3},
       "The expanded size of the tensor (-1) isn't allowed in a leading, "
       "non-existing dimension 0"},
      {{3}, {-2}, "expand: size -2 at dimension 0 is negative"},
      {{3},
       {2, 4},
       "The expanded size of the tensor (4) must match the existing size (3) at "
       "non-singleton dimension 1.  Target sizes: [2, 4].  Tensor sizes: [3]"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(thrown([&] { expanded_shape(row.shape, row.to); }), row.message);
}

TEST(Reshape, InfersTheOneSizeThatIsLeftOut) {
  EXPECT_EQ(sizes(resolve_reshape(Sizes{2, -1}, 6)), (Sizes{2, 3}));
  EXPECT_EQ(sizes(resolve_reshape(Sizes{-1}, 0)), (Sizes{0}));
  EXPECT_EQ(sizes(resolve_reshape(Sizes{3, 0}, 0)), (Sizes{3, 0}));
  EXPECT_EQ(sizes(resolve_reshape(Sizes{}, 1)), Sizes{});
  const struct {
    Sizes to;
    int64_t n;
    const char* message;
  } rows[] = {
      {{2, -1}, 5, "shape '[2, -1]' is invalid for input of size 5"},
      {{4}, 5, "shape '[4]' is invalid for input of size 5"},
      {{-1, -1}, 4, "only one dimension can be inferred: [-1, -1]"},
      {{-3}, 3, "invalid shape dimension -3 in [-3]"},
      {{0, -1},
       0,
       "cannot reshape tensor of 0 elements into shape [0, -1] because the "
       "unspecified dimension size -1 can be any value and is ambiguous"},
  };
  for (const auto& row : rows)
    EXPECT_EQ(thrown([&] { resolve_reshape(row.to, row.n); }), row.message);
}

// Where each element of (shape, strides) lies, in row-major order.
Sizes places(const Sizes& shape, const Sizes& strides) {
  Sizes at{0};
  for (size_t d = 0; d < shape.size(); ++d) {
    Sizes next;
    for (const int64_t from : at)
      for (int64_t i = 0; i < shape[d]; ++i) next.push_back(from + i * strides[d]);
    at = next;
  }
  return at;
}

// Every factorisation of 12 as a shape of up to three dimensions, seen as every other one.
TEST(ViewStrides, AreThoseUnderWhichEachElementStaysWhereItIs) {
  std::vector<Sizes> shapes;
  for (const int64_t a : {1, 2, 3, 4, 6, 12})
    for (const int64_t b : {1, 2, 3, 4, 6, 12})
      for (const int64_t c : {1, 2, 3, 4, 6, 12}) {
        if (a * b * c == 12) shapes.push_back({a, b, c});
        if (c == 1 && a * b == 12) shapes.push_back({a, b});
      }
  int views = 0, refused = 0;
  for (const Sizes& from : shapes)
    for (const Sizes& strides : {sizes(contiguous_strides(from)), Sizes(from.size(), 0),
                                 sizes(contiguous_strides(Sizes(from.rbegin(), from.rend())))})
      for (const Sizes& to : shapes) {
        Dims out;
        if (!view_strides(from, strides, to, &out)) {
          ++refused;
          continue;
        }
        ++views;
        EXPECT_EQ(places(to, sizes(out)), places(from, strides))
            << format_shape(from) << " " << format_shape(strides) << " as " << format_shape(to);
      }
  EXPECT_GT(views, 0);
  EXPECT_GT(refused, 0);
}

TEST(ViewStrides, AreNoneWhereOnlyACopyWouldDo) {
  Dims out;
  EXPECT_FALSE(view_strides(Sizes{2, 3}, Sizes{1, 2}, Sizes{6}, &out));
  EXPECT_TRUE(view_strides(Sizes{2, 3}, Sizes{1, 2}, Sizes{2, 1, 3}, &out));
  EXPECT_EQ(sizes(out), (Sizes{1, 6, 2}));
  EXPECT_TRUE(view_strides(Sizes{2, 4}, Sizes{4, -1}, Sizes{2, 2, 2}, &out));
  EXPECT_EQ(sizes(out), (Sizes{4, -2, -1}));
  EXPECT_TRUE(view_strides(Sizes{0, 3}, Sizes{1, 7}, Sizes{3, 0}, &out)) << "of nothing, always";
}

TEST(Overlapping, FindsRepeatedElements) {
  EXPECT_FALSE(overlaps_itself(Dims{2, 3}, Dims{3, 1}));
  EXPECT_FALSE(overlaps_itself(Dims{2, 3}, Dims{-3, -1}));
  EXPECT_TRUE(overlaps_itself(Dims{2, 3}, Dims{0, 1}));
  EXPECT_TRUE(overlaps_itself(Dims{2, 3}, Dims{2, 1}));
  EXPECT_FALSE(overlaps_itself(Dims{1, 3}, Dims{0, 1}));
  EXPECT_FALSE(overlaps_itself(Dims{0, 3}, Dims{0, 0}));
}

TEST(Extents, ReachFromTheLowestElementToBeyondTheHighest) {
  const struct {
    Sizes shape, strides;
    int64_t low, high;
  } rows[] = {{{}, {}, 0, 1},     {{2, 3}, {3, 1}, 0, 6},   {{2, 3}, {-3, 1}, -3, 3},
              {{2}, {-1}, -1, 1}, {{2, 3}, {0, 10}, 0, 21}, {{0, 3}, {9, 9}, 0, 0}};
  for (const auto& row : rows) {
    const Extent e = extent(row.shape, row.strides);
    EXPECT_EQ(e.low, row.low) << format_shape(row.shape);
    EXPECT_EQ(e.high, row.high) << format_shape(row.shape);
    EXPECT_EQ(checked_extent(row.shape, row.strides, 4).high, row.high);
  }
  EXPECT_EQ(thrown([] { checked_extent(Sizes{3}, Sizes{INT64_MIN}, 8); }),
            "shape [3] with strides [-9223372036854775808] reaches beyond any address space");
  EXPECT_EQ(
      thrown([] {
        checked_extent(Sizes{INT64_MAX, 0}, Sizes{INT64_MAX, 1}, 16);
      }),
      "shape [9223372036854775807, 0] with strides [9223372036854775807, 1] reaches beyond any address space");
}

TEST(Coalescing, MergesRunsAndDropsOnes) {
  const struct {
    Sizes shape, a, b, merged, merged_a, merged_b;
  } rows[] = {
      {{2, 1, 3, 4}, {12, 99, 4, 1}, {0, 5, 4, 1}, {2, 12}, {12, 1}, {0, 1}},
      {{2, 3, 4}, {12, 4, 1}, {12, 4, 1}, {24}, {1}, {1}},
      {{2, 3, 4}, {12, 4, 1}, {1, 2, 6}, {2, 3, 4}, {12, 4, 1}, {1, 2, 6}},
      {{4, 3}, {-3, -1}, {-3, -1}, {12}, {-1}, {-1}},
      {{4, 3}, {0, 0}, {3, 1}, {12}, {0}, {1}},
      {{1, 1}, {7, 8}, {9, 10}, {}, {}, {}},
      {{2, 0}, {0, 1}, {0, 1}, {0}, {1}, {1}},
      {{}, {}, {}, {}, {}, {}},
  };
  for (const auto& row : rows) {
    Dims shape{Span(row.shape)}, a{Span(row.a)}, b{Span(row.b)};
    Dims* strides[] = {&a, &b};
    coalesce(shape, strides);
    EXPECT_EQ(sizes(shape), row.merged) << format_shape(row.shape);
    EXPECT_EQ(sizes(a), row.merged_a) << format_shape(row.shape);
    EXPECT_EQ(sizes(b), row.merged_b) << format_shape(row.shape);
  }
}

}  // namespace
}  // namespace bp
