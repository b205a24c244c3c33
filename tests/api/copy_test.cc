// SPDX-License-Identifier: Apache-2.0
// Copies: when `to` gives the tensor itself, copy_ between shapes, dtypes, layouts and devices,
// what crosses is counted.
#include <algorithm>
#include <cmath>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

T copied(const T& t, bp_device device, bp_dtype dtype) {
  return made(bp_tensor_to, t.get(), device, dtype, /*copy=*/1u, 0u);
}
Answer copy(const T& dst, const T& src) {
  return attempt(bp_tensor_copy_, dst.get(), src.get(), 0u);
}
T column_of(const T& t) { return made(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{1}); }
T odd_columns(const T& t) {
  return made(bp_tensor_slice, t.get(), int64_t{1}, int64_t{1}, BP_SLICE_NONE, int64_t{2});
}

TEST(To, IsTheTensorItselfWhenNothingIsAsked) {
  for (bp_device d : {kCpu, device("null:1")}) {
    const T t = counting({2, 3}, d);
    EXPECT_EQ(to(t, 0).get(), t.get());
    EXPECT_EQ(to(t, d, BP_F32).get(), t.get());
    EXPECT_NE(copied(t, 0, BP_DTYPE_NONE).get(), t.get());
    EXPECT_FALSE(bp_tensor_same_storage(copied(t, d, BP_F32).get(), t.get()));
  }
  const T t = counting({2, 3});
  EXPECT_FALSE(bp_tensor_same_storage(to(t, 0, BP_F64).get(), t.get()));
}

TEST(To, ABareKindMeansTheCurrentDevice) {
  const T t = counting({3}, device("null:1"));
  const bp_device bare = bp_device_make(bp_device_kind(device("null:0")), -1);
  EXPECT_EQ(bp_tensor_device(to(t, bare).get()), device("null:0"));
  uint64_t token = 0;
  ASSERT_EQ(bp_current_push(device("null:1"), &token, nullptr), BP_OK);
  EXPECT_EQ(to(t, bare).get(), t.get());
  ASSERT_EQ(bp_current_pop(token, nullptr), BP_OK);
}

TEST(To, MovesAndConvertsBetweenAnyDevices) {
  const bp_device devices[] = {kCpu, device("null:0"), device("null:1")};
  for (bp_device from : devices)
    for (bp_device into : devices) {
      const T t = counting({2, 3}, from), moved = copied(t, into, BP_DTYPE_NONE);
      EXPECT_EQ(bp_tensor_device(moved.get()), into);
      EXPECT_EQ(values<float>(moved), (std::vector<float>{0, 1, 2, 3, 4, 5}));
      if (from == into && from != kCpu) {
        // The null backend converts nothing, and no other device does it in its place.
        EXPECT_EQ(refusal(bp_tensor_to, t.get(), into, bp_dtype{BP_I64}, 0u, 0u).status,
                  BP_UNSUPPORTED);
        continue;
      }
      const T wide = to(t, into, BP_I64);
      EXPECT_EQ(bp_tensor_dtype(wide.get()), BP_I64);
      EXPECT_EQ(values<int64_t>(wide), (std::vector<int64_t>{0, 1, 2, 3, 4, 5}));
    }
}

TEST(To, KeepsTheOrderOfDenseTensorsAndPacksOthers) {
  const T column = column_of(counting({2, 3}));
  EXPECT_EQ(strides_of(to(column, 0, BP_F64)), (Shape{1, 3}));
  const T one = counting({1, 3});
  const Shape wide{4, 3};
  const T repeated = made(bp_tensor_expand, one.get(), 2, wide.data());
  EXPECT_TRUE(bp_tensor_is_contiguous(to(repeated, 0, BP_F64).get()));
  EXPECT_TRUE(
      bp_tensor_is_contiguous(made(bp_tensor_clone, odd_columns(counting({3, 6})).get()).get()));
}

TEST(To, RefusesUnknownDtypesAndDevices) {
  const T t = counting({2});
  EXPECT_EQ(refusal(bp_tensor_to, t.get(), kCpu, bp_dtype{99}, 0u, 0u).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(
      refusal(bp_tensor_to, t.get(), device("null:2"), bp_dtype{BP_DTYPE_NONE}, 0u, 0u).status,
      BP_INDEX_OUT_OF_RANGE);
}

TEST(Contiguous, IsTheTensorItselfWhenItIsDense) {
  const T t = counting({2, 3}), column = column_of(t);
  EXPECT_EQ(made(bp_tensor_contiguous, t.get()).get(), t.get());
  const T packed = made(bp_tensor_contiguous, column.get());
  EXPECT_NE(packed.get(), column.get());
  EXPECT_EQ(strides_of(packed), (Shape{2, 1}));
  EXPECT_EQ(values<float>(packed), values<float>(column));
}

TEST(Copy, BroadcastsAndConverts) {
  const T dst = counting<int64_t>({2, 3}), src = tensor<float>({3}, {1.9f, -1.9f, NAN});
  ASSERT_EQ(copy(dst, src).status, BP_OK);
  EXPECT_EQ(values<int64_t>(dst), (std::vector<int64_t>{1, -1, 0, 1, -1, 0}));
  EXPECT_EQ(bp_tensor_dtype(dst.get()), BP_I64);
  EXPECT_EQ(copy(dst, counting({2})).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(copy(counting({3}), counting({2, 3})).status, BP_INVALID_ARGUMENT)
      << "the destination never grows";
}

TEST(Copy, OfATensorOntoItselfDoesNothing) {
  const T t = counting({2, 3}), same = made(bp_tensor_alias, t.get());
  const uint64_t version = bp_tensor_version(t.get());
  ASSERT_EQ(copy(t, t).status, BP_OK);
  ASSERT_EQ(copy(t, same).status, BP_OK);
  EXPECT_EQ(bp_tensor_version(t.get()), version);
}

TEST(Copy, RefusesOverlapsAndRepeatedDestinations) {
  const T t = counting({6});
  const T left = made(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{0}, int64_t{5}),
          right = made(bp_tensor_narrow, t.get(), int64_t{0}, int64_t{1}, int64_t{5});
  EXPECT_EQ(copy(left, right).status, BP_INVALID_ARGUMENT);
  const Shape wide{4, 3};
  const T repeated = made(bp_tensor_expand, counting({1, 3}).get(), 2, wide.data());
  EXPECT_EQ(copy(repeated, counting({4, 3})).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(values<float>(t), (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST(Copy, BetweenDevicesTakesAnyLayoutOnBothSides) {
  const bp_device devices[] = {kCpu, device("null:0"), device("null:1")};
  for (bp_device from : devices)
    for (bp_device into : devices)
      for (int source = 0; source < 3; ++source)
        for (int target = 0; target < 3; ++target) {
          auto layout = [](int which, bp_device d) {
            const T base = counting(which == 2   ? Shape{3, 8}
                                    : which == 1 ? Shape{4, 3}
                                                 : Shape{3, 4},
                                    d);
            return which == 2   ? odd_columns(base)
                   : which == 1 ? column_of(base)
                                : made(bp_tensor_alias, base.get());
          };
          const T src = layout(source, from), dst = layout(target, into);
          ASSERT_EQ(copy(dst, src).status, BP_OK);
          EXPECT_EQ(values<float>(dst), values<float>(src)) << source << " to " << target;
        }
}

TEST(Copy, IntoAStridedViewLeavesTheRestAlone) {
  for (bp_device d : {kCpu, device("null:1")}) {
    const T base = counting({2, 4}, d);
    ASSERT_EQ(copy(odd_columns(base), tensor<float>({2, 2}, {10, 11, 12, 13})).status, BP_OK);
    EXPECT_EQ(values<float>(base), (std::vector<float>{0, 10, 2, 11, 4, 12, 6, 13}));
  }
}

struct Layout {
  Shape shape, strides;
  int64_t offset;
};
// Turned around, with lengths that no block divides; flipped; every second and third; repeated;
// rows of all lengths; and each of these along other dimensions.
const Layout kLayouts[] = {
    {{40, 37}, {1, 40}, 0},
    {{130, 81}, {1, 130}, 0},
    {{3, 17, 19}, {323, 1, 17}, 0},
    {{70, 20}, {-1, 70}, 69},
    {{20, 70}, {70, -1}, 69},
    {{5, 700}, {-700, -1}, 3499},
    {{700}, {2}, 1},
    {{700}, {-3}, 2097},
    {{7, 100}, {300, 3}, 0},
    {{9, 10}, {1, 0}, 0},
    {{6, 7, 50}, {50, 300, 1}, 0},
    {{6, 7, 3}, {3, 18, 1}, 0},
    {{30, 5, 3}, {16, 3, -1}, 2},
    {{2, 3, 4, 40}, {480, 40, 120, 1}, 0},
};
std::vector<int64_t> places_of(const Layout& l) {
  std::vector<int64_t> places{l.offset};
  for (size_t d = 0; d < l.shape.size(); ++d) {
    std::vector<int64_t> next;
    for (int64_t place : places)
      for (int64_t i = 0; i < l.shape[d]; ++i) next.push_back(place + i * l.strides[d]);
    places = std::move(next);
  }
  return places;
}
constexpr bp_dtype kSizes[] = {BP_U8, BP_I16, BP_F32, BP_F64, BP_C128};

TEST(Copy, ReadsAndWritesElementsOfAnySizeInAnyLayout) {
  for (bp_dtype dtype : kSizes)
    for (const Layout& l : kLayouts) {
      const std::vector<int64_t> places = places_of(l);
      const auto n = *std::max_element(places.begin(), places.end()) + 3;
      const T base = to(counting<int64_t>({n}), 0, dtype);
      const auto view = [&](const T& t) {
        return made(bp_tensor_as_strided, t.get(), rank(l.shape), l.shape.data(), l.strides.data(),
                    l.offset);
      };
      std::vector<double> all = doubles(base), read;
      for (int64_t place : places) read.push_back(all[static_cast<size_t>(place)]);
      const T packed = made(bp_tensor_contiguous, view(base).get());
      EXPECT_EQ(doubles(packed), read) << dtype << ' ' << l.shape.size() << ' ' << l.shape[0];
      if (std::count(l.strides.begin(), l.strides.end(), 0)) continue;
      const T target = to(made(bp_tensor_clone, base.get()), 0, dtype);
      const T source = to(counting<int64_t>(l.shape), 0, dtype);
      ASSERT_EQ(copy(view(target), source).status, BP_OK);
      const std::vector<double> written = doubles(source);
      for (size_t i = 0; i < places.size(); ++i) all[static_cast<size_t>(places[i])] = written[i];
      EXPECT_EQ(doubles(target), all) << dtype << ' ' << l.shape.size() << ' ' << l.shape[0];
    }
}

TEST(Copy, ConvertsAcrossDevices) {
  const T dst = counting<int64_t>({2, 2}, device("null:1"));
  ASSERT_EQ(copy(dst, tensor<double>({2}, {7.9, -7.9}, device("null:0"))).status, BP_OK);
  EXPECT_EQ(values<int64_t>(dst), (std::vector<int64_t>{7, -7, 7, -7}));
}

TEST(Copy, OfNothingIsFine) {
  for (bp_device d : {kCpu, device("null:0")}) {
    ASSERT_EQ(copy(counting({0, 3}, d), counting({0, 3})).status, BP_OK);
    ASSERT_EQ(copy(counting({0, 3}, d), counting({3})).status, BP_OK);
  }
}

TEST(Transfers, AreCountedByBytesAndCopies) {
  auto count = [](bp_device from, bp_device into) {
    const bp_transfer_stats s = crossed(from, into);
    return std::pair(s.bytes, s.n_copies);
  };
  const T t = counting({100});
  const auto up = count(kCpu, device("null:0")), across = count(device("null:0"), device("null:1"));
  const T there = to(t, device("null:0"));
  EXPECT_EQ(count(kCpu, device("null:0")), (std::pair{up.first + 400, up.second + 1}));
  const T further = to(there, device("null:1"));
  const auto moved = count(device("null:0"), device("null:1"));
  const auto by_host = count(kCpu, device("null:1"));
  EXPECT_TRUE(moved.first == across.first + 400 || by_host.first >= 400)
      << "what crosses is counted somewhere";
}

TEST(Fill, ChecksWhatAnIntegerCanHold) {
  const T t = made(bp_tensor_zeros_like, counting({3}).get(), BP_U8, bp_device{0});
  const bp_value big = number(int64_t{256}), fits = number(int64_t{255}), part = number(3.7);
  EXPECT_EQ(attempt(bp_tensor_fill_, t.get(), &big).status, BP_INVALID_ARGUMENT);
  ASSERT_EQ(attempt(bp_tensor_fill_, t.get(), &fits).status, BP_OK);
  EXPECT_EQ(values<uint8_t>(t), (std::vector<uint8_t>{255, 255, 255}));
  ASSERT_EQ(attempt(bp_tensor_fill_, t.get(), &part).status, BP_OK);
  EXPECT_EQ(values<uint8_t>(t), (std::vector<uint8_t>{3, 3, 3}));
}

TEST(Fill, ReachesStridedViewsAndRefusesRepeatedOnes) {
  for (bp_device d : {kCpu, device("null:0")}) {
    const T base = counting({2, 4}, d);
    const bp_value nine = number(9.0);
    ASSERT_EQ(attempt(bp_tensor_fill_, odd_columns(base).get(), &nine).status, BP_OK);
    EXPECT_EQ(values<float>(base), (std::vector<float>{0, 9, 2, 9, 4, 9, 6, 9}));
    const Shape wide{5, 4};
    const T first = made(bp_tensor_narrow, base.get(), int64_t{0}, int64_t{0}, int64_t{1});
    EXPECT_EQ(
        attempt(bp_tensor_fill_, made(bp_tensor_expand, first.get(), 2, wide.data()).get(), &nine)
            .status,
        BP_INVALID_ARGUMENT);
  }
}

TEST(Fill, TakesEveryKindOfNumberIntoComplex) {
  const int64_t n = 1;
  const T t = made(bp_tensor_zeros, 1, &n, BP_C64, kCpu);
  const bp_value v = number(2.5);
  ASSERT_EQ(attempt(bp_tensor_fill_, t.get(), &v).status, BP_OK);
  float parts[2];
  ASSERT_EQ(bp_tensor_read(t.get(), parts, 8, nullptr), BP_OK);
  EXPECT_EQ(parts[0], 2.5f);
  EXPECT_EQ(parts[1], 0.0f);
}

}  // namespace
}  // namespace bp_test
