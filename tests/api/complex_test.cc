// SPDX-License-Identifier: Apache-2.0
// Complex numbers as values, and their parts as views.
#include <complex>

#include "kit/invoke.h"
#include "kit/tensors.h"

namespace bp_test {
namespace {

using C64 = std::complex<float>;
using C128 = std::complex<double>;

T filled(bp_value v, bp_dtype t) {
  const int64_t n = 2;
  return made(bp_tensor_full, 1, &n, static_cast<const bp_value*>(&v), t, kCpu);
}
bp_dtype dtype_of_sum(bp_dtype t, bp_value v) {
  const T x = filled(number(int64_t{1}), t);
  const bp_value in[2] = {value(x), v};
  bp_tensor* out = nullptr;
  EXPECT_EQ(bp_invoke(BP_OP_ADD, in, 2, nullptr, 0, &out, 1, nullptr), BP_OK);
  return bp_tensor_dtype(T(out).get());
}

TEST(ComplexNumber, FillsAComplexTensorAndChoosesTheDefaultOne) {
  EXPECT_EQ(bp_tensor_dtype(filled(number(1.0, 2.0), BP_DTYPE_NONE).get()), BP_C64);
  EXPECT_EQ(values<C128>(filled(number(1.0, 2.0), BP_C128)), (std::vector<C128>(2, {1, 2})));
  EXPECT_EQ(values<C64>(filled(number(0.5, -2.0), BP_C64)), (std::vector<C64>(2, {0.5f, -2})));
}

TEST(ComplexNumber, FitsNoRealTensor) {
  const int64_t n = 2;
  const bp_value v = number(1.0, 0.0);
  for (const bp_dtype t : {BP_F32, BP_F64, BP_I32, BP_BOOL}) {
    const auto full = refusal(bp_tensor_full, 1, &n, &v, t, kCpu);
    EXPECT_EQ(full.status, BP_INVALID_ARGUMENT);
    EXPECT_NE(full.message.find("without overflow: 1+0j"), std::string::npos) << full.message;
    EXPECT_EQ(attempt(bp_tensor_fill_, filled(number(int64_t{1}), t).get(), &v).status,
              BP_INVALID_ARGUMENT);
  }
}

TEST(ComplexNumber, PromotesToTheComplexTwin) {
  const bp_value i = number(0.0, 1.0);
  for (const bp_dtype t : {BP_BOOL, BP_I64, BP_F16, BP_BF16, BP_F32, BP_C64})
    EXPECT_EQ(dtype_of_sum(t, i), BP_C64) << t;
  for (const bp_dtype t : {BP_F64, BP_C128}) EXPECT_EQ(dtype_of_sum(t, i), BP_C128) << t;
  EXPECT_EQ(dtype_of_sum(BP_C64, number(2.5)), BP_C64);
}

TEST(ComplexNumber, OfAZeroDimensionalCpuTensorJoinsAnAcceleratorsOperands) {
  const T x = to(filled(number(1.0, 1.0), BP_C64), device("null:0"), BP_C64);
  const bp_value z = number(0.0, 1.0);
  const T one = made(bp_tensor_full, 0, static_cast<const int64_t*>(nullptr), &z, BP_C64, kCpu);
  const bp_value in[2] = {value(x), value(one)};
  bp_tensor* out = nullptr;
  bp_error* err = nullptr;
  // The null backend computes nothing complex: what matters is that it was asked.
  EXPECT_EQ(bp_invoke(BP_OP_ADD, in, 2, nullptr, 0, &out, 1, &err), BP_UNSUPPORTED);
  bp_error_release(err);
}

TEST(ComplexParts, AreViewsBothWays) {
  const T z = tensor<C64>({2, 2}, {{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  const T turned = made(bp_tensor_transpose, z.get(), int64_t{0}, int64_t{1});
  const T parts = made(bp_tensor_view_as_real, turned.get());
  EXPECT_EQ(bp_tensor_dtype(parts.get()), BP_F32);
  EXPECT_EQ(bp_tensor_same_storage(parts.get(), z.get()), 1u);
  EXPECT_EQ(values<float>(parts), (std::vector<float>{1, 2, 5, 6, 3, 4, 7, 8}));
  EXPECT_EQ(values<C64>(made(bp_tensor_view_as_complex, parts.get())), values<C64>(turned));
  const T imaginary = made(bp_tensor_select, parts.get(), int64_t{-1}, int64_t{1});
  const bp_value nine = number(9.0);
  ASSERT_EQ(bp_tensor_fill_(imaginary.get(), &nine, nullptr), BP_OK);
  EXPECT_EQ(values<C64>(z), (std::vector<C64>{{1, 9}, {3, 9}, {5, 9}, {7, 9}}));
}

TEST(ComplexParts, AreRefusedWhereTheyDoNotLieSideBySide) {
  EXPECT_EQ(refusal(bp_tensor_view_as_real, counting({2}).get()).status, BP_DTYPE_MISMATCH);
  EXPECT_EQ(refusal(bp_tensor_view_as_complex, counting({3}).get()).status, BP_INVALID_ARGUMENT);
  const T pairs = tensor<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(refusal(bp_tensor_view_as_complex,
                    made(bp_tensor_transpose, pairs.get(), int64_t{0}, int64_t{1}).get())
                .status,
            BP_INVALID_ARGUMENT);
  const T odd = made(bp_tensor_narrow, tensor<float>({3}, {1, 2, 3}).get(), int64_t{0}, int64_t{1},
                     int64_t{2});
  EXPECT_EQ(refusal(bp_tensor_view_as_complex, odd.get()).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(refusal(bp_tensor_view_as_complex, tensor<int64_t>({2}, {1, 2}).get()).status,
            BP_DTYPE_MISMATCH);
}

TEST(ComplexParts, OverlapWithTheWhole) {
  const T z = tensor<C64>({2}, {{1, 2}, {3, 4}});
  const T parts = made(bp_tensor_view_as_real, z.get());
  const T real = made(bp_tensor_select, parts.get(), int64_t{-1}, int64_t{0});
  const T imaginary = made(bp_tensor_select, parts.get(), int64_t{-1}, int64_t{1});
  EXPECT_EQ(attempt(bp_tensor_copy_, z.get(), real.get(), 0u).status, BP_INVALID_ARGUMENT);
  EXPECT_EQ(attempt(bp_tensor_copy_, imaginary.get(), real.get(), 0u).status, BP_OK);
  EXPECT_EQ(values<C64>(z), (std::vector<C64>{{1, 1}, {3, 3}}));
}

}  // namespace
}  // namespace bp_test
