// SPDX-License-Identifier: Apache-2.0
// The path of a call: devices, numbers, shapes, attributes, outputs; what is refused and how the
// sentence reads.
#include "kit/invoke.h"

#include "kit/tensors.h"

namespace bp_test {
namespace {

Answer add(const T& a, const T& b) {
  T out;
  return invoke(BP_OP_ADD, {value(a), value(b)}, out);
}

TEST(InvokeDevices, ThatDifferAreNamedWithOpArgumentsAndShapes) {
  const T here = counting({2, 3}), there = counting({2, 3}, device("null:0")),
          further = counting({3}, device("null:1"));
  const Answer r = add(there, here);
  EXPECT_EQ(r.status, BP_DEVICE_MISMATCH);
  EXPECT_EQ(r.message.find("Expected all tensors to be on the same device, but found at least two "
                           "devices, null:0 and cpu!"),
            0u)
      << r.message;
  for (const char* part : {"add", "a [2, 3] is on null:0", "b [2, 3] is on cpu"})
    EXPECT_NE(r.message.find(part), std::string::npos) << r.message;
  EXPECT_EQ(add(here, there).status, BP_DEVICE_MISMATCH);
  const Answer two = add(there, further);
  EXPECT_EQ(two.status, BP_DEVICE_MISMATCH);
  EXPECT_NE(two.message.find("null:0 and null:1"), std::string::npos) << two.message;
}

TEST(InvokeDevices, OneZeroDimCpuTensorJoinsAsANumber) {
  const T there = counting({3}, device("null:0")), two = tensor<float>({}, {2});
  const uint64_t before = crossed(kCpu, device("null:0")).bytes;
  T sum;
  ASSERT_EQ(invoke(BP_OP_ADD, {value(there), value(two)}, sum).status, BP_OK);
  EXPECT_EQ(crossed(kCpu, device("null:0")).bytes, before) << "it travels by value";
  EXPECT_EQ(bp_tensor_device(sum.get()), device("null:0"));
  EXPECT_EQ(values<float>(sum), (std::vector<float>{2, 3, 4}));
  T other;
  ASSERT_EQ(invoke(BP_OP_ADD, {value(two), value(there)}, other).status, BP_OK);
  EXPECT_EQ(values<float>(other), (std::vector<float>{2, 3, 4}));
}

TEST(InvokeDevices, AZeroDimTensorOfAnAcceleratorDoesNotJoinTheCpu) {
  EXPECT_EQ(add(counting({3}), tensor<float>({}, {2}, device("null:0"))).status,
            BP_DEVICE_MISMATCH);
  EXPECT_EQ(add(counting({3}, device("null:0")), tensor<float>({1}, {2})).status,
            BP_DEVICE_MISMATCH)
      << "one element is not 0-dim";
}

TEST(InvokeDevices, NoScalarJoinsAMatrixProduct) {
  T out;
  EXPECT_EQ(invoke(BP_OP_MATMUL,
                   {value(counting({2, 2}, device("null:0"))), value(tensor<float>({}, {2}))}, out)
                    .status < 0,
            true);
}

TEST(InvokeDevices, OpsIgnoreTheDefaultAndTheCurrentDevice) {
  uint64_t token = 0;
  ASSERT_EQ(bp_device_push(device("null:1"), &token, nullptr), BP_OK);
  T sum, there;
  ASSERT_EQ(invoke(BP_OP_ADD, {value(counting({2})), number(1.0)}, sum).status, BP_OK);
  ASSERT_EQ(invoke(BP_OP_ADD, {value(counting({2}, device("null:0"))), number(1.0)}, there).status,
            BP_OK);
  ASSERT_EQ(bp_device_pop(token, nullptr), BP_OK);
  EXPECT_EQ(bp_tensor_device(sum.get()), kCpu);
  EXPECT_EQ(bp_tensor_device(there.get()), device("null:0"));
}

TEST(InvokeDevices, WithoutAKernelAreNamed) {
  T out;
  const Answer r = invoke(BP_OP_EXP, {value(counting({2}, device("null:1")))}, out);
  EXPECT_EQ(r.status, BP_UNSUPPORTED);
  for (const char* part : {"exp", "null:1", "float32"})
    EXPECT_NE(r.message.find(part), std::string::npos) << r.message;
  uint32_t yes = 7;
  ASSERT_EQ(bp_op_supported(BP_OP_EXP, BP_F32, bp_device_kind(device("null:0")), &yes, nullptr),
            BP_OK);
  EXPECT_EQ(yes, 0u);
  ASSERT_EQ(bp_op_supported(BP_OP_ADD, BP_F32, bp_device_kind(device("null:0")), &yes, nullptr),
            BP_OK);
  EXPECT_EQ(yes, 1u);
}

TEST(InvokeShapes, ThatDoNotBroadcastAreNamed) {
  EXPECT_EQ(
      add(counting({2, 3}), counting({2, 4})).message,
      "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
  EXPECT_EQ(
      add(counting({5}), counting({2, 4})).message,
      "The size of tensor a (5) must match the size of tensor b (4) at non-singleton dimension 1");
  T out;
  EXPECT_EQ(invoke(BP_OP_MATMUL, {value(counting({2, 3})), value(counting({4, 5}))}, out).message,
            "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)");
}

TEST(InvokeShapes, WhoseBroadcastOverflowsAreRefused) {
  const T one = counting({1});
  const Shape tall{int64_t{1} << 31, 1}, flat{1, int64_t{1} << 31};
  const T a = made(bp_tensor_expand, one.get(), 2, tall.data()),
          b = made(bp_tensor_expand, one.get(), 2, flat.data());
  EXPECT_LT(add(a, b).status, 0) << "2^62 elements of 4 bytes";
  const Shape huge{int64_t{1} << 40, 1}, wide{1, int64_t{1} << 40};
  const T c = made(bp_tensor_expand, one.get(), 2, huge.data()),
          d = made(bp_tensor_expand, one.get(), 2, wide.data());
  EXPECT_EQ(add(c, d).status, BP_OUT_OF_HOST_MEMORY) << "2^80 elements";
}

TEST(InvokeNumbers, PromoteAsPyTorchsDo) {
  struct Row {
    bp_dtype tensor;
    bp_value number;
    bp_dtype want;
  };
  const Row rows[] = {{BP_I32, number(int64_t{1} << 40), BP_I32},
                      {BP_I32, number(1.5), BP_F32},
                      {BP_F16, number(1e30), BP_F16},
                      {BP_BOOL, number(int64_t{1}), BP_I64},
                      {BP_BOOL, boolean(true), BP_BOOL},
                      {BP_F64, number(1.5), BP_F64},
                      {BP_U8, number(int64_t{-1}), BP_U8}};
  for (const Row& r : rows) {
    const T t = made(bp_tensor_zeros_like, counting({2}).get(), r.tensor, bp_device{0});
    T out;
    ASSERT_EQ(invoke(BP_OP_ADD, {value(t), r.number}, out).status, BP_OK);
    EXPECT_EQ(bp_tensor_dtype(out.get()), r.want);
  }
}

TEST(InvokeNumbers, AloneAreRefused) {
  T out;
  EXPECT_EQ(invoke(BP_OP_ADD, {number(1.0), number(2.0)}, out).status, BP_INVALID_ARGUMENT);
  bp_value none{};
  EXPECT_EQ(invoke(BP_OP_ADD, {value(counting({2})), none}, out).status, BP_INVALID_ARGUMENT);
  none.kind = 99;
  EXPECT_EQ(invoke(BP_OP_ADD, {value(counting({2})), none}, out).status, BP_INVALID_ARGUMENT);
}

TEST(InvokeNumbers, SquareIntegersAsIntegers) {
  T out;
  ASSERT_EQ(invoke(BP_OP_POW, {value(counting<int64_t>({4})), number(int64_t{2})}, out).status,
            BP_OK);
  EXPECT_EQ(values<int64_t>(out), (std::vector<int64_t>{0, 1, 4, 9}));
}

TEST(InvokeAttributes, AreTakenByNameInAnyOrder) {
  const T x = counting({2, 3});
  T a, b;
  bp_tensor* outs[2] = {};
  bp_attr attrs[2] = {attr("k", int64_t{1}), attr("axis", int64_t{0})};
  const bp_value in = value(x);
  ASSERT_EQ(bp_invoke(BP_OP_TOPK, &in, 1, attrs, 2, outs, 2, nullptr), BP_OK);
  a.reset(outs[0]);
  b.reset(outs[1]);
  EXPECT_EQ(values<float>(a), (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(values<int64_t>(b), (std::vector<int64_t>{1, 1, 1}));
}

TEST(InvokeAttributes, UnknownMissingTwiceOrOfAnotherKindAreRefused) {
  const T x = counting({2, 3});
  T out;
  const Answer unknown = invoke(BP_OP_SOFTMAX, {value(x)}, out, {attr("axes", int64_t{0})});
  EXPECT_EQ(unknown.status, BP_NOT_FOUND);
  EXPECT_NE(unknown.message.find("axes"), std::string::npos);
  EXPECT_EQ(invoke(BP_OP_CUMSUM, {value(x)}, out).status, BP_INVALID_ARGUMENT)
      << "axis is required";
  EXPECT_EQ(
      invoke(BP_OP_SOFTMAX, {value(x)}, out, {attr("axis", int64_t{0}), attr("axis", int64_t{1})})
          .status,
      BP_INVALID_ARGUMENT);
  bp_attr text{};
  text.name = "axis";
  text.kind = BP_ATTR_STR;
  text.value.str = "zero";
  text.count = 4;
  EXPECT_EQ(invoke(BP_OP_SOFTMAX, {value(x)}, out, {text}).status, BP_INVALID_ARGUMENT);
  bp_attr nameless = attr(nullptr, int64_t{0});
  EXPECT_EQ(invoke(BP_OP_SOFTMAX, {value(x)}, out, {nameless}).status, BP_INVALID_ARGUMENT);
}

TEST(InvokeCalls, WithNullsOrWrongCountsAreRefused) {
  const T x = counting({2});
  const bp_value in[3] = {value(x), value(x), value(x)};
  bp_tensor *out = nullptr, *two[2] = {};
  EXPECT_EQ(bp_invoke(BP_OP_ADD, in, 3, nullptr, 0, &out, 1, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_invoke(BP_OP_ADD, in, 1, nullptr, 0, &out, 1, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_invoke(BP_OP_ADD, nullptr, 2, nullptr, 0, &out, 1, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_invoke(BP_OP_ADD, in, 2, nullptr, 0, nullptr, 1, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_invoke(BP_OP_ADD, in, 2, nullptr, 0, two, 2, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_invoke(BP_OP_ADD, in, 2, nullptr, 1, &out, 1, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_invoke(/*nobody's*/ 500, in, 2, nullptr, 0, &out, 1, nullptr), BP_NOT_FOUND);
  bp_value empty{};
  empty.kind = BP_VALUE_TENSOR;
  EXPECT_EQ(bp_invoke(BP_OP_NEG, &empty, 1, nullptr, 0, &out, 1, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(out, nullptr);
}

TEST(InvokeCalls, OnNothingGiveNothing) {
  for (bp_device d : {kCpu, device("null:0")}) {
    T out;
    ASSERT_EQ(invoke(BP_OP_ADD, {value(counting({0, 3}, d)), value(counting({3}, d))}, out).status,
              BP_OK);
    EXPECT_EQ(shape_of(out), (Shape{0, 3}));
  }
}

TEST(Reflection, FindsOpsByNameAndNamesTheNearest) {
  uint32_t op = 0;
  ASSERT_EQ(bp_op_find("matmul", &op, nullptr), BP_OK);
  EXPECT_EQ(op, static_cast<uint32_t>(BP_OP_MATMUL));
  const Answer r = attempt(bp_op_find, "matmull", &op);
  EXPECT_EQ(r.status, BP_NOT_FOUND);
  EXPECT_NE(r.message.find("matmul"), std::string::npos);
}

TEST(Reflection, TellsElementwiseAndCreatingOpsAndNamesOutputs) {
  const auto info = [](const char* name) {
    bp_op_info i{};
    i.struct_size = sizeof i;
    uint32_t op = 0;
    EXPECT_EQ(bp_op_find(name, &op, nullptr), BP_OK);
    EXPECT_EQ(bp_op_get_info(op, &i, nullptr), BP_OK);
    return i;
  };
  constexpr uint32_t kBoth = BP_OP_FLAG_ELEMENTWISE | BP_OP_FLAG_CREATES;
  EXPECT_EQ(info("add").flags & kBoth, +BP_OP_FLAG_ELEMENTWISE);
  EXPECT_EQ(info("sum").flags & kBoth, 0u);
  EXPECT_EQ(info("arange").flags & kBoth, +BP_OP_FLAG_CREATES);
  const char* name = nullptr;
  ASSERT_EQ(bp_op_output_name(info("sort").op, 1, &name, nullptr), BP_OK);
  EXPECT_STREQ(name, "indices");
  EXPECT_EQ(bp_op_output_name(info("sort").op, 2, &name, nullptr), BP_INDEX_OUT_OF_RANGE);
}

TEST(Reflection, ListsIdsInOrderWithInputsAndAttributes) {
  uint32_t last = 0;
  for (uint32_t i = 0; i < bp_op_count(); ++i) {
    uint32_t op = 0;
    ASSERT_EQ(bp_op_at(i, &op, nullptr), BP_OK);
    EXPECT_GT(op, last);
    last = op;
    bp_op_info info{};
    info.struct_size = sizeof info;
    ASSERT_EQ(bp_op_get_info(op, &info, nullptr), BP_OK);
    const char* name = nullptr;
    for (uint32_t k = 0; k < info.n_inputs && op < 1u << 31; ++k)
      ASSERT_EQ(bp_op_input_name(op, k, &name, nullptr), BP_OK);
    EXPECT_LT(bp_op_input_name(op, info.n_inputs, &name, nullptr), 0);
    bp_attr_info a{};
    a.struct_size = sizeof a;
    for (uint32_t k = 0; k < info.n_attrs; ++k) ASSERT_EQ(bp_op_attr(op, k, &a, nullptr), BP_OK);
    EXPECT_EQ(bp_op_attr(op, info.n_attrs, &a, nullptr), BP_INDEX_OUT_OF_RANGE);
  }
  uint32_t op = 0;
  EXPECT_EQ(bp_op_at(bp_op_count(), &op, nullptr), BP_INDEX_OUT_OF_RANGE);
}

// The cpu takes its products in f64 where f32 would overflow or underflow, in whichever lane of a
// register that happens.
TEST(ProductsOnTheCpu, MayLeaveTheRangeOfF32OnTheWay) {
  constexpr size_t kLength = 166, kMiddle = 83, kLast = 160, kLanes = 16;
  const int64_t last = -1;
  const bp_attr axes{"axes", BP_ATTR_INTS, 1, {.ints = &last}, 0};
  for (const bool up_first : {true, false})
    for (size_t lane = 0; lane < kLanes; ++lane) {
      std::vector<float> rows(3 * kLength, 1.0F);
      for (size_t i = 0; i < rows.size(); ++i)
        if (const size_t at = i % kLength; at % kLanes == lane && at < kLast)
          rows[i] = (at < kMiddle) == up_first ? 0x1p100F : 0x1p-100F;
      double exact = 1;
      for (size_t i = 0; i < kLength; ++i) exact *= rows[i];
      T product;
      ASSERT_EQ(
          invoke(BP_OP_PROD, {value(tensor<float>({3, kLength}, rows))}, product, {axes}).status,
          BP_OK);
      EXPECT_EQ(values<float>(product), std::vector<float>(3, static_cast<float>(exact)))
          << "lane " << lane;
    }
}

}  // namespace
}  // namespace bp_test
