// SPDX-License-Identifier: Apache-2.0
// linear.cc: the row of the matrix product.
#include "core/ops/elementwise/complex_numbers.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {
// clang-format off
constexpr OpRow kLinearRows[] = {
    {.id = 100, .name = "matmul", .inputs = kAB, .layout = Layout::kMatmul,
     .dtype = rule::matmul_dtype, .shape = rule::matmul_shape,
     .compose_complex = complex_numbers::matmul, .grad = {"MmBackward0", matmul_back, kIn0 | kIn1}, .flags = kPrimitive | kComplexToo,
     .max_ulp = 0,
     .doc = "Matrix product: [.., m, k] x [.., k, n] -> [.., m, n], batches broadcast; a 1-D a is a row and a 1-D b a "
            "column, dropped again from the result. Equal dtypes; f16 and bf16 are accumulated in f32, integers wrap, of "
            "bools it is any(a and b). Error: at most (k + 2) * eps * (|a| x |b|) for each element; "
            "larger for f32 where bp_set_matmul_precision allows it."},
};
// clang-format on
}  // namespace

std::span<const OpRow> linear_rows() { return kLinearRows; }

}  // namespace bp::ops
