// SPDX-License-Identifier: Apache-2.0
// What every op refuses: the wrong number of inputs, numbers for tensors, unknown attributes,
// indices out of range.
#include <gtest/gtest.h>

#include <utility>

#include "cases/cases.h"
#include "cases/inputs.h"
#include "judge.h"

namespace conformance {
namespace {

const Session kOnCpu{bp_device_make(BP_KIND_CPU, -1)};

Operand matrix(const Shape& shape, bp_dtype t = BP_F32) {
  return tensor(make(t, shape, Flavor::kSmall));
}
Operand indices(std::vector<Real> values) {
  const auto n = static_cast<int64_t>(values.size());
  return tensor(Array{BP_I64, {n}, std::move(values), {}});
}

class Misuse : public testing::TestWithParam<std::string> {};

TEST_P(Misuse, OfInputsAndAttributesIsRefused) {
  const Op& op = op_named(GetParam());
  const Spec* spec = oracle_of(op.name);
  ASSERT_NE(spec, nullptr);
  const auto takes = [&](bp_dtype t) { return (spec->dtypes >> t & 1) != 0; };
  const Call plain = plain_call(*spec, takes(BP_F32) ? BP_F32 : takes(BP_I32) ? BP_I32 : BP_C64);

  Call many = plain;
  many.in.push_back(matrix({4, 6}));
  if (spec->family != Family::kJoin) {
    EXPECT_TRUE(refused(op, kOnCpu, many, BP_INVALID_ARGUMENT));
  }
  if (!plain.in.empty()) {
    EXPECT_TRUE(refused(op, kOnCpu, {{}, plain.attrs}, BP_INVALID_ARGUMENT));
  }

  Call unknown = plain;
  unknown.attrs.push_back(int_attr("no_such_attribute", 1));
  EXPECT_TRUE(refused(op, kOnCpu, unknown, BP_NOT_FOUND));

  Call numbers = plain;
  for (Operand& x : numbers.in) x = number(int64_t{1});
  if (!plain.in.empty() && plain.in[0].is_tensor()) {
    EXPECT_TRUE(refused(op, kOnCpu, numbers, BP_INVALID_ARGUMENT));
  }

  for (const Attribute& a : plain.attrs)
    if (a.kind == BP_ATTR_I64) {
      Call wrong = plain;
      for (Attribute& b : wrong.attrs)
        if (b.name == a.name) b = ints_attr(a.name.c_str(), {1, 2});
      EXPECT_TRUE(refused(op, kOnCpu, wrong, BP_INVALID_ARGUMENT)) << "a list for " << a.name;
    }
}

INSTANTIATE_TEST_SUITE_P(, Misuse, testing::ValuesIn(op_names()),
                         [](const auto& info) { return info.param; });

TEST(Refusals, OfAxesOutOfRange) {
  for (const char* name : {"softmax", "cumsum", "sort", "argsort"})
    for (int64_t axis : {2, -3, 100})
      EXPECT_TRUE(refused(op_named(name), kOnCpu, {{matrix({4, 6})}, {int_attr("axis", axis)}},
                          BP_INDEX_OUT_OF_RANGE));
  for (const char* name : {"sum", "max", "any", "mean", "var"}) {
    EXPECT_TRUE(refused(op_named(name), kOnCpu, {{matrix({4, 6})}, {ints_attr("axes", {2})}},
                        BP_INDEX_OUT_OF_RANGE));
    EXPECT_TRUE(refused(op_named(name), kOnCpu, {{matrix({4, 6})}, {ints_attr("axes", {0, -2})}},
                        BP_INVALID_ARGUMENT));
  }
  EXPECT_TRUE(refused(op_named("argmax"), kOnCpu, {{matrix({4, 6})}, {ints_attr("axis", {0, 1})}},
                      BP_INVALID_ARGUMENT));
}

TEST(Refusals, OfReductionsOfNothing) {
  for (const char* name : {"max", "min"})
    EXPECT_TRUE(refused(op_named(name), kOnCpu, {{matrix({0, 3})}, {ints_attr("axes", {0})}},
                        BP_INDEX_OUT_OF_RANGE));
  for (const char* name : {"argmax", "argmin"})
    EXPECT_TRUE(refused(op_named(name), kOnCpu, {{matrix({0})}, {}}, BP_INDEX_OUT_OF_RANGE));
}

TEST(Refusals, OfShapesThatDoNotMeet) {
  EXPECT_TRUE(
      refused(op_named("add"), kOnCpu, {{matrix({2, 3}), matrix({2, 4})}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(
      refused(op_named("matmul"), kOnCpu, {{matrix({2, 3}), matrix({4, 5})}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(
      refused(op_named("matmul"), kOnCpu, {{matrix({}), matrix({4, 5})}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op_named("matmul"), kOnCpu, {{matrix({2, 3}), matrix({3, 5}, BP_F64)}},
                      BP_DTYPE_MISMATCH));
  EXPECT_TRUE(refused(op_named("matmul"), kOnCpu, {{matrix({2, 4, 3}), matrix({3, 3, 5})}},
                      BP_INVALID_ARGUMENT));
  EXPECT_TRUE(
      refused(op_named("concat"), kOnCpu, {{matrix({2, 3}), matrix({2, 4})}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op_named("concat"), kOnCpu, {{matrix({}), matrix({})}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(
      refused(op_named("stack"), kOnCpu, {{matrix({2, 3}), matrix({2, 4})}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(
      refused(op_named("topk"), kOnCpu, {{matrix({4})}, {int_attr("k", 5)}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(
      refused(op_named("topk"), kOnCpu, {{matrix({4})}, {int_attr("k", -1)}}, BP_INVALID_ARGUMENT));
  for (const int64_t k : {-1, 0, 5})  // it counts from 1
    EXPECT_TRUE(refused(op_named("kthvalue"), kOnCpu, {{matrix({4})}, {int_attr("k", k)}},
                        BP_INVALID_ARGUMENT));
}

TEST(Refusals, OfIndicesOutOfRange) {
  const Attribute axis = int_attr("axis", 0), classes = int_attr("num_classes", 4);
  for (Real bad : {4.0L, -1.0L, 1e15L}) {
    for (const char* name : {"gather", "index_select"})
      EXPECT_TRUE(refused(op_named(name), kOnCpu, {{matrix({4}), indices({0, bad})}, {axis}},
                          BP_INDEX_OUT_OF_RANGE))
          << bad;
    EXPECT_EQ(kOnCpu.run(op_named("one_hot").id, {{indices({0, bad})}, {classes}}).status < 0,
              true);
  }
  for (Real bad : {4.0L, -5.0L})
    EXPECT_TRUE(refused(op_named("take_along"), kOnCpu, {{matrix({4}), indices({0, bad})}, {axis}},
                        BP_INDEX_OUT_OF_RANGE));
  EXPECT_TRUE(
      refused(op_named("gather"), kOnCpu, {{matrix({4}), matrix({4})}, {axis}}, BP_DTYPE_MISMATCH));
  EXPECT_TRUE(refused(op_named("where"), kOnCpu, {{matrix({4}), matrix({4}), matrix({4})}},
                      BP_DTYPE_MISMATCH));
}

TEST(Refusals, OfImpossibleSequences) {
  auto arange = [](Operand a, Operand b, Operand c) { return Call{{a, b, c}, {}}; };
  const Op& op = op_named("arange");
  EXPECT_TRUE(refused(op, kOnCpu,
                      arange(number(int64_t{0}), number(int64_t{5}), number(int64_t{0})),
                      BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op, kOnCpu,
                      arange(number(int64_t{0}), number(int64_t{5}), number(int64_t{-1})),
                      BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op, kOnCpu, arange(number(0.0), number(1e300), number(1e-300)),
                      BP_OUT_OF_HOST_MEMORY));
  EXPECT_TRUE(refused(op_named("linspace"), kOnCpu,
                      {{number(0.0), number(1.0)}, {int_attr("steps", -1)}}, BP_INVALID_ARGUMENT));
  EXPECT_TRUE(refused(op_named("one_hot"), kOnCpu, {{indices({0})}, {int_attr("num_classes", 0)}},
                      BP_INVALID_ARGUMENT));
}

TEST(Refusals, OfWhatPyTorchRefuses) {
  const Operand f32 = matrix({1, 1, 3}), f64 = matrix({1, 1, 3}, BP_F64),
                i64 = matrix({1, 1, 3}, BP_I64);
  const auto ints = [](const char* name, Shape v) {
    return std::vector<Attribute>{ints_attr(name, std::move(v))};
  };
  const struct {
    const char* op;
    Call call;
    bp_status status;
    const char* message;
  } all[] = {
      {"conv1d",
       {{i64, i64, matrix({1}, BP_F64)}},
       BP_DTYPE_MISMATCH,
       "Input type (Long) and bias type (Double) should be the same"},
      {"conv_transpose1d",
       {{f32, f64, none()}},
       BP_DTYPE_MISMATCH,
       "Input type (Float) and weight type (Double) should be the same"},
      {"conv1d",
       {{f32, matrix({0, 1, 1}), none()}},
       BP_INVALID_ARGUMENT,
       "Given groups=1, expected weight to be at least 1 at dimension 0, but got weight of size [0, 1, 1] instead"},
      {"complex",
       {{f32, f64}},
       BP_DTYPE_MISMATCH,
       "Expected object of scalar type Float but got scalar type Double for second argument"},
      {"polar",
       {{f64, f32}},
       BP_DTYPE_MISMATCH,
       "Expected object of scalar type Double but got scalar type Float for second argument"},
      {"group_norm",
       {{matrix({2, 0, 3}), none(), none()}, {int_attr("num_groups", 1)}},
       BP_INVALID_ARGUMENT,
       "Expected number of channels to be greater than 0, got 0"},
      {"group_norm",
       {{matrix({2, 4, 3}), none(), none()}, {int_attr("num_groups", -2)}},
       BP_INVALID_ARGUMENT,
       "Expected num groups to be greater than 0, got -2"},
      {"batch_norm",
       {{matrix({2, 2}), none(), none(), none(), none()},
        {flag_attr("training", true), float_attr("eps", -1)}},
       BP_INVALID_ARGUMENT,
       "batch_norm eps must be positive during training, but got -1"},
      {"max_pool1d",
       {{matrix({1, 0, 3})}, ints("kernel_size", {1})},
       BP_INVALID_ARGUMENT,
       "max_pool1d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes [1, 0, 3] with "
       "dimension 1 being empty"},
      {"avg_pool2d",
       {{matrix({1, 1, 3, 0})}, ints("kernel_size", {1})},
       BP_INVALID_ARGUMENT,
       "avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has sizes [1, 1, 3, 0] "
       "with dimension 3 being empty"},
      {"roll",
       {{matrix({})}, {ints_attr("shift", {0}), ints_attr("axis", {0})}},
       BP_INDEX_OUT_OF_RANGE,
       "Dimension specified as 0 but tensor has no dimensions"},
      {"masked_fill",
       {{i64, tensor(Array{BP_BOOL, {}, {1}, {}}), tensor(Array{BP_C64, {}, {1}, {1}})}},
       BP_DTYPE_MISMATCH,
       "value cannot be converted to type int64 without overflow"},
      {"masked_fill",
       {{matrix({2}, BP_I8), tensor(Array{BP_BOOL, {}, {1}, {}}), number(int64_t{300})}},
       BP_INVALID_ARGUMENT,
       "value cannot be converted to type int8 without overflow"},
      {"vector_norm",
       {{i64}},
       BP_DTYPE_MISMATCH,
       "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long"},
      {"vector_norm",
       {{matrix({0})}, {float_attr("ord", -1)}},
       BP_INVALID_ARGUMENT,
       "linalg.vector_norm cannot compute the -1 norm on an empty tensor because the operation does not have an "
       "identity"},
      {"pad",
       {{f32}, {ints_attr("pad", {-2, 3}), str_attr("mode", "circular")}},
       BP_INVALID_ARGUMENT,
       "Padding value causes wrapping around more than once: padding (-2, 3) at dimension 2 of input [1, 1, 3]"},
      {"binary_cross_entropy_with_logits",
       {{matrix({2}), matrix({1}), none(), none()}},
       BP_INVALID_ARGUMENT,
       "Target size ([1]) must be the same as input size ([2])"},
  };
  for (const auto& [op, call, status, message] : all) {
    const Outcome o = kOnCpu.run(op_named(op).id, call);
    EXPECT_EQ(o.status, status) << op;
    EXPECT_EQ(o.message, message);
  }
}

TEST(Refusals, OfIntegersToNegativeNumbers) {
  const Outcome o =
      kOnCpu.run(op_named("pow").id, {{matrix({3}, BP_I32), number(int64_t{-1})}, {}});
  EXPECT_EQ(o.status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(o.message, "Integers to negative integer powers are not allowed.");
}

}  // namespace
}  // namespace conformance
