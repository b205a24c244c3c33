// SPDX-License-Identifier: Apache-2.0
// Users' own ops: kernels by callback, compositions, what infer says, names, errors, reflection,
// and their end.
#include <cstring>

#include "kit/invoke.h"
#include "kit/tensors.h"
#include "kit/user_ops.h"

namespace bp_test {
namespace {

// out = in 0, twice as long, i64.
bp_status infer_twice(void*, const bp_tensor_spec* in, uint32_t, const bp_attr*, uint32_t,
                      bp_tensor_spec* out, uint32_t, bp_error**) {
  out[0] = in[0];
  out[0].dtype = BP_I64;
  out[0].shape[0] *= 2;
  return BP_OK;
}
bp_status infer_fails(void*, const bp_tensor_spec*, uint32_t, const bp_attr*, uint32_t,
                      bp_tensor_spec*, uint32_t, bp_error** err) {
  return bp_error_set(err, BP_DTYPE_MISMATCH, "twice: wants integers");
}
bp_status infer_fails_silently(void*, const bp_tensor_spec*, uint32_t, const bp_attr*, uint32_t,
                               bp_tensor_spec*, uint32_t, bp_error**) {
  return BP_CALLBACK;
}
bp_status infer_nonsense(void*, const bp_tensor_spec*, uint32_t, const bp_attr*, uint32_t,
                         bp_tensor_spec* out, uint32_t, bp_error**) {
  out[0].dtype = 77;
  out[0].rank = 1000;
  return BP_OK;
}

bp_status run_twice(void* user, const bp_launch* l, bp_error**) {
  const bp_arg &x = l->args[0], &out = l->args[1];
  for (int64_t i = 0; i < x.shape[0]; ++i) {
    const int64_t v = static_cast<const int64_t*>(x.data)[i * x.strides[0]];
    static_cast<int64_t*>(out.data)[2 * i] = static_cast<int64_t*>(out.data)[2 * i + 1] = v;
  }
  ++*static_cast<int*>(user);
  return BP_OK;
}
bp_status run_fails(void*, const bp_launch*, bp_error** err) {
  return bp_error_set(err, BP_INTERNAL, "the kernel gave up");
}

bp_status compose_square(void* user, bp_tensor* const* in, uint32_t, const bp_attr*, uint32_t,
                         bp_tensor** out, uint32_t, bp_error** err) {
  ++*static_cast<int*>(user);
  const bp_value values[2] = {{BP_VALUE_TENSOR, 0, {in[0]}}, {BP_VALUE_TENSOR, 0, {in[0]}}};
  return bp_invoke(BP_OP_MUL, values, 2, nullptr, 0, out, 1, err);
}
bp_status compose_nothing(void*, bp_tensor* const*, uint32_t, const bp_attr*, uint32_t, bp_tensor**,
                          uint32_t, bp_error**) {
  return BP_OK;
}

class UserOp : public testing::Test {
 protected:
  // The names of one test are free again for the next.
  void TearDown() override { EXPECT_EQ(bp_shutdown(-1, nullptr), BP_OK); }

  uint32_t registered(const bp_op_desc& d) {
    uint32_t op = 0;
    const Answer r = attempt(bp_op_register, &d, &op);
    EXPECT_EQ(r.status, BP_OK) << r.message;
    EXPECT_GE(op, 1u << 31);
    return op;
  }
  int count_ = 0;
};

TEST_F(UserOp, RunsItsKernelOnOutputsAllocatedAsInferred) {
  const uint32_t op = registered(described("test.twice", infer_twice, nullptr));
  ASSERT_EQ(bp_op_register_kernel(op, BP_KIND_CPU, run_twice, &count_, nullptr), BP_OK);
  const T x = counting<int64_t>({6});
  const T odd = made(bp_tensor_slice, x.get(), int64_t{0}, int64_t{1}, BP_SLICE_NONE, int64_t{2});
  T out;
  ASSERT_EQ(invoke(op, {value(odd)}, out).status, BP_OK);
  EXPECT_EQ(values<int64_t>(out), (std::vector<int64_t>{1, 1, 3, 3, 5, 5}));
  EXPECT_EQ(count_, 1);
}

TEST_F(UserOp, WritesGivenOutputsThatFitAndRefusesOthers) {
  const uint32_t op = registered(described("test.twice", infer_twice, nullptr));
  ASSERT_EQ(bp_op_register_kernel(op, BP_KIND_CPU, run_twice, &count_, nullptr), BP_OK);
  const T x = counting<int64_t>({2});
  T fits = counting<int64_t>({4}), longer = counting<int64_t>({5}), other = counting<float>({4});
  const uint64_t version = bp_tensor_version(fits.get());
  ASSERT_EQ(invoke(op, {value(x)}, fits).status, BP_OK);
  EXPECT_EQ(values<int64_t>(fits), (std::vector<int64_t>{0, 0, 1, 1}));
  EXPECT_GT(bp_tensor_version(fits.get()), version);
  EXPECT_EQ(invoke(op, {value(x)}, longer).status, BP_INVALID_ARGUMENT);
  EXPECT_LT(invoke(op, {value(x)}, other).status, 0);
  const T base = counting<int64_t>({5});
  const T head = made(bp_tensor_narrow, base.get(), int64_t{0}, int64_t{0}, int64_t{2});
  T over = made(bp_tensor_narrow, base.get(), int64_t{0}, int64_t{1}, int64_t{4});
  EXPECT_EQ(invoke(op, {value(head)}, over).status, BP_INVALID_ARGUMENT);
}

TEST_F(UserOp, ComposesOfOtherOpsOnAnyDevice) {
  bp_op_desc d = described("test.square", infer_same, &count_);
  d.compose = compose_square;
  const uint32_t op = registered(d);
  T out, none;
  ASSERT_EQ(invoke(op, {value(counting({3}))}, out).status, BP_OK);
  EXPECT_EQ(values<float>(out), (std::vector<float>{0, 1, 4}));
  EXPECT_EQ(invoke(op, {value(counting({3}, device("null:0")))}, none).status, BP_UNSUPPORTED)
      << "null has no mul";
  EXPECT_EQ(count_, 2);
  T given = counting({3});
  ASSERT_EQ(invoke(op, {value(counting({3}))}, given).status, BP_OK);
  EXPECT_EQ(values<float>(given), (std::vector<float>{0, 1, 4}));
}

TEST_F(UserOp, FailsWithItsOwnSentence) {
  const uint32_t by_infer = registered(described("test.infer", infer_fails, nullptr));
  ASSERT_EQ(bp_op_register_kernel(by_infer, BP_KIND_CPU, run_twice, &count_, nullptr), BP_OK);
  T out;
  Answer r = invoke(by_infer, {value(counting({3}))}, out);
  EXPECT_EQ(r.status, BP_DTYPE_MISMATCH);
  EXPECT_EQ(r.message, "twice: wants integers");

  const uint32_t by_kernel = registered(described("test.kernel", infer_same, nullptr));
  ASSERT_EQ(bp_op_register_kernel(by_kernel, BP_KIND_CPU, run_fails, nullptr, nullptr), BP_OK);
  r = invoke(by_kernel, {value(counting({3}))}, out);
  EXPECT_EQ(r.status, BP_INTERNAL);
  EXPECT_EQ(r.message, "the kernel gave up");

  const uint32_t silent = registered(described("test.silent", infer_fails_silently, nullptr));
  ASSERT_EQ(bp_op_register_kernel(silent, BP_KIND_CPU, run_twice, &count_, nullptr), BP_OK);
  r = invoke(silent, {value(counting({3}))}, out);
  EXPECT_EQ(r.status, BP_CALLBACK);
  EXPECT_NE(r.message.find("test.silent"), std::string::npos) << r.message;
  EXPECT_EQ(out, nullptr);
  EXPECT_EQ(count_, 0);
}

TEST_F(UserOp, WhoseInferTalksNonsenseIsRefused) {
  const uint32_t op = registered(described("test.nonsense", infer_nonsense, nullptr));
  ASSERT_EQ(bp_op_register_kernel(op, BP_KIND_CPU, run_twice, &count_, nullptr), BP_OK);
  T out;
  EXPECT_LT(invoke(op, {value(counting({3}))}, out).status, 0);
  bp_op_desc d = described("test.nothing", infer_same, nullptr);
  d.compose = compose_nothing;
  EXPECT_EQ(invoke(registered(d), {value(counting({3}))}, out).status, BP_CALLBACK);
}

TEST_F(UserOp, WithoutAKernelForTheKindIsUnsupported) {
  const uint32_t op = registered(described("test.nowhere", infer_same, nullptr));
  T out;
  const Answer r = invoke(op, {value(counting({3}))}, out);
  EXPECT_EQ(r.status, BP_UNSUPPORTED);
  EXPECT_NE(r.message.find("test.nowhere"), std::string::npos) << r.message;
  uint32_t yes = 7;
  ASSERT_EQ(bp_op_supported(op, BP_F32, BP_KIND_CPU, &yes, nullptr), BP_OK);
  EXPECT_EQ(yes, 0u);
  ASSERT_EQ(bp_op_register_kernel(op, BP_KIND_CPU, run_fails, nullptr, nullptr), BP_OK);
  ASSERT_EQ(bp_op_supported(op, BP_F32, BP_KIND_CPU, &yes, nullptr), BP_OK);
  EXPECT_EQ(yes, 1u);
  EXPECT_LT(bp_op_register_kernel(op, BP_KIND_CPU, run_fails, nullptr, nullptr), 0)
      << "twice for one kind";
}

TEST_F(UserOp, NeedsAFreeAndWellFormedName) {
  registered(described("test.once", infer_same, nullptr));
  uint32_t op = 0;
  for (const char* name :
       {"test.once", "add", "", "Add", "9lives", "two words", static_cast<const char*>(nullptr)}) {
    const bp_op_desc d = described(name, infer_same, nullptr);
    const Answer r = attempt(bp_op_register, &d, &op);
    EXPECT_EQ(r.status, BP_INVALID_ARGUMENT) << (name ? name : "NULL");
    EXPECT_FALSE(r.message.empty());
  }
}

TEST_F(UserOp, NeedsASaneDescription) {
  uint32_t op = 0;
  auto refused = [&](auto change) {
    bp_op_desc d = described("test.bad", infer_same, nullptr);
    change(d);
    return bp_op_register(&d, &op, nullptr);
  };
  EXPECT_EQ(refused([](bp_op_desc& d) { d.n_inputs = 0; }), BP_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](bp_op_desc& d) { d.n_outputs = 9; }), BP_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](bp_op_desc& d) { d.infer = nullptr; }), BP_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](bp_op_desc& d) { d.flags = 1; }), BP_INVALID_ARGUMENT);
  EXPECT_EQ(refused([](bp_op_desc& d) { d.struct_size = 0; }), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_op_register(nullptr, &op, nullptr), BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_op_register_kernel(BP_OP_ADD, BP_KIND_CPU, run_fails, nullptr, nullptr),
            BP_INVALID_ARGUMENT);
  EXPECT_EQ(bp_op_register_kernel(1u << 31, BP_KIND_CPU, run_fails, nullptr, nullptr),
            BP_NOT_FOUND);
}

TEST_F(UserOp, IsFoundAndListedAfterTheBuiltIns) {
  const uint32_t before = bp_op_count();
  const uint32_t a = registered(described("test.a", infer_same, nullptr)),
                 b = registered(described("test.b", infer_same, nullptr));
  EXPECT_EQ(bp_op_count(), before + 2);
  uint32_t found = 0;
  ASSERT_EQ(bp_op_find("test.b", &found, nullptr), BP_OK);
  EXPECT_EQ(found, b);
  ASSERT_EQ(bp_op_at(before, &found, nullptr), BP_OK);
  EXPECT_EQ(found, a);
  bp_op_info info{};
  info.struct_size = sizeof info;
  ASSERT_EQ(bp_op_get_info(a, &info, nullptr), BP_OK);
  EXPECT_STREQ(info.name, "test.a");
  EXPECT_STREQ(info.doc, "a test's op");
  EXPECT_EQ(info.n_inputs, 1u);
}

TEST_F(UserOp, RefusesOperandsOnTwoDevicesAndNumbers) {
  bp_op_desc d = described("test.pair", infer_same, nullptr);
  d.n_inputs = 2;
  const uint32_t op = registered(d);
  T out;
  const Answer r = invoke(op, {value(counting({3})), value(counting({3}, device("null:0")))}, out);
  EXPECT_EQ(r.status, BP_DEVICE_MISMATCH);
  EXPECT_NE(r.message.find("test.pair"), std::string::npos) << r.message;
  EXPECT_EQ(invoke(op, {value(counting({3})), number(1.0)}, out).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(invoke(op, {value(counting({3}))}, out).status, BP_INVALID_ARGUMENT);
}

TEST(UserOpEnd, IsAtShutdownAndOnce) {
  static int destroyed = 0;
  destroyed = 0;
  int count = 0;
  bp_op_desc d = described("test.end", infer_same, &count);
  d.destroy = [](void*) { ++destroyed; };
  uint32_t op = 0;
  ASSERT_EQ(bp_op_register(&d, &op, nullptr), BP_OK);
  ASSERT_EQ(bp_op_register_kernel(op, BP_KIND_CPU, run_twice, &count, nullptr), BP_OK);
  EXPECT_EQ(destroyed, 0);
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  EXPECT_EQ(destroyed, 1);
  EXPECT_EQ(bp_op_find("test.end", &op, nullptr), BP_NOT_FOUND);
  ASSERT_EQ(bp_op_register(&d, &op, nullptr), BP_OK) << "the name is free again";
  ASSERT_EQ(bp_shutdown(-1, nullptr), BP_OK);
  EXPECT_EQ(destroyed, 2);
}

}  // namespace
}  // namespace bp_test
