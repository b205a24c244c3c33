// SPDX-License-Identifier: Apache-2.0
// linear.cc: the rows of the matrix product, and of one with a weight and what comes behind it.
#include "core/ops/elementwise/complex_numbers.h"
#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/linalg/attributes.h"
#include "core/ops/made_of.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

void linear_dtype(Inference& f) {
  rule::matmul_dtype(f);
  if (f.in[2].is_tensor && f.in[2].dtype != f.in[1].dtype)
    fail(BP_DTYPE_MISMATCH, "self and mat2 must have the same dtype, but got {} and {}",
         dtype_title(f.in[2].dtype), dtype_title(f.in[1].dtype));
  if (f.str(kLinearAttrs["activation"]) == "relu" &&
      (f.compute == BP_BOOL || is_complex(f.compute)))
    fail(BP_DTYPE_MISMATCH, "\"relu\" not implemented for '{}'", dtype_title(f.compute));
}
// x [.., in] or [in], weight [out, in], bias [out]
void linear_shape(Inference& f) {
  const Span x = f.in[0].shape, w = f.in[1].shape;
  if (x.empty() || w.size() != 2)
    fail(BP_INVALID_ARGUMENT,
         "linear: x must have at least 1 dimension and weight 2, but they are {}D and {}D",
         x.size(), w.size());
  const int64_t in = x.back(), rows = numel(x.first(x.size() - 1));
  if (in != w[1])
    fail(BP_INVALID_ARGUMENT, "mat1 and mat2 shapes cannot be multiplied ({}x{} and {}x{})", rows,
         in, w[1], w[0]);
  if (f.in[2].is_tensor && Dims(f.in[2].shape) != Dims{w[0]})
    fail(BP_INVALID_ARGUMENT, "linear: bias of shape {} does not fit a weight of {}",
         format_shape(f.in[2].shape), format_shape(w));
  if (const std::string_view a = f.str(kLinearAttrs["activation"]); a != "none" && a != "relu")
    fail(BP_INVALID_ARGUMENT, "linear: activation must be none or relu, got '{}'", a);
  f.out_shape[0] = Dims(x);
  f.out_shape[0].back() = w[0];
}
void linear(Composer& c) {
  Ref<Tensor> x = c.computed(0);
  if (x->rank() > 2)
    x = reshape(*x, Dims{numel(Span(x->shape).first(x->rank() - 1)), x->shape.back()});
  Ref<Tensor> y = product(x, transpose(*c.computed(1), 0, 1));
  if (c.has(2)) add_to(y, c.computed(2));
  if (c.str(kLinearAttrs["activation"]) == "relu") y = invoke(BP_OP_RELU, {y});
  c.out[0] = reshape(*y, c.plan.out_shape[0]);
}

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
    {.id = 198, .name = "linear", .inputs = {{{"x"}, {"weight"}, {"bias", Role::kValue, true}}}, .attrs = kLinearAttrs,
     .layout = Layout::kGeneral, .dtype = linear_dtype, .shape = linear_shape, .compose = linear, .compose_complex = linear,
     .grad = {"AddmmBackward0", linear_back, kIn0 | kIn1 | kIn2}, .flags = kProducts | kComplexToo,
     .doc = "x weight^T + bias: [.., in] with a weight [out, in] and a bias [out] is [.., out]; activation is none or relu, of the "
            "sum. Equal dtypes. Error as matmul, and one rounding of the result for the bias."},
};
// clang-format on
}  // namespace

std::span<const OpRow> linear_rows() { return kLinearRows; }

}  // namespace bp::ops
