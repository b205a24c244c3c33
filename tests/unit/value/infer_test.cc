// SPDX-License-Identifier: Apache-2.0
// Dtype and shape rules as pure functions: rows in, shapes and dtypes out, no data.
#include "core/value/infer.h"

#include "core/value/dtype.h"
#include "unit/thrown.h"

namespace bp {
namespace {

using Sizes = std::vector<int64_t>;

struct Plan {
  bp_dtype compute, dtype;
  Sizes shape;
};

struct In {
  bp_dtype dtype;
  Sizes shape;
};

bp_attr axes(const Sizes& v) {
  return {nullptr, BP_ATTR_INTS, static_cast<uint32_t>(v.size()), {.ints = v.data()}, 0};
}
bp_attr integer(int64_t v) { return {nullptr, BP_ATTR_I64, 1, {.i64 = v}, 0}; }

Plan plan(const char* op, const std::vector<In>& inputs, std::vector<bp_attr> attrs = {}) {
  const OpRow* row = find_op(std::string_view(op));
  EXPECT_NE(row, nullptr) << op;
  std::vector<Operand> operands;
  for (const In& in : inputs) {
    Operand x;
    x.is_tensor = true;
    x.dtype = in.dtype;
    x.shape = in.shape;
    operands.push_back(x);
  }
  Inference f(*row, operands, attrs);
  row->dtype(f);
  row->shape(f);
  return {f.compute, f.out_dtype[0], Sizes(f.out_shape[0].begin(), f.out_shape[0].end())};
}

std::string fault(const char* op, const std::vector<In>& inputs, std::vector<bp_attr> attrs = {}) {
  return bp_test::caught([&] { plan(op, inputs, attrs); }).message;
}

TEST(Infer, IntegersBecomeTheDefaultFloatWhereAFloatIsNeeded) {
  EXPECT_EQ(plan("exp", {{BP_I32, {2}}}).dtype, BP_F32);
  EXPECT_EQ(plan("exp", {{BP_F16, {2}}}).dtype, BP_F16);
  EXPECT_EQ(plan("div", {{BP_I32, {2}}, {BP_I64, {2}}}).dtype, BP_F32);
  EXPECT_EQ(plan("floor_divide", {{BP_I32, {2}}, {BP_I64, {2}}}).dtype, BP_I64);
}

TEST(Infer, ComparisonsComputeInThePromotedDtypeAndGiveBool) {
  const Plan p = plan("lt", {{BP_I64, {2, 1}}, {BP_F16, {3}}});
  EXPECT_EQ(p.compute, BP_F16);
  EXPECT_EQ(p.dtype, BP_BOOL);
  EXPECT_EQ(p.shape, (Sizes{2, 3}));
}

TEST(Infer, RefusedDtypesReadAsPyTorchs) {
  EXPECT_EQ(fault("sub", {{BP_BOOL, {2}}, {BP_BOOL, {2}}}),
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or "
            "`logical_xor()` operator instead.");
  EXPECT_NE(fault("neg", {{BP_BOOL, {2}}})
                .find("Negation, the `-` operator, on a bool tensor is not supported."),
            std::string::npos);
  EXPECT_EQ(fault("bitwise_and", {{BP_F32, {2}}, {BP_F32, {2}}}),
            "\"bitwise_and\" not implemented for 'Float'");
  EXPECT_EQ(fault("matmul", {{BP_F64, {2, 2}}, {BP_F32, {2, 2}}}),
            "mat1 and mat2 must have the same dtype, but got Double and Float");
}

TEST(Infer, SumsOfIntegersAreWide) {
  const Sizes none;
  const std::vector<bp_attr> attrs{
      axes(none), integer(0), {nullptr, BP_ATTR_DTYPE, 1, {.i64 = BP_DTYPE_NONE}, 0}};
  EXPECT_EQ(plan("sum", {{BP_I8, {2}}}, attrs).dtype, BP_I64);
  EXPECT_EQ(plan("sum", {{BP_U64, {2}}}, attrs).dtype, BP_U64);
  EXPECT_EQ(plan("sum", {{BP_BOOL, {2}}}, attrs).dtype, BP_I64);
  EXPECT_EQ(plan("sum", {{BP_BF16, {2}}}, attrs).dtype, BP_BF16);
  EXPECT_NE(fault("mean", {{BP_I32, {2}}}, attrs)
                .find("Input dtype must be a floating point dtype. Got: Int"),
            std::string::npos);
}

TEST(Infer, ReductionsDropOrKeepTheirAxes) {
  const Sizes both{0, -1}, none, twice{1, -2}, far{3};
  EXPECT_EQ(plan("max", {{BP_F32, {2, 3, 4}}}, {axes(both), integer(0)}).shape, (Sizes{3}));
  EXPECT_EQ(plan("max", {{BP_F32, {2, 3, 4}}}, {axes(both), integer(1)}).shape, (Sizes{1, 3, 1}));
  EXPECT_EQ(plan("max", {{BP_F32, {2, 3, 4}}}, {axes(none), integer(0)}).shape, Sizes{});
  EXPECT_EQ(plan("max", {{BP_F32, {0, 3}}}, {axes(Sizes{1}), integer(0)}).shape, (Sizes{0}));
  EXPECT_NE(fault("max", {{BP_F32, {2, 3, 4}}}, {axes(twice), integer(0)})
                .find("appears multiple times in the list of dims"),
            std::string::npos);
  EXPECT_EQ(fault("max", {{BP_F32, {2, 3, 4}}}, {axes(far), integer(0)}),
            "Dimension out of range (expected to be in range of [-3, 2], but got 3)");
  EXPECT_NE(fault("max", {{BP_F32, {0}}}, {axes(none), integer(0)}).find("to have non-zero size"),
            std::string::npos);
}

TEST(Infer, RowsThatReduceBeginWithAxesAndKeepdims) {
  for (const OpRow* row : op_table()) {
    if (row->layout != Layout::kReduce && row->shape != rule::reduce &&
        row->shape != rule::reduce_nonempty)
      continue;
    EXPECT_TRUE(row->find_attr("axes") == 0 || row->find_attr("axis") == 0) << row->name;
    EXPECT_EQ(row->find_attr("keepdims"), 1) << row->name;
  }
}

TEST(Infer, ProductsOfMatricesDropAddedDimensions) {
  auto product = [](const Sizes& a, const Sizes& b) {
    return plan("matmul", {{BP_F32, a}, {BP_F32, b}}).shape;
  };
  EXPECT_EQ(product({3}, {3}), Sizes{});
  EXPECT_EQ(product({2, 3}, {3}), (Sizes{2}));
  EXPECT_EQ(product({3}, {3, 4}), (Sizes{4}));
  EXPECT_EQ(product({5, 1, 2, 3}, {7, 3, 4}), (Sizes{5, 7, 2, 4}));
  EXPECT_EQ(product({2, 0}, {0, 4}), (Sizes{2, 4}));
  EXPECT_EQ(fault("matmul", {{BP_F32, {2, 3}}, {BP_F32, {4, 5}}}),
            "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)");
  EXPECT_NE(fault("matmul", {{BP_F32, {}}, {BP_F32, {4, 5}}})
                .find("need to be at least 1D, but they are 0D and 2D"),
            std::string::npos);
}

TEST(Infer, JoinsAddUpTheirAxis) {
  EXPECT_EQ(plan("concat", {{BP_F32, {2, 3}}, {BP_I64, {2, 4}}}, {integer(-1)}).shape,
            (Sizes{2, 7}));
  EXPECT_EQ(plan("concat", {{BP_F32, {0}}, {BP_F32, {2, 4}}}, {integer(1)}).shape, (Sizes{2, 4}));
  EXPECT_EQ(plan("stack", {{BP_F32, {2}}, {BP_F32, {2}}, {BP_F32, {2}}}, {integer(-1)}).shape,
            (Sizes{2, 3}));
  EXPECT_EQ(fault("concat", {{BP_F32, {2, 3}}, {BP_F32, {4, 4}}}, {integer(0)}),
            "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for "
            "tensor number 1 in the list.");
  EXPECT_EQ(fault("concat", {{BP_F32, {}}}, {integer(0)}),
            "zero-dimensional tensor (at position 0) cannot be concatenated");
}

// A view that is expanded may be so long. Four of them would add up to 2^64, which is 0.
TEST(Infer, JoinsThatNoMemoryCanHoldAreRefused) {
  const In long_view{BP_F32, {int64_t{1} << 62}};
  for (const size_t n : {2, 4})
    EXPECT_EQ(fault("concat", std::vector(n, long_view), {integer(0)}),
              "concat: 4611686018427387904 and 4611686018427387904 elements along dimension 0 are "
              "too many");
}

}  // namespace
}  // namespace bp
