// SPDX-License-Identifier: Apache-2.0
// Making tensors and asking them: factories, host data, borrowed memory, item, read, write, version
// counters, handles.
#include <cmath>
#include <limits>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

TEST(Factories, UseTheDefaultDtypeAndDevice) {
  const Shape shape{2, 3};
  const T t = made(bp_tensor_zeros, 2, shape.data(), BP_DTYPE_NONE, bp_device{0});
  EXPECT_EQ(bp_tensor_dtype(t.get()), BP_F32);
  EXPECT_EQ(bp_tensor_device(t.get()), kCpu);
  EXPECT_EQ(shape_of(t), shape);
  EXPECT_EQ(strides_of(t), (Shape{3, 1}));
  EXPECT_EQ(values<float>(t), std::vector<float>(6, 0));
  ASSERT_EQ(bp_set_default_dtype(BP_F64, nullptr), BP_OK);
  EXPECT_EQ(
      bp_tensor_dtype(made(bp_tensor_ones, 2, shape.data(), BP_DTYPE_NONE, bp_device{0}).get()),
      BP_F64);
  ASSERT_EQ(bp_set_default_dtype(BP_F32, nullptr), BP_OK);
}

TEST(Factories, FollowTheDefaultDeviceOfTheThread) {
  uint64_t token = 0;
  ASSERT_EQ(bp_default_push(device("null:1"), &token, nullptr), BP_OK);
  const int64_t n = 4;
  const T there = made(bp_tensor_ones, 1, &n, BP_F32, bp_device{0}),
          here = made(bp_tensor_ones, 1, &n, BP_F32, kCpu);
  ASSERT_EQ(bp_default_pop(token, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_device(there.get()), device("null:1"));
  EXPECT_EQ(bp_tensor_device(here.get()), kCpu);
  EXPECT_EQ(values<float>(there), std::vector<float>(4, 1));
}

TEST(Factories, FullTakesItsDtypeFromTheNumber) {
  const int64_t n = 2;
  for (auto [v, dtype] :
       {std::pair{number(int64_t{7}), BP_I64}, {number(2.5), BP_F32}, {boolean(true), BP_BOOL}}) {
    const T t = made(bp_tensor_full, 1, &n, static_cast<const bp_value*>(&v),
                     bp_dtype{BP_DTYPE_NONE}, kCpu);
    EXPECT_EQ(bp_tensor_dtype(t.get()), dtype);
  }
}

TEST(Factories, FullRefusesWhatAnIntegerCannotHold) {
  const int64_t n = 2;
  auto full = [&](bp_value v, bp_dtype t) {
    return refusal(bp_tensor_full, 1, &n, static_cast<const bp_value*>(&v), t, kCpu);
  };
  for (auto [v, t] : {std::pair{number(int64_t{256}), BP_U8},
                      {number(int64_t{-1}), BP_U64},
                      {number(128.0), BP_I8},
                      {number(1e30), BP_I64},
                      {number(static_cast<double>(INFINITY)), BP_I32}}) {
    const Answer r = full(v, t);
    EXPECT_EQ(r.status, BP_INVALID_ARGUMENT);
    EXPECT_NE(r.message.find("without overflow"), std::string::npos) << r.message;
  }
  const bp_value edge = number(int64_t{255});
  EXPECT_EQ(values<uint8_t>(made(bp_tensor_full, 1, &n, &edge, bp_dtype{BP_U8}, kCpu)),
            (std::vector<uint8_t>{255, 255}));
}

TEST(Factories, EyeHasOnesOnItsDiagonal) {
  EXPECT_EQ(values<float>(made(bp_tensor_eye, int64_t{2}, int64_t{3}, BP_F32, kCpu)),
            (std::vector<float>{1, 0, 0, 0, 1, 0}));
  EXPECT_EQ(values<int32_t>(made(bp_tensor_eye, int64_t{3}, int64_t{2}, BP_I32, kCpu)),
            (std::vector<int32_t>{1, 0, 0, 1, 0, 0}));
  EXPECT_EQ(bp_tensor_numel(made(bp_tensor_eye, int64_t{0}, int64_t{2}, BP_F32, kCpu).get()), 0);
  EXPECT_EQ(refusal(bp_tensor_eye, int64_t{-1}, int64_t{2}, BP_F32, kCpu).status,
            BP_INVALID_ARGUMENT);
}

TEST(Factories, LikeKeepsShapeDtypeAndDevice) {
  const T x = counting<int64_t>({2, 3}, device("null:1"));
  const T zeros = made(bp_tensor_zeros_like, x.get(), BP_DTYPE_NONE, bp_device{0});
  EXPECT_EQ(bp_tensor_dtype(zeros.get()), BP_I64);
  EXPECT_EQ(bp_tensor_device(zeros.get()), device("null:1"));
  EXPECT_EQ(shape_of(zeros), (Shape{2, 3}));
  const T ones = made(bp_tensor_ones_like, x.get(), BP_F64, kCpu);
  EXPECT_EQ(bp_tensor_dtype(ones.get()), BP_F64);
  EXPECT_EQ(bp_tensor_device(ones.get()), kCpu);
  const T column = made(bp_tensor_transpose, x.get(), int64_t{0}, int64_t{1});
  EXPECT_TRUE(bp_tensor_is_contiguous(
      made(bp_tensor_empty_like, column.get(), BP_DTYPE_NONE, bp_device{0}).get()));
}

TEST(Factories, TheFillValueDoesNotChooseTheDtypeOfNewFull) {
  const T x = counting<int32_t>({2});
  const int64_t n = 3;
  const bp_value half = number(2.5);
  const T t =
      made(bp_tensor_new_full, x.get(), 1, &n, &half, bp_dtype{BP_DTYPE_NONE}, bp_device{0});
  EXPECT_EQ(values<int32_t>(t), (std::vector<int32_t>{2, 2, 2}));
  EXPECT_EQ(bp_tensor_dtype(made(bp_tensor_new_ones, x.get(), 1, &n, BP_F32, bp_device{0}).get()),
            BP_F32);
  EXPECT_EQ(shape_of(made(bp_tensor_new_empty, x.get(), 1, &n, BP_DTYPE_NONE, bp_device{0})),
            (Shape{3}));
  EXPECT_EQ(values<int32_t>(made(bp_tensor_new_zeros, x.get(), 1, &n, BP_DTYPE_NONE, bp_device{0})),
            (std::vector<int32_t>(3, 0)));
}

TEST(Factories, RefuseImpossibleShapes) {
  const Shape negative{2, -1}, huge{int64_t{1} << 40, int64_t{1} << 40}, wide{int64_t{1} << 61, 4};
  EXPECT_EQ(refusal(bp_tensor_empty, 2, negative.data(), BP_F32, kCpu).message,
            "Trying to create tensor with negative dimension -1: [2, -1]");
  EXPECT_EQ(refusal(bp_tensor_empty, 2, huge.data(), BP_F32, kCpu).status, BP_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(refusal(bp_tensor_zeros, 2, wide.data(), BP_F64, kCpu).status, BP_OUT_OF_HOST_MEMORY);
  const std::vector<int64_t> deep(65, 1);
  EXPECT_EQ(refusal(bp_tensor_empty, 65, deep.data(), BP_F32, kCpu).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(refusal(bp_tensor_empty, -1, deep.data(), BP_F32, kCpu).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(refusal(bp_tensor_empty, 1, static_cast<const int64_t*>(nullptr), BP_F32, kCpu).status,
            BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_tensor_rank(made(bp_tensor_ones, 64, deep.data(), BP_F32, kCpu).get()), 64);
  // Too large to be had, small enough to be counted.
  const int64_t petabytes = int64_t{1} << 55;
  const bp_status status = refusal(bp_tensor_empty, 1, &petabytes, BP_F32, kCpu).status;
  EXPECT_TRUE(status == BP_OUT_OF_HOST_MEMORY || status == BP_OUT_OF_DEVICE_MEMORY) << status;
}

TEST(Factories, RefuseUnknownDtypesAndDevices) {
  const int64_t n = 2;
  for (bp_dtype t : {BP_DTYPE_COUNT + 0, -2, 1000})
    EXPECT_EQ(refusal(bp_tensor_empty, 1, &n, t, kCpu).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(refusal(bp_tensor_empty, 1, &n, BP_F32, device("null:2")).status,
            BP_INDEX_OUT_OF_RANGE);
  EXPECT_EQ(refusal(bp_tensor_empty, 1, &n, BP_F32, bp_device_make(BP_KIND_CPU, 7)).status,
            BP_INDEX_OUT_OF_RANGE);
  EXPECT_LT(refusal(bp_tensor_empty, 1, &n, BP_F32, bp_device_make(BP_KIND_CUDA, 0)).status, 0);
}

TEST(HostData, IsCopied) {
  std::vector<float> data{1, 2, 3};
  const T t = tensor<float>({3}, data);
  data[0] = 99;
  EXPECT_EQ(values<float>(t), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(values<float>(tensor<float>({3}, {4, 5, 6}, device("null:0"))),
            (std::vector<float>{4, 5, 6}));
  const int64_t n = 3;
  EXPECT_EQ(
      refusal(bp_tensor_from_data, static_cast<const void*>(nullptr), 1, &n, BP_F32, kCpu).status,
      BP_INVALID_ARGUMENT);
}

struct Owner {
  std::vector<float> data{0, 1, 2, 3, 4, 5};
  int deleted = 0;
  static void remove(void* user) { ++static_cast<Owner*>(user)->deleted; }
};

TEST(BorrowedMemory, IsGivenBackOnceWithTheLastView) {
  Owner owner;
  const Shape shape{2, 3};
  T t = made(bp_tensor_borrow, static_cast<void*>(owner.data.data()), 2, shape.data(),
             static_cast<const int64_t*>(nullptr), bp_dtype{BP_F32}, &Owner::remove,
             static_cast<void*>(&owner));
  T row = made(bp_tensor_select, t.get(), int64_t{0}, int64_t{1});
  t.reset();
  EXPECT_EQ(owner.deleted, 0);
  owner.data[3] = 33;  // no copy was made
  EXPECT_EQ(values<float>(row), (std::vector<float>{33, 4, 5}));
  row.reset();
  EXPECT_EQ(owner.deleted, 1);
}

TEST(BorrowedMemory, IsNotGivenBackWhenTheCallFails) {
  Owner owner;
  const Shape shape{2, -3}, far{2, 3}, strides{INT64_MAX, 1};
  auto borrow = [&](const Shape& s, const int64_t* steps, void* data) {
    return refusal(bp_tensor_borrow, data, 2, s.data(), steps, bp_dtype{BP_F32}, &Owner::remove,
                   static_cast<void*>(&owner));
  };
  EXPECT_EQ(borrow(shape, nullptr, owner.data.data()).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(borrow(far, nullptr, nullptr).status, BP_INVALID_ARGUMENT);
  EXPECT_LT(borrow(far, strides.data(), owner.data.data()).status, 0);
  EXPECT_EQ(owner.deleted, 0);
}

TEST(BorrowedMemory, MayHaveAnyStrides) {
  Owner owner;
  const Shape shape{3, 2}, strides{-2, 1};
  const T t = made(bp_tensor_borrow, static_cast<void*>(owner.data.data() + 4), 2, shape.data(),
                   strides.data(), bp_dtype{BP_F32}, &Owner::remove, static_cast<void*>(&owner));
  EXPECT_EQ(values<float>(t), (std::vector<float>{4, 5, 2, 3, 0, 1}));
  void* p = nullptr;
  ASSERT_EQ(bp_tensor_data(t.get(), &p, nullptr), BP_OK);
  EXPECT_EQ(p, owner.data.data() + 4);
}

TEST(Reading, IsRowMajorWhateverTheLayout) {
  const T t = counting({2, 3}), column = made(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{1});
  EXPECT_EQ(values<float>(column), (std::vector<float>{0, 3, 1, 4, 2, 5}));
  float buffer[6];
  for (uint64_t bytes : {23, 25, 0})
    EXPECT_EQ(attempt(bp_tensor_read, t.get(), static_cast<void*>(buffer), bytes).status,
              BP_INVALID_ARGUMENT);
  EXPECT_EQ(attempt(bp_tensor_read, t.get(), static_cast<void*>(nullptr), uint64_t{24}).status,
            BP_INVALID_ARGUMENT);
}

TEST(Writing, ReachesAllViewsAndTheOtherDevice) {
  for (bp_device d : {kCpu, device("null:1")}) {
    const T t = counting({2, 3}, d),
            column = made(bp_tensor_transpose, t.get(), int64_t{0}, int64_t{1});
    const std::vector<float> data{10, 11, 12, 13, 14, 15};
    EXPECT_EQ(
        attempt(bp_tensor_write, column.get(), static_cast<const void*>(data.data()), uint64_t{24})
            .status,
        BP_OK);
    EXPECT_EQ(values<float>(t), (std::vector<float>{10, 12, 14, 11, 13, 15}));
    EXPECT_EQ(attempt(bp_tensor_write, t.get(), static_cast<const void*>(data.data()), uint64_t{20})
                  .status,
              BP_INVALID_ARGUMENT);
  }
}

TEST(Item, IsTheOneElementInItsOwnKind) {
  bp_value v{};
  ASSERT_EQ(bp_tensor_item(tensor<float>({}, {2.5f}).get(), &v, nullptr), BP_OK);
  EXPECT_EQ(v.kind, BP_VALUE_F64);
  EXPECT_EQ(v.as.f64, 2.5);
  ASSERT_EQ(bp_tensor_item(tensor<int64_t>({1, 1}, {-7}, device("null:0")).get(), &v, nullptr),
            BP_OK);
  EXPECT_EQ(v.kind, BP_VALUE_I64);
  EXPECT_EQ(v.as.i64, -7);
  ASSERT_EQ(bp_tensor_item(tensor<uint8_t>({1}, {1}, kCpu, BP_BOOL).get(), &v, nullptr), BP_OK);
  EXPECT_EQ(v.kind, BP_VALUE_BOOL);
  EXPECT_EQ(attempt(bp_tensor_item, counting({2}).get(), &v).message,
            "a Tensor with 2 elements cannot be converted to Scalar");
  for (const bp_dtype t : {BP_C64, BP_C128}) {
    const int64_t one = 1;
    const bp_value z = number(1.5, -2.0);
    const T x = made(bp_tensor_full, 1, &one, &z, t, kCpu);
    ASSERT_EQ(bp_tensor_item(x.get(), &v, nullptr), BP_OK);
    EXPECT_EQ(v.kind, BP_VALUE_C128);
    EXPECT_EQ(v.as.c128[0], 1.5);
    EXPECT_EQ(v.as.c128[1], -2.0);
  }
}

TEST(Item, KeepsNarrowFloatsAndSigns) {
  bp_value v{};
  for (auto [dtype, bits, expected] : {std::tuple{BP_F16, uint16_t{0x3e00}, 1.5},
                                       {BP_F16, uint16_t{0x0001}, 0x1p-24},
                                       {BP_BF16, uint16_t{0xc000}, -2.0},
                                       {BP_F16, uint16_t{0xfc00}, -HUGE_VAL}}) {
    const T t = made(bp_tensor_from_data, static_cast<const void*>(&bits), 0,
                     static_cast<const int64_t*>(nullptr), dtype, kCpu);
    ASSERT_EQ(bp_tensor_item(t.get(), &v, nullptr), BP_OK);
    EXPECT_EQ(v.as.f64, expected);
  }
}

TEST(Versions, CountWritesAndAreSharedByViews) {
  const T t = counting({2, 3}), row = made(bp_tensor_select, t.get(), int64_t{0}, int64_t{0});
  const uint64_t start = bp_tensor_version(t.get());
  EXPECT_EQ(bp_tensor_version(row.get()), start);
  const bp_value nine = number(int64_t{9});
  ASSERT_EQ(attempt(bp_tensor_fill_, row.get(), &nine).status, BP_OK);
  const uint64_t filled = bp_tensor_version(t.get());
  EXPECT_GT(filled, start);
  EXPECT_EQ(bp_tensor_version(row.get()), filled);
  values<float>(t);
  EXPECT_EQ(bp_tensor_version(t.get()), filled) << "reading is not a write";
  const std::vector<float> data(6, 1);
  ASSERT_EQ(bp_tensor_write(t.get(), data.data(), 24, nullptr), BP_OK);
  EXPECT_GT(bp_tensor_version(row.get()), filled);
  const T copy = made(bp_tensor_clone, t.get());
  const uint64_t after = bp_tensor_version(t.get());
  ASSERT_EQ(attempt(bp_tensor_fill_, copy.get(), &nine).status, BP_OK);
  EXPECT_EQ(bp_tensor_version(t.get()), after) << "a clone has storage of its own";
}

TEST(Handles, OfNothingOrOfAnotherTypeAreRefusedQuietly) {
  EXPECT_EQ(bp_tensor_dtype(nullptr), BP_DTYPE_NONE);
  EXPECT_EQ(bp_tensor_rank(nullptr), -1);
  EXPECT_EQ(bp_tensor_shape(nullptr), nullptr);
  EXPECT_EQ(bp_tensor_numel(nullptr), 0);
  EXPECT_EQ(bp_tensor_device(nullptr), 0);
  bp_tensor_release(nullptr);
  bp_generator* g = nullptr;
  ASSERT_EQ(bp_generator_create(1, &g, nullptr), BP_OK);
  auto* disguised = reinterpret_cast<bp_tensor*>(g);
  EXPECT_EQ(bp_tensor_rank(disguised), -1);
  EXPECT_EQ(refusal(bp_tensor_clone, disguised).status, BP_INVALID_ARGUMENT);
  bp_tensor_release(disguised);
  bp_generator_release(g);
}

TEST(Handles, OfAnEarlierGenerationAreBadStateAndMayBeReleased) {
  T cpu = counting({3}), there = counting({3}, device("null:0"));
  T view = made(bp_tensor_alias, cpu.get());
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  float buffer[3];
  for (const T* t : {&cpu, &there, &view}) {
    EXPECT_EQ(attempt(bp_tensor_read, t->get(), static_cast<void*>(buffer), uint64_t{12}).status,
              BP_BAD_STATE);
    EXPECT_EQ(refusal(bp_tensor_clone, t->get()).status, BP_BAD_STATE);
    EXPECT_EQ(refusal(bp_tensor_alias, t->get()).status, BP_BAD_STATE);
  }
  T sum;
  EXPECT_EQ(invoke(BP_OP_ADD, {value(cpu), value(cpu)}, sum).status, BP_BAD_STATE);
  cpu.reset();
  EXPECT_EQ(values<float>(counting({2})),
            (std::vector<float>{0, 1}));  // a new generation began by itself
}

}  // namespace
}  // namespace bp_test
