// SPDX-License-Identifier: Apache-2.0
// complex_parts.cc: the rows that take complex numbers apart and put them together. What only moves
// parts goes through views and copies, so that every backend has it.
#include <numbers>

#include "core/ops/families.h"
#include "core/ops/gradients.h"
#include "core/ops/made_of.h"
#include "core/value/dtype.h"
#include "core/value/infer.h"

namespace bp::ops {
namespace {

enum Part : int64_t { kReal = 0, kImaginary = 1 };

Ref<Tensor> part_of(const Tensor& t, Part part) { return select(*view_as_real(t), -1, part); }

void real(Composer& c) {
  Tensor& x = c.tensor(0);
  c.out[0] = is_complex(x.dtype) ? part_of(x, kReal) : alias(x);
}
void imag(Composer& c) { c.out[0] = part_of(c.tensor(0), kImaginary); }
void conj(Composer& c) {
  Tensor& x = c.tensor(0);
  c.out[0] = clone(x);
  if (!is_complex(x.dtype)) return;
  Ref<Tensor> im = part_of(*c.out[0], kImaginary);
  invoke(BP_OP_NEG, {*im}, {}, {&im, 1});
}

void angle(Composer& c) {
  if (is_complex(c.plan.compute)) {
    c.out[0] = invoke(BP_OP_ATAN2, {part_of(c.tensor(0), kImaginary), part_of(c.tensor(0), kReal)});
    return;
  }
  const Ref<Tensor> x = c.computed(0);
  const Ref<Tensor> turn = mul(as_dtype(*less(x, 0.0), c.plan.compute), std::numbers::pi);
  c.out[0] = where(is_nan(x), x, turn);
}

void assign(Tensor& target, const bp_value& v) {
  if (is_tensor(v)) return copy_into(target, *v.as.tensor, /*non_blocking=*/false);
  fill(target, v);
}

Ref<Tensor> new_result(const Composer& c) {
  return new_tensor(c.plan.out_shape[0], c.plan.out_dtype[0], c.device);
}

void complex(Composer& c) {
  c.out[0] = new_result(c);
  assign(*part_of(*c.out[0], kReal), c.in[0]);
  assign(*part_of(*c.out[0], kImaginary), c.in[1]);
}

void polar(Composer& c) {
  c.out[0] = new_result(c);
  const Ref<Tensor> angle = new_tensor(c.plan.out_shape[0], c.plan.compute, c.out[0]->device());
  assign(*angle, c.in[1]);
  for (const Part part : {kReal, kImaginary}) {
    const Ref<Tensor> turn = invoke(part == kReal ? BP_OP_COS : BP_OP_SIN, {angle});
    copy_into(*part_of(*c.out[0], part), *mul(turn, c.in[0]), /*non_blocking=*/false);
  }
}

// clang-format off
constexpr OpRow kComplexPartsRows[] = {
    {.id = 240, .name = "real", .inputs = kX, .dtype = rule::magnitude, .shape = rule::broadcast, .compose = real,
     .doc = "The real parts, of c64 as f32 and of c128 as f64; real numbers as they are. A copy: bp_tensor_view_as_real "
            "gives views."},
    {.id = 241, .name = "imag", .inputs = kX, .dtype = rule::imaginary, .shape = rule::broadcast, .compose = imag,
     .doc = "The imaginary parts of complex numbers, as real's."},
    {.id = 242, .name = "conj", .inputs = kX, .dtype = rule::promoted, .shape = rule::broadcast, .compose = conj,
     .grad = {"ConjBackward0", conj_back},
     .doc = "The imaginary parts with the other sign; real numbers as they are."},
    {.id = 243, .name = "angle", .inputs = kX, .dtype = rule::angle_dtype, .shape = rule::broadcast, .compose = angle,
     .max_ulp = 2,
     .doc = "atan2(imaginary, real), in [-pi, pi]; of real numbers pi below zero, else 0, and NaN of NaN."},
    {.id = 244, .name = "complex", .inputs = {{{"real"}, {"imag"}}}, .dtype = rule::from_parts,
     .shape = rule::broadcast, .compose = complex,
     .grad = {"ComplexBackward0", complex_back},
     .doc = "Complex numbers of real and imaginary parts, which broadcast: c64 of f32, c128 of f64."},
    {.id = 245, .name = "polar", .inputs = {{{"abs"}, {"angle"}}}, .dtype = rule::from_parts, .shape = rule::broadcast,
     .compose = polar, .grad = {"PolarBackward0", polar_back, kIn1 | kOut0}, .max_ulp = 4,
     .doc = "abs * cos(angle) + abs * sin(angle) i; dtypes as complex's."},
};
// clang-format on
}  // namespace

std::span<const OpRow> complex_parts_rows() { return kComplexPartsRows; }

}  // namespace bp::ops
